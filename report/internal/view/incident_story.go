package view

import "slices"

// incidentStory is what is told of an incident beyond its title.
type incidentStory struct {
	facts    []Fact
	block    []Fact
	bars     []PhaseView
	why      []operandView
	cause    []causeView
	remedies RemedyViews
	cites    []string
}

// tell makes the story when it is first asked for.
func (in *IncidentView) tell() *incidentStory {
	if in.story != nil {
		return in.story
	}
	v, s := in.View, &incidentStory{}
	s.facts, s.block = facts(v, in.Incident, in.Wait), blockFacts(v, in.BlockingAttachment)
	s.bars = phaseViews(v, in)
	for i := range in.Causes {
		s.cause = append(s.cause, newCauseView(v, in, i))
	}
	for _, o := range in.WhyNotDetached {
		s.why = append(s.why, newOperandView(v, in, o))
	}
	s.remedies = newRemedyViews(v, in)
	s.cites = s.citesOf(v, in)
	in.story = s
	return s
}

// Facts are what happened, in lines.
func (in *IncidentView) Facts() []Fact { return in.tell().facts }

// Block describes the blocking VolumeAttachment.
func (in *IncidentView) Block() []Fact { return in.tell().block }

// Bars are the phases.
func (in *IncidentView) Bars() []PhaseView { return in.tell().bars }

// Why are the operands of the decision to detach.
func (in *IncidentView) Why() []operandView { return in.tell().why }

// Cause are the causes, the primary one first.
func (in *IncidentView) Cause() []causeView { return in.tell().cause }

// Remedies are the remedies by what is to be said of them.
func (in *IncidentView) Remedies() RemedyViews { return in.tell().remedies }

// Cites are the quotes that the incident rests on, in the order in which a reader meets them.
func (in *IncidentView) Cites() []string { return in.tell().cites }

func (s *incidentStory) citesOf(v *View, in *IncidentView) []string {
	var lists [][]string
	for _, f := range s.facts {
		lists = append(lists, f.Evidence)
	}
	for _, f := range s.block {
		lists = append(lists, f.Evidence)
	}
	for _, o := range s.why {
		lists = append(lists, o.Cites)
	}
	for _, p := range s.bars {
		lists = append(lists, p.Cites)
	}
	for _, c := range in.Causes {
		lists = append(lists, c.For, c.Against)
	}
	if in.IntegrityWindow != nil {
		lists = append(lists, in.IntegrityWindow.Evidence)
	}
	for _, r := range s.remedies.Told() {
		lists = append(lists, r.Cites)
	}
	return v.Cited(lists...)
}

// WhyDecidingFirst are the conditions of a detach; the one that decided comes first.
func (in *IncidentView) WhyDecidingFirst() []operandView {
	out := slices.Clone(in.Why())
	slices.SortStableFunc(out, func(a, b operandView) int { return decidesFirst(a) - decidesFirst(b) })
	return out
}

func decidesFirst(o operandView) int {
	if o.Decides {
		return 0
	}
	return 1
}
