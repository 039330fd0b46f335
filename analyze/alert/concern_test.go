package alert

import (
	"fmt"
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestConcerns: the most specific label decides what a firing is about.
func TestConcerns(t *testing.T) {
	c := waitOf(1)
	c.Attachment.Name, c.OldPods = "va", []model.Ref{model.PodRef("n", "old", "u")}
	for _, e := range []struct {
		labels map[string]string
		want   bool
	}{
		{map[string]string{"persistentvolume": "pv", "node": "z"}, true}, {map[string]string{"volumename": "other", "node": "a"}, false},
		{map[string]string{"volumeattachment": "va"}, true}, {map[string]string{"volumeattachment": "vb", "node": "a"}, false},
		{map[string]string{"persistentvolumeclaim": "c", "namespace": "n"}, true}, {map[string]string{"persistentvolumeclaim": "c", "namespace": "m"}, false},
		{map[string]string{"pod": "old", "namespace": "n"}, true}, {map[string]string{"pod": "old", "namespace": "m"}, false},
		{map[string]string{"pod": "old", "namespace": "n", "uid": "u"}, true}, {map[string]string{"pod": "old", "namespace": "n", "uid": "v"}, false},
		{map[string]string{"pod": "exporter", "namespace": "monitoring", "exported_pod": "p-0", "exported_namespace": "n"}, true},
		{map[string]string{"pod": "old", "node": "a"}, true}, {map[string]string{"namespace": "n", "node": "a"}, true},
		{map[string]string{"node": "b"}, false}, {map[string]string{"exported_node": "a", "node": "b"}, true}, {nil, false},
	} {
		if got := concerns(e.labels, c); got != e.want {
			t.Errorf("%v: %t", e.labels, got)
		}
	}
}

// TestJoin: a rule that was run in two clusters is one, with the firings of both and the graver result; another rule stays another.
func TestJoin(t *testing.T) {
	rule := model.Alert{Name: "A", Origin: "f", Severity: "s", Line: 3, Expr: "up", Over: model.OverMetrics, Result: resultNever, Firings: make([]model.Firing, 1)}
	fired := rule
	fired.Result, fired.Note = resultFired, "note"
	if got := Join([]model.Alert{rule}, []model.Alert{fired}); len(got) != 1 || got[0].Result != resultFired || got[0].Note != "note" || len(got[0].Firings) != 2 {
		t.Errorf("%+v", got)
	}
	if got := Join([]model.Alert{fired}, []model.Alert{rule}); len(got) != 1 || got[0].Result != resultFired {
		t.Errorf("%+v", got)
	}
	for i, change := range []func(*model.Alert){func(a *model.Alert) { a.Name = "B" }, func(a *model.Alert) { a.Origin = "g" },
		func(a *model.Alert) { a.Severity = "t" }, func(a *model.Alert) { a.Line = 4 }, func(a *model.Alert) { a.Expr = "down" },
		func(a *model.Alert) { a.Over = model.OverSynthesised }} {
		other := rule
		if change(&other); len(Join([]model.Alert{rule}, []model.Alert{other})) != 2 {
			t.Errorf("change %d makes no other rule", i)
		}
	}
}

// TestWanted: the series that show a case are those of its old node, its pods and its attachments, as far as they have names.
func TestWanted(t *testing.T) {
	metrics := func(c *wait.Case) (out []string) {
		for _, w := range wanted(c) {
			out = append(out, fmt.Sprint(w.matchers[0].Value, " ", w.matchers[len(w.matchers)-1].Value))
		}
		return out
	}
	c := waitOf(maxShownPods + 1)
	if got := metrics(c); len(got) != 1+2*maxShownPods || got[0] != "kube_node_status_condition true" {
		t.Errorf("%q", got)
	}
	c.Attachment.Name, c.OldPods = "va", []model.Ref{model.PodRef("n", "old", "u")}
	if got := metrics(c); len(got) != 3+2*maxShownPods || got[2] != "kube_volumeattachment_status_attached va" || got[1] != "kube_pod_deletion_timestamp old" {
		t.Errorf("%q", got)
	}
}
