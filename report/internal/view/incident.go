package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// IncidentView is one incident in words. The embedded Incident has visible names.
type IncidentView struct {
	model.Incident
	Number int       // from 1, in the report's order
	Anchor string    // stable over re-runs, because the incident's id is
	Title  string    // the claim or volume, and from where to where
	Zero   time.Time // T+00:00: what its kind's words say that times count from
	Lasted string    // how long it lasted, as the headline says

	View  *View
	story *incidentStory // made on the first call: of many incidents only some are shown
	taken map[string]int // anchors given so far
}

// Fact is one line of an incident's description.
type Fact struct {
	Name     string
	Value    string
	Basis    model.Basis // empty for what needs none, such as a name from the bundle
	Evidence []string
}

func newIncidentView(v *View, index int) *IncidentView {
	in := &IncidentView{Incident: v.Incidents[index], Number: index + 1, View: v, taken: map[string]int{}}
	in.Anchor = "incident-" + Anchor(in.ID)
	in.Zero = in.Incident.Zero()
	in.Title = cmp.Or(VolumeName(in.Volume), "unknown volume") + ": " +
		cmp.Or(words.OneLine(in.From.Node), "unknown node") + " → " + WantedOn(in.Incident)
	in.Lasted = lastedText(in.Incident)
	return in
}

// anchorFor makes the anchor of a part of the incident. A phase or cause can come twice; the second gets a number.
func (in *IncidentView) anchorFor(part, id string) string {
	a := in.Anchor + "-" + part + "-" + Anchor(id)
	in.taken[a]++
	if n := in.taken[a]; n > 1 {
		a += "-" + strconv.Itoa(n)
	}
	return a
}

// VolumeName is the name by which its owner knows a volume: the claim, else the PersistentVolume, else the unique name.
func VolumeName(volume model.IncidentVolume) string {
	if volume.Claim != nil && volume.Claim.Name != "" {
		return words.OneLine(volume.Claim.String())
	}
	if volume.PersistentVolume != "" {
		return words.OneLine(volume.PersistentVolume)
	}
	return words.OneLine(volume.UniqueName)
}

// lastedText is how long an incident lasted, for a heading.
func lastedText(in model.Incident) string {
	text := LastedText(in)
	if text == "" {
		return "unknown: nothing in the bundle tells when it ended"
	}
	if in.Span.Open {
		return text + ", still blocked when the bundle was collected"
	}
	return text
}

// HowLong is how long an incident lasted, with its bounds and what it is counted from where the headline counts the same.
func (in *IncidentView) HowLong() string {
	if text := SpanText(in.Incident); strings.HasPrefix(text, LastedText(in.Incident)) {
		return text
	}
	return in.Lasted
}

func facts(v *View, in model.Incident) []Fact {
	volume := in.Volume
	workload := "unknown: no source names the owner of the pods"
	if in.Workload != nil {
		workload = in.Workload.Kind + " " + words.OneLine(in.Workload.String())
	}
	claimName := "unknown: no source names the claim"
	if volume.Claim != nil {
		claimName = words.OneLine(volume.Claim.String())
	}
	began, ended := in.MultiAttach.Began, in.MultiAttach.Ended
	out := []Fact{}
	if in.Cluster != "" {
		out = append(out, Fact{Name: "Cluster", Value: v.cluster(in.Cluster)})
	}
	out = append(out,
		Fact{Name: "Claim", Value: claimName},
		Fact{Name: "Volume", Value: cmp.Or(words.OneLine(volume.PersistentVolume), "unknown: no source names the PersistentVolume")},
		Fact{Name: "Handle", Value: handle(volume)},
		Fact{Name: "Workload", Value: workload},
		Fact{Name: "From", Value: placeText(in.From)},
		Fact{Name: "To", Value: toText(in)},
		Fact{Name: "Wait from", Value: Instant(began), Basis: began.Basis, Evidence: v.Cited(began.Evidence)})
	if ended != nil {
		out = append(out, Fact{Name: "Wait until", Value: Instant(*ended), Basis: ended.Basis, Evidence: v.Cited(ended.Evidence)})
	} else if in.Span.Open {
		out = append(out, Fact{Name: "Wait until", Value: "it had not ended when the bundle was collected"})
	} else {
		out = append(out, Fact{Name: "Wait until", Value: "unknown: nothing in the bundle tells"})
	}
	return append(out,
		Fact{Name: "Lasted", Value: SpanText(in)},
		Fact{Name: "Report", Value: reportText(in)})
}

