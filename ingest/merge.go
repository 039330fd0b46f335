package ingest

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// merge makes the snapshot of everything that was read and sorts it as model promises.
func (r *reading) merge() *model.Snapshot {
	s := r.s
	slices.SortFunc(r.parts, func(a, b *part) int { return cmp.Compare(a.input.Path, b.input.Path) })
	r.concern()
	events(s, r.parts)
	audit := false
	for _, p := range r.parts {
		s.Inputs = append(s.Inputs, *p.input)
		audit = audit || p.audit
	}
	s.Inputs = append(s.Inputs, r.inputs...)
	s.Inputs = append(s.Inputs, r.quietInputs()...)
	s.Layouts = r.layouts.Names()
	r.placeholders()
	r.fillNamespaces()
	r.understand()
	r.captured()
	r.placeAges()
	s.Lists = r.listed(r.clusters())
	sortSnapshot(s)
	s.Problems = fewProblems(s.Problems)
	s.Unreadable = sortUnreadable(s.Unreadable)
	s.MoreMetrics, _ = noMetrics(collectedSet{Snapshot: s, tool: toolOf(s)})
	s.NotCollected = notCollected(s, audit, r.refused)
	return s
}

// join appends one part's share of everything to the snapshot.
func join(s, p *model.Snapshot) {
	manifest.Join(s, p)
	s.RuleFiles = append(s.RuleFiles, p.RuleFiles...)
	s.ActiveAlerts = append(s.ActiveAlerts, p.ActiveAlerts...)
	s.Observations = joinStatements(s.Observations, p.Observations)
	s.Aged = append(s.Aged, p.Aged...)
	s.Problems = append(s.Problems, p.Problems...)
	s.Unreadable = append(s.Unreadable, p.Unreadable...)
}

// joinStatements appends a list, and takes the first without copying it: a log may have given most of what is in memory.
func joinStatements(all, more []model.Observation) []model.Observation {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// events adds the observations of Events, one for each UID: collectors write one as core/v1 and as events.k8s.io/v1, and collections share
// most. The newest copy stays; the others are skipped records of their files.
func events(s *model.Snapshot, parts []*part) {
	type place struct{ part, index int }
	newest := map[string]place{}
	drop := map[place]bool{}
	for i, p := range parts {
		for j, e := range p.events {
			if e.UID == "" {
				continue
			}
			here := place{i, j}
			was, again := newest[e.UID]
			if !again {
				newest[e.UID] = here
			} else if e.Version > parts[was.part].events[was.index].Version {
				drop[was], newest[e.UID] = true, here
			} else {
				drop[here] = true
			}
		}
	}
	total := 0
	for _, p := range parts {
		total += len(p.events)
	}
	s.Observations = slices.Grow(s.Observations, total) // at once: of a hundred thousand, what append leaves behind is most of the memory
	for i, p := range parts {
		for j, e := range p.events {
			if drop[place{i, j}] {
				p.input.Used--
				p.input.Skipped++
				continue
			}
			s.Observations = append(s.Observations, e.Statement)
		}
		p.events = nil
	}
}

func sortSnapshot(s *model.Snapshot) {
	manifest.Sort(s)
	slices.SortStableFunc(s.RuleFiles, func(a, b model.RuleFile) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(s.ActiveAlerts, func(a, b model.ActiveAlert) int { return cmp.Compare(a.Input, b.Input) })
	model.SortObservations(s.Observations)
	slices.SortStableFunc(s.Aged, func(a, b model.Aged) int { return cmp.Compare(a.Input, b.Input) })
	slices.SortStableFunc(s.Inputs, func(a, b model.Input) int { return cmp.Compare(a.Path, b.Path) })
}
