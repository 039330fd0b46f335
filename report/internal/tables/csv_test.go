package tables

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestColumnsAreExplained: docs/formats.md names every column where it explains them.
func TestColumnsAreExplained(t *testing.T) {
	page, err := os.ReadFile("../../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, timeline, _ := strings.Cut(string(page), "**Timeline (")
	timeline, _, _ = strings.Cut(timeline, "\n\n")
	for f := range reflect.TypeFor[event]().Fields() {
		if name := f.Tag.Get("json"); !strings.Contains(timeline, "`"+name+"`") {
			t.Errorf("docs/formats.md does not explain the column %s", name)
		}
	}
}

func TestInert(t *testing.T) {
	for in, want := range map[string]string{
		"plain, with = inside": "plain, with = inside",
		"=1+1":                 "'=1+1",
		"  @SUM(A1)":           "  '@SUM(A1)",
		"-2":                   "'-2",
		"+cmd|' /c calc'!A0":   "'+cmd|' /c calc'!A0",
		`"=1`:                  `"'=1`,
		"a;=1":                 "a;'=1",
		"a;\"=1;b; -2":         "a;\"'=1;b; '-2",
		"＝1":                   "'＝1",
		"":                     "",
	} {
		if got := inert(in); got != want {
			t.Errorf("inert(%q) = %q, want %q", in, got, want)
		}
	}
}

// formula says the same as inert, more slowly.
var formula = regexp.MustCompile(`(^[\s"']*|[;\t][\s"']*)([=+\-@＝＋－＠])`)

func FuzzInert(f *testing.F) {
	for _, seed := range []string{"", "=1;=2\t \"-3", ";;=\n+", "a;\r\f'＝\t＠", "\xef=;\xef\xbc", "\v=1;\u00a0=1", "==;+;+-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		if got, want := inert(cell), formula.ReplaceAllString(cell, "${1}'${2}"); got != want {
			t.Errorf("inert(%q) = %q, want %q", cell, got, want)
		}
	})
}
