package facts

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// One proof is made of those of a file: what all allow; all that commands tell which ran one after the other; and of different
// times the latest, unless most agree and the others are by names that come back.
func TestJoin(t *testing.T) {
	at := func(from, to int) model.Moment {
		day := time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)
		return model.Between(day.Add(time.Duration(from)*time.Minute), day.Add(time.Duration(to)*time.Minute))
	}
	for _, tt := range []struct {
		name  string
		list  []proof
		want  model.Moment
		whole bool
	}{
		{"one", []proof{{at: at(600, 660)}}, at(600, 660), true},
		{"an hour and a minute", []proof{{at: at(600, 660)}, {at: at(640, 641)}}, at(640, 641), true},
		{"two hours that overlap", []proof{{at: at(600, 660)}, {at: at(630, 690)}}, at(630, 660), true},
		{"one after the other", []proof{{at: at(600, 601)}, {at: at(604, 605)}}, at(600, 605), true},
		{"two days", []proof{{at: at(600, 601)}, {at: at(2000, 2001)}}, at(2000, 2001), false},
		{"one that came back", []proof{{at: at(600, 601), again: true}, {at: at(2000, 2001), again: true}, {at: at(2000, 2002), again: true}},
			at(2000, 2001), true},
		{"one that cannot have come back", []proof{{at: at(600, 601)}, {at: at(2000, 2001), again: true}, {at: at(2000, 2002), again: true}},
			at(2000, 2001), false},
	} {
		got, whole := join(tt.list)
		if !got.at.Earliest.Equal(tt.want.Earliest) || !got.at.Latest.Equal(tt.want.Latest) || whole != tt.whole {
			t.Errorf("%s: %s to %s, whole %t", tt.name, got.at.Earliest, got.at.Latest, whole)
		}
	}
}

// An event's row with an age is dated by the node's condition of the same loss: that has the last time only, and one that the kubelet set is
// not reported by the controller.
func TestConditionDatesItsEvent(t *testing.T) {
	condition := func(detail string) model.Observation {
		return model.Observation{Kind: model.NodeNotReady, Node: "node-a", Detail: detail, Count: 1, At: model.WholeSecond(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)),
			Source: model.Source{Kind: model.SourceText}}
	}
	row := func(node, pod string, count int) *model.Observation {
		return &model.Observation{Kind: model.NodeNotReady, Node: node, Pod: model.Ref{Name: pod}, Count: count, Age: &model.Range{Best: 840, Min: 840, Max: 900}}
	}
	for _, tt := range []struct {
		name  string
		dated model.Observation
		row   *model.Observation
		want  bool
	}{
		{"of one loss", condition("Unknown"), row("node-a", "", 1), true},
		{"of the last of several", condition("Unknown"), row("node-a", "", 3), false},
		{"set by the kubelet", condition("False"), row("node-a", "", 1), false},
		{"of another node", condition("Unknown"), row("node-b", "", 1), false},
		{"of a pod there", condition("Unknown"), row("node-a", "db-0", 1), false},
	} {
		p := printed{floor: map[string]time.Time{}}
		one, ok := p.ofEvent(tt.row, newDatedEvents([]model.Observation{tt.dated}))
		if ok != tt.want || ok && one.at.Earliest.Format("15:04") != "09:14" {
			t.Errorf("%s: %v, printed at %s", tt.name, ok, one.at.At)
		}
	}
}

// Generated names do not come back; those of a StatefulSet, of attachments, nodes and claims do.
func TestComesBack(t *testing.T) {
	for ref, want := range map[model.Ref]bool{
		{Kind: "Pod", Name: "web-6c5d7f9b84-xk2lp"}:                                      false,
		{Kind: "Pod", Name: "web-0"}:                                                     true,
		{Kind: "PersistentVolume", Name: "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01"}:     false,
		{Kind: "PersistentVolume", Name: "nfs-data"}:                                     true,
		{Kind: "VolumeAttachment", Name: "csi-1105b6e3f4ab47d83c3b6f475ed374ef0560aa65"}: true,
		{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: "data-web-0"}:           true,
	} {
		if got := comesBack(ref); got != want {
			t.Errorf("%s: %t", ref.Key(), got)
		}
	}
}

// TestAgePrinted: an age is told as it was printed, which rounds it down to its unit.
func TestAgePrinted(t *testing.T) {
	for _, c := range []struct {
		best, width float64
		want        string
	}{{75, 1, "1 min 15 s"}, {150, 60, "2 min"}, {3600*5 + 1800, 3600, "5 h"}, {86400*4 + 43200, 86400, "4 d"}, {42, 59, "42 s"}} {
		if got := AgePrinted(model.Range{Best: c.best, Min: c.best, Max: c.best + c.width}); got != c.want {
			t.Errorf("%v of %v: got %q, want %q", c.best, c.width, got, c.want)
		}
	}
}
