package facts_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// TestNodeNow: the object tells first, then a row, of which two that differ tell nothing, then the newest statement.
func TestNodeNow(t *testing.T) {
	of := func(kind model.Kind) model.Observation { return model.Observation{Kind: kind, Node: "node-a"} }
	row := func(kind model.Kind) *model.Observation { return cases.Timeless(cases.Seen(0, of(kind))) }
	at := func(second float64, kind model.Kind) *model.Observation {
		return cases.Lasting(second, cases.Seen(second, of(kind)))
	}
	ready, lost, gone := at(10, model.NodeReady), at(20, model.NodeNotReady), at(30, model.NodeDeleted)
	object := cases.NodeOf("node-a", func(n *corev1.Node) {
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	})
	for _, tt := range []struct {
		name string
		said []any
		word model.StateWord
	}{
		{"nothing is said", nil, ""},
		{"of the pods of a node", []any{cases.Change(cases.Seen(0, of(model.NodeNotReady)), func(o *model.Observation) { o.Pod.Name = "db-0" })}, ""},
		{"the newest counts", []any{lost, ready}, model.StateNotReady},
		{"so that it is gone", []any{lost, gone}, model.StateDeleted},
		{"a sample counts by its last", []any{lost, cases.Lasting(40, cases.Seen(0, of(model.NodeSampledReady)))}, model.StateReady},
		{"one that ended before does not", []any{lost, cases.Lasting(15, cases.Seen(0, of(model.NodeSampledReady)))}, model.StateNotReady},
		{"a row is of the collection", []any{lost, row(model.NodeReady)}, model.StateReady},
		{"two rows say one thing", []any{row(model.NodeReady), row(model.NodeReady), lost}, model.StateReady},
		{"or both", []any{row(model.NodeReady), row(model.NodeNotReady), lost}, ""},
		{"the object comes before", []any{object, lost, row(model.NodeNotReady)}, model.StateReady},
	} {
		if word, shown := cases.World(tt.said...).NodeNow("node-a"); word != tt.word || word == model.StateNotReady && shown[0].Kind != model.NodeNotReady {
			t.Errorf("%s: %q by %v", tt.name, word, shown)
		}
	}
}
