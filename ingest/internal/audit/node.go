package audit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// nodeBody is what is used of a node, whole or as a patch. Taints and unschedulable are raw: null takes them away, absence leaves them.
type nodeBody struct {
	body
	Spec   struct{ Taints, Unschedulable json.RawMessage }
	Status struct{ Conditions []condition }
}

type taint struct{ Key, Value, Effect, TimeAdded string }

func (t taint) String() string { return t.Key + "=" + t.Value + ":" + t.Effect }

// valid takes what the API server takes: label keys and values and one of three effects.
func (t taint) valid() bool {
	if t.Value != "" && !(validName(t.Value) && len(t.Value) <= 63) {
		return false
	}
	return len(t.Key) <= 317 && validName(strings.ReplaceAll(t.Key, "/", ".")) &&
		slices.Contains([]string{"NoSchedule", "PreferNoSchedule", "NoExecute"}, t.Effect)
}

// maxTaints and maxNodes bound what is remembered of taints; Kubernetes supports 5000 nodes.
const (
	maxTaints = 64
	maxNodes  = 1 << 14
)

func (f *facts) node(r *request) {
	var asked, answered nodeBody
	known := r.verb != "delete" && decodeBody(r.request, &asked)
	decodeBody(r.response, &answered)
	o := f.of(r, "Node", answered.Metadata, asked.Metadata)
	if o.Object.Name == "" {
		return
	}
	o.Node = o.Object.Name
	switch {
	case r.subresource == "status":
		f.turned(r, o, asked.Status.Conditions, model.NodeReady, model.NodeNotReady, func(c condition) string { return c.Status })
	case r.subresource != "":
	case r.verb == "delete":
		f.say(o, model.NodeDeleted, "")
		delete(f.taints, o.Node)
	case r.verb == "create":
		delete(f.taints, o.Node)
		if known {
			f.remember(o.Node, parseTaints(asked.Spec.Taints))
		}
	default:
		f.cordon(r, o, &asked, known)
		f.nodeTaints(r, o, &asked, known)
	}
}

// cordon finds the patch of kubectl cordon and drain. An update repeats the whole object, so that it does not say what changed.
func (f *facts) cordon(r *request, o model.Observation, asked *nodeBody, known bool) {
	if r.verb != "patch" {
		return
	}
	mark := ""
	if known && asked.Kind == "" {
		mark = string(asked.Spec.Unschedulable)
	}
	for _, op := range operations(r.request) {
		if op.Path == "/spec/unschedulable" && op.Op != "test" {
			mark = string(op.Value)
			if op.Op == "remove" {
				mark = "null"
			}
		}
	}
	switch mark {
	case "true":
		f.say(o, model.NodeCordoned, "")
	case "false", "null":
		f.say(o, model.NodeUncordoned, "")
	}
}

// nodeTaints finds the taints that a request adds or removes. A patch writes the whole list: a taint is new when the list before, as an
// earlier request of this file wrote it, lacks it, or when it says that it was added now. Others stay unsaid.
func (f *facts) nodeTaints(r *request, o model.Observation, asked *nodeBody, known bool) {
	if ops := operations(r.request); ops != nil {
		f.taintOperations(r, o, ops)
		return
	}
	if !known || len(asked.Spec.Taints) == 0 && r.verb == "patch" {
		return // it does not touch them
	}
	f.taintList(r, o, parseTaints(asked.Spec.Taints))
}

func (f *facts) taintList(r *request, o model.Observation, list []taint) {
	before, sure := f.taints[o.Node]
	for _, t := range list {
		if (fresh(t.TimeAdded, r) || sure && t.TimeAdded == "") && !slices.Contains(before, t.String()) {
			f.say(o, model.NodeTainted, t.String())
		}
	}
	for _, t := range before {
		if !slices.ContainsFunc(list, func(l taint) bool { return l.String() == t }) {
			f.say(o, model.NodeUntainted, t)
		}
	}
	f.remember(o.Node, list)
}

// taintOperations reads a JSON patch of the taints.
func (f *facts) taintOperations(r *request, o model.Observation, ops []operation) {
	for _, op := range ops {
		path, ok := strings.CutPrefix(op.Path, "/spec/taints")
		if !ok {
			continue
		}
		if path == "" && op.Op != "test" {
			f.taintList(r, o, parseTaints(op.Value))
			continue
		}
		if op.Op == "add" && strings.Count(path, "/") == 1 {
			var t taint
			if json.Unmarshal(op.Value, &t) == nil && t.valid() {
				f.say(o, model.NodeTainted, t.String())
			}
		}
		if op.Op != "test" {
			delete(f.taints, o.Node) // the list as a whole is no longer known
		}
	}
}

func (f *facts) remember(node string, list []taint) {
	if _, ok := f.taints[node]; !ok && len(f.taints) >= maxNodes {
		return
	}
	f.taints[node] = make([]string, len(list))
	for i, t := range list {
		f.taints[node][i] = t.String()
	}
}

func parseTaints(raw json.RawMessage) []taint {
	var list []taint
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(t taint) bool { return !t.valid() })
	return list[:min(len(list), maxTaints)]
}
