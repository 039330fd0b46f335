package view

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// FleetTable is one table of a fleet for people. The first column is text, the others are numbers.
type FleetTable struct {
	Title, Note string
	Head        []string
	Rows        [][]string
	Links       [][]FleetLink // of each row, where there are any
	Left        int           // rows that are not shown
}

// FleetLink leads to a report.
type FleetLink struct{ Name, To string }

// fleetLinks is how many reports a row leads to.
const fleetLinks = 5

// linked adds to the last row where its reports are.
func (t *FleetTable) linked(reports []string) {
	if t.Left > 0 {
		return
	}
	var out []FleetLink
	for _, file := range reports[:min(len(reports), fleetLinks)] {
		to := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
		out = append(out, FleetLink{Name: words.OneLine(file), To: to.String()})
	}
	if more := len(reports) - fleetLinks; more > 0 {
		out = append(out, FleetLink{Name: fmt.Sprintf("and %d more", more)})
	}
	t.Links = append(t.Links, out)
}

// fleetRows is how many rows of a table people get; the CSV and the JSON have all.
const fleetRows = 40

// FleetTables are the tables, in the order in which they are read.
func FleetTables(f *model.Fleet) []FleetTable {
	phases := FleetTable{Title: "How long each phase took", Note: "Of incidents in which it ended, without hand-overs.",
		Head: []string{"Phase", "Incidents", "Median", "90 %", "Longest", "Together"}}
	for _, p := range f.Phases {
		phases.row(words.OneLine(string(p.ID)), words.Number(p.Count),
			words.Seconds(p.Median), words.Seconds(p.P90), words.Seconds(p.Max), words.Seconds(p.Total))
	}
	remedies := fleetRemedies("What would have been better, of each incident the first", f.Remedies)
	prevent := fleetRemedies("What prevents the next ones, of each incident the first", f.Prevent)
	volumes := FleetTable{Title: "Volumes with several", Head: []string{"Volume", "Incidents", "Hand-overs", "Time lost"}}
	for _, v := range f.Volumes {
		name := words.OneLine(v.Volume) + words.If(v.Cluster != "", " in "+words.OneLine(v.Cluster))
		volumes.row(name, words.Number(v.Incidents), words.Number(v.Handovers), Span(v.SecondsLost))
		volumes.linked(v.Reports)
	}
	faults := FleetTable{Title: "Faults without an incident", Head: []string{"What"}}
	for _, t := range f.Faults {
		faults.row(words.OneLine(t.Headline))
		faults.linked([]string{t.Report})
	}
	skipped := FleetTable{Title: "Files that were left out", Head: []string{"File", "Why"}}
	for _, p := range f.Skipped {
		skipped.row(words.OneLine(p.Path), words.OneLine(p.Message))
	}
	var out []FleetTable
	for _, t := range []FleetTable{
		countTable("By cause", "Cause", "unknown", f.Causes), phases, remedies, prevent,
		countTable("By driver", "Driver", "in-tree or unknown", f.Drivers), countTable("By version", "Kubernetes", "unknown", f.Versions),
		countTable("By cluster", "Cluster", "not identified", f.Clusters), volumes, faults, skipped,
	} {
		if len(t.Rows) > 0 {
			if !slices.ContainsFunc(t.Links, func(of []FleetLink) bool { return len(of) > 0 }) {
				t.Links = nil // what came from standard input has no name
			}
			out = append(out, t)
		}
	}
	return out
}

// fleetRemedies are the remedies that the advice of the incidents begins with.
func fleetRemedies(title string, list []model.FleetRemedy) FleetTable {
	t := FleetTable{Title: title, Note: "The risk is that for the data.",
		Head: []string{"Remedy", "Incidents", "No risk", "If proven", "Risk", "Saved"}}
	for _, r := range list {
		t.row(words.OneLine(r.ID), words.Number(r.Helps), words.Number(r.Safe), words.Number(r.NotProven), words.Number(r.Unsafe), savedText(r))
		t.linked(r.Reports)
	}
	return t
}

// countTable counts incidents by name; what has none is called otherwise.
func countTable(title, name, none string, list []model.FleetCount) FleetTable {
	t := FleetTable{Title: title, Head: []string{name, "Incidents", "Hand-overs", "Time lost"}}
	for _, c := range list {
		t.row(cmp.Or(words.OneLine(c.Name), none), words.Number(c.Incidents), words.Number(c.Handovers), Span(c.SecondsLost))
		t.linked(c.Reports)
	}
	return t
}

// savedText is what a remedy would have saved, where that is known.
func savedText(r model.FleetRemedy) string {
	if r.Unknown == r.Helps && r.Unknown > 0 {
		return "not known"
	}
	return Span(r.SecondsSaved) + words.If(r.Unknown > 0, fmt.Sprintf(", of %d not known", r.Unknown))
}

// row adds a row, or counts it.
func (t *FleetTable) row(cells ...string) {
	if len(t.Rows) == fleetRows {
		t.Left++
		return
	}
	t.Rows = append(t.Rows, cells)
}

// FleetFacts are the first lines.
func FleetFacts(f *model.Fleet) []string {
	clusters := len(slices.DeleteFunc(slices.Clone(f.Clusters), func(c model.FleetCount) bool { return c.Name == "" }))
	open := fmt.Sprintf(", of which %d had not ended at their collection", f.Open)
	faults := words.If(len(f.Faults) > 0, ", "+words.Count(len(f.Faults), "fault"))
	out := []string{
		words.Count(f.Reports, "report") + ", " + words.Count(f.Incidents, "incident") + ", " +
			words.Count(f.Handovers, "ordinary hand-over") + faults + words.If(clusters > 0, " in "+words.Count(clusters, "known cluster")) + ".",
	}
	if f.Incidents > 0 {
		out = append(out, "The incidents took "+Span(f.SecondsLost)+" together"+words.If(f.Open > 0, open)+".")
	}
	if f.Repeated > 0 {
		out = append(out, "Told again by another report, and counted once: "+words.Count(f.Repeated, "incident")+".")
	}
	if f.Insufficient > 0 {
		out = append(out, "Without anything that could have shown an incident: "+words.Count(f.Insufficient, "report")+".")
	}
	if n := len(f.Skipped); n > 0 {
		out = append(out, "Left out: "+words.Count(n, "file")+".")
	}
	return out
}
