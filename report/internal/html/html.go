// Package html writes one page that needs nothing else: the answer, and folded below it the chart, the timeline and the evidence.
package html

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/markdown"
	"github.com/volpost/volpost/report/internal/view"
)

//go:embed page
var htmlFiles embed.FS

// htmlPage is what the templates see.
type htmlPage struct {
	*view.View
	CSS     template.CSS
	Script  template.JS
	Policy  string // Content-Security-Policy
	Comment string // the answer as Markdown, for the script
	First   firstScreen
	Title   string
	Primary *view.IncidentView
	Story   []htmlGroup
	Sums    []view.InputSum

	Rows     []timelineRow // that concern an incident
	Others   []timelineRow
	Folded   int      // facts that have no row
	Zero     string   // what T is
	ZeroAt   string   // the same for a script
	Objects  []string // that the timeline names
	Quoted   []quoteFile
	Unquoted int // quotes that are left out
	Files    []model.Input
	Problems []model.Problem

	Found      []model.Finding // the first findings, and so on
	Questions  []model.InspectionItem
	Rules      []view.AlertView
	Lacking    []model.NotCollected
	Brief      []htmlGroup // groups of which no incident is shown
	LeftGroups int         // groups that have not even a row

	budget       budget
	facts        []*entry                    // of the timeline, in the order of time
	objectNumber map[string]int              // name → place in Objects from 1; for lookup only
	parts        map[*view.IncidentView]bool // incidents with a part of their own; true for those with all of their remedies
	witnesses    map[string][]string         // object's key → quotes that name it; for lookup only
	shown        map[string]bool             // quotes that are in the page; for lookup only
}

// Mark stands near the beginning of every page. It distinguishes the pages of volpost from all other files.
const Mark = `<meta name="generator" content="volpost">`

// Write writes one page that needs nothing else. If it is larger than a ticket takes, it is written again with less.
func Write(w io.Writer, r *model.Report, zone *time.Location) error {
	t, err := template.New("page.gohtml").Funcs(htmlFuncs).Funcs(curveFuncs).ParseFS(htmlFiles, "page/*.gohtml")
	if err != nil {
		return err
	}
	for b := budgetOf(r); ; b = b.less() {
		page, err := newHTMLPage(view.Of(r, func(s string) string { return words.Visible(b.cut(s)) }, zone), b)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := t.Execute(&out, page); err != nil {
			return err
		}
		if out.Len() <= b.limit || b.least() {
			_, err := w.Write(out.Bytes())
			return err
		}
	}
}

// cite is a link to a quote. The identifier is stable over re-runs, the mark is short. A quote that is left out has none.
type cite struct{ ID, Mark string }

// citesShown is how many links a claim has beside it. The quotes themselves all lead back to the claim.
const citesShown = 6

// citeList are the links of one claim.
type citeList struct {
	List []cite
	More int
}

// Cites keeps the identifiers that are quotes of this report, as links.
func (p *htmlPage) Cites(ids []string) citeList {
	out := citeList{}
	for _, id := range p.Cited(ids) {
		if len(out.List) == citesShown {
			out.More++
			continue
		}
		c := cite{Mark: p.Mark(id)}
		if p.shown[id] {
			c.ID = id
		}
		out.List = append(out.List, c)
	}
	return out
}

func newHTMLPage(v *view.View, b budget) (*htmlPage, error) {
	css, script, err := pageParts()
	if err != nil {
		return nil, err
	}
	p := &htmlPage{View: v, budget: b, CSS: template.CSS(css), Script: template.JS(script), Policy: policy(css, script),
		Primary: v.Answer().Incident, Sums: view.InputSums(v.Bundle.Inputs), objectNumber: map[string]int{}, parts: map[*view.IncidentView]bool{}}
	p.Found, p.Questions = first(v.Findings, b.items), first(v.Inspection, b.items)
	p.Rules, p.Lacking = first(v.AlertRows(), b.items), first(v.Bundle.NotCollected, b.items)
	p.Comment = markdown.Comment(v)
	p.choose()
	p.First = p.firstScreen()
	p.Title = titleOf(p.First.Answer)
	p.witnesses = objectWitnesses(v)
	p.timeline() // before the story, whose charts lead to its rows
	p.story()
	p.quotes()
	p.Files = worthListing(v.Bundle.Inputs, b.inputs)
	p.Problems = fitting(v.Bundle.Problems, b.problems, func(x model.Problem) int { return 150 + len(x.Path) + len(x.Message) })
	return p, nil
}

// choose picks the incidents that are shown: the leaders of each group in turn. The first of each has all of its remedies.
func (p *htmlPage) choose() {
	p.Group = p.groupsByUrgency()
	var turns [][]*view.IncidentView
	for _, g := range p.Group {
		for turn, in := range p.leaders(g.Members) {
			if turn == len(turns) {
				turns = append(turns, nil)
			}
			turns[turn] = append(turns[turn], in)
		}
	}
	for _, in := range slices.Concat(turns...) {
		if len(p.parts) < p.budget.parts {
			p.parts[in] = len(p.parts) < p.budget.full
		}
	}
}

