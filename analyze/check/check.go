// Package check looks for what is worth acting on outside the incidents, one check to a file. A finding states what was
// seen; it explains no wait.
package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Check is one kind of finding.
type Check struct {
	ID       string
	Severity string // info, warning or critical
	Title    string
	Remedy   string
	Doc      Doc
	// Needs are what the bundle must hold for the check to look at all; without one of them its silence means nothing.
	Needs []Need
	// Look leaves out what belongs to a case.
	Look func(*reconstruct.World, []*reconstruct.Case) []Hit
}

// Doc is what volpost explain prints of a check.
type Doc struct {
	Means      string // what a finding says, and why it is worth acting on
	DecidedBy  string
	LeftAlone  string // what looks alike and is no finding
	References []string
}

// Need is an input that a check cannot do without.
type Need struct {
	What    string // as a noun phrase
	Command string // that collects it
	Met     func(*reconstruct.World) bool
}

// Hit is one thing that a check found. An empty Severity or Remedy is that of the check.
type Hit struct {
	Objects          []model.Ref
	Text             string
	Shown            []*model.Observation
	Severity, Remedy string
}

// All are the checks, in the order of the report.
var All = []Check{forcedDetach, failingDetach}

// Findings runs every check over a world.
func Findings(w *reconstruct.World, cases []*reconstruct.Case, l *evidence.Ledger) []model.Finding {
	out := []model.Finding{}
	for _, c := range All {
		if len(c.Unmet(w)) > 0 {
			continue
		}
		for _, h := range c.Look(w, cases) {
			out = append(out, model.Finding{
				ID: c.ID, Severity: cmp.Or(h.Severity, c.Severity), Title: c.Title, Objects: h.Objects, Text: h.Text,
				Remedy: cmp.Or(h.Remedy, c.Remedy), Evidence: l.Observations(h.Shown),
			})
		}
	}
	return out
}

// Unmet are the needs that a world does not meet.
func (c Check) Unmet(w *reconstruct.World) []Need {
	var out []Need
	for _, n := range c.Needs {
		if !n.Met(w) {
			out = append(out, n)
		}
	}
	return out
}

// byNode groups observations of a kind by the node that they name.
func byNode(w *reconstruct.World, cases []*reconstruct.Case, kinds ...model.Kind) [][]*model.Observation {
	told := map[*model.Observation]bool{}
	for _, c := range cases {
		for _, o := range c.Story() {
			told[o] = true
		}
	}
	groups := map[string][]*model.Observation{}
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if slices.Contains(kinds, o.Kind) && !told[o] && (o.Node != "" || !o.Volume.IsZero()) {
			key := string(kinds[0]) + "|" + o.Node
			groups[key] = append(groups[key], o)
		}
	}
	out := make([][]*model.Observation, 0, len(groups))
	for _, g := range groups {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b []*model.Observation) int {
		return cmp.Or(a[0].Compare(*b[0]), cmp.Compare(a[0].Quote.Text, b[0].Quote.Text))
	})
	return out
}

// objects names the node and the volumes of some observations.
func objects(w *reconstruct.World, g []*model.Observation) []model.Ref {
	out := []model.Ref{}
	if g[0].Node != "" {
		out = append(out, model.Ref{Kind: "Node", Name: g[0].Node})
	}
	for _, o := range g {
		ref := model.Ref{Kind: "PersistentVolume", Name: volumeName(w, o)}
		if ref.Name != "" && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// volumes counts the volumes among the objects, naming one.
func volumes(refs []model.Ref) string {
	var names []string
	for _, r := range refs {
		if r.Kind == "PersistentVolume" {
			names = append(names, r.Name)
		}
	}
	switch len(names) {
	case 0:
		return "A volume that is not named"
	case 1:
		return "Volume " + names[0]
	}
	return fmt.Sprintf("%d volumes (%s and others)", len(names), names[0])
}

func volumeName(w *reconstruct.World, o *model.Observation) string {
	if v := w.Volumes.Find(o.Volume); v != nil {
		return v.Key()
	}
	return cmp.Or(o.Volume.PersistentVolume, o.Volume.UniqueName, o.Volume.Handle)
}

func orUnnamed(s, what string) string {
	if s == "" {
		return what
	}
	return s
}
