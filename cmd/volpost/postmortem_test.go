package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/volpost/volpost/model"
)

// sectionsOf are the headings of a post-mortem, in the order in which a team completes it.
var sectionsOf = []string{"Summary", "Impact", "Root cause", "Timeline", "What was done and what it was worth", "What would have been better",
	"Action items"}

// looksRight reads a post-mortem as GitHub does: every table, block and heading is one, nothing of the markup is left as text, hashes of
// attachments are in the fold and in commands only, and the timeline has at most fifteen rows.
func looksRight(t *testing.T, r *model.Report, md string) {
	t.Helper()
	var b bytes.Buffer
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := reader.Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for tag, count := range map[string]int{"<table>": len(tableRule.FindAllString(md, -1)), "<pre>": strings.Count(md, "\n```sh\n"),
		"<h4": len(sectionMark.FindAllString(md, -1)), "<details>": 1, "</details>": 1} {
		if got := strings.Count(page, tag); got != count {
			t.Errorf("%d %s, want %d, in\n%s", got, tag, count, md)
		}
	}
	if left := leftMarkup.FindString(codeElement.ReplaceAllString(page, "")); left != "" {
		t.Errorf("%q is left as text in\n%s", left, md)
	}
	body, _, _ := strings.Cut(page, "<details>")
	if hash := attachmentHash.FindString(preElement.ReplaceAllString(body, "")); hash != "" {
		t.Errorf("the hash %s stands above the fold", hash)
	}
	_, timeline, _ := strings.Cut(body, "<h4>Timeline</h4>")
	timeline, _, _ = strings.Cut(timeline, "</table>")
	if rows := strings.Count(timeline, "<tr>") - 1; rows > 15 {
		t.Errorf("the timeline has %d rows", rows)
	}
	inOrder(t, r, body)
}

// inOrder wants the sections of an ended incident with advice in their order.
func inOrder(t *testing.T, r *model.Report, body string) {
	t.Helper()
	n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
	if n < 0 || r.Incidents[n].Advice == nil || r.Incidents[n].Span.Open || r.Incidents[n].MultiAttach.Ended == nil || r.Verdict.Open {
		return
	}
	for _, name := range sectionsOf {
		_, rest, found := strings.Cut(body, ">"+name+"</h4>")
		if !found {
			t.Errorf("no section %q, or not behind those before it", name)
			return
		}
		body = rest
	}
}

var (
	tableRule      = regexp.MustCompile(`(?m)^\|(?:-+:?\|)+$`)
	sectionMark    = regexp.MustCompile(`(?m)^#### `)
	codeElement    = regexp.MustCompile(`(?s)<code[^>]*>.*?</code>`)
	preElement     = regexp.MustCompile(`(?s)<pre>.*?</pre>`)
	leftMarkup     = regexp.MustCompile("\\*\\*|```|\\|-|(?m)^#+ |<p>[|]|^- ")
	attachmentHash = regexp.MustCompile(`csi-[0-9a-f]{6,}`)
)
