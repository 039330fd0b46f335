package words

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain-name.example", "plain-name.example"},
		{"中文 é ok", "中文 é ok"},
		{"a\u202eb", `a\u202eb`},
		{"a\x00b\x1b[0m", `a\x00b\x1b[0m`},
		{"\xff\xfe", `\xff\xfe`},
		{"a\u2028b\ufeffc", `a\u2028b\ufeffc`},
		{"\U000e0041", `\U000e0041`},
		{"line\nand\ttab", "line\nand\ttab"},
		{"\ufffd", "\ufffd"},
	} {
		if got := Visible(c.in); got != c.want {
			t.Errorf("Visible(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("\u202e<script>\x00\xff中文")
	f.Fuzz(func(t *testing.T, s string) {
		out := Visible(s)
		if strings.IndexFunc(out, Hidden) >= 0 {
			t.Errorf("Visible(%q) = %q still hides something", s, out)
		}
		if Visible(out) != out {
			t.Errorf("Visible(%q) is not stable", s)
		}
	})
}

func TestShorten(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"short", "short"},
		{"abcdefghij", "abcdefghij"},
		{"abcdefghijk", "abcdef…ijk"},
		{"中文中文中文中文中文中", "中文中文中文…中文中"},
	} {
		if got := Shorten(c.in, 10); got != c.want {
			t.Errorf("Shorten(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"short text", "short text"},
		{"pod=worker-1 node=europe-west1-b x", "pod=worker-1 … x"},
		{`a worker-10 disk/europe-west1-b`, "a worker-10 …"},
		{"node=worker-1234567 (in zone eu)", "node=… eu)"},
		{strings.Repeat("0", 64), "…"},
	} {
		if got := Excerpt(c.in, 20); got != c.want {
			t.Errorf("Excerpt(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
