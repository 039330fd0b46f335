package html

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Name is what the bundle is called, without the directories of the machine that it was read on.
func (p *htmlPage) Name() string {
	root := strings.TrimRight(words.OneLine(p.Bundle.Root), `/\`)
	return cmp.Or(root[strings.LastIndexAny(root, `/\`)+1:], "unnamed bundle")
}

// ToDo are the findings that ask for something to be done, by their place among those that are shown; Noted are the others.
func (p *htmlPage) ToDo() []int {
	return p.findings(func(f model.Finding) bool { return f.Severity != string(model.Info) })
}

// Noted are the findings that are for information.
func (p *htmlPage) Noted() []int {
	return p.findings(func(f model.Finding) bool { return f.Severity == string(model.Info) })
}

func (p *htmlPage) findings(wanted func(model.Finding) bool) []int {
	var out []int
	for i, f := range p.Found {
		if wanted(f) {
			out = append(out, i)
		}
	}
	return out
}

// QuoteCount is how many quotes the page has.
func (p *htmlPage) QuoteCount() int {
	n := 0
	for _, f := range p.Quoted {
		n += len(f.Quotes)
	}
	return n
}

// Zones are the names of the zones that the page can show its times in, beside its own, UTC and the reader's: those
// that logs of the bundle are written in.
func (p *htmlPage) Zones() string {
	var out []string
	if p.Bundle.StandIn != nil {
		return ""
	}
	add := func(text string) {
		if name := zoneName.FindString(strings.TrimPrefix(text, "UTC")); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, in := range p.Bundle.Inputs {
		if in.Clock != nil {
			add(in.Clock.Zone)
		}
	}
	return strings.Join(out, " ")
}

var zoneName = regexp.MustCompile(`^(?:[+-]\d\d:\d\d|[A-Z][A-Za-z]+/[A-Za-z_/+-]+)`)
