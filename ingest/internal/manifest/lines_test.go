package manifest

import (
	"slices"
	"testing"
)

func TestFileLines(t *testing.T) {
	for in, want := range map[string][]int{
		"a\nb\r\nc": nil, "": nil,
		"a\rb\nc":        {0, 1, 1, 2},
		"a\u2028b\nc\r":  {0, 1, 1, 2, 2},
		"a\u0085\r\nb\n": {0, 1, 1, 2, 3},
	} {
		if got := fileLines([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("fileLines(%q) = %v, want %v", in, got, want)
		}
	}
}
