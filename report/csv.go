package report

import (
	"encoding/csv"
	"io"
	"regexp"
	"strconv"

	"github.com/volpost/volpost/model"
)

// writeCSV writes the timeline as a table with a head. It is RFC 4180 with plain line feeds.
func writeCSV(w io.Writer, r *model.Report) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"message", "datetime", "timestamp_desc", "timestamp", "earliest", "latest", "basis", "kind", "lane",
		"incidents", "objects", "place", "evidence", "quote", "bundle"}}
	for _, e := range newView(r).events() {
		rows = append(rows, []string{inert(e.Message), e.DateTime, inert(e.TimestampDesc), strconv.FormatInt(e.Timestamp, 10), e.Earliest, e.Latest, inert(e.Basis),
			inert(e.Kind), inert(e.Lane), inert(e.Incidents), inert(e.Objects), inert(e.Place), inert(e.Evidence), inert(e.Quote), inert(e.Bundle)})
	}
	return out.WriteAll(rows)
}

// formula is where a spreadsheet begins to compute: at the beginning of a cell, and where its own separator is the
// semicolon or the tab, after one. Full-width forms count in some languages.
var formula = regexp.MustCompile(`(^[\s"']*|[;\t][\s"']*)([=+\-@＝＋－＠])`)

// inert keeps a spreadsheet from taking a cell for a formula: an apostrophe makes it text.
func inert(cell string) string { return formula.ReplaceAllString(cell, "${1}'${2}") }
