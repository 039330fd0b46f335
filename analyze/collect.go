package analyze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Which metrics matter: from before the first incident, so that what began it is seen to begin, to after the last; without an
// incident, what could show one shortly before the collection.
const (
	metricsBefore = 30 * time.Minute
	metricsAfter  = 10 * time.Minute
	metricsRecent = 3 * time.Hour
	metricsStep   = 15 * time.Second // a usual scrape interval; a finer step shows nothing more
	maxPoints     = 11_000           // of one series, in an answer of Prometheus' HTTP API
)

// edges are the metrics that are missing before and after those that show a wait, where they begin or end inside of it.
func edges(s *model.Snapshot, cases []*wait.Case) []model.NotCollected {
	var out []model.NotCollected
	add := func(at time.Time, where, consequence string) {
		m := s.MoreMetrics
		m.What, m.Consequence = "no metrics "+where+" "+model.TimeOfDay(at), consequence
		if !at.IsZero() && !slices.ContainsFunc(out, func(o model.NotCollected) bool { return o.What == m.What }) {
			out = append(out, m)
		}
	}
	for _, c := range cases {
		if c.Sampled && c.Began.Basis == model.Assumed { // the metrics begin inside of the wait
			add(c.Began.At, "before", "since when a volume has waited, and what led to it, stays open")
		}
		add(c.MetricsEnd(), "after", "whether and when a wait ended stays open")
	}
	return out
}

// timed puts the time of interest into the commands that collect what is missing, less what volumes without VolumeAttachments do not need.
func timed(missing []model.NotCollected, incidents []model.Incident, b model.Bundle) []model.NotCollected {
	if len(incidents) > 0 && !slices.ContainsFunc(incidents, func(i model.Incident) bool { return !attachless(i) }) {
		missing = slices.DeleteFunc(slices.Clone(missing), func(m model.NotCollected) bool {
			return strings.HasSuffix(m.What, " of VolumeAttachments") || strings.HasSuffix(m.What, " of an external-attacher")
		})
	}
	from, to, ok := matters(incidents, b)
	if !ok {
		return missing
	}
	step := (to.Sub(from)/maxPoints + metricsStep).Truncate(metricsStep)
	fill := strings.NewReplacer(
		model.StartMillis, strconv.FormatInt(from.UnixMilli(), 10), model.EndMillis, strconv.FormatInt(to.UnixMilli(), 10),
		model.StartTime, from.Format(time.RFC3339), model.EndTime, to.Format(time.RFC3339), model.StepSeconds, fmt.Sprint(int(step.Seconds())))
	out := slices.Clone(missing)
	for i, m := range out {
		if !strings.Contains(m.Command, model.StartMillis) {
			continue
		}
		out[i].Command, out[i].Also = fill.Replace(m.Command), slices.Clone(m.Also)
		for n := range m.Also {
			out[i].Also[n] = fill.Replace(m.Also[n])
		}
	}
	return out
}

// matters is the time that metrics would show, in whole minutes.
func matters(incidents []model.Incident, b model.Bundle) (from, to time.Time, ok bool) {
	if b.StandIn != nil {
		return from, to, false
	}
	if at := b.CapturedAt; at != nil {
		from, to = at.At.Add(-metricsRecent), at.At
	}
	for n, i := range incidents {
		if a := i.Span.From.At.Add(-metricsBefore); n == 0 || a.Before(from) {
			from = a
		}
		if z := i.Span.To.At.Add(metricsAfter); n == 0 || z.After(to) {
			to = z
		}
	}
	return from.UTC().Truncate(time.Minute), to.UTC().Add(time.Minute - 1).Truncate(time.Minute), !to.IsZero()
}
