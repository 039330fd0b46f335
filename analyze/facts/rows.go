package facts

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// A row of kubectl get and a field of kubectl describe tell a state at the time of their printing. They have no time of their own: of
// several about one thing, the newest counts.

// stateOf are the things that a row without a time tells a state of, each with the kinds of which the newest ends the others.
var stateOf = []struct {
	kinds []model.Kind
	of    func(*model.Observation) model.Ref
}{
	{[]model.Kind{model.NodeReady, model.NodeNotReady}, func(o *model.Observation) model.Ref { return model.Ref{Kind: "Node", Name: o.Node} }},
	{[]model.Kind{model.PodReady, model.PodNotReady, model.PodDeletionRequested, model.PodFinished},
		func(o *model.Observation) model.Ref {
			return model.Ref{Kind: "Pod", Namespace: o.Pod.Namespace, Name: o.Pod.Name}
		}},
	{[]model.Kind{model.AttachmentAttached, model.AttachmentPending},
		func(o *model.Observation) model.Ref { return model.Ref{Kind: "VolumeAttachment", Name: o.Attachment} }},
	{[]model.Kind{model.VolumeBound, model.ObjectShown}, shownState},
}

// shownState is the claim or volume of a row that tells whether it is bound, or the workload of one that counts its pods.
func shownState(o *model.Observation) model.Ref {
	kind, phase := o.Object.Kind, o.Detail != "" && !strings.ContainsAny(o.Detail, "= ")
	bound := phase && (kind == "PersistentVolume" || kind == "PersistentVolumeClaim")
	if !bound && !strings.HasPrefix(o.Detail, model.ShownReady) {
		return model.Ref{}
	}
	return model.Ref{Kind: kind, Namespace: o.Object.Namespace, Name: o.Object.Name}
}

// PrintedState is the thing that a row without a time tells the state of; zero for everything else.
func PrintedState(o *model.Observation) model.Ref {
	if o.Source.Kind != model.SourceText || o.Age != nil {
		return model.Ref{}
	}
	if !o.At.IsZero() && !pendingRow(o) {
		return model.Ref{}
	}
	for _, s := range stateOf {
		if slices.Contains(s.kinds, o.Kind) {
			return s.of(o)
		}
	}
	return model.Ref{}
}

// fileLine is a line of a file.
type fileLine struct {
	path string
	line int
}

// Outdated reports that a newer row about the same thing ends what a row tells.
func (w *World) Outdated(o *model.Observation) bool { return w.outdated[o] }

// outdated are the rows that a newer one about the same thing ends: further down in the same text, or with a greater age of the thing.
func outdated(s *model.Snapshot, all []model.Observation) map[*model.Observation]bool {
	aged := map[fileLine]*model.Range{}
	for i := range s.Aged {
		a := &s.Aged[i]
		aged[fileLine{a.Input, a.Source.Line}] = &a.Age
	}
	rows := Index[model.Ref, *model.Observation]{}
	var lists []*model.Observation
	for i := range all {
		if ref := PrintedState(&all[i]); ref.Name != "" {
			rows.Add(ref, &all[i])
		}
		if o := &all[i]; o.Kind == model.ObjectShown && o.Object.Kind == "Pod" && o.Object.Name == "" {
			lists = append(lists, o)
		}
	}
	out := map[*model.Observation]bool{}
	olderCopies(all, out)
	ageOf := func(o *model.Observation) *model.Range { return aged[fileLine{o.Input, o.Source.Line}] }
	for ref, list := range rows {
		byAge := ref.Kind == "Node" || ref.Kind == "Pod" && !comesBack(ref) // a name that came back begins its age anew
		newest := map[string]*model.Observation{}                           // of each text
		for _, o := range list {
			if n := newest[o.Input]; n == nil || o.Source.Line > n.Source.Line {
				newest[o.Input] = o
			}
		}
		latest := 0.0 // the greatest age that a text shows
		for _, o := range newest {
			if a := ageOf(o); byAge && a != nil {
				latest = max(latest, a.Min)
			}
		}
		for _, o := range list {
			n := newest[o.Input]
			a := ageOf(n)
			changed := o.Kind != n.Kind || o.Kind == model.ObjectShown && o.Detail != n.Detail
			further := o.Source.Line < n.Source.Line && changed || ref.Kind == "Pod" && slices.ContainsFunc(lists, lacks(n))
			out[o] = further || a != nil && a.Max < latest
		}
	}
	return out
}

// lacks tests for a list of all pods, further down in its text than the newest row of a pod.
func lacks(newest *model.Observation) func(*model.Observation) bool {
	return func(list *model.Observation) bool {
		holds := list.AllNamespaces || list.Object.Namespace == newest.Pod.Namespace
		return holds && list.Input == newest.Input && list.Source.Line > newest.Source.Line
	}
}

// Unlisted reports that a list of all pods stands below every row of a pod, in the same text, without it.
func (w *World) Unlisted(pod model.Ref) bool {
	rows := Where(w.ByPod[pod.String()], func(o *model.Observation) bool { return o.Source.Kind == model.SourceText })
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(o *model.Observation) bool {
		return !slices.ContainsFunc(w.ByKind[model.ObjectShown], func(l *model.Observation) bool {
			return l.Object.Kind == "Pod" && l.Object.Name == "" && lacks(o)(l)
		})
	})
}

// olderCopies marks what one text shows twice with two ages: it was printed twice, and the greater age is of the later printing, from
// which the ages of the text count back.
func olderCopies(all []model.Observation, out map[*model.Observation]bool) {
	type fact struct {
		input, pod, attachment, detail string
		kind                           model.Kind
		volume                         model.VolumeID
	}
	newest := map[fact]*model.Observation{}
	for i := range all {
		o := &all[i]
		if o.Age == nil || o.Source.Kind != model.SourceText {
			continue
		}
		if o.Pod.Name == "" && o.Attachment == "" {
			continue
		}
		f := fact{o.Input, o.Pod.Name, o.Attachment, o.Detail, o.Kind, o.Volume}
		switch n := newest[f]; {
		case n == nil:
			newest[f] = o
		case o.Source.Line > n.Source.Line && o.Age.Min > n.Age.Max:
			out[n], newest[f] = true, o
		case n.Source.Line > o.Source.Line && n.Age.Min > o.Age.Max:
			out[o] = true
		}
	}
}
