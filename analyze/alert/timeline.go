package alert

import (
	"context"
	"fmt"
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
	rules, out := listed(s, more, model.OverSynthesised)
	if slices.ContainsFunc(cases, func(c *wait.Case) bool { return max(len(c.OldPods), len(c.NewPods)) > lanes.MostPods }) {
		note += fmt.Sprintf("; of more than %d pods that had a volume or wait for it, the first %d are followed", lanes.MostPods, lanes.MostPods)
	}
	unknown := slices.ContainsFunc(cases, endUnknown)
	for _, c := range cases {
		r.Tested[c.ID()] = true
		w := caseWindow(c)
		series, err := synthesise(c, s)
		source := func(matchers []*labels.Matcher, _, _ time.Time) ([]*packed, error) {
			return allowed(series, matchers), err
		}
		r.over(ctx, source, w, []*wait.Case{c}, rules, out, func(rule tested, o outcome) verdict { return told(rule, o, note, unknown) })
		within(out, w)
	}
	r.Alerts = append(r.Alerts, out...)
}

// told is what a rule came to over a timeline, where the end of an old pod of one of them is known or not.
func told(rule tested, o outcome, note string, endUnknown bool) verdict {
	unable := rule.unable(o)
	missing := slices.DeleteFunc(slices.Clone(o.metrics), func(m string) bool { return slices.Contains(synthesised, m) })
	switch {
	case unable.result != "":
		return unable
	case len(missing) > 0:
		return verdict{result: resultNoData, note: "synthesised: the timeline tells nothing of " + strings.Join(missing, ", ") + "."}
	case len(o.fired) > 0:
		return verdict{result: resultFired, note: note}
	case slices.Contains(o.metrics, "kube_pod_deletion_timestamp") && endUnknown:
		return verdict{result: resultNoData, note: "synthesised: nothing tells when the old pod was gone."}
	case o.pending:
		return verdict{result: resultPending, note: note}
	}
	return verdict{result: resultNever, note: note}
}

// endUnknown reports that the controller stopped counting an old pod, which can still have existed for long.
func endUnknown(c *wait.Case) bool {
	return !c.OldPodsGone().Known() && slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { _, held := c.World.Pod(p); return !held })
}
