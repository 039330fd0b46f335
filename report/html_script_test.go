package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

var ownData = regexp.MustCompile(`<script type="application/json" id="comment">[^<]*</script>`)

// withoutOwnScript takes the page's own script and the data for it out of a page: any other script is a name that got through.
func withoutOwnScript(t *testing.T, page string) string {
	t.Helper()
	before, script, found := strings.Cut(page, "<script>(() => {\n")
	_, after, ended := strings.Cut(script, "})();\n</script>")
	if found != ended {
		t.Fatal("the page's own script does not end")
	}
	return ownData.ReplaceAllString(before+after, "")
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
