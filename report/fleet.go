package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// FleetFormats are the outputs of a fleet, the default first.
func FleetFormats() []string { return []string{"text", "html", "csv", "json"} }

// WriteFleet renders the sums over many reports in one of FleetFormats.
func WriteFleet(w io.Writer, format string, f *model.Fleet) error {
	switch format {
	case "json":
		return jsonEncoder(w, "  ").Encode(view.CopyValue(reflect.ValueOf(f)).Interface())
	case "text":
		return writeFleetText(w, view.ForPeople(f))
	case "html":
		return writeFleetHTML(w, view.ForPeople(f))
	case "csv":
		return writeFleetCSV(w, view.ForPeople(f))
	}
	return fmt.Errorf("unknown format %q: one of %s", format, strings.Join(FleetFormats(), ", "))
}

// fleetTable is one table of a fleet for people. The first column is text, the others are numbers.
type fleetTable struct {
	Title, Note string
	Head        []string
	Rows        [][]string
	Links       [][]fleetLink // of each row, where there are any
	Left        int           // rows that are not shown
}

// fleetLink leads to a report.
type fleetLink struct{ Name, To string }

// fleetLinks is how many reports a row leads to.
const fleetLinks = 5

// linked adds to the last row where its reports are.
func (t *fleetTable) linked(reports []string) {
	if t.Left > 0 {
		return
	}
	var out []fleetLink
	for _, file := range reports[:min(len(reports), fleetLinks)] {
		to := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
		out = append(out, fleetLink{Name: words.OneLine(file), To: to.String()})
	}
	if more := len(reports) - fleetLinks; more > 0 {
		out = append(out, fleetLink{Name: fmt.Sprintf("and %d more", more)})
	}
	t.Links = append(t.Links, out)
}

// fleetRows is how many rows of a table people get; the CSV and the JSON have all.
const fleetRows = 40

// fleetTables are the tables, in the order in which they are read.
func fleetTables(f *model.Fleet) []fleetTable {
	counts := func(title, name, none string, list []model.FleetCount) fleetTable {
		t := fleetTable{Title: title, Head: []string{name, "Incidents", "Hand-overs", "Time lost"}}
		for _, c := range list {
			t.row(cmp.Or(words.OneLine(c.Name), none), words.Number(c.Incidents), words.Number(c.Handovers), view.Span(c.SecondsLost))
			t.linked(c.Reports)
		}
		return t
	}
	phases := fleetTable{Title: "How long each phase took", Note: "Of incidents in which it ended, without hand-overs.", Head: []string{"Phase", "Incidents", "Median", "90 %", "Longest", "Together"}}
	for _, p := range f.Phases {
		phases.row(words.OneLine(string(p.ID)), words.Number(p.Count), words.Seconds(p.Median), words.Seconds(p.P90), words.Seconds(p.Max), words.Seconds(p.Total))
	}
	remedies := fleetTable{Title: "What each remedy alone would have saved", Note: view.Alternatives + " The risk is that for the data.", Head: []string{"Remedy", "Helps", "No risk", "If proven", "Risk", "Saved"}}
	for _, r := range f.Remedies {
		remedies.row(words.OneLine(r.ID), words.Number(r.Helps), words.Number(r.Safe), words.Number(r.NotProven), words.Number(r.Unsafe), savedText(r))
		remedies.linked(r.Reports)
	}
	volumes := fleetTable{Title: "Volumes with several", Head: []string{"Volume", "Incidents", "Hand-overs", "Time lost"}}
	for _, v := range f.Volumes {
		volumes.row(words.OneLine(v.Volume)+words.If(v.Cluster != "", " in "+words.OneLine(v.Cluster)), words.Number(v.Incidents), words.Number(v.Handovers), view.Span(v.SecondsLost))
		volumes.linked(v.Reports)
	}
	skipped := fleetTable{Title: "Files that were left out", Head: []string{"File", "Why"}}
	for _, p := range f.Skipped {
		skipped.row(words.OneLine(p.Path), words.OneLine(p.Message))
	}
	var out []fleetTable
	for _, t := range []fleetTable{
		counts("By cause", "Cause", "unknown", f.Causes), phases, remedies, counts("By driver", "Driver", "in-tree or unknown", f.Drivers),
		counts("By version", "Kubernetes", "unknown", f.Versions), counts("By cluster", "Cluster", "not identified", f.Clusters), volumes, skipped,
	} {
		if len(t.Rows) > 0 {
			if !slices.ContainsFunc(t.Links, func(of []fleetLink) bool { return len(of) > 0 }) {
				t.Links = nil // what came from standard input has no name
			}
			out = append(out, t)
		}
	}
	return out
}

// savedText is what a remedy would have saved, where that is known.
func savedText(r model.FleetRemedy) string {
	switch {
	case r.Unknown == 0:
		return view.Span(r.SecondsSaved) + riskless(r)
	case r.Unknown == r.Helps:
		return "not known"
	}
	return view.Span(r.SecondsSaved) + riskless(r) + fmt.Sprintf(", of %d not known", r.Unknown)
}