// handle names the volume as its storage knows it.
func handle(volume model.IncidentVolume) string {
	text := cmp.Or(words.OneLine(volume.VolumeHandle), words.OneLine(volume.UniqueName))
	if volume.Driver != "" {
		text += " (" + words.OneLine(volume.Driver) + ")"
	}
	text += words.If(len(volume.AccessModes) > 0, " "+words.OneLine(strings.Join(volume.AccessModes, ", ")))
	return cmp.Or(text, "unknown")
}

func placeText(p model.Place) string {
	text := "node " + cmp.Or(words.OneLine(p.Node), "unknown")
	switch len(p.Pods) {
	case 0:
		return text
	case 1:
		return text + ", pod " + Refs(p.Pods)
	}
	return text + ", pods " + Refs(p.Pods)
}

// SpanText says how long the whole story took, and what its ends are.
func SpanText(in model.Incident) string {
	text := Span(in.Span.Seconds) + ", from " + Find(startLabels, in.Span.StartsAt)
	if in.Span.StartsAt == model.StartsAtReport {
		text = atLeast(in.Span.Seconds) + ", from " + KindOf(in).Zero + ", the earliest beginning that the bundle shows"
	}
	if in.Span.Open {
		return text + "; still blocked when the bundle was collected"
	}
	return text
}

// blockFacts describes the blocking VolumeAttachment.
func blockFacts(v *View, b model.BlockingAttachment) []Fact {
	name := "unknown"
	if b.Name != nil {
		name = words.OneLine(*b.Name)
	} else if b.NoneBecause != "" {
		name = "none: " + words.OneLine(b.NoneBecause)
	}
	out := []Fact{
		{Name: "Name", Value: name},
		{Name: "Node", Value: cmp.Or(words.OneLine(b.Node), "unknown")},
		{Name: "Known because", Value: knownBecause(b)},
		{Name: "Hash", Value: hashWord(b)},
	}
	if b.Attacher != "" {
		out = append(out, Fact{Name: "Attacher", Value: words.OneLine(b.Attacher)})
	}
	lives := b.Lives
	if len(lives) == 0 {
		lives = []model.AttachmentLife{{CreatedAt: b.CreatedAt, DeletionRequestedAt: b.DeletionRequestedAt, GoneAt: b.GoneAt}}
	}
	for n, l := range lives {
		out = append(out, lifeFacts(v, l, n > 0)...)
	}
	return out
}

// lifeFacts are the moments of one of the objects that had the attachment's name; again says that it came back.
func lifeFacts(v *View, l model.AttachmentLife, again bool) []Fact {
	created, asked := "Created", "Deletion requested"
	if again {
		created = "Created again"
	}
	var out []Fact
	for _, t := range []struct {
		name string
		at   *model.Moment
	}{{created, l.CreatedAt}, {asked, l.DeletionRequestedAt}, {"Gone", l.GoneAt}} {
		if t.at == nil && t.name != created && l.UID != "" { // the object is in the bundle
			out = append(out, Fact{Name: t.name, Value: "not when the object was collected"})
			continue
		}
		if t.at == nil {
			out = append(out, Fact{Name: t.name, Value: "unknown: nothing in the bundle tells, or it did not happen"})
			continue
		}
		value := bounds(*t.at)
		if t.name == asked && l.ByHand == model.True {
			value += ", by " + cmp.Or(words.OneLine(l.DeletedBy), "another actor than the attach/detach controller")
		}
		out = append(out, Fact{Name: t.name, Value: value, Basis: t.at.Basis, Evidence: v.Cited(t.at.Evidence)})
	}
	return out
}

// bounds is a moment, or its two ends where the middle would say more than is known.
func bounds(m model.Moment) string {
	if m.Latest.Sub(m.Earliest) <= 15*time.Second {
		return Instant(m)
	}
	return "between " + DateAt(m.Earliest) + " and " + ClockAt(m.Latest) + Zone(m.At)
}

// knownBecause says how the attachment's name is known. A pasted table or a metric shows its state, without its identity.
func knownBecause(b model.BlockingAttachment) string {
	held := func(l model.AttachmentLife) bool { return l.UID != "" }
	if b.NameBasis == model.NameSnapshot && b.UID == "" && !slices.ContainsFunc(b.Lives, held) {
		return "a table or a metric shows its state"
	}
	if b.NoneBecause != "" {
		return "what blocks is the controller's own record, which a Node shows in status.volumesAttached"
	}
	return Find(nameBasisLabels, string(b.NameBasis))
}

