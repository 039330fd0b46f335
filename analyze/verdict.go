package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// verdict answers in one word and one sentence.
func verdict(w *reconstruct.World, cases []*reconstruct.Case, r *model.Report) model.ReportVerdict {
	var real []model.Incident
	for _, i := range r.Incidents {
		if i.Causes[0].ID != "handover" {
			real = append(real, i)
		}
	}
	switch {
	case len(real) > 0:
		return headline(cases, r, real)
	case len(r.Incidents) > 0:
		if n := slices.IndexFunc(cases, func(c *reconstruct.Case) bool { return c.MountFailing() != nil }); n >= 0 {
			return model.ReportVerdict{Status: model.StatusHandover, Headline: mountHeadline(cases[n]), Incident: cases[n].ID()}
		}
		return model.ReportVerdict{Status: model.StatusHandover, Headline: handoverHeadline(r.Incidents)}
	case alarmed(r) != "":
		return model.ReportVerdict{Status: model.StatusInsufficient, Headline: alarmed(r) + besides(r) + "."}
	case covers(w):
		return model.ReportVerdict{Status: model.StatusClean, Headline: "No Multi-Attach was reported, and " + coverage(w) + besides(r) + "."}
	case w.MetricsCover() != nil:
		return model.ReportVerdict{Status: model.StatusClean, Headline: sampledCoverage(w, w.MetricsCover()) + besides(r) + "."}
	}
	return model.ReportVerdict{Status: model.StatusInsufficient, Headline: "Nothing in the bundle could show a Multi-Attach wait: " + lacking(w) + besides(r) + "."}
}

// besides mentions findings, so that a clean verdict does not hide them.
func besides(r *model.Report) string {
	if len(r.Findings) == 0 {
		return ""
	}
	return "; but see " + plural(len(r.Findings), "finding", "findings") + ": " + strings.ToLower(r.Findings[0].Title[:1]) + r.Findings[0].Title[1:]
}

// headline tells the longest story, an open one before one that has ended, and of how many other volumes and waits there are.
func headline(cases []*reconstruct.Case, r *model.Report, real []model.Incident) model.ReportVerdict {
	worst := slices.MaxFunc(real, func(a, b model.Incident) int {
		if a.Span.Open != b.Span.Open {
			return b2i(a.Span.Open) - b2i(b.Span.Open)
		}
		return cmp.Compare(a.Span.Seconds.Best, b.Span.Seconds.Best)
	})
	sentence := sentenceOf(r, worst, real)
	n := slices.IndexFunc(cases, func(c *reconstruct.Case) bool { return c.ID() == worst.ID })
	switch {
	case n >= 0 && cases[n].Before:
		sentence = stuck(cases[n], worst) + others(worst, real) + "."
	case n >= 0 && little(worst):
		sentence = littleKnown(cases[n], worst) + others(worst, real) + "."
	}
	return model.ReportVerdict{Status: model.StatusIncident, Headline: sentence, Incident: worst.ID}
}

func sentenceOf(r *model.Report, worst model.Incident, real []model.Incident) string {
	if worst.Kind == model.KindFailingDetach {
		return fmt.Sprintf("The detach of volume %s fails, and nothing here shows who waits for it: %s%s.", shortVolume(worst), strings.TrimSuffix(worst.Causes[0].Summary, "."), others(worst, real))
	}
	s := fmt.Sprintf("Volume %s was blocked on %s by %s from %s", shortVolume(worst), cmp.Or(worst.From.Node, "an unknown node"), blocker(worst), since(worst.MultiAttach.Began))
	switch {
	case worst.MultiAttach.Ended != nil:
		s += fmt.Sprintf(" for %s", human(worst.MultiAttach.Began.Until(*worst.MultiAttach.Ended).Best))
	case worst.Span.Open && (r.Bundle.CapturedAt == nil || r.Bundle.CapturedAt.Basis != model.Observed):
		s += ", and nothing in the bundle shows its end"
	case worst.Span.Open && !worst.Span.To.IsZero():
		s += fmt.Sprintf(" and still was when the bundle was collected, %s later", human(worst.MultiAttach.Began.Until(worst.Span.To).Best))
	}
	s += ": " + byHand(worst) + strings.TrimSuffix(worst.Causes[0].Summary, ".")
	return s + others(worst, real) + "."
}

