package words

import (
	"slices"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	lines := Wrap("  name ", "       ", strings.Repeat("中", 60)+" "+strings.Repeat("a", 90)+" b "+strings.Repeat("part-", 30), 80)
	for _, line := range lines {
		if Columns(line) > 80 && !strings.Contains(line, strings.Repeat("a", 90)) {
			t.Errorf("%d columns: %s", Columns(line), line)
		}
	}
	joined := strings.Join(strings.Fields(strings.Join(lines, " ")), "")
	if want := "name" + strings.Repeat("中", 60) + strings.Repeat("a", 90) + "b" + strings.Repeat("part-", 30); joined != want {
		t.Errorf("wrapping changed the text: %s", joined)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("some words and a-very-long-name/with.separators")
	f.Fuzz(func(t *testing.T, text string) {
		text = Visible(text)
		lines := Wrap("a ", "  ", text, 80)
		if got, want := strings.Join(strings.Fields(strings.Join(lines, " ")), ""), "a"+strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("wrapping changed %q to %q", want, got)
		}
	})
}

// Text that has lines of its own keeps them, and a duration stays in one piece.
func TestLines(t *testing.T) {
	got := Lines("one two\n\nit took 14 min 14 s", 11)
	if want := []string{"one two", "", "it took", "14 min 14 s"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
