package audit

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// recordedLogs are the audit logs of the recordings that have one, by name.
func recordedLogs(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range slices.Concat(recordings.Names(recordings.Real), recordings.Names(recordings.Played)) {
		whole, err := recordings.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := fs.ReadFile(whole, "audit.log"); err == nil {
			out[name] = data
		}
	}
	return out
}

// truth is what truth.json says that requests can tell.
type truth struct {
	LostNode string `json:"lostNode"`
	Affected []struct {
		Namespace string `json:"namespace"`
		OldPod    string `json:"oldPod"`
		NewPod    string `json:"newPod"`
		OldNode   string `json:"oldNode"`
		NewNode   string `json:"newNode"`
		Times     map[string]string
	} `json:"affected"`
	VolumeAttachments []struct {
		Name, Node, PV                    string
		Created, Attached, Deletion, Gone string
	} `json:"volumeAttachments"`
	OperatorActions []struct {
		At, Done, What string
	} `json:"operatorActions"`
}

func readTruth(t *testing.T, recording string) truth {
	t.Helper()
	whole, err := recordings.Open(recording)
	if err != nil {
		t.Fatal(err)
	}
	data, err := fs.ReadFile(whole, "truth-later.json")
	if err != nil {
		data, err = fs.ReadFile(whole, "truth.json")
	}
	if err != nil {
		t.Fatal(err)
	}
	var out truth
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// tolerance is by how much watches and requests differ in the recordings.
const tolerance = 100 * time.Millisecond

// told reports whether an observation of the kind was made at that time.
func told(list []model.Observation, at time.Time, is func(*model.Observation) bool) bool {
	for i := range list {
		o := &list[i]
		if is(o) && !at.Before(o.At.Earliest.Add(-tolerance)) && !at.After(o.At.Latest.Add(tolerance)) {
			return true
		}
	}
	return false
}

// Every instant that the truth has and a request tells is told, and no other deletion or attachment is.
func TestRecordedTruth(t *testing.T) {
	for recording, data := range recordedLogs(t) {
		t.Run(recording, func(t *testing.T) {
			res := Read(bytes.NewReader(data), "audit.log")
			if len(res.Problems) > 0 {
				t.Errorf("problems: %+v", res.Problems)
			}
			want := readTruth(t, recording)
			attachmentsAgree(t, res.Observations, want)
			podsAgree(t, res.Observations, want)
			actionsAgree(t, res.Observations, want)
		})
	}
}

func attachmentsAgree(t *testing.T, got []model.Observation, want truth) {
	t.Helper()
	count := map[model.Kind]int{}
	for _, va := range want.VolumeAttachments {
		for kind, stamp := range map[model.Kind]string{
			model.AttachmentCreated: va.Created, model.AttachmentAttached: va.Attached,
			model.AttachmentDeletionRequested: va.Deletion, model.AttachmentGone: va.Gone,
		} {
			at, err := time.Parse(time.RFC3339Nano, stamp)
			if err != nil {
				continue // it did not happen
			}
			count[kind]++
			if !told(got, at, func(o *model.Observation) bool {
				return o.Kind == kind && o.Attachment == va.Name && o.Node == va.Node && o.Volume.PersistentVolume == va.PV
			}) {
				t.Errorf("%s of %s at %s is not told", kind, va.Name, stamp)
			}
		}
	}
	for kind, n := range count {
		told := 0
		for _, o := range got {
			if o.Kind == kind {
				told++
			}
		}
		if told != n {
			t.Errorf("%s is told %d times, want %d", kind, told, n)
		}
	}
}

func podsAgree(t *testing.T, got []model.Observation, want truth) {
	t.Helper()
	for _, a := range want.Affected {
		pod := func(name string, kinds ...model.Kind) func(*model.Observation) bool {
			return func(o *model.Observation) bool {
				return slices.Contains(kinds, o.Kind) && o.Pod.Name == name && o.Pod.Namespace == a.Namespace
			}
		}
		node := func(kind model.Kind, detail string) func(*model.Observation) bool {
			return func(o *model.Observation) bool {
				return o.Kind == kind && o.Node == a.OldNode && strings.HasPrefix(o.Detail, detail)
			}
		}
		for name, is := range map[string]func(*model.Observation) bool{
			"oldPodDeleteRequested": pod(a.OldPod, model.PodDeletionRequested, model.PodForceDeleted), // the second with grace 0 at once
			// Without answers in the log: who ended it with grace 0, and when.
			"oldPodGone":                    pod(a.OldPod, model.PodContainersStopped, model.PodForceDeleted, model.PodDeletionRequested),
			"oldPodTerminalPhase":           pod(a.OldPod, model.PodFinished),
			"newPodReady":                   pod(a.NewPod, model.PodReady),
			"newPodScheduled":               pod(a.NewPod, model.PodScheduled),
			"nodeNotReady":                  node(model.NodeNotReady, ""),
			"nodeUnreachableNoExecuteTaint": node(model.NodeTainted, "node.kubernetes.io/unreachable=:NoExecute"),
			"nodeOutOfServiceTaint":         node(model.NodeTainted, "node.kubernetes.io/out-of-service="),
			"nodeObjectGone":                node(model.NodeDeleted, ""),
		} {
			if gone := a.Times["nodeObjectGone"]; name == "nodeNotReady" && gone != "" && a.Times[name] > gone {
				continue // a Node that registers anew is not Ready for a moment: nobody found that
			}
			at, err := time.Parse(time.RFC3339Nano, a.Times[name])
			if err == nil && !told(got, at, is) {
				t.Errorf("%s at %s is not told", name, a.Times[name])
			}
		}
	}
}

// actionsAgree looks for what each kubectl command did, and who did it.
func actionsAgree(t *testing.T, got []model.Observation, want truth) {
	t.Helper()
	for _, action := range want.OperatorActions {
		kind, detail := model.Kind(""), ""
		switch words := strings.Fields(action.What); {
		case strings.Contains(action.What, "delete pod"):
			kind = model.PodDeletionRequested
			if strings.Contains(action.What, "--force") {
				detail = "grace 0s"
			}
		case strings.Contains(action.What, "delete volumeattachment"):
			kind = model.AttachmentDeletionRequested
		case strings.Contains(action.What, "delete node"):
			kind = model.NodeDeleted
		case strings.Contains(action.What, "taint node") && !strings.HasSuffix(words[len(words)-1], "-"):
			kind, detail = model.NodeTainted, words[len(words)-1]
		default:
			continue
		}
		begin, err1 := time.Parse(time.RFC3339Nano, action.At)
		end, err2 := time.Parse(time.RFC3339Nano, action.Done)
		if err1 != nil || err2 != nil {
			t.Fatalf("%+v", action)
		}
		found := false
		for _, o := range got {
			found = found || o.Kind == kind && o.Detail == detail && o.Actor == "kubernetes-admin" && strings.HasPrefix(o.Agent, "kubectl/v") &&
				!o.At.At.Before(begin.Add(-tolerance)) && !o.At.At.After(end.Add(tolerance))
		}
		if !found {
			t.Errorf("%s at %s is not told", action.What, action.At)
		}
	}
}
