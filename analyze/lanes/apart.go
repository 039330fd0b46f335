package lanes

import (
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// mostApart bounds the objects of no incident: a report names some, a pasted list can have thousands.
const mostApart = 200

// Apart makes the lanes of objects that belong to no incident: those that the report names otherwise, and those of pasted texts.
func Apart(w *facts.World, incidents []model.Incident, named []model.Ref) []*Lane {
	taken := func(r model.Ref) bool {
		return slices.ContainsFunc(incidents, func(i model.Incident) bool {
			return slices.ContainsFunc(i.Lanes, func(l model.Lane) bool { return l.Object.Is(r) })
		})
	}
	var all []*apart
	at := map[string][]*apart{} // by key
	add := func(r model.Ref) {
		same := func(a *apart) bool { return a.object.Is(r) }
		followed := len(model.StateWords[r.Kind]) > 0 && r.Name != ""
		if !followed || len(all) == mostApart {
			return
		}
		if !slices.ContainsFunc(at[r.Key()], same) && !taken(r) {
			a := &apart{object: r}
			all, at[r.Key()] = append(all, a), append(at[r.Key()], a)
		}
	}
	for _, r := range named {
		add(r)
	}
	for i := range w.Axis.Observations {
		if o := &w.Axis.Observations[i]; o.Source.Kind == model.SourceText && !w.Outdated(o) {
			for _, r := range subjects(o) {
				add(r)
			}
		}
	}
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if len(all) == 0 || o.Quote.Text == "" || w.Outdated(o) {
			continue
		}
		for _, r := range subjects(o) {
			for _, a := range at[r.Key()] {
				if d := dated(w, o); d != nil && a.object.Is(r) {
					a.told = append(a.told, d)
				}
			}
		}
	}
	var out []*Lane
	for _, a := range all {
		if l := a.lane(w); len(l.States) > 0 {
			l.close()
			out = append(out, l)
		}
	}
	return out
}

// apart is an object of no incident with what is stated of it.
type apart struct {
	object model.Ref
	told   []*model.Observation
}

// subjects are the objects that a statement tells a state of.
func subjects(o *model.Observation) []model.Ref {
	switch {
	case facts.ByCloud(o):
		return nil
	case podStates[o.Kind].rank > 0:
		return []model.Ref{{Kind: "Pod", Namespace: o.Pod.Namespace, Name: o.Pod.Name, UID: o.Pod.UID}}
	case attachmentStates[o.Kind].Word != "":
		return []model.Ref{{Kind: "VolumeAttachment", Name: o.Attachment}}
	case o.Kind == model.VolumeBound:
		claim := o.Claim
		claim.Kind = "PersistentVolumeClaim"
		return []model.Ref{claim, {Kind: "PersistentVolume", Name: o.Volume.PersistentVolume}}
	case o.Kind == model.ObjectShown:
		return []model.Ref{o.Object}
	case slices.Contains(nodeKinds, o.Kind):
		return []model.Ref{{Kind: "Node", Name: o.Node}}
	}
	return nil
}

// lane folds what is stated of the object.
func (a *apart) lane(w *facts.World) *Lane {
	slices.SortStableFunc(a.told, (*model.Observation).Compare)
	a.told = undated(w, a.told)
	if a.object.Kind == "Node" {
		return node(a.object.Name, a.told)
	}
	l := &Lane{Object: a.object}
	p := &pod{Lane: l}
	for _, o := range a.told {
		switch s := attachmentStates[o.Kind]; {
		case s.Word != "":
			l.Node = o.Node
			l.change(s, wait.At(o))
		case podStates[o.Kind].rank > 0:
			p.take(o)
		case slices.Contains(model.StateWords[a.object.Kind], model.StateWord(o.Detail)):
			l.say(State{Word: model.StateWord(o.Detail), From: wait.At(o)})
		}
	}
	return l
}
