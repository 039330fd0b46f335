package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// verdict is one word and two sentences.
func verdict(w *facts.World, cases []*wait.Case, left int, r *model.Report) model.ReportVerdict {
	real := slices.DeleteFunc(slices.Clone(r.Incidents), func(i model.Incident) bool { return i.Causes[0].ID == model.CauseHandover })
	mountFails := slices.IndexFunc(cases, func(c *wait.Case) bool { return c.MountFailing() != nil })
	waits := slices.ContainsFunc(real, func(i model.Incident) bool { return i.Span.Open || i.MultiAttach.Ended == nil })
	switch {
	case mountFails >= 0 && !waits:
		return mountVerdict(cases[mountFails], real)
	case len(real) > 0:
		return headline(cases, left, r, real)
	case faultOf(r.Findings) != nil:
		return faultVerdict(w, r, faultOf(r.Findings))
	case len(r.Incidents) > 0:
		return handoverVerdict(r.Incidents)
	case alarmed(r) != "":
		return without(model.StatusInsufficient, "No wait is found, yet one of volpost's own rules fires over the metrics",
			alarmed(r), besides(r))
	case starting(w) != nil:
		return startingVerdict(starting(w), r)
	case covers(w) && underway(w) == nil:
		return without(model.StatusClean, "No Multi-Attach was reported, and "+coverage(w), besides(r))
	case w.MetricsCover() != nil:
		text, limit := sampledCoverage(w, w.MetricsCover())
		return without(model.StatusClean, text, limit, besides(r))
	}
	return shownVerdict(w, r)
}

// without is the verdict of a report that has no incident.
func without(status model.Status, headline string, why ...string) model.ReportVerdict {
	return model.ReportVerdict{Status: status, Headline: headline + ".", Why: sentences(why...)}
}

// besides mentions findings, so that a clean verdict does not hide them.
func besides(r *model.Report) string {
	if len(r.Findings) == 0 {
		return ""
	}
	title := r.Findings[0].Title
	return sentences("But see " + words.Plural(len(r.Findings), "finding", "findings") + ": " + strings.ToLower(title[:1]) + title[1:])
}

// headline is about the longest incident, an open one first, and counts the other volumes and waits.
func headline(cases []*wait.Case, left int, r *model.Report, real []model.Incident) model.ReportVerdict {
	worst := slices.MaxFunc(real, graver)
	out := model.ReportVerdict{Status: model.StatusIncident, Incident: worst.ID, Open: worst.Span.Open || worst.MultiAttach.Ended == nil}
	n := slices.IndexFunc(cases, func(c *wait.Case) bool { return c.ID() == worst.ID })
	c := cases[n]
	out.Over = shownOver(c)
	began := ""
	switch {
	case c.Before:
		out.Headline, out.Why = stuck(c, r, worst)
	case c.Late() && (c.From == "" || c.Inferred):
		out.Headline, out.Why = lateKnown(c, worst)
	case little(worst):
		out.Headline, out.Why = littleKnown(c, worst)
	default:
		out.Headline, out.Why = blocked(c, r, worst), because(c, worst)
		if at := r.Bundle.CapturedAt; out.Open && (at == nil || at.Basis != model.Observed) {
			began = when(c, worst) // the headline has no length
		}
	}
	if more := others(worst, left, real); wordCount(out.Headline)+wordCount(more) <= headlineWords {
		out.Headline += more
	}
	out.Headline += "."
	also, look := another(r)
	if out.Open {
		also, out.Steps = "", look
	}
	out.Why = sentences(overTold(c), out.Why, taintStands(c), began, also)
	return out
}

// another names a fault that keeps a pod from a volume of which nothing is said to wait, and looks at it: no remedy of the headline's mends it.
func another(r *model.Report) (text string, look []model.Step) {
	other := func(o model.Ref) bool {
		return o.Kind == "PersistentVolume" && !slices.ContainsFunc(r.Incidents, func(i model.Incident) bool {
			pv := i.Volume.PersistentVolume
			return pv == o.Name || pv == "" || placeholder(pv) // the last two may be of any name
		})
	}
	for _, f := range r.Findings {
		fails := f.ID == "pod-volume-fails" || f.ID == "attach-error" || strings.HasPrefix(f.ID, "not-multi-attach-")
		if n := slices.IndexFunc(f.Objects, other); n >= 0 && fails && f.Severity != string(model.Info) {
			text = "of volume " + f.Objects[n].Name + ": " + strings.ToLower(f.Title[:1]) + f.Title[1:]
			first := faultSteps(&f)[0]
			first.Text = "another fault, " + text + "; " + first.Text
			return "Also, " + text, []model.Step{first}
		}
	}
	return "", nil
}

