package facts

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// What an object shows to last, to its kubelet's report or to the recorded collection, and what another source says in the middle of it.
func TestContradictedByAnObject(t *testing.T) {
	at := func(second int64) time.Time { return time.Unix(1785600000+second, 0).UTC() }
	say := func(source model.SourceKind, input string, kind model.Kind, second int64, set func(*model.Observation)) model.Observation {
		o := model.Observation{Kind: kind, Node: "a", Input: input, At: model.Exactly(at(second)),
			Source: model.Source{Kind: source, Path: input}, Quote: model.Quote{Text: string(kind)}}
		o.Last = o.At
		if set != nil {
			set(&o)
		}
		return o
	}
	object := func(kind model.Kind, second int64, set func(*model.Observation)) model.Observation {
		return say(model.SourceManifest, "objects", kind, second, set)
	}
	event := func(kind model.Kind, second int64, set func(*model.Observation)) model.Observation {
		return say(model.SourceEvent, "events", kind, second, set)
	}
	node := func(name string) func(*model.Observation) { return func(o *model.Observation) { o.Node = name } }
	pod := func(uid string) func(*model.Observation) {
		return func(o *model.Observation) { o.Pod = model.PodRef("ns", "p", uid) }
	}
	attachment := func(o *model.Observation) { o.Node, o.Attachment = "", "csi-1" }
	beat := object(model.NodeHeartbeat, 600, func(o *model.Observation) { o.Detail = "condition" })
	ready, lost := object(model.NodeReady, 0, nil), event(model.NodeNotReady, 300, nil)
	held, gone := object(model.AttachmentAttached, 0, attachment), event(model.AttachmentGone, 300, attachment)
	made := object(model.AttachmentCreated, -10, attachment)
	for _, c := range []struct {
		name      string
		collected int64 // as it was recorded; 0 where nothing records it
		how       model.CollectedHow
		list      []model.Observation
		want      int
	}{
		{"lost while its kubelet's report has it Ready all the time", 0, "", []model.Observation{ready, beat, lost}, 1},
		{"nothing tells until when it was Ready", 0, "", []model.Observation{ready, lost}, 0},
		{"to the recorded collection", 900, model.CollectedRecorded, []model.Observation{ready, lost}, 1},
		{"to a collection that the newest time dates", 900, model.CollectedNewest, []model.Observation{ready, lost}, 0},
		{"the collection came two minutes later", 420, model.CollectedRecorded, []model.Observation{ready, lost}, 0},
		{"the report of another file", 0, "", []model.Observation{ready, lost,
			say(model.SourceManifest, "others", model.NodeHeartbeat, 600, func(o *model.Observation) { o.Detail = "condition" })}, 0},
		{"of its Lease", 0, "", []model.Observation{ready, lost,
			object(model.NodeHeartbeat, 600, func(o *model.Observation) { o.Detail = "lease" })}, 0},
		{"no report", 0, "", []model.Observation{ready, lost, object(model.NodeTainted, 600, func(o *model.Observation) { o.Detail = "condition" })}, 0},
		{"Ready since an assumed time", 0, "", []model.Observation{
			object(model.NodeReady, 0, func(o *model.Observation) { o.At.Basis = model.Assumed }), beat, lost}, 0},
		{"an Event beside the object", 0, "", []model.Observation{ready, beat,
			event(model.NodeNotReady, 300, func(o *model.Observation) { o.Input = "objects" })}, 1},
		{"an object of another file", 0, "", []model.Observation{ready, beat, say(model.SourceManifest, "others", model.NodeNotReady, 300, nil)}, 1},
		{"another node", 0, "", []model.Observation{ready, beat, event(model.NodeNotReady, 300, node("b"))}, 0},
		{"a minute after it was Ready", 0, "", []model.Observation{ready, beat, event(model.NodeNotReady, 60, nil)}, 0},
		{"of a pod there", 0, "", []model.Observation{ready, beat, event(model.NodeNotReady, 300, pod("u"))}, 0},
		{"at an assumed time", 0, "", []model.Observation{ready, beat,
			event(model.NodeNotReady, 300, func(o *model.Observation) { o.At.Basis = model.Assumed })}, 0},
		{"by the same file", 900, model.CollectedRecorded, []model.Observation{ready, object(model.NodeNotReady, 300, nil)}, 0},
		{"Ready while it was lost", 900, model.CollectedRecorded, []model.Observation{object(model.NodeNotReady, 0, nil), event(model.NodeReady, 300, nil)}, 1},
		{"a pod that is Ready was gone", 900, model.CollectedRecorded,
			[]model.Observation{object(model.PodReady, 0, pod("u")), event(model.PodGone, 300, pod("u"))}, 1},
		{"another of its name was", 900, model.CollectedRecorded,
			[]model.Observation{object(model.PodReady, 0, pod("u")), event(model.PodGone, 300, pod("v"))}, 0},
		{"an attachment that is there was gone", 900, model.CollectedRecorded, []model.Observation{made, held, gone}, 1},
		{"it was made after that", 900, model.CollectedRecorded, []model.Observation{object(model.AttachmentCreated, 310, attachment), held, gone}, 0},
	} {
		s := &model.Snapshot{Observations: c.list}
		if c.collected != 0 {
			m := model.Exactly(at(c.collected))
			s.CapturedAt, s.CapturedHow = &m, c.how
		}
		if got := NewWorld(s).Disagreements(); len(got) != c.want {
			t.Errorf("%s: %d contradictions, want %d", c.name, len(got), c.want)
		}
	}
}
