package remedy

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Incident is what a remedy sees of a case: the case, its replay, and what was done in it.
type Incident struct {
	Case     *wait.Case
	Scenario *replay.Scenario
	Done     replay.Plan       // what people really did
	Asis     replay.Prediction // the replay with nothing changed
	Causes   []model.Cause
	Alarm    Alarm

	state    wait.NodeState
	asked    *float64 // the time of the question, where it is not the remedy's own; nil without one
	reaction float64  // seconds from the first justifiable moment to the act
	model    *replay.Model
	machine  *machine            // memo of what is known of the old machine
	judged   []model.Remediation // the remedies so far, in the order of all
	all      []Remedy
}

// New looks at a case. The reaction is how long a person takes from the first moment that justifies an act to the act: none, unless asked for.
func New(m *replay.Model, c *wait.Case, causes []model.Cause, reaction time.Duration, alarm Alarm) *Incident {
	s, done := m.Scenario(c)
	state, _ := c.OldNode()
	return &Incident{Case: c, state: state, Scenario: s, Done: done, Asis: s.Predict(done), Causes: causes, Alarm: alarm,
		reaction: reaction.Seconds(), model: m}
}

// End is when the waiting pod was Ready, or, while it was not, the collection. The second result is false then.
func (i *Incident) End() (float64, bool) {
	s := i.Scenario
	if !math.IsInf(s.End, 1) {
		return s.End, true
	}
	if i.Case.Resolved() {
		return i.of(i.Case.Span.To.At), true
	}
	return s.Until, false
}

func (i *Incident) of(t time.Time) float64 { return t.Sub(i.Scenario.Zero).Seconds() }

// when is an instant in seconds of the scenario; never where it is not known.
func (i *Incident) when(at facts.Instant) float64 {
	if !at.Known() {
		return math.Inf(1)
	}
	return i.of(at.At)
}

func (i *Incident) clock(at float64) string { return clock(i.Scenario.Time(at)) }

// LostAt is when the old node was seen not Ready, or its Node deleted, in seconds of the scenario.
func (i *Incident) LostAt() float64 { return min(i.Scenario.NotReady.Best, i.Scenario.NodeGone) }

// absent reports that the Node did not exist when a remedy would have acted on it; for an open incident, at the collection.
func (i *Incident) absent(at float64) bool {
	gone, unlisted := min(i.Scenario.NodeGone, i.done(replay.DeleteNode)), i.open() && i.Case.NodeAbsent()
	return unlisted || !math.IsInf(gone, 1) && gone <= i.orNow(at) // the time of an act in a paste may be unknown too: never is not before never
}

// podAbsent reports the same of the old pod's object.
func (i *Incident) podAbsent(at float64) bool {
	return i.open() && i.Case.OldPodsAbsent() || i.past(i.Case.OldPodsGone(), at)
}

// PodGone reports that no pod is left to delete at the collection of an open incident: the bundle lacks the old one, or the report knew none.
func (i *Incident) PodGone() bool {
	unnamed := len(i.Case.OldPods) == 0 && i.Case.Variant == model.ExclusivelyAttached
	return i.open() && (unnamed || i.Case.OldPodsAbsent())
}

// past reports that something had happened when a remedy would have acted.
func (i *Incident) past(m facts.Instant, at float64) bool {
	return m.Known() && i.of(m.Latest) <= i.orNow(at)
}

// orNow is the time of an act: that of the question, else the collection of an incident that is open then, else the given one.
func (i *Incident) orNow(at float64) float64 {
	if i.asked != nil {
		return *i.asked
	}
	if i.open() && !math.IsInf(i.Scenario.Until, 1) {
		return max(at, i.Scenario.Until)
	}
	return at
}

// asOf asks for a fit as it is at a time of the incident.
func (i *Incident) asOf(at float64, fit func(*Incident) Fit) Fit {
	was := i.asked
	i.asked = &at
	defer func() { i.asked = was }()
	return fit(i)
}

