package diff_test

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// certain are the statements of a comparison that people act on.
func certain(t *testing.T, before, after analyze.DiffSide) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	d, err := analyze.Diff(before, after, options, false)
	if err != nil {
		return out
	}
	for _, a := range d.Attachments {
		if a.Change == model.ChangeVanished || a.Change == model.ChangeMoved {
			out["gone "+a.Before.Name] = true
		}
		if a.After != nil && a.Change != model.ChangeChanged {
			out["came "+a.After.Name] = true
		}
	}
	for _, i := range d.Incidents {
		if i.Change == model.ChangeEnded {
			out["ended "+i.After.ID] = true
		}
	}
	return out
}

// TestLessEvidence takes each file away from either side: nothing that the whole does not say becomes certain.
func TestLessEvidence(t *testing.T) {
	for _, c := range cases(t) {
		whole := certain(t, side(t, c.before, "before"), side(t, c.after, "after"))
		for _, name := range slices.Sorted(maps.Keys(c.after)) {
			if name == "namespaces.yaml" || name == "timestamp" {
				continue // without them a refusal becomes a comparison
			}
			for _, first := range []bool{true, false} {
				before, after := maps.Clone(c.before), maps.Clone(c.after)
				if first {
					delete(before, name)
				} else {
					delete(after, name)
				}
				for statement := range certain(t, side(t, before, "before"), side(t, after, "after")) {
					if !whole[statement] {
						t.Errorf("%s: without %s (of the first: %v) it says: %s", c.name, name, first, statement)
					}
				}
			}
		}
	}
}

// TestReportsSayLess: compared as reports, two collections give no statement that the bundles do not give.
func TestReportsSayLess(t *testing.T) {
	for _, c := range cases(t) {
		if strings.HasPrefix(c.name, "refused-") {
			continue // a report does not tell the UIDs of Nodes, and the comparison says that the cluster is not known
		}
		whole := certain(t, side(t, c.before, "before"), side(t, c.after, "after"))
		first, second := asReport(t, c.before, "before"), asReport(t, c.after, "after")
		for _, pair := range [][2]analyze.DiffSide{{first, second}, {first, side(t, c.after, "after")}, {side(t, c.before, "before"), second}} {
			for statement := range certain(t, pair[0], pair[1]) {
				if !whole[statement] {
					t.Errorf("%s: a report says: %s", c.name, statement)
				}
			}
		}
	}
}

// asReport is a bundle's report, read back from JSON.
func asReport(t *testing.T, bundle fstest.MapFS, name string) analyze.DiffSide {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, "json", analyze.Run(t.Context(), snapshot(t, bundle, name), options)); err != nil {
		t.Fatal(err)
	}
	r, err := report.Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	return analyze.SideOfReport(r)
}

// TestNothingChanges: a recording compared with itself, as bundle and as report, has no change.
func TestNothingChanges(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		bundle := files(t, s.Name)
		whole, told := side(t, bundle, s.Name), asReport(t, bundle, s.Name)
		for _, pair := range [][2]analyze.DiffSide{{whole, whole}, {told, whole}, {whole, told}, {told, told}} {
			d, err := analyze.Diff(pair[0], pair[1], options, false)
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				continue
			}
			for _, a := range d.Attachments {
				t.Errorf("%s: %s %s", s.Name, a.Change, a.Text)
			}
			for _, i := range d.Incidents {
				if i.Change != model.ChangeSame && i.Change != model.ChangeStillOpen || i.CauseText != "" {
					t.Errorf("%s: %s %s %s", s.Name, i.Change, i.Text, i.CauseText)
				}
				for _, p := range i.Phases {
					if p.Change != "same" {
						t.Errorf("%s: phase %s is %s", s.Name, p.ID, p.Change)
					}
				}
			}
			if d.Cluster.Value == model.False || strings.Contains(d.Headline, "moved") {
				t.Errorf("%s: %s", s.Name, d.Headline)
			}
		}
	}
}

// files is a recording's bundle.
func files(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	bundle, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	err = fs.WalkDir(bundle, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(bundle, path)
		out[path] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
