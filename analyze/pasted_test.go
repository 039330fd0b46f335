package analyze_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// pastedTruth is what of a measured truth a description of pods can contradict.
type pastedTruth struct {
	CauseClass string    `json:"causeClass"`
	SnapshotAt time.Time `json:"snapshotAt"`
	Affected   []struct {
		PV, PVC, Namespace, OldPod, NewPod, OldNode, NewNode string
		ResolvedAtSnapshot                                   bool
		Times                                                struct {
			MultiAttachFirstEvent, NewVAAttached *time.Time
		}
	} `json:"affected"`
}

// likelyOf are the causes that are right of an incident of a class; of a mixed one each of its volumes has its own.
var likelyOf = map[string][]string{
	"node-down": {"node-down", "kubelet-down",
		"old-pod-not-finished"}, "rolling-update-deadlock": {"rollout-surge"}, "shared-rwo": {"shared-claim"},
	"detach-failing": {"driver-detach-error", "cloud-detach-failing"}, "stuck-unmount": {"unmount-stuck", "volumes-in-use-stale",
		"old-pod-not-finished", "node-down"},
	"kcm-failover": {"node-down", "controller-failover", "old-pod-not-finished",
		"kubelet-down"}, "attacher-down": {"attachment-not-finishing"},
	"slow-termination": {"handover", "old-pod-not-finished"}, "none": {"handover"},
	"mixed": {"handover", "rollout-surge", "node-down", "kubelet-down", "old-pod-not-finished"},
}

// TestPastedViews: of each recording, what a person would paste. Nothing that is said contradicts what was measured, each incident
// has a command to run next, and of the likely causes four of five are right.
func TestPastedViews(t *testing.T) {
	likely, right := 0, 0
	for _, r := range recordedTruths(t) {
		var truth pastedTruth
		if err := json.Unmarshal(r.truth, &truth); err != nil {
			t.Fatal(err)
		}
		text := pastedView(t, r.bundle, truth.SnapshotAt)
		if text == "" {
			continue
		}
		snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(fstest.MapFS{"describe.txt": {Data: []byte(text)}}, r.name),
			ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report := analyze.Run(t.Context(), snapshot, analyze.Options{Version: "v0.0.0-test"})
		if len(report.Incidents) == 0 {
			t.Errorf("%s: no incident", r.name)
		}
		for _, i := range report.Incidents {
			for _, bad := range truth.contradicted(i, *report.Bundle.CapturedAt) {
				t.Errorf("%s: %s", r.name, bad)
			}
			if len(i.Next) == 0 {
				t.Errorf("%s: no next command, %s", r.name, i.Causes[0].ID)
			}
			if i.Causes[0].Verdict == model.Undecidable {
				continue
			}
			if likely++; slices.Contains(likelyOf[truth.CauseClass], i.Causes[0].ID) {
				right++
			} else {
				t.Logf("%s: %s is %s", r.name, i.Causes[0].ID, i.Causes[0].Verdict)
			}
		}
	}
	t.Logf("%d of %d likely causes are right", right, likely)
	if recordings.Long && likely < 3 || right*5 < likely*4 {
		t.Errorf("%d of %d likely causes are right", right, likely)
	}
}

