package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestHappenings: what two sources tell is told once, with all that both say of it; each row has two items and what becomes of the second.
func TestHappenings(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	pod, volume, claim := model.PodRef("shop", "p", ""), model.Ref{Kind: "PersistentVolume", Name: "v"}, model.Ref{Kind: "PersistentVolumeClaim", Name: "c"}
	a, b := model.Ref{Kind: "Node", Name: "a"}, model.Ref{Kind: "Node", Name: "b"}
	item := func(seconds float64, text string, about ...model.Ref) model.TimelineItem {
		at := model.Exactly(noon.Add(time.Duration(seconds * float64(time.Second))))
		return model.TimelineItem{ID: text, At: at, Kind: model.AttachSucceeded, Text: text, About: about, Incidents: []string{"i"}, Evidence: []string{text, "both"}}
	}
	with := func(item model.TimelineItem, change func(*model.TimelineItem)) model.TimelineItem {
		change(&item)
		return item
	}
	wide := func(item model.TimelineItem) model.TimelineItem {
		item.At = item.At.Widen(9*time.Second, 3*time.Second)
		return item
	}
	whole := item(0, "attached", pod, volume)
	for _, c := range []struct {
		name          string
		first, second model.TimelineItem
		once          bool
	}{
		{"other objects around one", whole, item(0.5, "attached to a", a, volume), true},
		{"more objects", whole, item(0.5, "attached for c", pod, volume, claim), true},
		{"fewer objects", item(0, "attached for c", pod, volume, claim), item(0.5, "attached", volume), true},
		{"the same objects, in other words", whole, item(0.5, "attached again", pod, volume), false},
		{"two nodes", item(0, "attached to b", b, volume), item(0.5, "attached to a", a, volume), false},
		{"the node alone in common", item(0, "attached for p", pod, a), item(0.5, "attached to a", a), false},
		{"nothing in common", item(0, "attached for p", pod), item(0.5, "attached to a", volume), false},
		{"the same words, of nothing", item(0, "attached"), item(0.5, "attached"), true},
		{"a second apart", item(0, "attached"), item(1, "attached"), true},
		{"more than a second apart", item(0, "attached"), item(1.001, "attached"), false},
		{"within what is uncertain", item(0, "attached"), wide(item(9, "attached")), true},
		{"the uncertain one first", wide(item(0, "attached")), item(3, "attached"), true},
		{"beyond what is uncertain", item(0, "attached"), wide(item(9.001, "attached")), false},
		{"beyond it, the uncertain one first", wide(item(0, "attached")), item(3.001, "attached"), false},
		{"another kind", whole, with(item(0, "attached", pod, volume), func(i *model.TimelineItem) { i.Kind = model.AttachStarted }), false},
		{"another incident", whole, with(item(0, "attached", pod, volume), func(i *model.TimelineItem) { i.Incidents = nil }), false},
		{"by a person", whole, with(item(0, "attached", pod, volume), func(i *model.TimelineItem) { i.By = model.ByPerson }), false},
		{"at an assumed time", whole, with(item(0, "attached", pod, volume), func(i *model.TimelineItem) { i.At.Basis = model.Assumed }), false},
		{"after an assumed time", with(item(0, "attached", pod, volume), func(i *model.TimelineItem) { i.At.Basis = model.Assumed }), whole, false},
		{"two reasons of one pod", with(item(0, "no mount: x", pod, volume), func(i *model.TimelineItem) { i.Kind = model.MountFailed }),
			with(item(0, "no mount: y", pod), func(i *model.TimelineItem) { i.Kind = model.MountFailed }), false},
	} {
		if got := Happenings([]model.TimelineItem{c.first, c.second}); (len(got) == 1) != c.once {
			t.Errorf("%s: %d", c.name, len(got))
		}
	}

	long := item(0.5, "attached to a", a, volume)
	given := []model.TimelineItem{with(whole, func(i *model.TimelineItem) { i.At = model.WholeSecond(i.At.At) }), item(0.2, "between"), long}
	got := Happenings(given)
	texts := strings.Join(Each(got, func(t *Told) string { return t.Text }), ", ")
	if told := got[len(got)-1]; texts != "between, attached to a" || !told.At.At.Equal(long.At.At) || !slices.Equal(told.Again, []string{long.ID}) ||
		!slices.Equal(told.About, []model.Ref{pod, volume, a}) || !slices.Equal(told.Evidence, []string{"attached", "both", "attached to a"}) {
		t.Errorf("%s: %+v", texts, told)
	}
	if back := Happenings([]model.TimelineItem{long, whole}); back[0].Text != long.Text || !back[0].At.At.Equal(long.At.At) {
		t.Errorf("what is said in fewer words: %+v", back[0])
	}
	if len(given[0].About) != 2 || len(given[0].Evidence) != 2 {
		t.Error("the report was changed")
	}
	many := []model.TimelineItem{item(0, "first")}
	for range 40 {
		many = append(many, item(0, "another "+string(rune('A'+len(many)))))
	}
	if n := len(Happenings(append(many, item(0, "first")))); n != 42 {
		t.Errorf("%d, and one that is far back is looked for", n)
	}
	if n := len(Happenings(append(many[:40], item(0, "first")))); n != 40 {
		t.Errorf("%d, and one of the last is not found", n)
	}
}
