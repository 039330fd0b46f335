package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestNotReadFirst: what the system withheld stands on the first screen of each output for people, with the path and the
// reason; a report without has no such line.
func TestNotReadFirst(t *testing.T) {
	const path = "cluster-scoped-resources/storage.k8s.io/volumeattachments"
	for _, format := range []string{"text", "md", "jira", "html"} {
		for _, withheld := range []bool{true, false} {
			r := rich()
			if withheld {
				r.Bundle.Unreadable = []model.Unreadable{{Path: path, Why: "permission denied", Holds: "VolumeAttachment"},
					{Path: "b", Why: "permission denied"}, {Path: "c", Why: "permission denied"}, {Path: "d", Why: "input/output error"}}
			}
			var out bytes.Buffer
			if err := Write(&out, format, r); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			if _, body, ok := strings.Cut(text, "<body>"); ok {
				text = body
			}
			lines := strings.Split(text, "\n")
			head := strings.Join(strings.Fields(strings.Join(lines[:min(len(lines), 16)], " ")), " ")
			plain := strings.NewReplacer(`\`, "").Replace(head)
			told := strings.Contains(plain, "4 paths of the bundle could not be read (permission denied; input/output error)") &&
				strings.Contains(plain, path) && strings.Contains(plain, "and 1 more")
			if told != withheld {
				t.Errorf("%s, withheld %v: the first lines are\n%s", format, withheld, strings.Join(lines[:min(len(lines), 16)], "\n"))
			}
		}
	}
}
