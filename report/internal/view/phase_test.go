package view

import (
	"strings"
	"testing"
)

func TestBar(t *testing.T) {
	for _, c := range []struct {
		start, width float64
		want         string
	}{
		{0, 1, strings.Repeat("█", 32)},
		{0, 0.5, strings.Repeat("█", 16) + strings.Repeat("·", 16)},
		{1, 0, strings.Repeat("·", 31) + "▏"},
		{0.5, 0.001, strings.Repeat("·", 16) + "▏" + strings.Repeat("·", 15)},
	} {
		if got := (PhaseView{Start: c.start, Width: c.width}).Line(); got != c.want {
			t.Errorf("bar(%v, %v) = %q, want %q", c.start, c.width, got, c.want)
		}
	}
}