// incidentStory is what is shown of an incident beyond its title.
type incidentStory struct {
	Facts    []Fact
	Block    []Fact // the blocking VolumeAttachment
	Bars     []PhaseView
	Why      []operandView // the operands of the decision to detach
	Cause    []causeView   // the primary one first
	Remedies RemedyViews
	Cites    []string // what the incident rests on, in the order in which a reader meets it
}

// Story is made on the first call.
func (in *IncidentView) Story() *incidentStory {
	if in.story != nil {
		return in.story
	}
	v, s := in.View, &incidentStory{}
	s.Facts, s.Block = facts(v, in.Incident), blockFacts(v, in.BlockingAttachment)
	s.Bars = phaseViews(v, in)
	for i := range in.Causes {
		s.Cause = append(s.Cause, newCauseView(v, in, i))
	}
	s.Why = Each(in.WhyNotDetached, func(o model.Operand) operandView { return newOperandView(v, in, o) })
	s.Remedies = newRemedyViews(v, in)
	s.Cites = s.citesOf(v, in)
	in.story = s
	return s
}

func (s *incidentStory) citesOf(v *View, in *IncidentView) []string {
	lists := Each(slices.Concat(s.Facts, s.Block), func(f Fact) []string { return f.Evidence })
	lists = append(lists, Each(s.Why, func(o operandView) []string { return o.Cites })...)
	lists = append(lists, Each(s.Bars, func(p PhaseView) []string { return p.Cites })...)
	for _, c := range in.Causes {
		lists = append(lists, c.For, c.Against)
	}
	if a := in.Incident.Advice; a != nil {
		lists = append(lists, Each(a.Done, func(d model.DoneAct) []string { return d.Evidence })...)
		if a.Compared != nil {
			lists = append(lists, a.Compared.Evidence)
		}
	}
	if in.IntegrityWindow != nil {
		lists = append(lists, in.IntegrityWindow.Evidence)
	}
	lists = append(lists, Each(s.Remedies.Detailed(), func(r RemedyView) []string { return r.Cites })...)
	return v.Cited(lists...)
}

// WhyDecidingFirst are the conditions of a detach; the one that decided comes first.
func (in *IncidentView) WhyDecidingFirst() []operandView {
	out := slices.Clone(in.Story().Why)
	slices.SortStableFunc(out, func(a, b operandView) int { return decidesFirst(a) - decidesFirst(b) })
	return out
}

func decidesFirst(o operandView) int {
	if o.Decides {
		return 0
	}
	return 1
}

// causeView is a cause with its claims resolved.
type causeView struct {
	model.Cause
	Title, Anchor            string
	Explained                string
	ForClaims, AgainstClaims []Claim
	MissingClaims            []Claim
}

// LongestWait marks the operand that is the answer to why the volume was not detached.
const LongestWait = "what it waited for longest"

// operandView is one operand of the decision to detach.
type operandView struct {
	model.Operand
	Anchor, Question, Answer string
	When                     string // since and until, "" when neither is known
	Cites                    []string
}

func newCauseView(v *View, in *IncidentView, index int) causeView {
	c := in.Causes[index]
	out := causeView{Cause: c, Title: CauseLabel(c), Anchor: in.anchorFor("cause", c.ID)}
	out.Explained = "the incident"
	if c.Explains != model.ExplainsIncident {
		out.Explained = "phase " + c.Explains
	}
	out.ForClaims, out.AgainstClaims, out.MissingClaims = v.claims(c.For), v.claims(c.Against), v.claims(c.Missing)
	return out
}

// CauseLabel is the heading of a cause.
func CauseLabel(c model.Cause) string { return cmp.Or(words.OneLine(c.Label), c.ID) }

func newOperandView(v *View, in *IncidentView, o model.Operand) operandView {
	out := operandView{Operand: o, Anchor: in.anchorFor("operand", o.Operand)}
	out.Question, out.Answer = Find(operandLabels, o.Operand), Find(truthLabels, string(o.Value))
	var since, until []string
	if o.Since != nil {
		out.When, since = "since "+bounds(*o.Since)+" ("+string(o.Since.Basis)+")", o.Since.Evidence
	}
	if o.Until != nil {
		word := " until "
		if o.Value == model.False && o.Since == nil {
			word = "not until " // it became true then
		}
		out.When = strings.TrimSpace(out.When + word + bounds(*o.Until) + " (" + string(o.Until.Basis) + ")")
		until = o.Until.Evidence
	}
	out.Cites = v.Cited(o.Evidence, since, until)
	return out
}
