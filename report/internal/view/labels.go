package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Label pairs an identifier of the report with the words for it. Lists of labels are slices: they are also orders.
type Label [2]string

// ID is the identifier.
func (l Label) ID() string { return l[0] }

// Text are the words.
func (l Label) Text() string { return l[1] }

// Find returns the words for id, or id itself: later versions may add identifiers.
func Find(labels []Label, id string) string {
	for _, l := range labels {
		if l.ID() == id {
			return l.Text()
		}
	}
	return id
}

// Each are the results of a function for the elements of a list.
func Each[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// part is a number with the words for what it counts.
type part struct {
	n    int
	text string
}

// partsText lists the parts that are not 0.
func partsText(parts ...part) string {
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.n <= 0 })
	return strings.Join(Each(parts, func(p part) string { return strconv.Itoa(p.n) + " " + p.text }), ", ")
}

var phaseLabels = []Label{
	{string(model.PhaseDetection), "node not heard of, not yet NotReady"},
	{string(model.PhaseEviction), "NotReady, old pod not yet deleted"},
	{string(model.PhaseReplacement), "waiting for a new pod"},
	{string(model.PhaseScheduling), "waiting for a node for the new pod"},
	{string(model.PhaseRelease), "old pod still counts as a user"},
	{string(model.PhaseUnmountWait), "waiting for the unmount or the timeout"},
	{string(model.PhaseDetach), "VolumeAttachment being deleted"},
	{string(model.PhaseAttach), "attaching on the new node"},
	{string(model.PhaseMount), "mounting, until the new pod is Ready"},
	{string(model.PhaseUndivided), "the evidence does not tell apart what it waited for"},
}

// PhaseLabel says what a phase waits for; of an undivided stretch, for what it may have waited.
func PhaseLabel(p model.Phase) string {
	if p.ID == model.PhaseDetach && p.GovernedBy != nil && p.GovernedBy.Parameter == model.SyncPeriod {
		return "VolumeAttachment gone, until the controller's next look"
	}
	if len(p.Undivided) == 0 {
		return Find(phaseLabels, string(p.ID))
	}
	ids := Each(p.Undivided, func(id model.PhaseID) string { return words.OneLine(string(id)) })
	return strings.Join(ids[:len(ids)-1], ", ") + " or " + ids[len(ids)-1] + ", which the evidence does not tell apart"
}

var operandLabels = []Label{
	{model.OperandReleased, "Did the controller stop counting the old pod as a user?"},
	{model.OperandUnmounted, "Did the old node report the volume unmounted?"},
	{"node-unhealthy", "Did the controller see the old node as unhealthy?"},
	{model.OperandTimer, "Did the six-minute timer elapse?"},
	{"force-detach-enabled", "Was force detach on timeout enabled?"},
	{"out-of-service-taint", "Did the old node carry the out-of-service taint?"},
	{model.OperandDetachDone, "Did the detach succeed?"},
}

var startLabels = []Label{
	{model.StartsAtHeartbeat, "the last heartbeat of the old node"}, {model.StartsAtNotReady, "the old node being marked NotReady"},
	{model.StartsAtDeletion, "the deletion of the old pod"},
}

var variantLabels = []Label{
	{string(model.UsedByPods), "used by pods (a pod object on the old node still existed)"},
	{string(model.ExclusivelyAttached), "exclusively attached (no pod object was left on the old node)"},
	{string(model.UnknownVariant), "unknown: no source has the text of the report"},
}

var nameBasisLabels = []Label{
	{string(model.NameSnapshot), "the object is in the bundle"},
	{string(model.NameLog), "a log names it"},
	{string(model.NameAudit), "the audit log names it"},
	{string(model.NameDerived), "derived: csi- and the SHA-256 of volume handle, driver and node"},
	{string(model.NameNone), "unknown: the volume has no VolumeAttachment, or handle, driver or node is not known"},
}

var truthLabels = []Label{{string(model.True), "yes"}, {string(model.False), "no"}, {string(model.Unknown), "unknown"}}

// hashWord says what the check of the attachment's name against its hash gave.
func hashWord(b model.BlockingAttachment) string {
	if b.HashVerified == nil && b.NameBasis == model.NameDerived {
		return "not applicable: the name itself was computed from the hash"
	}
	if b.HashVerified == nil {
		return "unknown: volume handle, driver or node is not known"
	}
	if *b.HashVerified {
		return "verified: the name is the hash of volume handle, driver and node"
	}
	return "does not match: the name is not the hash of volume handle, driver and node"
}

// wording has the words that depend on what makes a wait an incident.
type wording struct {
	ID     model.IncidentKind
	Name   string // of the wait
	Zero   string // what the times count from
	Report string // what is said of the report where nothing has its text
	To     string // the node that wants the volume, where none has a name
}

// kinds are all kinds, the one that an incident has when it says none first.
var kinds = []wording{
	{model.KindMultiAttach, "Multi-Attach", "the first Multi-Attach report",
		Find(variantLabels, string(model.UnknownVariant)), "unknown node"},
	{model.KindStorageRefuses, "Refused by the storage", "the first refusal of the storage",
		"none: the controller does not keep the volume away, the storage refuses", "unknown node"},
	{model.KindFailingDetach, "Failing detach", "the first error of the detach",
		"none: what is told is a detach that fails, and no wait for it", "unknown node"},
	{model.KindForcedDetach, "Detach by force", "the detach by force",
		"none: what is told is a detach by force, and no wait for it", "unknown node"},
	{model.KindBeforeMultiAttach, "Stuck before Multi-Attach", "the deletion of the pod on the old node",
		"none: the controller reports Multi-Attach only for a pod that has a node", "no node yet"},
}

// shown are the words of a wait of which there is no report: objects, rows of kubectl or metrics show it.
var shown = wording{model.KindMultiAttach, "Multi-Attach", "the beginning of the wait",
	"none: what was collected shows the wait without a report", "unknown node"}

// KindOf are the words of an incident's kind.
func KindOf(in model.Incident) wording {
	if plain := in.Kind == "" || in.Kind == model.KindMultiAttach; plain && in.MultiAttach.Reports == 0 && !in.MultiAttach.Began.IsZero() {
		return shown
	}
	for _, k := range kinds {
		if k.ID == in.Kind {
			return k
		}
	}
	return kinds[0]
}

// Words are those of the incident's kind, for templates.
func (in *IncidentView) Words() wording { return KindOf(in.Incident) }

// WantedOn is the node that wants the volume, in a title.
func WantedOn(in model.Incident) string { return cmp.Or(words.OneLine(in.To.Node), KindOf(in).To) }

// Wanted is the same for templates.
func (in *IncidentView) Wanted() string { return WantedOn(in.Incident) }

// toText names the node that wants the volume, with its pods.
func toText(in model.Incident) string {
	if in.Kind != model.KindBeforeMultiAttach || in.To.Node != "" {
		return placeText(in.To)
	}
	text := KindOf(in).To + ": no attach was asked for" + words.If(len(in.To.Pods) > 0, "; pod "+Refs(in.To.Pods)+" waits for one")
	return text
}

// reportText is what the report of an incident said.
func reportText(in model.Incident) string {
	if in.MultiAttach.Variant == model.UnknownVariant || in.MultiAttach.Variant == "" {
		return KindOf(in).Report
	}
	return Find(variantLabels, string(in.MultiAttach.Variant))
}
