package view

import (
	"cmp"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
