package report

import "github.com/volpost/volpost/model"

// primary is the incident that the top of a page speaks of: the first that is more than an ordinary hand-over.
func (v *view) primary() *incidentView {
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
func (v *view) keyFacts(in *incidentView) []fact {
	if in == nil {
		return []fact{{Name: "Evidence gaps", Value: v.Gaps.String()}}
	}
	name := "unknown"
	if in.BlockingAttachment.Name != nil {
		name = oneLine(*in.BlockingAttachment.Name)
	}
	out := []fact{
		{Name: spanName(in.Incident), Value: spanText(in.Incident)},
		{Name: "Multi-Attach", Value: in.Wait, Basis: in.MultiAttach.Began.Basis, Evidence: v.cited(in.MultiAttach.Began.Evidence)},
		{Name: "Volume", Value: volumeName(in.Volume)},
		{Name: "Blocked by", Value: "VolumeAttachment " + name},
		{Name: "Nodes", Value: or(oneLine(in.From.Node), "unknown") + " → " + or(oneLine(in.To.Node), "unknown")},
	}
	out = append(out, fact{Name: "Cause", Value: causeText(in)})
	return append(out, fact{Name: "Evidence gaps", Value: v.Gaps.String()})
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
	if len(in.Cause) == 0 {
		return "none established"
	}
	c := in.Cause[0]
	return c.Title + " (" + c.ID + "), " + or(string(c.Verdict), string(model.Undecidable))
}
