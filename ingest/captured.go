package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// capture is what one directory, file or name says about when a collection ran.
type capture struct {
	root        string
	first, last time.Time
	basis       model.Basis
	line        int
	path, text  string // the text with the end
	how         model.CollectedHow
}

// captured sets when the bundle was collected. What collectors wrote of their run counts before the names that they gave it, which are of
// the beginning and often in an unknown zone. Of several collections the newest says how far the bundle reaches.
func (r *reading) captured() {
	s := r.s
	captures := append(stamped(r.parts), dated(r.parts)...)
	if len(captures) == 0 {
		captures = r.named()
	}
	if len(captures) == 0 {
		return // the analysis looks for what dates it, and takes what the user said
	}
	r.compareSupplied(captures)
	slices.SortStableFunc(captures, func(a, b capture) int { return a.last.Compare(b.last) })
	newest := captures[len(captures)-1]
	r.captures = captures
	if len(captures) > 1 {
		for _, c := range captures {
			s.Collections = append(s.Collections, c.collection())
		}
		s.Problems = append(s.Problems, model.Problem{Severity: model.Info, Path: newest.path,
			Message: fmt.Sprintf("the bundle holds %d collections; the newest, of %s, is taken for when it was collected", len(captures),
				newest.last.Format(time.RFC3339))})
	}
	c := newest.collection()
	s.CapturedAt, s.CapturedFrom, s.CapturedHow = &c.CapturedAt, c.From, c.How
}

// nearEnough is how far what the user says may lie outside of what the evidence says: people round to minutes.
const nearEnough = 2 * time.Minute

// vague is how wide the time of a collection may be before what the user says makes it more exact: names often have no zone.
const vague = time.Hour

// compareSupplied holds the time that the user gave against the collections'. It makes a vague one more exact; else the evidence stays.
func (r *reading) compareSupplied(captures []capture) {
	at := r.s.Supplied.CollectedAt
	if at.IsZero() {
		return
	}
	for i := range captures {
		c := &captures[i]
		if at.Before(c.first.Add(-nearEnough)) || at.After(c.last.Add(nearEnough)) {
			continue
		}
		if len(captures) == 1 && c.last.Sub(c.first) > vague {
			c.first, c.last, c.how = at, at, model.CollectedSupplied
		}
		return
	}
	newest := slices.MaxFunc(captures, func(a, b capture) int { return a.last.Compare(b.last) })
	r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Warning, Path: newest.path, Message: fmt.Sprintf(
		"--collected-at %s is not used: %q says that it was collected %s; leave the flag out, "+
			"or give the files that were collected then by themselves",
		at.Format(time.RFC3339), newest.text, newest.when())})
}

func (c capture) when() string {
	from, to := c.first.Format(time.RFC3339), c.last.Format(time.RFC3339)
	if from == to {
		return "at " + to
	}
	return "from " + from + " to " + to
}

func (c capture) collection() model.Collection {
	at := model.Between(c.first, c.last)
	at.Basis = c.basis
	quote := mask.Quote(c.text)
	return model.Collection{Root: c.root, CapturedAt: at, How: c.how, From: model.Evidence{
		Source: model.Source{Kind: model.SourceText, Path: c.path, Line: c.line},
		Text:   quote.Text, Truncated: quote.Truncated, SHA256: quote.SHA256,
	}}
}

// stamped are the collections of oc. A must-gather has a timestamp at its top and one for each image; all bound one collection.
func stamped(parts []*part) []capture {
	var captures []capture
	files := 0
	for _, p := range parts {
		if len(p.stamps) == 0 {
			continue
		}
		if files++; files > maxDated {
			break // each is held against each
		}
		root := path.Dir(slashed(p.input.Path))
		i := slices.IndexFunc(captures, func(c capture) bool { return within(root, c.root) || within(c.root, root) })
		if i < 0 {
			i = len(captures)
			// It wrote both bounds.
			captures = append(captures, capture{root: root, first: p.stamps[0].At, basis: model.Observed, how: model.CollectedRecorded})
		}
		c := &captures[i]
		if within(c.root, root) {
			c.root = root
		}
		for _, stamp := range p.stamps {
			if stamp.At.Before(c.first) {
				c.first = stamp.At
			}
			if stamp.At.After(c.last) {
				c.last, c.line, c.path, c.text = stamp.At, stamp.Line, p.input.Path, stamp.Text
			}
		}
	}
	return captures
}

// dated are the collections of other collectors that wrote when they ran.
func dated(parts []*part) []capture {
	var captures []capture
	for _, p := range parts {
		if p.ran != nil {
			captures = append(captures, spanned(*p.ran, p.place.Root, p.input.Path, model.CollectedRecorded))
		}
	}
	return captures
}

// named are the collections that only a name dates.
func (r *reading) named() []capture {
	var captures []capture
	for at, span := range r.dated {
		captures = append(captures, spanned(span, at, at, model.CollectedNamed))
	}
	slices.SortFunc(captures, func(a, b capture) int { return cmp.Compare(a.path, b.path) })
	// An archive and the directory in it have one name: the outer one counts.
	return slices.CompactFunc(captures, func(a, b capture) bool { return a.first.Equal(b.first) && a.last.Equal(b.last) })
}

func spanned(s layout.Collected, root, at string, how model.CollectedHow) capture {
	return capture{how: how, root: slashed(root), first: s.Earliest, last: s.Latest, basis: model.Derived,
		line: s.Line, path: at, text: s.Text}
}

func within(dir, root string) bool {
	return root == "." || dir == root || strings.HasPrefix(dir, root+"/")
}
