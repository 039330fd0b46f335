package check

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestOutside: what a case is about is no finding of its own, nor a pasted error where little else is known; the rest comes by time.
func TestOutside(t *testing.T) {
	seen := func(text string, at float64, kind model.Kind, volume, node string) model.Observation {
		o := *cases.Seen(at, model.Observation{Kind: kind, Volume: model.VolumeID{PersistentVolume: volume}, Node: node, Detail: text})
		o.Last, o.Quote.Text = o.At, text
		return o
	}
	report := seen("report", 0, model.MultiAttach, "pvc-1", "node-b")
	report.Variant, report.Holders = model.UsedByPods, []string{"node-a"}
	pasted := seen("pasted", 0, model.AttachmentDetachError, "pvc-1", "node-a")
	pasted.At, pasted.Last, pasted.Source.Kind = model.Moment{}, model.Moment{}, model.SourceText
	s := &model.Snapshot{Observations: []model.Observation{
		pasted, report, seen("own", 20, model.DetachFailed, "pvc-1", "node-a"),
		seen("same time", 40, model.DetachFailed, "pvc-2", "node-a"), seen("earlier", 30, model.DetachRefusedInUse, "pvc-2", "node-a"),
		seen("later", 40, model.DetachFailed, "pvc-2", "node-a"), seen("long before", -90000, model.DetachFailed, "pvc-1", "node-a"),
		seen("other kind", 50, model.OperationTimeout, "pvc-2", "node-a"),
	}}
	model.SortObservations(s.Observations)
	w := facts.NewWorld(s)
	thin := cases.Waits(w)
	if len(thin) != 1 || !thin[0].Thin() {
		t.Fatalf("%d cases", len(thin))
	}
	known := *thin[0]
	known.Sampled = true // then more than a report is known
	kinds := []model.Kind{model.DetachFailed, model.AttachmentDetachError, model.DetachRefusedInUse}
	for _, c := range []struct {
		rule  string
		cases []*wait.Case
		test  func(*model.Observation) bool
		want  string
	}{
		{"no case", nil, nil, "pasted long-before own earlier later same-time"},
		{"little known", thin, nil, "long-before earlier later same-time"},
		{"more known", []*wait.Case{&known}, nil, "pasted long-before earlier later same-time"},
		{"a test", thin, func(o *model.Observation) bool { return o.Detail != "later" }, "long-before earlier same-time"},
		{"none passes", thin, func(*model.Observation) bool { return false }, ""},
	} {
		if c.test == nil {
			c.test = func(*model.Observation) bool { return true }
		}
		list := outside(w, c.cases, kinds, c.test)
		got := strings.Join(facts.Each(list, func(o *model.Observation) string { return strings.ReplaceAll(o.Detail, " ", "-") }), " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

// TestBelieved: all incidents that contradict a belief are one finding in the words of the first; none is none.
func TestBelieved(t *testing.T) {
	shown := &model.Observation{Kind: model.DetachFailed}
	check := believed("x", "", func(c *wait.Case) (string, []*model.Observation) {
		if c.Volume.PersistentVolume == "agrees" {
			return "", []*model.Observation{shown, shown}
		}
		return "It was " + c.Volume.PersistentVolume + ".", []*model.Observation{shown}
	})
	if check.ID != "belief-x" || check.Severity != "info" || !strings.HasPrefix(check.Remedy, "Nothing to do") {
		t.Errorf("%+v", check)
	}
	for volumes, want := range map[string]string{
		"":               "",
		"agrees":         "",
		"a":              "It was a. | a | 1",
		"agrees a":       "It was a. | a | 1",
		"b agrees a":     "It was b. 1 other incident shows the same. | b a | 2",
		"a a":            "It was a. 1 other incident shows the same. | a | 2",
		"a b c d e f":    fmt.Sprintf("It was a. 5 other incidents show the same. | a b c d e f | %d", maxShown),
		"agrees agrees ": "",
	} {
		var list []*wait.Case
		for _, v := range strings.Fields(volumes) {
			list = append(list, &wait.Case{Volume: &facts.Volume{VolumeID: model.VolumeID{PersistentVolume: v}}})
		}
		got := []string{}
		check.Look(nil, &scene{cases: list}, func(h Hit) {
			names := strings.Join(facts.Each(h.Objects, func(r model.Ref) string { return r.Name }), " ")
			got = append(got, fmt.Sprint(h.Text, " | ", names, " | ", len(h.Shown)))
		})
		if strings.Join(got, "\n") != want {
			t.Errorf("%q: %q, want %q", volumes, got, want)
		}
	}
}

// TestApart: two instants contradict a belief that they are one when their bounds are surely further apart.
func TestApart(t *testing.T) {
	at := func(from, to float64) facts.Instant {
		i := cases.At(from, model.Observation{})
		i.Latest = cases.At(to, model.Observation{}).At
		return i
	}
	for n, c := range []struct {
		a, b facts.Instant
		want bool
	}{
		{at(0, 0), at(15.1, 15.1), true},
		{at(0, 0), at(15, 15), false},
		{at(0, 1), at(15.5, 20), false},
		{at(15.1, 15.1), at(0, 0), false},
		{facts.Instant{}, at(15.1, 15.1), false},
		{at(0, 0), facts.Instant{}, false},
	} {
		if got := apart(c.a, c.b, 15*time.Second); got != c.want {
			t.Errorf("%d: %v", n, got)
		}
	}
}