// taintStands says of a wait that is over that the lost node bears the out-of-service taint still, by what shows its state.
func taintStands(c *wait.Case) string {
	o := wait.OutOfServiceNow(c.World, c.From)
	if o == nil || !c.Resolved() {
		return ""
	}
	if row := o.Source.Kind == model.SourceText && o.Agent == ""; !row && o.Source.Kind != model.SourceManifest {
		return ""
	}
	ready := slices.Contains(wait.ReadyOutOfService(c.World), c.From)
	return "The out-of-service taint still stands: take it off " + words.If(!ready, "before ") + c.From + words.If(!ready, " comes back")
}

// overTold says that a text shows further down that the pod runs, at a time that nothing tells.
func overTold(c *wait.Case) string {
	switch o := c.ToldOver(); {
	case o == nil:
		return ""
	case o.Kind == model.PodReady:
		return "Likely over, when is not known: a row further down shows the pod as Running"
	default:
		return "Likely over: " + authorWrites(o)
	}
}

// graver orders incidents by what a reader has to know first: open ones, and then the longest.
func graver(a, b model.Incident) int {
	return cmp.Or(b2i(a.Span.Open)-b2i(b.Span.Open), cmp.Compare(a.Span.Seconds.Best, b.Span.Seconds.Best))
}

// others counts the other volumes on the same node, other waits of the same volume, and the rest; all where the report leaves some out.
func others(worst model.Incident, left int, real []model.Incident) string {
	if left > 0 {
		return fmt.Sprintf(" (1 of %d waits)", left+len(real))
	}
	volumes, waits, incidents := map[string]bool{}, 0, 0
	for _, i := range real {
		switch {
		case i.ID == worst.ID:
		case i.Volume.UniqueName == worst.Volume.UniqueName && i.Volume.PersistentVolume == worst.Volume.PersistentVolume:
			waits++
		case i.From.Node != worst.From.Node || i.Span.Open != worst.Span.Open:
			incidents++
		default:
			volumes[i.Volume.PersistentVolume+"|"+i.Volume.UniqueName] = true
		}
	}
	text := joined(" and ", words.If(len(volumes) > 0, words.Count(len(volumes), "other volume")),
		words.If(waits > 0, words.Count(waits, "other wait")))
	return words.If(text != "", " (and "+text+")") + words.If(incidents > 0, "; "+words.Count(incidents, "other incident"))
}

// handoverVerdict is about the longest ordinary move.
func handoverVerdict(list []model.Incident) model.ReportVerdict {
	longest, most, bound := list[0], -1.0, ""
	for _, i := range list {
		if i.MultiAttach.Ended == nil {
			continue
		}
		wait := i.MultiAttach.Began.Until(*i.MultiAttach.Ended)
		equal := fromAges(i) && wait.Best < 1 // two equal ages are equal to their unit only
		if equal {
			wait.Best = wait.Max
		} else if i.Span.Seconds.Best > 0 {
			wait = i.Span.Seconds // the one length that an incident has
		}
		if wait.Best > most {
			longest, most, bound = i, wait.Best, words.If(equal, "at most ")
		}
	}
	text := fmt.Sprintf("%s: %s moved", words.Capital(words.If(longest.Causes[0].Verdict != model.Confirmed, "likely ")+
		"an ordinary hand-over"), someone(longest))
	if len(list) > 1 {
		text = fmt.Sprintf("%d ordinary hand-overs; in the longest measured, %s moved", len(list), someone(longest))
	}
	if most >= 0 {
		text += " in " + bound + words.Seconds(most)
	}
	why, act := words.Capital(strings.TrimPrefix(longest.Causes[0].Summary, "An ordinary move: ")), "Nothing to act on"
	if longest.Causes[0].Verdict != model.Confirmed {
		act = "If so, nothing is to be done"
	}
	if slow := cause.SlowCall(longest.Phases); slow != "" {
		why, act = "The volume moved without force, but "+slow, "See the driver's log"
	}
	if a := longest.Advice; a != nil {
		for _, d := range a.Done {
			if d.Effect == model.ActLengthened {
				act = "What was done meanwhile made it longer"
			}
		}
	}
	return model.ReportVerdict{Status: model.StatusHandover, Headline: text + ".", Incident: longest.ID, Why: sentences(why, act)}
}