// contradicted lists what an incident says that was measured otherwise.
func (p pastedTruth) contradicted(i model.Incident, collected model.Moment) []string {
	var out []string
	n := slices.IndexFunc(p.Affected, func(a struct {
		PV, PVC, Namespace, OldPod, NewPod, OldNode, NewNode string
		ResolvedAtSnapshot                                   bool
		Times                                                struct{ MultiAttachFirstEvent, NewVAAttached *time.Time }
	}) bool {
		return a.PV == i.Volume.PersistentVolume && (i.To.Node == "" || i.To.Node == a.NewNode)
	})
	if n < 0 {
		return []string{fmt.Sprintf("volume %q on %q did not wait", i.Volume.PersistentVolume, i.To.Node)}
	}
	a := p.Affected[n]
	says := func(what, got, want string) {
		if got != "" && want != "" && got != want {
			out = append(out, fmt.Sprintf("%s is %q, was %q", what, got, want))
		}
	}
	says("the old node", i.From.Node, a.OldNode)
	for _, pods := range []struct {
		what string
		got  []model.Ref
		want string
	}{{"the old pod", i.From.Pods, a.OldPod}, {"the new pod", i.To.Pods, a.NewPod}} {
		if len(pods.got) > 0 && pods.want != "" && !slices.ContainsFunc(pods.got, func(r model.Ref) bool { return r.Name == pods.want }) {
			says(pods.what, pods.got[0].Name, pods.want)
		}
	}
	if i.Volume.Claim != nil {
		says("the claim", i.Volume.Claim.Name, a.PVC)
	}
	if i.Resolved && !a.ResolvedAtSnapshot {
		out = append(out, "is not resolved")
	}
	ago := func(what string, m *model.Moment, want *time.Time) {
		const slack = 8 * time.Second // the controller notices an attach late
		if m == nil || want == nil {
			return
		}
		late := p.SnapshotAt.Sub(*want) - collected.At.Sub(m.At)
		if early := -late; late > m.At.Sub(m.Earliest)+slack || early > m.Latest.Sub(m.At)+slack {
			out = append(out, fmt.Sprintf("%s is %v late", what, late))
		}
	}
	ago("the beginning", &i.MultiAttach.Began, a.Times.MultiAttachFirstEvent)
	ago("the end", i.MultiAttach.Ended, a.Times.NewVAAttached)
	return out
}

// pastedObject is what of a Pod or an Event kubectl describe shows.
type pastedObject struct {
	Kind     string `json:"kind"`
	Metadata struct {
		UID, Name, Namespace string
		CreationTimestamp    *time.Time
		OwnerReferences      []struct{ Kind, Name string }
	} `json:"metadata"`
	Spec struct {
		NodeName string
		Volumes  []struct {
			Name                  string
			PersistentVolumeClaim *struct{ ClaimName string }
		}
	} `json:"spec"`
	Status                                  struct{ Phase, HostIP string } `json:"status"`
	InvolvedObject, Regarding               struct{ Kind, Namespace, Name string }
	Type, Reason, Message, Note             string
	Count                                   int
	FirstTimestamp, LastTimestamp           *time.Time
	EventTime                               *time.Time
	ReportingComponent, ReportingController string
	Source                                  struct{ Component string } `json:"source"`
	Items                                   []json.RawMessage          `json:"items"`
}

func (o pastedObject) last() time.Time {
	return firstTime(o.LastTimestamp, o.EventTime, o.Metadata.CreationTimestamp)
}
func (o pastedObject) first() time.Time {
	return firstTime(o.FirstTimestamp, o.EventTime, o.Metadata.CreationTimestamp)
}

func firstTime(list ...*time.Time) time.Time {
	for _, t := range list {
		if t != nil {
			return *t
		}
	}
	return time.Time{}
}

