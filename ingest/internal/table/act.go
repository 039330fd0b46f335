package table

import (
	"slices"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// act is what an answer says was asked: of an object of a kind, any for "", by the word, as a statement with its Detail.
type act struct {
	object, did string
	kind        model.Kind
	detail      string
}

// acts are the answers of kubectl that say what was asked of the API server, by the kind of the object. A drain and a patch are none: the
// first is told by what it does, and of the second the command says what it changed, if it is there.
var acts = [...]act{
	{"Pod", "force deleted", model.PodDeletionRequested, "grace 0s"},
	{"Pod", "deleted", model.PodDeletionRequested, ""},
	{"Pod", "evicted", model.PodDeletionRequested, "eviction"},
	{"Pod", "it would violate", model.EvictionRefused, ""},
	{"VolumeAttachment", "deleted", model.AttachmentDeletionRequested, ""},
	{"Node", "deleted", model.NodeDeleted, ""},
	{"Node", "cordoned", model.NodeCordoned, ""},
	{"Node", "uncordoned", model.NodeUncordoned, ""},
	{"Node", "tainted", model.NodeTainted, ""},
	{"Node", "untainted", model.NodeUntainted, ""},
	{"", "scaled", model.WorkloadScaled, "scaled"},
	{"", "restarted", model.WorkloadChanged, "restart"},
	{"", "rolled back", model.WorkloadChanged, "rolled back"},
}

// act is what an answer says of an act, as the statement of the object's state has it; false for none.
func (c command) act(o model.Observation) (model.Observation, bool) {
	kind := o.Object.Kind
	n := slices.IndexFunc(acts[:], func(a act) bool { return a.did == o.Detail && (a.object == kind || a.object == "") })
	if n < 0 {
		return o, false
	}
	o.Kind, o.Agent, o.Detail = acts[n].kind, kubectl, acts[n].detail
	switch kind {
	case "Pod":
		o.Pod = o.Object
	case "Node":
		o.Node = o.Object.Name
	case "VolumeAttachment":
		o.Attachment = o.Object.Name
	default:
		o.Owner = o.Object
	}
	if o.Kind == model.NodeTainted || o.Kind == model.NodeUntainted {
		o.Detail = c.taint
		return o, c.taint != ""
	}
	if o.Kind == model.WorkloadScaled && c.replicas != "" {
		o.Detail = "scaled to " + c.replicas + " replica" + words.If(c.replicas != "1", "s")
	}
	return o, true
}

// kubectl is the agent of what a session shows: who typed it is not known.
const kubectl = "kubectl"

// inSession reports that a statement is an act that a session, a history or a chat shows.
func inSession(o model.Observation) bool {
	return o.Agent == kubectl || o.Kind == model.CommandTyped || o.Kind == model.CommandWritten
}

// sessionLasts is how long before its end, in seconds, a pasted session may have begun, as far as nothing that it printed before an act says.
const sessionLasts = 3600.0

// dateActs gives the acts of a session the only age that its order proves: they came after what was printed above them, and before the end.
func (r *reader) dateActs() {
	youngest := sessionLasts
	if !slices.ContainsFunc(r.out, func(o model.Observation) bool { return o.Age != nil && !inSession(o) }) {
		// Nothing counts back from the end: only a taint says without a time what is so, and only clocks what came when.
		undated := slices.ContainsFunc(r.out, func(o model.Observation) bool { return o.Kind == model.MultiAttach && o.At.IsZero() })
		r.out = slices.DeleteFunc(r.out, func(o model.Observation) bool {
			dated := !o.At.IsZero() || o.Age != nil && o.Age.Max != sessionLasts
			return inSession(o) && (undated || !dated) && !slices.Contains([]model.Kind{model.NodeTainted, model.NodeUntainted}, o.Kind)
		})
		return
	}
	for i := range r.out {
		o := &r.out[i]
		if o.Age != nil {
			youngest = min(youngest, o.Age.Max)
		} else if inSession(*o) && o.At.IsZero() {
			o.Age = &model.Range{Max: youngest}
		}
	}
}
