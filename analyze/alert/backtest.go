package alert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// maxCases bounds the incidents over which rules are run, each by itself.
const maxCases = 25

// maxFirings bounds what is told of one rule.
const maxFirings = 200

// Results of a rule, see the schema of the report.
const (
	resultFired   = "fired"
	resultPending = "pending-only"
	resultNever   = "never"
	resultCannot  = "cannot-fire"
	resultNoData  = "no-data"
	resultError   = "error"
)

// Synthesised runs the recommended and the popular rules over series that are made of the reconstructed timeline, for each
// case by itself: what an alert would have shown, had kube-state-metrics reported exactly what the evidence tells. It is
// empty where no case can be placed.
func Synthesised(cases []*reconstruct.Case, s Setup) []model.Alert {
	s = Setup{Release: Newest, OpenShift: s.OpenShift}
	placed := slices.DeleteFunc(slices.Clone(cases), func(c *reconstruct.Case) bool { return !canSynthesise(c) })
	if len(placed) == 0 {
		return []model.Alert{}
	}
	note := fmt.Sprintf("synthesised: run over what kube-state-metrics %s would have reported of the timeline every 30 s; scrapes at other instants shift a firing by up to 30 s, and one that lasts no longer may not come", s.Release)
	if len(placed) > maxCases {
		placed = placed[:maxCases]
		note += fmt.Sprintf(", of the first %d incidents", maxCases)
	}
	rules := catalogue(s)
	out := make([]model.Alert, len(rules))
	for i, r := range rules {
		out[i] = model.Alert{Name: r.name, Origin: r.origin, Expr: r.expr, For: r.hold, Result: resultNever, Note: note, Corrected: r.correction()}
	}
	for _, c := range placed {
		e := newEvaluator(scraped(synthesise(c, s), scrapeInterval))
		for i, r := range rules {
			add(&out[i], r, c, e.run(context.Background(), r, caseWindow(c)))
		}
	}
	return out
}

// correction is the expression that can fire, for a rule that cannot.
func (r tested) correction() string {
	if r.flaw == "" {
		return ""
	}
	return r.corrected
}

// add puts the outcome of a rule for a case into the alert.
func add(a *model.Alert, r tested, c *reconstruct.Case, o outcome) {
	missing := slices.DeleteFunc(slices.Clone(o.metrics), func(m string) bool { return slices.Contains(synthesised, m) })
	switch {
	case r.flaw != "":
		a.Result, a.Note = resultCannot, r.flaw
		return
	case o.err != nil:
		a.Result, a.Note = resultError, o.err.Error()
		return
	case len(missing) > 0:
		a.Result, a.Note = resultNoData, "synthesised: the timeline tells nothing of "+strings.Join(missing, ", ")+"."
		return
	}
	if len(o.fired) == 0 && a.Result == resultNever && slices.Contains(o.metrics, "kube_pod_deletion_timestamp") && endUnknown(c) {
		a.Result, a.Note = resultNoData, "synthesised: nothing tells when the old pod was gone."
		return
	}
	for _, f := range o.fired {
		if firing := firingOf(f, c); len(a.Firings) < maxFirings && !slices.ContainsFunc(a.Firings, func(g model.Firing) bool { return sameFiring(g, firing) }) {
			a.Firings = append(a.Firings, firing)
		}
	}
	switch {
	case len(a.Firings) > 0:
		a.Result = resultFired
	case o.pending:
		a.Result = resultPending
	}
}

// endUnknown reports that the controller stopped counting an old pod, which can still have existed for long.
func endUnknown(c *reconstruct.Case) bool {
	return !c.OldPodsGone().Known() && slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { _, held := c.World.Pod(p); return !held })
}

// sameFiring reports that two cases show one firing, such as one about their common node.
func sameFiring(a, b model.Firing) bool {
	return a.From.Equal(b.From) && maps.Equal(a.Labels, b.Labels)
}

// firingOf is an interval with the case that it is about, if any, and its lead before Multi-Attach began.
func firingOf(f interval, c *reconstruct.Case) model.Firing {
	out := model.Firing{From: f.from, Labels: f.labels}
	if !f.to.IsZero() {
		to := f.to
		out.To = &to
	}
	if concerns(f.labels, c) {
		id, lead := c.ID(), c.Began.At.Sub(f.from).Seconds()
		out.Incident, out.LeadSeconds = &id, &lead
	}
	return out
}

// concerns reports that the labels name the volume of a case, one of its pods or VolumeAttachments, or the node that held it.
func concerns(labels map[string]string, c *reconstruct.Case) bool {
	if v := labels["volumename"]; v != "" {
		return v == c.Volume.PersistentVolume
	}
	if v := labels["volumeattachment"]; v != "" {
		return v == name(c.Attachment) || v == name(c.NewAttachmentName())
	}
	if p := labels["pod"]; p != "" {
		return slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), func(r model.Ref) bool { return r.Name == p && r.Namespace == labels["namespace"] })
	}
	return labels["node"] != "" && labels["node"] == c.From
}
