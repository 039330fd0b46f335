package report

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
)

// The script makes elements and texts, never markup, and talks to nobody.
func TestScriptMakesNoMarkup(t *testing.T) {
	_, script, err := pageParts()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment", "srcdoc", "eval(", "Function(",
		"setAttribute('style'", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "EventSource", "import(", "importScripts", "localStorage", "sessionStorage", "cookie"} {
		if strings.Contains(script, bad) {
			t.Errorf("the script uses %s", bad)
		}
	}
	if len(script) > 48_000 {
		t.Errorf("the script has %d bytes", len(script))
	}
}

var ownData = regexp.MustCompile(`<script type="application/json" (?:class="film"|id="comment")>[^<]*</script>`)

// withoutOwnScript takes the page's own script and the data for it out of a page: any other script is a name that got through.
func withoutOwnScript(t *testing.T, page string) string {
	t.Helper()
	_, script, err := pageParts()
	if err != nil {
		t.Fatal(err)
	}
	return ownData.ReplaceAllString(strings.Replace(page, "<script>"+script+"</script>", "", 1), "")
}

var filmData = regexp.MustCompile(`(?s)<script type="application/json" class="film">(.*?)</script>`)

// What the page carries for the clock is ordered, complete, and finds its shapes in the drawing.
func TestFilmData(t *testing.T) {
	for _, c := range fixtures() {
		page := of(t, "html", c.name, c.report)
		found := filmData.FindAllStringSubmatch(page, -1)
		if drawings := strings.Count(page, `<div class="graph`); len(found) != drawings || c.name == "rich" && drawings == 0 {
			t.Errorf("%s: %d films of %d drawings", c.name, len(found), drawings)
		}
		for _, m := range found {
			checkFilm(t, c.name, page, m[1])
		}
	}
}

func checkFilm(t *testing.T, name, page, text string) {
	t.Helper()
	var f htmlFilm
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatalf("%s: %v in %.200s", name, err, text)
	}
	if strings.Contains(text, "<") {
		t.Errorf("%s: the data can end its element: %.200s", name, text)
	}
	for i := 1; i < len(f.Instants); i++ {
		if f.Instants[i] <= f.Instants[i-1] {
			t.Errorf("%s: the instants %d and %d are not ordered", name, f.Instants[i-1], f.Instants[i])
		}
	}
	if len(f.Instants) < 2 || len(f.Tracks) < 3 || len(f.Phases) == 0 {
		t.Errorf("%s: %d instants, %d tracks, %d phases", name, len(f.Instants), len(f.Tracks), len(f.Phases))
	}
	for _, track := range f.Tracks {
		if len(track.Changes) == 0 || track.Changes[0][0].(float64) != float64(f.Instants[0]) {
			t.Errorf("%s: %s has no state at the beginning", name, track.Label)
		}
		if track.Shape != "" && !strings.Contains(page, `id="`+track.Shape+`"`) {
			t.Errorf("%s: the shape %s of %s is not drawn", name, track.Shape, track.Label)
		}
		if track.Drawn != "" && !strings.Contains(html.UnescapeString(page), ">"+track.Drawn+"</text>") {
			t.Errorf("%s: the state %q of %s is not drawn so", name, track.Drawn, track.Label)
		}
	}
}

// The answer that the page offers to copy is the Markdown that volpost writes.
func TestCommentInThePage(t *testing.T) {
	for _, c := range fixtures() {
		page := of(t, "html", c.name, c.report)
		m := regexp.MustCompile(`(?s)<script type="application/json" id="comment">(.*?)</script>`).FindStringSubmatch(page)
		var got string
		if m == nil || json.Unmarshal([]byte(m[1]), &got) != nil || got != of(t, "md", c.name, c.report) {
			t.Errorf("%s: the page does not carry the comment", c.name)
		}
	}
}
