package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// on is what a terminal shows of a report.
func on(t *testing.T, r *model.Report, s Screen) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteWith(&b, "text", r, Options{Screen: &s}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Thirty rows at any width hold the answer of any report; what is dropped is what matters least.
func TestScreenFits(t *testing.T) {
	for name, r := range map[string]*model.Report{"rich": rich(), "hostile": hostile(), "none": none(), "crowd": many(200)} {
		for _, width := range []int{1, 40, 55, 64, 80, 120, 400} {
			rows, used := 0, min(max(width, 40), 100)
			text := on(t, r, Screen{Columns: width, Page: "page.html"})
			for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
				rows += max(1, (words.Columns(l)+used-1)/used)
			}
			if rows > 30 {
				t.Errorf("%s takes %d rows at %d columns", name, rows, width)
			}
			if !strings.Contains(strings.Join(strings.Fields(text), " "), "page.html has the evidence") || strings.ContainsAny(text,
				"\x1b\x00\u202e") {
				t.Errorf("%s at %d columns:\n%s", name, width, text)
			}
		}
	}
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Colours add nothing but colours, and end on the line on which they begin.
func TestScreenColours(t *testing.T) {
	plain, coloured := on(t, rich(), Screen{Columns: 80}), on(t, rich(), Screen{Columns: 80, Color: true})
	if plain == coloured || colour.ReplaceAllString(coloured, "") != plain {
		t.Errorf("with colours:\n%s", coloured)
	}
	for _, l := range strings.Split(coloured, "\n") {
		if n := len(colour.FindAllString(l, -1)); n%2 != 0 {
			t.Errorf("a colour does not end in %q", l)
		}
	}
}

// An act of several commands is whole and in order on a terminal, and the act that caused the wait is on the first screen of each form.
func TestScreenHasTheActsWhole(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i2"
	text := on(t, r, Screen{Columns: 80})
	at := 0
	for _, want := range []string{"WHAT TO DO NOW\n", "Ready in ", "--replicas=0\n", "kubectl wait -n shop", "--replicas=1\n"} {
		n := strings.Index(text[at:], want)
		if n < 0 {
			t.Fatalf("no %q behind what comes before it:\n%s", want, text)
		}
		at += n
	}
	r.Verdict.Incident = "i1"
	for _, width := range []int{60, 80, 120} {
		text := strings.Join(strings.Fields(on(t, r, Screen{Columns: width})), " ")
		for _, want := range []string{"Deployment external-attacher scaled to 0, by ada@example.com: caused the wait",
			"BETTER AT THAT MOMENT, 06:13:31", "6 min 52 s sooner (6 min 42 s–7 min 2 s): Ready at 06:14:01"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns: no %q in %s", width, want, text)
			}
		}
	}
}
