package tables

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// CSV writes the timeline as a table with a head: a column for each field of event. It is RFC 4180 with plain line feeds.
func CSV(w io.Writer, r *model.Report, zone *time.Location) error {
	v, out := view.In(r, zone), csv.NewWriter(w)
	var row []string
	for field := range reflect.TypeFor[event]().Fields() {
		row = append(row, field.Tag.Get("json"))
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, item := range v.Timeline {
		e := reflect.ValueOf(eventOf(v, item))
		for i := range row {
			row[i] = fmt.Sprint(e.Field(i).Interface())
			if e.Field(i).Kind() == reflect.String {
				row[i] = inert(row[i])
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// inert keeps a spreadsheet from taking a cell for a formula, also behind a semicolon or a tab: an apostrophe makes it text.
func inert(cell string) string {
	var b strings.Builder
	done, begins := 0, true
	for i := range len(cell) {
		switch c := cell[i]; {
		case begins && computes(cell[i:]):
			b.WriteString(cell[done:i] + "'")
			done, begins = i, false
		case c == ';' || c == '\t':
			begins = true
		case strings.IndexByte(" \n\r\f\"'", c) >= 0:
		default:
			begins = false
		}
	}
	if b.Len() == 0 {
		return cell
	}
	return b.String() + cell[done:]
}

// computes reports whether s begins with what makes a formula. Full-width forms do in some languages.
func computes(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("=+-@＝＋－＠", first)
}

// Fleet writes all tables as one: what it counts, the name, and the numbers, with times in seconds.
func Fleet(w io.Writer, f *model.Fleet) error {
	decimal := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	rows := [][]string{{"table", "name", "cluster", "incidents", "handovers", "safe", "not_proven", "unsafe", "unknown",
		"seconds", "seconds_min", "seconds_max", "median", "p90", "max"}}
	add := func(table, name, cluster string, incidents, handovers int, sum model.Range, rest ...string) {
		row := append(make([]string, 0, len(rows[0])), table, inert(words.OneLine(name)), inert(words.OneLine(cluster)),
			strconv.Itoa(incidents), strconv.Itoa(handovers), "", "", "", "", decimal(sum.Best), decimal(sum.Min), decimal(sum.Max))
		rows = append(rows, append(row, rest...)[:len(rows[0])])
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
		sum := model.Range{Best: p.Total, Min: p.Total, Max: p.Total}
		add("phase", string(p.ID), "", p.Count, 0, sum, decimal(p.Median), decimal(p.P90), decimal(p.Max))
	}
	for _, t := range []struct {
		table string
		list  []model.FleetRemedy
	}{{"remedy", f.Remedies}, {"prevent", f.Prevent}} {
		for _, r := range t.list {
			add(t.table, r.ID, "", r.Helps, 0, r.SecondsSaved)
			copy(rows[len(rows)-1][5:], []string{strconv.Itoa(r.Safe), strconv.Itoa(r.NotProven), strconv.Itoa(r.Unsafe), strconv.Itoa(r.Unknown)})
		}
	}
	for _, v := range f.Volumes {
		add("volume", v.Volume, v.Cluster, v.Incidents, v.Handovers, v.SecondsLost)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
