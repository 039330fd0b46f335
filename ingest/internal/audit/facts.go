package audit

import (
	"cmp"

	"github.com/volpost/volpost/model"
)

// facts collects the statements of one file, and remembers what distinguishes a first request from its repetitions.
type facts struct {
	path  string
	line  int
	quote model.Quote

	pods, others kept
	deleting     map[string]bool     // VolumeAttachments whose deletion the file has
	taints       map[string][]string // by node, as the last request of the file left them
}

// observe makes the statements of one request, and returns their number.
func (f *facts) observe(r *request, line int, quote model.Quote) int {
	f.line, f.quote = line, quote
	before := f.pods.added + f.others.added
	switch r.resource {
	case "volumeattachments":
		f.attachment(r)
	case "pods":
		f.pod(r)
	case "nodes":
		f.node(r)
	default:
		f.workload(r)
	}
	return f.pods.added + f.others.added - before
}

// of begins an observation about the object of a request. The name of the reference wins; the answer has the UID.
func (f *facts) of(r *request, kind string, answered, asked metadata) model.Observation {
	ref := model.Ref{Kind: kind, UID: cmp.Or(validUID(r.uid), validUID(answered.UID), validUID(asked.UID))}
	fill(&ref.Namespace, r.namespace)
	for _, name := range []string{r.name, answered.Name, asked.Name} {
		fill(&ref.Name, name)
	}
	if ref.UID == "" && r.verb == "delete" {
		ref.UID = validUID(r.deleteOptions().Preconditions.UID)
	}
	return model.Observation{
		At: r.at, Last: r.at, Count: 1, Component: component, Input: f.path, Object: ref, Actor: r.actor, Agent: r.agent,
		Source: model.Source{Kind: model.SourceAudit, Path: f.path, Line: f.line}, Quote: f.quote,
	}
}

// say adds a statement.
func (f *facts) say(o model.Observation, kind model.Kind, detail string) {
	o.Kind, o.Detail, o.Last = kind, detail, o.At
	f.listOf(o).add(o)
}

// sayOnce adds a statement of state, or counts it when the same was said of the same object and nothing ended it since.
func (f *facts) sayOnce(o model.Observation, kind model.Kind, detail string) {
	o.Kind, o.Detail, o.Last = kind, detail, o.At
	f.listOf(o).addOnce(o)
}

func (f *facts) listOf(o model.Observation) *kept {
	if o.Object.Kind == "Pod" {
		return &f.pods
	}
	return &f.others
}

// begun notes that a VolumeAttachment is being deleted, and forget that the next of its name is another one.
func (f *facts) begun(attachment string) {
	if len(f.deleting) < maxFacts {
		f.deleting[attachment] = true
	}
}

func (f *facts) forget(attachment string) {
	delete(f.deleting, attachment)
	delete(f.others.at, model.Ref{Kind: "VolumeAttachment", Name: attachment}.Key())
}

// observations are the statements in the order of the file.
func (f *facts) observations() []model.Observation {
	return append(f.others.newest(), f.pods.newest()...)
}
