// Package verify holds the quotes of a report against the bundle that it was made of. It trusts nothing in the report: a
// path is only compared with the names of the bundle's own members, and never opened.
//
// A quote is right when the record at its place gives the same text and the same hash (mask.Quote, which masks secrets
// in both). Its door is a Checker: the files of the bundle are shown to it one by one, in whatever order they come.
package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/volpost/volpost/model"
)

// What says in one word how a bundle differs from a report.
type What string

// The ways to differ. Missing: the bundle has no such file. Changed: another text stands there. Tail: the quoted beginning
// stands there, and the rest of the record is another. Forged: the record has the hash that the report gives, and another text
// than the report quotes. Size: a file is longer or shorter.
const (
	Missing What = "missing"
	Changed What = "changed"
	Tail    What = "tail"
	Forged  What = "forged"
	Size    What = "size"
)

// Difference is one thing in which the bundle is not as the report says.
type Difference struct {
	What     What
	Evidence string // identifier of the quote; empty when a whole file differs
	Source   model.Source
	Quoted   string // what the report quotes, its first line
	Found    string // what stands there, its first line; empty when nothing does
	Want     int64  // of Size: bytes as the report has them
	Got      int64  // of Size: bytes as the bundle has them
}

// Checker compares one report with the files that it is shown. Its methods can be called from several goroutines.
type Checker struct {
	claims []*claim
	byPath map[string][]*claim // by the path of a member, and for a part of a file by that of the file
	inputs map[string]int64    // bytes of each input
	parted map[string]bool     // files of which the report lists parts: their own bytes are what lies between

	mu    sync.Mutex
	seen  map[string]bool
	order []string // of seen, made when all is shown
	sizes []Difference
}

// New makes a checker for a report.
func New(r *model.Report) *Checker {
	c := &Checker{byPath: map[string][]*claim{}, inputs: map[string]int64{}, parted: map[string]bool{}, seen: map[string]bool{}}
	for _, in := range r.Bundle.Inputs {
		c.inputs[in.Path] = in.Bytes
		if file, part := cutLast(in.Path); part {
			c.parted[file] = true
		}
	}
	for _, e := range r.Evidence {
		one := &claim{Evidence: e}
		c.claims = append(c.claims, one)
		c.byPath[e.Source.Path] = append(c.byPath[e.Source.Path], one)
		// One file can hold the logs of several containers: file!container, with the lines of the file.
		if bang := strings.LastIndexByte(e.Source.Path, '!'); bang >= 0 {
			c.byPath[e.Source.Path[:bang]] = append(c.byPath[e.Source.Path[:bang]], one)
		}
	}
	for _, list := range c.byPath {
		slices.SortStableFunc(list, func(a, b *claim) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
	}
	return c
}

// Quotes is how many quotes the report has.
func (c *Checker) Quotes() int { return len(c.claims) }

// Sampled reports whether quotes are of samples of metrics, which stand in no line; Samples compares these.
func (c *Checker) Sampled() bool {
	return slices.ContainsFunc(c.claims, func(one *claim) bool { return one.sampled() })
}

// Samples compares what the samples of metrics are read as now: as observations, and in a report made anew as what series have shown for a while.
func (c *Checker) Samples(list []model.Observation, again *model.Report) {
	read := map[model.Source][]model.Quote{}
	c.mu.Lock()
	defer c.mu.Unlock()
	add := func(at model.Source, q model.Quote) {
		if at.Kind == model.SourceMetric {
			read[at] = append(read[at], q)
			c.seen[at.Path] = true
		}
	}
	for i := range list {
		add(list[i].Source, list[i].Quote)
	}
	for _, e := range again.Evidence {
		add(e.Source, model.Quote{Text: e.Text, Truncated: e.Truncated, SHA256: e.SHA256})
	}
	for _, one := range c.claims {
		for _, q := range read[one.Source] {
			one.state, one.found = max(one.state, one.compare(q)), q.Text
		}
	}
}

// Differences lists what differs, ordered by path and line. It is complete once all files were shown.
func (c *Checker) Differences() []Difference {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := slices.Clone(c.sizes)
	for path, bytes := range c.inputs {
		if bytes > 0 && !c.shown(path) {
			out = append(out, Difference{What: Missing, Source: model.Source{Path: path}})
		}
	}
	for _, one := range c.claims {
		if one.state != right {
			out = append(out, c.differs(one))
		}
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Source.Path, b.Source.Path), cmp.Compare(a.Source.Line, b.Source.Line),
			cmp.Compare(a.Source.Field, b.Source.Field), cmp.Compare(a.Evidence, b.Evidence))
	})
	return out
}

// differs explains a quote that is not borne out.
func (c *Checker) differs(one *claim) Difference {
	d := Difference{What: Changed, Evidence: one.ID, Source: one.Source, Quoted: firstLine(one.Text), Found: one.found}
	switch {
	case one.state == forged:
		d.What = Forged
	case one.state == beginning:
		d.What = Tail
	case !c.shown(one.Source.Path):
		d.What = Missing
	}
	return d
}

// shown reports whether a file, the file that it is a part of, or something in a directory was shown.
func (c *Checker) shown(path string) bool {
	if file, part := cutLast(path); c.seen[path] || part && c.seen[file] {
		return true
	}
	if c.order == nil {
		c.order = slices.Sorted(maps.Keys(c.seen))
	}
	at, _ := slices.BinarySearch(c.order, path+"/")
	return at < len(c.order) && strings.HasPrefix(c.order[at], path+"/")
}

// cutLast is the archive of a path in one, and whether it is in one.
func cutLast(path string) (file string, ok bool) {
	if bang := strings.LastIndexByte(path, '!'); bang >= 0 {
		return path[:bang], true
	}
	return path, false
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
