package analyze_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// TestPhasesTile: the phases of a span follow each other without gap or overlap, and their durations add up.
func TestPhasesTile(t *testing.T) {
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			from, sum := i.Span.From, 0.0
			for _, p := range i.Phases {
				if !reflect.DeepEqual(bare(p.From), bare(from)) {
					t.Errorf("%s: phase %s begins at %v, the one before ended at %v", c.name, p.ID, p.From.At, from.At)
				}
				if !p.To.At.After(p.From.At) {
					t.Errorf("%s: phase %s has no length", c.name, p.ID)
				}
				if s := p.Seconds; s.Min > s.Best || s.Best > s.Max || s.Min < 0 {
					t.Errorf("%s: phase %s lasts %+v", c.name, p.ID, s)
				}
				from, sum = p.To, sum+p.Seconds.Best
			}
			if !reflect.DeepEqual(bare(from), bare(i.Span.To)) {
				t.Errorf("%s: the phases end at %v, the span at %v", c.name, from.At, i.Span.To.At)
			}
			if d := sum - i.Span.Seconds.Best; d > 1e-6 || d < -1e-6 {
				t.Errorf("%s: the phases take %.6f s, the span %.6f s", c.name, sum, i.Span.Seconds.Best)
			}
		}
	}
}

// bare is a moment without its evidence.
func bare(m model.Moment) model.Moment {
	m.Evidence = nil
	return m
}

// TestMomentsAreIntervals: the best estimate of every moment lies within its bounds.
func TestMomentsAreIntervals(t *testing.T) {
	for _, c := range cases(t) {
		walk(reflect.ValueOf(c.report(t)), "", func(path string, v reflect.Value) {
			m, ok := v.Interface().(model.Moment)
			if ok && !m.IsZero() && (m.At.Before(m.Earliest) || m.At.After(m.Latest)) {
				t.Errorf("%s: %s is %v, outside of %v … %v", c.name, path, m.At, m.Earliest, m.Latest)
			}
		})
	}
}

// TestEvidenceResolves: every identifier that a report uses as evidence is one of its quotes, each quote is used, and
// For and Against of a cause hold identifiers or sentences.
func TestEvidenceResolves(t *testing.T) {
	for _, c := range cases(t) {
		r := c.report(t)
		quotes, used := map[string]bool{}, map[string]bool{}
		for _, e := range r.Evidence {
			quotes[e.ID] = true
		}
		walk(reflect.ValueOf(r), "", func(path string, v reflect.Value) {
			id, ok := v.Interface().(string)
			if !ok || !isEvidence(path, id) {
				return
			}
			if used[id] = true; !quotes[id] {
				t.Errorf("%s: %s cites %s, which is no quote", c.name, path, id)
			}
		})
		for _, e := range r.Evidence {
			if !used[e.ID] {
				t.Errorf("%s: nothing cites %s: %s", c.name, e.ID, e.Text)
			}
		}
		for _, i := range r.Incidents {
			for _, cause := range i.Causes {
				if cause.Verdict != model.Undecidable && len(cause.For) == 0 {
					t.Errorf("%s: nothing is said for %s, which is %s", c.name, cause.ID, cause.Verdict)
				}
				if cause.Verdict != model.Confirmed && len(cause.Missing) == 0 && len(cause.For) == 0 {
					t.Errorf("%s: %s is %s and nothing is said to be missing", c.name, cause.ID, cause.Verdict)
				}
			}
		}
	}
}

// quick reports a move that took no longer than an ordinary driver's call may.
func quick(i model.Incident) bool {
	return i.MultiAttach.Ended != nil && i.MultiAttach.Ended.At.Sub(i.MultiAttach.Began.At) <= time.Minute
}

// TestLessEvidenceConfirmsNoMore takes each file of each case away: what is left confirms no cause of an incident that the
// whole does not confirm. The refuting file of a near miss is a file like any other.
func TestLessEvidenceConfirmsNoMore(t *testing.T) {
	for n, c := range recordings.Sweep(cases(t)) {
		whole := map[string]bool{}
		for _, i := range c.report(t).Incidents {
			for _, cause := range i.Causes {
				whole[i.Volume.PersistentVolume+" "+cause.ID+" "+string(cause.Verdict)] = true
			}
		}
		for _, name := range recordings.Turn(n, slices.Sorted(maps.Keys(c.bundle))) {
			less := c
			less.bundle = maps.Clone(c.bundle)
			delete(less.bundle, name)
			if len(less.bundle) == 0 {
				continue
			}
			for _, i := range less.report(t).Incidents {
				for _, cause := range i.Causes {
					refuted := cause.ID == "node-down" && whole[i.Volume.PersistentVolume+" kubelet-down "+string(model.Likely)] || // by what was taken away
						cause.ID == model.CauseHandover && quick(i) || // what is left of a minute whose cause was taken away
						strings.Contains(c.name, "clock-") && whole[i.Volume.PersistentVolume+" "+cause.ID+" "+string(model.Undecidable)] // no clock contradicts
					if cause.Verdict == model.Confirmed && !refuted && !whole[i.Volume.PersistentVolume+" "+cause.ID+" "+string(model.Confirmed)] {
						t.Errorf("%s: without %s, %s is confirmed: %s", c.name, name, cause.ID, cause.Summary)
					}
				}
			}
		}
	}
}
