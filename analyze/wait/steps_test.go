package wait_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestCaseSteps: a step of a case reads nothing that only a later step fills. With decoys in those fields it leaves the same.
func TestCaseSteps(t *testing.T) {
	fields := reflect.TypeFor[wait.Case]()
	firstFilled := map[int]int{} // by field the first step that fills it in any case
	eachStep(func(step int, _ string, before, after *wait.Case) {
		for n := range fields.NumField() {
			if fields.Field(n).Type.Kind() == reflect.Func {
				continue
			}
			if was, ok := firstFilled[n]; (!ok || step < was) && !same(wait.FieldOf(before, n), wait.FieldOf(after, n)) {
				firstFilled[n] = step
			}
		}
	})
	if len(firstFilled) < 30 {
		t.Fatalf("the steps fill only %d fields", len(firstFilled))
	}
	tried := 0
	eachStep(func(step int, name string, before, after *wait.Case) {
		decoys := map[int]bool{}
		for n, first := range firstFilled {
			decoys[n] = first > step
		}
		for _, shift := range []time.Duration{-5 * time.Minute, 30 * time.Second} {
			o := &model.Observation{Kind: model.MultiAttach, At: model.Exactly(before.Began.At.Add(shift)), Node: before.From,
				Pod: model.PodRef("decoy", "decoy", "u")}
			again := wait.Again(step, before, decoys, o)
			for n := range fields.NumField() {
				if fields.Field(n).Type.Kind() == reflect.Func || decoys[n] {
					continue
				}
				if tried++; !same(wait.FieldOf(again, n), wait.FieldOf(after, n)) {
					t.Errorf("the step %q fills %s from what a later step fills: %s", name, fields.Field(n).Name, before.Began.At)
				}
			}
		}
	})
	if tried < 10000 {
		t.Errorf("only %d fields were compared", tried)
	}
}

func eachStep(visit func(step int, name string, before, after *wait.Case)) {
	for _, b := range bundles() {
		wait.StepsOf(facts.NewWorld(b.Snapshot), visit)
	}
}

func same(a, b any) bool {
	x, ok := a.(wait.Attachment)
	if y, _ := b.(wait.Attachment); ok {
		return x.Name == y.Name && x.Basis == y.Basis && (x.Object == nil) == (y.Object == nil) // objects are not comparable
	}
	return reflect.DeepEqual(a, b)
}

// TestSpanByAge: an age dates the beginning from the collection, so that it is how long an open wait lasted whatever the clocks say; the
// age of a row that was printed at another time is not.
func TestSpanByAge(t *testing.T) {
	for age, wide := range map[float64]bool{600: false, 900: true} {
		row := report()
		row.At = row.At.Widen(30*time.Minute, 30*time.Minute)
		row.Age = &model.Range{Min: age - 10, Best: age, Max: age + 10}
		got := waitOf(t, row, collected(600)).Span.Seconds
		if own := got == *row.Age; got.Best != 600 || own == wide {
			t.Errorf("aged %g s: %v", age, got)
		}
	}
}