// covers reports whether an input would have shown Multi-Attach: the controller's log with attach activity, or listed Events.
func covers(w *facts.World) bool { return w.LogCovers() || w.EventsCover() }

func coverage(w *facts.World) string {
	if w.LogCovers() && w.EventsCover() {
		return "the kube-controller-manager's log and the events cover the time"
	}
	if w.LogCovers() {
		return "the kube-controller-manager's log covers attaches and detaches"
	}
	return "the events of the last hour before the collection are in the bundle"
}

// lacking is what would have shown a wait, and is not in the bundle.
func lacking(w *facts.World) string {
	switch unseen := unseen(w); {
	case w.HasLog("kube-controller-manager") && !pastedEvents(w):
		return "the events of pods; the kube-controller-manager log covers no time or no attach"
	case unseen != "":
		return "the kube-controller-manager log and the events of pods; " + unseen
	case pastedEvents(w):
		return "the kube-controller-manager log, and all events of pods"
	}
	return "the kube-controller-manager log and the events of pods"
}

// pastedEvents reports that a text of the bundle shows events of pods about volumes, which is no list of all of them.
func pastedEvents(w *facts.World) bool {
	kinds := []model.Kind{model.AttachFailed, model.MountFailed, model.AttachSucceeded, model.PodScheduled}
	return slices.ContainsFunc(kinds, func(k model.Kind) bool {
		return slices.ContainsFunc(w.ByKind[k], func(o *model.Observation) bool { return o.Source.Kind == model.SourceText && o.Age != nil })
	})
}

// alarmed is a sentence about the first of volpost's rules that fires over the metrics without an incident: the bundle is not clean then.
func alarmed(r *model.Report) string {
	for _, a := range r.Alerts {
		if a.Origin != alert.Builtin || a.Over != model.OverMetrics {
			continue
		}
		for _, f := range a.Firings {
			if volume, pod := f.Labels["volumename"], f.Labels["pod"]; volume != "" && pod != "" {
				return fmt.Sprintf("%s fires from %s UTC: pod %s wants volume %s, which is attached elsewhere",
					a.Name, f.From.UTC().Format("2006-01-02 15:04:05"), model.Ref{Namespace: f.Labels["namespace"], Name: pod}, volume)
			}
		}
	}
	return ""
}

// unseen is what keeps the metrics of a bundle from showing every wait; "" when they show it, or when there are none.
func unseen(w *facts.World) string {
	for _, o := range w.ByKind[model.WaitsSampled] {
		if o.Detail != "" {
			return "the metrics have a pause from " + o.Detail + " UTC"
		}
	}
	for _, o := range w.ByKind[model.WaitsHidden] {
		return "the metrics lack " + o.Detail
	}
	return ""
}

// sampledCoverage says what metrics without a wait show, and their limit: a wait between two scrapes or steps is not seen.
func sampledCoverage(w *facts.World, o *model.Observation) (text, limit string) {
	at, between := "scrape", "two scrapes"
	for _, m := range w.Snapshot.Metrics {
		if m.Path == o.Source.Path && m.Form == model.MetricAPI {
			at, between = "step of the query", "two steps, which are "+words.Seconds(m.Interval.Seconds())+" apart,"
		}
	}
	return fmt.Sprintf("No pod waited for a volume that was attached elsewhere at any %s from %s to %s UTC",
		at, o.At.At.UTC().Format("2006-01-02 15:04:05"), o.Last.At.UTC().Format("15:04:05")), "A wait between " + between + " would not show"
}

// underway is the newest detach that began and of which nothing tells an end; nil where the bundle lists the VolumeAttachments, which do.
func underway(w *facts.World) *model.Observation {
	if w.Listed("VolumeAttachment", "") {
		return nil
	}
	over := facts.Kinds(model.DetachSucceeded, model.AttacherDetached, model.AttachmentGone, model.AttachStarted, model.AttachSucceeded)
	return facts.Last(w.ByKind[model.DetachStarted], facts.Window{}, func(o *model.Observation) bool {
		v := w.Volumes.Find(o.Volume)
		return v != nil && facts.Last(w.ByVolume[v], facts.After(o.At.At), over) == nil && facts.Last(w.ByAttach[o.Attachment], facts.After(o.At.At), over) == nil
	})
}
