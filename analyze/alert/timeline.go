package alert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// maxCases bounds the incidents over whose timelines rules are run, each by itself.
const maxCases = 25

// overTimeline runs rules over what kube-state-metrics would have reported of each case's timeline. why says why, if there are metrics.
func (r *Result) overTimeline(ctx context.Context, cases []*wait.Case, s Setup, more given, why string) {
	cases = slices.DeleteFunc(slices.Clone(cases), func(c *wait.Case) bool { return !canSynthesise(c) })
	if len(cases) == 0 {
		return
	}
	note := "synthesised: run over what kube-state-metrics 2.20 would have reported of the timeline every 30 s; " +
		"scrapes at other instants shift a firing by up to 30 s, and one that lasts no longer may not come" + why
	if len(cases) > maxCases {
		cases = cases[:maxCases]
		note += fmt.Sprintf(", of the first %d incidents", maxCases)
	}
	s = Setup{OpenShift: s.OpenShift}
	j, out := jobOf(s, more, model.OverSynthesised)
	if slices.ContainsFunc(cases, func(c *wait.Case) bool { return max(len(c.OldPods), len(c.NewPods)) > lanes.MostPods }) {
		note += fmt.Sprintf("; of more than %d pods that had a volume or wait for it, the first %d are followed", lanes.MostPods, lanes.MostPods)
	}
	for i := range out {
		out[i].Note = note
	}
	for _, c := range cases {
		r.Tested[c.ID()] = true
		w := caseWindow(c)
		series, err := synthesise(c, s)
		did := j.run(ctx, func(matchers []*labels.Matcher, _, _ time.Time) ([]*packed, error) {
			return allowed(series, matchers), err
		}, w)
		for i, o := range did {
			r.add(&out[i], j.rules[i], c, o)
			within(&out[i], w)
		}
	}
	r.Alerts = append(r.Alerts, out...)
}

// within widens the stretch over which an alert was evaluated.
func within(a *model.Alert, w window) {
	if a.EvaluatedFrom == nil || w.from.Before(*a.EvaluatedFrom) {
		a.EvaluatedFrom = new(w.from)
	}
	if a.EvaluatedTo == nil || w.to.After(*a.EvaluatedTo) {
		a.EvaluatedTo = new(w.to)
	}
}

// add puts the outcome of a rule for a case into the alert.
func (r *Result) add(a *model.Alert, rule tested, c *wait.Case, o outcome) {
	a.Parses = o.parsed
	unable := rule.unable(o)
	missing := slices.DeleteFunc(slices.Clone(o.metrics), func(m string) bool { return slices.Contains(synthesised, m) })
	switch {
	case unable.result != "":
	case len(missing) > 0:
		unable = verdict{result: resultNoData, note: "synthesised: the timeline tells nothing of " + strings.Join(missing, ", ") + "."}
	case len(o.fired) == 0 && a.Result == resultNever && slices.Contains(o.metrics, "kube_pod_deletion_timestamp") && endUnknown(c):
		unable = verdict{result: resultNoData, note: "synthesised: nothing tells when the old pod was gone."}
	}
	if unable.result != "" {
		a.Result, a.Note, a.Corrected = unable.result, unable.note, unable.corrected
		return
	}
	for _, f := range o.fired {
		var about *wait.Case
		if !rule.usage() && concerns(f.Labels, c) {
			about = c
		}
		firing := against(f, about)
		if about != nil {
			r.note(c.ID(), rule, a.Over, firing)
		}
		// Two cases can show one firing, such as one about their common node.
		known := func(g model.Firing) bool { return g.From.Equal(firing.From) && maps.Equal(g.Labels, firing.Labels) }
		if n := slices.IndexFunc(a.Firings, known); n >= 0 && a.Firings[n].Incident == nil {
			a.Firings[n] = firing
		} else if n < 0 && len(a.Firings) < maxFirings {
			a.Firings = append(a.Firings, firing)
		}
	}
	if len(a.Firings) > 0 {
		a.Result = resultFired
	} else if o.pending {
		a.Result = resultPending
	}
}

// endUnknown reports that the controller stopped counting an old pod, which can still have existed for long.
func endUnknown(c *wait.Case) bool {
	return !c.OldPodsGone().Known() && slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { _, held := c.World.Pod(p); return !held })
}