// others counts the other volumes that waited, and the other waits of the same one.
func others(worst model.Incident, real []model.Incident) string {
	volumes, waits := map[string]bool{}, 0
	for _, i := range real {
		switch {
		case i.ID == worst.ID:
		case i.Volume.UniqueName == worst.Volume.UniqueName && i.Volume.PersistentVolume == worst.Volume.PersistentVolume:
			waits++
		default:
			volumes[i.Volume.PersistentVolume+"|"+i.Volume.UniqueName] = true
		}
	}
	var parts []string
	if n := len(volumes); n > 0 {
		parts = append(parts, plural(n, "other volume", "other volumes"))
	}
	if waits > 0 {
		parts = append(parts, plural(waits, "other wait of this one", "other waits of this one"))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (and " + strings.Join(parts, " and ") + ")"
}

// byHand tells of each deletion of the blocking attachment by another than the controller, and what came of it.
func byHand(i model.Incident) string {
	text := ""
	for n, l := range i.BlockingAttachment.Lives {
		if l.ByHand != model.True || l.DeletionRequestedAt == nil {
			continue
		}
		text += fmt.Sprintf("%s deleted the VolumeAttachment %s, and ", cmp.Or(l.DeletedBy, "somebody"), within(*l.DeletionRequestedAt))
		switch {
		case n < len(i.BlockingAttachment.Lives)-1:
			text += fmt.Sprintf("the controller attached the volume to %s again %s; ", i.From.Node, within(*i.BlockingAttachment.Lives[n+1].CreatedAt))
		case i.MultiAttach.Ended != nil:
			text += fmt.Sprintf("the volume was attached to %s %s; ", cmp.Or(i.To.Node, "the other node"), within(*i.MultiAttach.Ended))
		default:
			text += "nothing shows an attach since; "
		}
	}
	return text
}

// within names a moment as an adverb, by its bounds where it is not known well.
func within(m model.Moment) string {
	if m.Latest.Sub(m.Earliest) <= reconstruct.ToldApart {
		return "at " + model.TimeOfDay(m.At)
	}
	return "between " + model.TimeOfDay(m.Earliest) + " and " + model.TimeOfDay(m.Latest)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// since dates the beginning, as far as its date is known.
func since(m model.Moment) string {
	at := model.DateTime(m.At)
	switch width := m.Latest.Sub(m.Earliest); {
	case m.Missing() != "":
		return at
	case m.Basis == model.Assumed:
		return at + " (assumed)"
	case width > vagueBegin:
		return at + " (± " + human(width.Seconds()/2) + ")"
	}
	return at
}

// vagueBegin is how wide a beginning may be before the headline says so.
const vagueBegin = 2 * time.Minute

func handoverHeadline(list []model.Incident) string {
	longest := 0.0
	for _, i := range list {
		if i.MultiAttach.Ended != nil {
			wait := i.MultiAttach.Began.Until(*i.MultiAttach.Ended)
			if fromAges(i) && wait.Best < 1 {
				wait.Best = wait.Max // two equal ages are equal to their unit only
			}
			longest = max(longest, wait.Best)
		}
	}
	return fmt.Sprintf("Multi-Attach was reported %s, each time in an ordinary move of a volume that ended by itself after at most %s; nothing to act on.", plural(len(list), "time", "times"), human(longest))
}

func shortVolume(i model.Incident) string {
	name := cmp.Or(i.Volume.PersistentVolume, i.Volume.UniqueName)
	if i.Volume.Claim != nil {
		name += " (claim " + i.Volume.Claim.String() + ")"
	}
	return name
}

func blocker(i model.Incident) string {
	if i.BlockingAttachment.Name != nil {
		return "VolumeAttachment " + *i.BlockingAttachment.Name
	}
	if i.BlockingAttachment.NoneBecause != "" {
		return "the controller's own record (" + i.BlockingAttachment.NoneBecause + ")"
	}
	if _, _, csi := model.ParseUniqueName(i.Volume.UniqueName); i.Volume.UniqueName != "" && !csi {
		return "the controller's own record (a volume of this kind has no VolumeAttachment)"
	}
	return "an attachment that the bundle does not name"
}

// human is a duration as people say it.
func human(seconds float64) string {
	switch {
	case seconds < 10:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 60:
		return fmt.Sprintf("%.0f s", seconds)
	}
	m := int(seconds+0.5) / 60
	if m >= 60 {
		return fmt.Sprintf("%d h %d min", m/60, m%60)
	}
	return fmt.Sprintf("%d min %d s", m, int(seconds+0.5)%60)
}

// covers reports whether an input would have shown a Multi-Attach report: the controller's own log with attach or
// detach activity, or a list of the events of user namespaces.
func covers(w *reconstruct.World) bool { return w.LogCovers() || w.EventsCover() }

func coverage(w *reconstruct.World) string {
	switch {
	case w.LogCovers() && w.EventsCover():
		return "the kube-controller-manager's log and the events cover the time"
	case w.LogCovers():
		return "the kube-controller-manager's log covers attaches and detaches"
	}
	return "the events of the last hour before the collection are in the bundle"
}

func lacking(w *reconstruct.World) string {
	if w.HasLog("kube-controller-manager") && !pastedEvents(w) {
		return "its kube-controller-manager log covers no time or no attach, and events of pods are missing"
	}
	if text := unseen(w); text != "" {
		return text + ", and there is neither a kube-controller-manager log nor are there events of pods"
	}
	if pastedEvents(w) {
		return "the few events of pods in it name none, and do not cover the others"
	}
	return "it has neither a kube-controller-manager log nor events of pods"
}

// pastedEvents reports that a text of the bundle shows events of pods about volumes, which is no list of all of them.
func pastedEvents(w *reconstruct.World) bool {
	for _, kind := range []model.Kind{model.AttachFailed, model.MountFailed, model.AttachSucceeded, model.PodScheduled} {
		for _, o := range w.Told(kind) {
			if o.Source.Kind == model.SourceText && o.Age != nil {
				return true
			}
		}
	}
	return false
}
