package html

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/report/internal/reporttest"
)

// The script makes elements and texts, never markup, and talks to nobody.
func TestScriptMakesNoMarkup(t *testing.T) {
	_, script, err := pageParts()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment",
		"srcdoc", "eval(", "Function(",
		"setAttribute('style'", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "EventSource", "import(", "importScripts", "localStorage",
		"sessionStorage", "cookie"} {
		if strings.Contains(script, bad) {
			t.Errorf("the script uses %s", bad)
		}
	}
	if len(script) > 48_000 {
		t.Errorf("the script has %d bytes", len(script))
	}
}

// The policy that the page sets itself allows its own style and script by their hashes, and nothing else.
func TestContentSecurityPolicy(t *testing.T) {
	page := render(t, reporttest.Fixture("hostile"))
	found := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if found == nil || !strings.HasPrefix(html.UnescapeString(found[1]), "default-src 'none'; ") {
		t.Fatalf("the page does not forbid requests: %q", found)
	}
	allowed := html.UnescapeString(found[1])
	for _, element := range []string{"style", "script"} {
		for _, m := range regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1) {
			if !strings.Contains(allowed, element+"-src "+hashSource(m[1])) {
				t.Errorf("the policy %s does not allow the page's own %s", allowed, element)
			}
		}
	}
	if strings.Contains(allowed, "unsafe") || strings.Contains(page, " style=\"") {
		t.Error("the page needs inline styles, which its policy should not allow")
	}
}
