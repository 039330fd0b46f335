package tables

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Fleet writes all tables as one: what it counts, the name, and the numbers, with times in seconds.
func Fleet(w io.Writer, f *model.Fleet) error {
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
