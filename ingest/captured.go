package ingest

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// capture is what the timestamp files below one directory say together.
type capture struct {
	root        string
	first, last time.Time
	lastLine    int
	lastPath    string
	lastText    string
}

// captured sets when the bundle was collected. A must-gather has a timestamp file at its top and one for each image
// inside; all of them bound one collection. Several must-gathers side by side are several collections, and the newest
// says how far the bundle reaches.
func captured(s *model.Snapshot, parts []*part) {
	var captures []capture
	for _, p := range parts {
		if len(p.stamps) == 0 {
			continue
		}
		root := path.Dir(p.input.Path)
		i := enclosing(captures, root)
		if i < 0 {
			i = len(captures)
			captures = append(captures, capture{root: root, first: p.stamps[0].At})
		}
		c := &captures[i]
		for _, stamp := range p.stamps {
			if stamp.At.Before(c.first) {
				c.first = stamp.At
			}
			if stamp.At.After(c.last) {
				c.last, c.lastLine, c.lastPath, c.lastText = stamp.At, stamp.Line, p.input.Path, stamp.Text
			}
		}
	}
	if len(captures) == 0 {
		return
	}
	newest := captures[0]
	for _, c := range captures[1:] {
		if c.last.After(newest.last) {
			newest = c
		}
	}
	if len(captures) > 1 {
		s.Problems = append(s.Problems, model.Problem{Severity: model.Info, Path: newest.lastPath,
			Message: fmt.Sprintf("the bundle holds %d collections; the newest, of %s, is taken for when it was collected", len(captures), newest.last.Format(time.RFC3339))})
	}
	at := model.Between(newest.first, newest.last)
	at.Basis = model.Observed // the collector wrote both bounds
	s.CapturedAt = &at
	quote := model.NewQuote(newest.lastText)
	s.CapturedFrom = model.Evidence{
		Source: model.Source{Kind: model.SourceText, Path: newest.lastPath, Line: newest.lastLine},
		Text:   quote.Text, Truncated: quote.Truncated, SHA256: quote.SHA256,
	}
}

// enclosing is the index of the capture whose directory holds dir. Paths are sorted, so that the outer comes first,
// except that an inner directory may sort before the outer's own file: then the inner is widened to the outer.
func enclosing(captures []capture, dir string) int {
	for i, c := range captures {
		if within(dir, c.root) {
			return i
		}
		if within(c.root, dir) {
			captures[i].root = dir
			return i
		}
	}
	return -1
}

func within(dir, root string) bool {
	return root == "." || dir == root || strings.HasPrefix(dir, root+"/")
}