// States is the anchor of the chart and the graph that stand first in the page; "" where it has none.
func (p *htmlPage) States() string {
	for _, g := range p.Story {
		for _, in := range g.Incidents {
			if in.Chart != nil || in.SVG != "" {
				return in.Anchor + "-states"
			}
		}
	}
	return ""
}

// first are the first of a list.
func first[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// LeftItems counts the findings, questions, rules and kinds of data that are left out.
func (p *htmlPage) LeftItems() string {
	var parts []string
	for _, part := range []struct {
		left int
		noun string
	}{
		{len(p.Findings) - len(p.Found), "finding"}, {len(p.Inspection) - len(p.Questions), "question of the inspection"},
		{len(p.Alerts) - len(p.Rules), "alerting rule"}, {len(p.Bundle.NotCollected) - len(p.Lacking), "entry of what was not collected"},
	} {
		if part.left > 0 {
			parts = append(parts, words.Number(part.left)+" of the kind "+part.noun)
		}
	}
	return strings.Join(parts, ", ")
}

// fitting are the first of a list that fit into so many bytes.
func fitting[T any](list []T, room int, size func(T) int) []T {
	for i, x := range list {
		if room -= size(x); room < 0 {
			return list[:i]
		}
	}
	return list
}

// worthListing are the files that fit into so many bytes: those that gave something first, in the report's order.
func worthListing(list []model.Input, room int) []model.Input {
	var kept []int
	for _, gave := range []bool{true, false} {
		for i, in := range list {
			if in.Used > 0 == gave {
				kept = append(kept, i)
			}
		}
	}
	kept = fitting(kept, room, func(i int) int { return 330 + len(list[i].Path) })
	slices.Sort(kept)
	return view.Each(kept, func(i int) model.Input { return list[i] })
}

// LeftInputs counts the files that are left out.
func (p *htmlPage) LeftInputs() int { return len(p.Bundle.Inputs) - len(p.Files) }

// LeftProblems counts the problems that are left out.
func (p *htmlPage) LeftProblems() int { return len(p.Bundle.Problems) - len(p.Problems) }

// Path is a file's path without the directory that all quotes share.
func (p *htmlPage) Path(path string) string { return words.OneLine(p.Short(model.Source{Path: path})) }

// ZoneName is the name of the zone of all times, or "" for UTC; of an offset as a script knows it.
func (p *htmlPage) ZoneName() string {
	if p.Walls == nil {
		return ""
	}
	return strings.TrimPrefix(p.Walls.Zone.String(), "UTC")
}

// Several says that a reader must know which incident is meant.
func (p *htmlPage) Several() bool { return len(p.Incident) > 1 }

// counted writes a whole number with its noun and separators.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", words.Number(n), noun)
}

// Name is what the bundle is called, without the directories of the machine that it was read on.
func (p *htmlPage) Name() string {
	root := strings.TrimRight(words.OneLine(p.Bundle.Root), `/\`)
	return cmp.Or(root[strings.LastIndexAny(root, `/\`)+1:], "unnamed bundle")
}

// ToDo are the findings that ask for something to be done, of those that are shown; Noted are the others.
func (p *htmlPage) ToDo() []numberedFinding {
	return p.findings(func(f model.Finding) bool { return f.Severity != string(model.Info) && !view.IsBelief(f) })
}

// Noted are the findings that are for information.
func (p *htmlPage) Noted() []numberedFinding {
	return p.findings(func(f model.Finding) bool { return f.Severity == string(model.Info) && !view.IsBelief(f) })
}

// Beliefs are those that say of a popular account that it does not hold here.
func (p *htmlPage) Beliefs() []numberedFinding { return p.findings(view.IsBelief) }

func (p *htmlPage) findings(wanted func(model.Finding) bool) []numberedFinding {
	var out []numberedFinding
	for i, f := range p.Found {
		if wanted(f) {
			out = append(out, numberedFinding{p, i + 1, f})
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

// Zones are the zones that the page offers beside its own, UTC and the reader's: those that logs of the bundle are written in.
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

// titleColumns is how much of a headline the tab of a browser and a list of tickets have.
const titleColumns = 80

// titleOf is the headline up to its colon, behind which it says why.
func titleOf(a view.Answer) string {
	what, _, _ := strings.Cut(strings.TrimSuffix(words.OneLine(a.Headline), "."), ": ")
	return words.Excerpt(what, titleColumns) + " (volpost)"
}

//go:embed page/fleet.html
var fleetPage string

// fleetHTML is what the page of a fleet shows.
type fleetHTML struct {
	Facts     []string
	Tables    []view.FleetTable
	Generator string
}

// Fleet writes one page that needs nothing else.
func Fleet(w io.Writer, f *model.Fleet) error {
	t, err := template.New("fleet").Parse(fleetPage)
	if err != nil {
		return err
	}
	return t.Execute(w, fleetHTML{view.FleetFacts(f), view.FleetTables(f), f.Generator.Name + " " + f.Generator.Version})
}