// open reports that the wait had not ended at the collection, and that the question is of no other time.
func (i *Incident) open() bool {
	_, ended := i.End()
	return !ended && i.asked == nil
}

// stuck is when a person could first see that the volume stays on a lost node: NotReady, and its pod deleted or a replacement waiting.
func (i *Incident) stuck() float64 {
	s := i.Scenario
	return max(i.LostAt(), min(s.Reported, s.Deleted.Best))
}

// version is that of the controller.
func (i *Incident) version() upstream.Version { return i.Case.World.Version }

// HasCause reports that one of some causes is established, confirmed or likely.
func (i *Incident) HasCause(ids ...string) bool {
	return slices.ContainsFunc(i.Causes, func(c model.Cause) bool { return slices.Contains(ids, c.ID) && c.Verdict != model.Undecidable })
}

// done is when an act of a kind was really done; never when it was not.
func (i *Incident) done(kind replay.ActKind) float64 { return i.Done.First(kind) }

// did reports that an act of a kind was really done.
func (i *Incident) did(kind replay.ActKind) bool { return !math.IsInf(i.done(kind), 1) }

// doneWith is the use of a remedy whose act is another one's with a second act.
func doneWith(kind, second replay.ActKind, both bool) func(*Incident) (float64, bool) {
	return func(i *Incident) (float64, bool) { return i.done(kind), i.did(kind) && i.did(second) == both }
}

// oldPod is the pod on the old node, or a word for it.
func (i *Incident) oldPod() (namespace, name string) {
	if len(i.Case.OldPods) == 0 {
		return "NAMESPACE", "OLD-POD"
	}
	return i.Case.OldPods[0].Namespace, i.Case.OldPods[0].Name
}

func (i *Incident) node() string { return cmp.Or(i.Case.From, "OLD-NODE") }

func (i *Incident) attachment() string { return cmp.Or(i.Case.Attachment.Name, "VOLUMEATTACHMENT") }

// Lost reports that the old node was proven not Ready during the wait, or its Node deleted. The opposite is not proven by false.
func (i *Incident) Lost() bool { return i.state == wait.NodeLost }

// ofLostNode is the fit of a remedy for lost nodes: not applicable where the old node was proven Ready, undecidable where neither is known.
func (i *Incident) ofLostNode(why string) Fit {
	if i.Case.DeletedAlive() {
		return misfit("The kubelet of " + i.node() + " still worked when its Node was deleted: nothing was lost.")
	}
	return i.ofNode(wait.NodeLost, why)
}

// ofReadyNode is the same of a remedy that needs a kubelet which works.
func (i *Incident) ofReadyNode(why string) Fit { return i.ofNode(wait.NodeReady, why) }

func (i *Incident) ofNode(wanted wait.NodeState, why string) Fit {
	switch i.state {
	case wanted:
		return fits("")
	case wait.NodeUnknown:
		return undecidable(i.unknownState())
	}
	return misfit(why)
}

// unknownState says that the state of the old node is not known, and what would show it.
func (i *Incident) unknownState() string {
	if i.Case.From == "" {
		return "Which node held the volume is not in the bundle, nor whether that node was lost; its VolumeAttachment and its Node would tell."
	}
	if i.Case.OldPodUnseen() {
		return "No metric shows the pod that used the volume on " + i.Case.From + ": it may have been gone when they begin, and then the " +
			"controller detaches; metrics of an earlier time would tell."
	}
	told, node := i.Case.World != nil && i.Case.Told(model.SaidNodeOff) != nil, i.Case.From
	return cmp.Or(words.If(told, "Only its author's word tells that "+node), "Nothing in the bundle tells whether "+node) +
		" was lost, which decides it; the Node (kubectl get node), an Event NodeNotReady, its Lease or the controller's log would" + words.If(told, " prove it") + "."
}
