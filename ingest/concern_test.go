package ingest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

func readWith(t *testing.T, name string, l Limits) *model.Snapshot {
	t.Helper()
	files, err := recordings.Bundle(name)
	must(t, err)
	b := OpenFS(files, name)
	s, err := Read(context.Background(), b, Options{Limits: l})
	must(t, err)
	must(t, b.Close())
	return s
}

// TestConcern: when not all statements can be kept, those that are are the same as in the whole, every complaint is among them, and the
// files are accounted for alike.
func TestConcern(t *testing.T) {
	for _, name := range []string{"handover", "many-volumes", "out-of-service", "clean"} {
		whole, part := readWith(t, name, Limits{}), readWith(t, name, Limits{StatementBytes: 1})
		in := map[string]bool{}
		for i := range part.Observations {
			in[fmt.Sprint(part.Observations[i])] = true
		}
		known := 0
		for i := range whole.Observations {
			o := &whole.Observations[i]
			if in[fmt.Sprint(*o)] {
				known++
			} else if !ordinary(o.Kind) {
				t.Errorf("%s: %s is left out: %s", name, o.Kind, o.Quote.Text)
			}
		}
		if known != len(in) || known >= len(whole.Observations) {
			t.Errorf("%s: %d of %d statements are kept, of which %d are those of the whole", name, len(part.Observations), len(whole.Observations),
				known)
		}
		if !reflect.DeepEqual(whole.Inputs, part.Inputs) {
			t.Errorf("%s: the files are accounted for otherwise", name)
		}
		if again := readWith(t, name, Limits{StatementBytes: 1}); !reflect.DeepEqual(again.Observations, part.Observations) {
			t.Errorf("%s: another reading keeps other statements", name)
		}
	}
}

// TestConcernOfWaits: a pod of which nobody complained is left out with its volume, however late the complaint about another comes.
func TestConcernOfWaits(t *testing.T) {
	var log strings.Builder
	line := func(second int, text string) {
		fmt.Fprintf(&log, "2026-03-14T09:%02d:%02d.000000000Z stderr F I0314 09:%02d:%02d.000000       1 %s\n", second/60, second%60, second/60,
			second%60, text)
	}
	for i := range 30 {
		line(i, fmt.Sprintf(`operation_generator.go:298] AttachVolume.Attach succeeded for volume "pvc-%d" (UniqueName: `+
			`"kubernetes.io/csi/d^vol-%d") from node "node-%d"`, i, i, i))
	}
	line(100, `reconciler.go:437] "Multi-Attach error: volume is already used by pods" logger="persistentvolume-attach-detach-controller" `+
		`pods=["shop/db-0"] attachedTo=["node-7"] `+
		`volume={"VolumeToAttach":{"MultiAttachErrorReported":false,"VolumeName":"kubernetes.io/csi/d^vol-7","NodeName":"node-9",`+
		`"ScheduledPods":[]}}`)
	b := OpenFS(fstest.MapFS{"kube-controller-manager.log": {Data: []byte(log.String())}}, "x")
	s, err := Read(context.Background(), b, Options{Limits: Limits{StatementBytes: 1}})
	must(t, err)
	attached := map[string]bool{}
	for _, o := range s.Observations {
		if o.Kind == model.AttachSucceeded {
			attached[o.Volume.PersistentVolume] = true
		}
	}
	if !attached["pvc-7"] || len(attached) > 2 {
		t.Errorf("kept %v, want the volume that is waited for", attached)
	}
}

// TestLostStatements: where a complaint could not be kept, no file covers any time, since what it does not say may have been lost.
// TestConcernOfSampledWaits: of metrics alone, what belongs to a pod that waits is told by statements, not by objects. Its volume and
// where that is attached are kept, and nothing of the pods that wait for nothing.
func TestConcernOfSampledWaits(t *testing.T) {
	dir := t.TempDir()
	(&clusterBlock{pods: 60, hours: 6, moves: true}).write(t, dir)
	b, err := Open(dir)
	must(t, err)
	s, err := Read(context.Background(), b, Options{Limits: Limits{StatementBytes: 1}})
	must(t, err)
	defer b.Close()
	got := map[string]bool{}
	for _, o := range s.Observations {
		switch o.Kind {
		case model.VolumeBound:
			got["bound "+o.Volume.PersistentVolume] = true
		case model.AttachmentAttached, model.AttachmentGone:
			got[string(o.Kind)+" "+o.Attachment+" "+o.Volume.PersistentVolume] = true
		}
	}
	want := map[string]bool{"bound pvc-moved": true, "attachment-attached csi-lost pvc-moved": true,
		"attachment-attached csi-next pvc-moved": true, "attachment-gone csi-lost pvc-moved": true}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

func TestLostStatements(t *testing.T) {
	r := newReading(context.Background(), "x", Limits{StatementBytes: 1}.orDefaults())
	p := r.newPart("kcm.log", layout.Of("kcm.log"))
	now := model.Observation{Kind: model.MultiAttach, Input: "kcm.log"}
	r.budget.complaints.Store(complaintBytes)
	if p.take(&event{Statement: now}) || !r.budget.lost.Load() {
		t.Fatal("a complaint beyond the limit is kept, or not missed")
	}
	p.input.Records = 1
	p.input.Cover(time.Unix(1, 0))
	r.keep(p)
	s := r.merge()
	if in := s.Inputs[0]; in.From != nil || in.To != nil {
		t.Errorf("the file still covers a time: %+v", in)
	}
	if len(s.Problems) != 1 || s.Problems[0].Severity != model.Failure {
		t.Errorf("%+v", s.Problems)
	}
}
