package report

import (
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// keyFact is one line of the answer at the top of the page.
type keyFact struct {
	fact
	Link string // anchor of the part that tells more, or ""
}

// primary is the incident that the top of a page speaks of: the one of the headline, else the first that is more than an ordinary
// hand-over.
func (v *view) primary() *incidentView {
	if in := v.incident[v.Verdict.Incident]; in != nil {
		return in
	}
	for _, in := range v.Incident {
		if len(in.Causes) == 0 || in.Causes[0].ID != "handover" {
			return in
		}
	}
	if len(v.Incident) > 0 {
		return v.Incident[0]
	}
	return nil
}

// keyFacts is the answer in a few lines.
// local gives an instant in the second zone, or "".
func (v *view) keyFacts(in *incidentView, local func(time.Time) string) []keyFact {
	gapsFact := keyFact{fact{Name: "Evidence gaps", Value: v.Gaps.String()}, "gaps"}
	if in == nil {
		return []keyFact{gapsFact}
	}
	name := "unknown"
	if in.BlockingAttachment.Name != nil {
		name = oneLine(*in.BlockingAttachment.Name)
	}
	cause := keyFact{fact{Name: "Cause", Value: causeText(in)}, ""}
	if list := in.Cause(); len(list) > 0 {
		cause.Link = list[0].Anchor
	}
	began := in.MultiAttach.Began
	since := instant(began)
	if text := local(began.At); text != "" {
		since += " (" + text + ")"
	}
	return []keyFact{
		{fact{Name: spanName(in.Incident), Value: spanText(in.Incident)}, ""},
		{fact{Name: in.Words().name, Value: "from " + since + ", lasted " + in.Wait, Basis: began.Basis, Evidence: v.cited(began.Evidence)}, ""},
		{fact{Name: "Volume", Value: volumeName(in.Volume)}, ""},
		{fact{Name: "Blocked by", Value: "VolumeAttachment " + name + " on node " + or(oneLine(in.From.Node), "unknown")}, ""},
		{fact{Name: "Wanted on", Value: toText(model.Incident{Kind: in.Kind, To: model.Place{Node: in.To.Node}})}, ""},
		cause,
		in.bestRemedy(),
		gapsFact,
	}
}

// bestRemedy is the remedy that a reader should look at first: of those without a risk for the data the one that saves most, else
// the first of the others. What it risks and what else it does is said with it.
func (in *incidentView) bestRemedy() keyFact {
	const name = "Best remedy"
	if len(in.Causes) > 0 && in.Causes[0].ID == "handover" && !in.Span.Open {
		return keyFact{fact{Name: name, Value: "none needed: the volume moved as it should"}, ""}
	}
	r := in.Remedies()
	link := ""
	if r.Any() {
		link = in.Anchor + "-remedies"
	}
	for _, h := range r.Helps {
		if riskOf(h.Remediation) == "none" && !h.WasUsed {
			return keyFact{fact{Name: name, Value: h.inShort() + ". " + capital(h.weighed())}, link}
		}
	}
	for _, h := range r.Helps {
		if !h.WasUsed {
			return keyFact{fact{Name: name, Value: "none is without a risk for the data. First of the others: " + h.inShort() + ". " + capital(h.weighed())}, link}
		}
	}
	for _, h := range r.Helps {
		return keyFact{fact{Name: name, Value: "none beyond what was done: " + h.inShort()}, link}
	}
	if in.Model != nil && in.Model.Withheld != "" {
		return keyFact{fact{Name: name, Value: "not predicted: " + in.Model.Withheld}, link}
	}
	return keyFact{fact{Name: name, Value: "none: no remedy that volpost knows would have shortened this wait"}, link}
}

// inShort is a remedy's name and what it would have saved, or, of a wait that is still open, how soon it ends it.
func (r remedyView) inShort() string {
	if r.Now != "" {
		return r.Name + ". " + strings.TrimSuffix(r.Now, ".")
	}
	return r.Name + ": " + effectText(r.Remediation)
}

// spanName is what the span is: the workload was down from the loss of its node or the deletion of its pod on, but where the
// span begins with the report the old pod may have run on.
func spanName(in model.Incident) string {
	if in.Span.StartsAt == "multi-attach" {
		return "Span"
	}
	return "Downtime"
}

// causeText is the primary cause with how far it is established.
func causeText(in *incidentView) string {
	if len(in.Causes) == 0 {
		return "none established"
	}
	c := in.Causes[0]
	return find(causeLabels, c.ID) + " (" + c.ID + "), " + or(string(c.Verdict), string(model.Undecidable))
}