// pastedView is kubectl describe of each pod that reported FailedAttachVolume, as somebody pastes it.
func pastedView(t *testing.T, bundle fs.FS, now time.Time) string {
	pods, events, seen := map[string]pastedObject{}, map[string][]pastedObject{}, map[string]bool{}
	for _, o := range pastedObjects(t, bundle) {
		about := o.InvolvedObject
		if about.Kind == "" {
			about = o.Regarding
		}
		switch {
		case o.Kind == "Pod":
			pods[o.Metadata.Namespace+"/"+o.Metadata.Name] = o
		case o.Kind == "Event" && about.Kind == "Pod" && !seen[o.Metadata.UID]:
			seen[o.Metadata.UID] = true
			key := about.Namespace + "/" + about.Name
			events[key] = append(events[key], o)
		}
	}
	var keys []string
	for k, list := range events {
		if slices.ContainsFunc(list, func(o pastedObject) bool { return o.Reason == "FailedAttachVolume" }) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var out strings.Builder
	for _, k := range keys {
		namespace, name, _ := strings.Cut(k, "/")
		fmt.Fprintf(&out, "$ kubectl -n %s describe pod %s\nName:             %s\nNamespace:        %s\n", namespace, name, name, namespace)
		if p, ok := pods[k]; ok {
			writeDescribed(&out, p)
		}
		writeEvents(&out, events[k], now)
	}
	return out.String()
}

func writeDescribed(out *strings.Builder, p pastedObject) {
	node := p.Spec.NodeName
	if node == "" {
		node = "<none>"
	}
	fmt.Fprintf(out, "Priority:         0\nNode:             %s\nStatus:           %s\n", strings.TrimSuffix(node+"/"+p.Status.HostIP, "/"),
		p.Status.Phase)
	if owners := p.Metadata.OwnerReferences; len(owners) > 0 {
		fmt.Fprintf(out, "Controlled By:    %s/%s\n", owners[0].Kind, owners[0].Name)
	}
	out.WriteString("Volumes:\n")
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			fmt.Fprintf(out, "  %s:\n    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)\n    "+
				"ClaimName:  %s\n    ReadOnly:   false\n", v.Name, v.PersistentVolumeClaim.ClaimName)
		}
	}
}

func writeEvents(out *strings.Builder, list []pastedObject, now time.Time) {
	slices.SortStableFunc(list, func(a, b pastedObject) int { return a.last().Compare(b.last()) })
	out.WriteString("Events:\n  Type     Reason              Age                    From                     Message\n  ----     ------    " +
		"          ----                   ----                     -------\n")
	for _, e := range list {
		age := shortAge(now.Sub(e.last()))
		if e.Count > 1 {
			age += fmt.Sprintf(" (x%d over %s)", e.Count, shortAge(now.Sub(e.first())))
		}
		from := e.Source.Component + e.ReportingController
		if e.Source.Component != "" {
			from = e.Source.Component
		} else if e.ReportingComponent != "" {
			from = e.ReportingComponent
		}
		fmt.Fprintf(out, "  %-8s %-19s %-22s %-24s %s\n", e.Type, e.Reason, age, from, strings.Join(strings.Fields(e.Message+e.Note), " "))
	}
	out.WriteString("\n")
}

// shortAge is an age as kubectl prints it.
func shortAge(d time.Duration) string {
	s := max(int(d.Seconds()), 0)
	m, h := s/60, s/3600
	switch {
	case s < 120:
		return fmt.Sprintf("%ds", s)
	case m < 10:
		return fmt.Sprintf("%dm%ds", m, s%60)
	case h < 3:
		return fmt.Sprintf("%dm", m)
	case h < 8:
		return fmt.Sprintf("%dh%dm", h, m%60)
	}
	return fmt.Sprintf("%dh", h)
}

// pastedObjects are the pods and events of a bundle, in whatever file.
func pastedObjects(t *testing.T, bundle fs.FS) []pastedObject {
	var out []pastedObject
	err := fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) {
			return err
		}
		data, err := fs.ReadFile(bundle, name)
		if err != nil {
			return err
		}
		for doc := range strings.SplitSeq(string(data), "\n---\n") {
			if strings.Contains(doc, "Event") || strings.Contains(doc, "Pod") {
				out = append(out, objectsOf([]byte(doc))...)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// objectsOf are the objects of a document, those of a list included; what is none of the two kinds has their fields empty.
func objectsOf(doc []byte) []pastedObject {
	var o pastedObject
	if yaml.Unmarshal(doc, &o) != nil {
		return nil
	}
	if !strings.HasSuffix(o.Kind, "List") {
		return []pastedObject{o}
	}
	var out []pastedObject
	for _, item := range o.Items {
		var one pastedObject
		if json.Unmarshal(item, &one) == nil {
			if one.Kind == "" {
				one.Kind = strings.TrimSuffix(o.Kind, "List")
			}
			out = append(out, one)
		}
	}
	return out
}
