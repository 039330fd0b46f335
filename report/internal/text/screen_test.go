package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// The marks of the bar stay in order and on the line, however short a stretch is.
func TestRuler(t *testing.T) {
	parts := []view.PhaseView{{Width: 0.001}, {Width: 0.001}, {Width: 0.997}, {Width: 0.001}}
	if got, want := ruler(parts, 12), "├┼┼───────┼┤"; got != want {
		t.Errorf("ruler %q, want %q", got, want)
	}
	parts[3].Open = true
	if got := ruler(parts, 12); !strings.HasSuffix(got, "▶") {
		t.Errorf("an open end: %q", got)
	}
	for _, width := range []int{2, 3, 40} {
		if got := ruler(make([]view.PhaseView, 30), width); words.Columns(got) != width {
			t.Errorf("%d columns: %q", width, got)
		}
	}
}

// What the answers of a command mean stands below it, before the next command.
func TestAnswersBelowTheirCommand(t *testing.T) {
	s := &layout{columns: 80}
	s.steps(view.Answer{Steps: []view.StepBlock{{Name: "Prove", List: []view.Todo{
		{Text: "see a", Command: "first", Answers: []string{"yes: a"}}, {Text: "see b", Command: "second", Answers: []string{"yes: b"}}}}}})
	var got []string
	for _, l := range s.blocks[0].lines {
		got = append(got, strings.TrimSpace(l.text))
	}
	want := []string{"1 Prove see a", "first", "yes: a", "see b", "second", "yes: b"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
