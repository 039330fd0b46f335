package view

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/model"
)

func TestPartsText(t *testing.T) {
	if got := partsText(part{0, "open"}, part{2, "without effect"}, part{1, "not applicable"}); got != "2 without effect, 1 not applicable" {
		t.Error(got)
	}
	if got := partsText(part{0, "open"}); got != "" {
		t.Error(got)
	}
}

// TestLetters: the letters in use come in the order of the phases, each once, and a phase of a later version has none.
func TestLetters(t *testing.T) {
	stack := func(ids ...model.PhaseID) Stack {
		return Stack{Parts: Each(ids, func(id model.PhaseID) StackPart { return StackPart{ID: id} })}
	}
	got := LettersOf([]Stack{stack(model.PhaseMount, "later"), stack(model.PhaseDetach, model.PhaseMount), stack()})
	if want := []Label{{"detach", "x"}, {"mount", "m"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if LetterOf(model.PhaseMount) != "m" || LetterOf("later") != "?" {
		t.Error(LetterOf(model.PhaseMount), LetterOf("later"))
	}
}
