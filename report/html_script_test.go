package report

import (
	"encoding/json"
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

var ownData = regexp.MustCompile(`<script type="application/json" id="comment">[^<]*</script>`)

// withoutOwnScript takes the page's own script and the data for it out of a page: any other script is a name that got through.
func withoutOwnScript(t *testing.T, page string) string {
	t.Helper()
	_, script, err := pageParts()
	if err != nil {
		t.Fatal(err)
	}
	return ownData.ReplaceAllString(strings.Replace(page, "<script>"+script+"</script>", "", 1), "")
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
