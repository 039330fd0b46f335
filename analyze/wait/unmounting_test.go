package wait_test

import (
	"fmt"
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestHolderByUnmount: the node whose kubelet cannot unmount the volume has it, where only one such node is told of.
func TestHolderByUnmount(t *testing.T) {
	refused := func(node string, about ...any) *model.Observation {
		return of(model.UnmountFailed, -5, append(about, node, volume, component("kubelet"))...)
	}
	from := func(c *wait.Case) any { return c.From }
	unheld := of(model.MultiAttach, 0, "node-b", newPod, volume, variant(model.ExclusivelyAttached))
	askRows(t, []row{
		{"one node", things{unheld, refused("node-a")}, from, "node-a"},
		{"twice", things{unheld, refused("node-a"), refused("node-a", detail("again"))}, from, "node-a"},
		{"two nodes", things{unheld, refused("node-a"), refused("node-c")}, from, ""},
		{"beside the node that wants it", things{unheld, refused("node-a"), refused("node-b")}, from, "node-a"},
		{"the node that wants it", things{unheld, refused("node-b")}, from, ""},
		{"another volume", things{unheld, of(model.UnmountFailed, -5, "node-a", model.VolumeID{PersistentVolume: "pvc-2"})}, from, ""},
	})
}

// TestMadeBelow: of a session in which an attachment is deleted and, further down, shown as created anew, the deletion is not that of the one which
// held the volume.
func TestMadeBelow(t *testing.T) {
	line := func(n int, o *model.Observation) *model.Observation {
		o.Source, o.Input = model.Source{Kind: model.SourceText, Path: "session.txt", Line: n}, "session.txt"
		return o
	}
	deleted := func(n int) *model.Observation {
		return line(n, of(model.AttachmentDeletionRequested, 50, onA, actor("ada")))
	}
	anew := func(n int, at float64) *model.Observation { return line(n, of(model.AttachmentCreated, at, onA)) }
	elsewhere := anew(9, 40)
	elsewhere.Input = "other.txt"
	for _, c := range []struct {
		name string
		told []*model.Observation
		want string
	}{
		{"nothing below", []*model.Observation{deleted(5)}, "50"},
		{"made below", []*model.Observation{deleted(5), anew(9, 40)}, "unknown"},
		{"made above", []*model.Observation{deleted(5), anew(3, 40)}, "50"},
		{"made below in another file", []*model.Observation{deleted(5), elsewhere}, "50"},
		{"made before the report", []*model.Observation{deleted(5), anew(9, 1)}, "50"},
	} {
		if got := fmt.Sprint(span(waits(t, c.told...).DetachRequested)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSameSet: an ordinal is below 1000 and has no leading zero, as a generated suffix may.
func TestSameSet(t *testing.T) {
	for b, want := range map[string]bool{"db-0": true, "db-999": true, "db-1000": false, "db-07": false, "db-x": false, "web-0": false} {
		if got := wait.SameSet("db-1", b); got != want {
			t.Errorf("%s: %v", b, got)
		}
	}
}

// TestDeletionShown: a row shows that the detach from a node that is Ready was asked for: nothing waits for its unmount. What somebody typed is an act.
func TestDeletionShown(t *testing.T) {
	shown := func(c *wait.Case) any { return c.DeletionShown() }
	asked, ready := of(model.AttachmentDeletionRequested, 50, onA, model.SourceText), timeless(of(model.NodeReady, 0, "node-a", model.SourceText))
	askRows(t, []row{
		{"of a node that is Ready", things{asked, ready}, shown, "true"},
		{"of one that nothing shows", things{asked}, shown, "false"},
		{"of one that is not", things{asked, timeless(of(model.NodeNotReady, 0, "node-a", model.SourceText))}, shown, "false"},
		{"by an object", things{of(model.AttachmentDeletionRequested, 50, onA), ready}, shown, "false"},
		{"typed by a person", things{of(model.AttachmentDeletionRequested, 50, onA, model.SourceText, actor("ada")), ready}, shown, "false"},
		{"the volume has come", things{asked, ready, of(model.AttachSucceeded, 70, "node-b", volume)}, shown, "false"},
	})
}