// riskless is the part that was saved without a risk.
func riskless(r model.FleetRemedy) string {
	if r.SecondsSavedSafe.Best == 0 || r.SecondsSavedSafe == r.SecondsSaved {
		return ""
	}
	return ", " + view.Span(r.SecondsSavedSafe) + " without risk"
}

// row adds a row, or counts it.
func (t *fleetTable) row(cells ...string) {
	if len(t.Rows) == fleetRows {
		t.Left++
		return
	}
	t.Rows = append(t.Rows, cells)
}

// fleetFacts are the first lines.
func fleetFacts(f *model.Fleet) []string {
	clusters := 0
	for _, c := range f.Clusters {
		if c.Name != "" {
			clusters++
		}
	}
	out := []string{
		fmt.Sprintf("%s, %s, %s%s.", words.Count(f.Reports, "report"), words.Count(f.Incidents, "incident"), words.Count(f.Handovers, "ordinary hand-over"), words.If(clusters > 0, " in "+words.Count(clusters, "known cluster"))),
		"The incidents took " + view.Span(f.SecondsLost) + " together" + words.If(f.Open > 0, fmt.Sprintf(", of which %d had not ended at their collection", f.Open)) + ".",
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

func writeFleetText(w io.Writer, f *model.Fleet) error {
	p := &page{}
	for i, fact := range fleetFacts(f) {
		if i == 0 {
			p.wrap("FLEET: ", "  ", fact)
			continue
		}
		p.wrap("", "  ", fact)
	}
	for _, t := range fleetTables(f) {
		p.line("")
		p.line(strings.ToUpper(t.Title))
		if t.Note != "" {
			p.wrap("  ", "  ", t.Note)
		}
		fleetTextTable(p, t)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// fleetTextTable aligns a table; a name that is too long for its column stands in a line of its own.
func fleetTextTable(p *page, t fleetTable) {
	const nameColumns = 26
	if len(t.Head) == 2 {
		for _, r := range t.Rows {
			p.wrap("  ", "    ", r[0]+": "+r[1])
		}
	} else {
		for _, r := range append([][]string{t.Head}, t.Rows...) {
			name, line := r[0], ""
			if words.Columns(name) > nameColumns {
				p.wrap("  ", "    ", name)
				name = ""
			}
			line = "  " + name + strings.Repeat(" ", nameColumns-words.Columns(name))
			for n, cell := range r[1:] {
				if n == len(r)-2 {
					line += "  " + cell // it may be a range
					continue
				}
				line += " " + strings.Repeat(" ", max(max(words.Columns(t.Head[n+1]), 8)-words.Columns(cell), 0)) + cell
			}
			p.line(line)
		}
	}
	if t.Left > 0 {
		p.line(fmt.Sprintf("  and %d more; -o csv and -o json have them", t.Left))
	}
}

// writeFleetCSV writes all tables as one: what it counts, the name, and the numbers, with times in seconds.
func writeFleetCSV(w io.Writer, f *model.Fleet) error {
	decimal := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	rows := [][]string{{"table", "name", "cluster", "incidents", "handovers", "safe", "not_proven", "unsafe", "unknown", "seconds", "seconds_min", "seconds_max", "median", "p90", "max"}}
	add := func(table, name, cluster string, incidents, handovers int, sum model.Range, rest ...string) {
		row := []string{table, inert(words.OneLine(name)), inert(words.OneLine(cluster)), strconv.Itoa(incidents), strconv.Itoa(handovers), "", "", "", "", decimal(sum.Best), decimal(sum.Min), decimal(sum.Max), "", "", ""}
		copy(row[12:], rest)
		rows = append(rows, row)
	}
	for _, t := range []struct {
		table string
		list  []model.FleetCount
	}{{"cause", f.Causes}, {"driver", f.Drivers}, {"version", f.Versions}, {"cluster", f.Clusters}} {
		for _, c := range t.list {
			add(t.table, c.Name, "", c.Incidents, c.Handovers, c.SecondsLost)
		}
	}
	for _, p := range f.Phases {
		add("phase", string(p.ID), "", p.Count, 0, model.Range{Best: p.Total, Min: p.Total, Max: p.Total}, decimal(p.Median), decimal(p.P90), decimal(p.Max))
	}
	for _, r := range f.Remedies {
		add("remedy", r.ID, "", r.Helps, 0, r.SecondsSaved)
		copy(rows[len(rows)-1][5:], []string{strconv.Itoa(r.Safe), strconv.Itoa(r.NotProven), strconv.Itoa(r.Unsafe), strconv.Itoa(r.Unknown)})
	}
	for _, v := range f.Volumes {
		add("volume", v.Volume, v.Cluster, v.Incidents, v.Handovers, v.SecondsLost)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
