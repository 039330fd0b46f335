package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// item is one question of the inspection; yes means that there is something to look at: a finding, an incident, an error, or a state.
type item struct {
	id, question string
	command      string // that answers it in the cluster, on a node or at the back end

	checks   []string                  // a finding of one of them is a yes
	incident func(model.Incident) bool // an incident for which it is true is a yes: checks leave out what an incident says
	told     wording                   // so is an error of these words
	states   []string                  // and a claim or volume in one of these states
	shown    func(*facts.World, found) // and what it finds among the objects
	needs    []Need                    // what a no needs; where there are none, what the checks need
	beyond   string                    // why no bundle can answer no, or none that does not meet the needs
}

// found takes what is a yes, with what shows it.
type found = func(text string, shown ...*model.Observation)

// wording is what errors of some kinds say, in lower case.
type wording struct {
	kinds    []model.Kind
	has, but *regexp.Regexp // nil: every error, and without an exception
}

// sayings are what tells of something, each with its evidence.
type sayings struct {
	texts    []string
	evidence []string
}

func (s *sayings) add(text string, evidence ...string) {
	s.texts, s.evidence = append(s.texts, text), append(s.evidence, evidence...)
}

// Inspection returns an answer to every item, from findings and incidents of the same world.
func Inspection(w *facts.World, findings []model.Finding, incidents []model.Incident, l *evidence.Ledger) []model.InspectionItem {
	w = w.AtCollection()
	return facts.Each(items, func(i item) model.InspectionItem { return i.answer(w, findings, incidents, l) })
}

func (i item) answer(w *facts.World, findings []model.Finding, incidents []model.Incident, l *evidence.Ledger) model.InspectionItem {
	out := model.InspectionItem{ID: i.id, Question: i.question, Answer: model.CannotTell, Command: i.command, Findings: []string{}}
	var yes sayings
	for _, id := range i.checks {
		for _, f := range findings {
			if f.ID == id {
				out.Findings = append(out.Findings, id)
				yes.add(f.Text, f.Evidence...)
			}
		}
	}
	out.Findings = withoutRepeats(out.Findings)
	for _, in := range incidents {
		if i.incident != nil && i.incident(in) {
			yes.add(incidentText(in), in.MultiAttach.Began.Evidence...)
		}
	}
	if len(yes.texts) == 0 { // else they say it once more
		for _, o := range slices.Backward(i.told.in(w)) {
			yes.add(subject(w, []*model.Observation{o})+": "+shorten(errorOf(o)), l.Observations([]*model.Observation{o})...)
		}
		i.among(w, func(text string, shown ...*model.Observation) { yes.add(text, l.Observations(present(shown))...) })
	}
	out.Evidence = firstOf(yes.evidence)
	missing := i.unmet(w)
	switch {
	case len(yes.texts) > 0:
		out.Answer, out.Text = model.Yes, yes.texts[0]+words.If(len(yes.texts) > 1, fmt.Sprintf(" And %d more.", len(yes.texts)-1))
	case i.beyond != "" && (len(i.needed()) == 0 || len(missing) > 0):
		out.Text = i.beyond
	case len(missing) == 0:
		of := facts.Where(i.needed(), func(n Need) bool { return n.Holds != nil })
		out.Answer, out.Text = model.No, "Nothing says so in "+words.List(facts.Each(of, func(n Need) string { return n.What }))+"."
	default:
		out.Text, out.Command = lackingText(w, missing), missing[0].Command
	}
	return out
}

// in are the observations with an error of these words, in the order of time.
func (t wording) in(w *facts.World) []*model.Observation {
	list := facts.Where(slices.Concat(facts.Each(t.kinds, func(k model.Kind) []*model.Observation { return w.ByKind[k] })...),
		func(o *model.Observation) bool {
			text := strings.ToLower(errorOf(o))
			has := func(r *regexp.Regexp) bool { return r != nil && r.MatchString(text) }
			return (t.has == nil || has(t.has)) && !has(t.but)
		})
	slices.SortStableFunc(list, (*model.Observation).Compare)
	return list
}

// among are the objects that are a yes: those in a state, by themselves or by rows of what the bundle does not hold, and others.
func (i item) among(w *facts.World, add found) {
	if i.shown != nil {
		i.shown(w, add)
	}
	in := func(of model.Ref, state string, shown func() *model.Observation) {
		if slices.Contains(i.states, state) {
			add(of.Kind+" "+of.String()+" is "+state+".", shown())
		}
	}
	for _, c := range w.Claims {
		in(c.Ref, string(c.Value().Status.Phase), func() *model.Observation { return facts.Cite(c, "status.phase") })
		in(c.Ref, held(w, c.Value().ObjectMeta), func() *model.Observation { return facts.Cite(c, "metadata.finalizers[0]") })
	}
	for _, pv := range w.PVs { // volume-released has those in another phase
		in(pv.Ref, held(w, pv.Value().ObjectMeta), func() *model.Observation { return facts.Cite(pv, "metadata.finalizers[0]") })
	}
	for _, o := range w.ByKind[model.VolumeBound] {
		_, claim := w.Claim(o.Object.Namespace, o.Object.Name)
		_, pv := w.PV(o.Object.Name)
		if o.Source.Kind == model.SourceText && !claim && !pv {
			in(o.Object, o.Detail, func() *model.Observation { return o })
		}
	}
}

// lostNodes are the nodes that are not Ready.
func lostNodes(w *facts.World, add found) {
	for _, name := range w.NodeNames {
		if word, shown := w.NodeNow(name); word == model.StateNotReady {
			add("Node "+name+" is not Ready.", shown...)
		}
	}
}

// attachless are volumes of which VolumeAttachments say nothing: of in-tree plugins, local disks, drivers with attachRequired false.
func attachless(w *facts.World, add found) {
	for _, v := range w.Volumes.All {
		if why, shown := w.Attachless(v); shown != nil && v.Key() != "" {
			add("Volume "+v.Key()+": "+why+".", shown)
		}
	}
}

func expansionForbidden(w *facts.World, add found) {
	for _, c := range w.Classes {
		used := slices.ContainsFunc(boundVolumes(w), func(pv volume) bool { return pv.Value().Spec.StorageClassName == c.Ref.Name })
		if used && !deref(c.Value().AllowVolumeExpansion, false) {
			add("StorageClass "+c.Ref.Name+", of volumes in use, does not have allowVolumeExpansion.", facts.Cite(c, "allowVolumeExpansion"))
		}
	}
}

// held is Terminating for an object that a finalizer keeps for longer than a provisioner pauses between two tries.
func held(w *facts.World, m metav1.ObjectMeta) string {
	stays := m.DeletionTimestamp != nil && len(m.Finalizers) > 0 && atLeast(w, *m.DeletionTimestamp) >= provisionPatience
	return words.If(stays, "Terminating")
}

// needed is what a no of the item needs.
func (i item) needed() []Need {
	if len(i.needs) > 0 {
		return i.needs
	}
	var needs []Need
	for _, c := range all {
		if slices.Contains(i.checks, c.ID) {
			needs = append(needs, c.Needs...)
		}
	}
	return facts.Each(grouped(needs, func(n Need) string { return n.What }), func(same []Need) Need { return same[0] })
}

func (i item) unmet(w *facts.World) []Need {
	return facts.Where(i.needed(), func(n Need) bool { return !n.Met(w) })
}

// lackingText says what is missing: what was not collected, and what could not be read.
func lackingText(w *facts.World, missing []Need) string {
	var absent, closed []string
	why := ""
	for _, n := range missing {
		path, reason := withheld(w, n)
		if path == "" {
			absent = append(absent, n.What)
			continue
		}
		closed, why = append(closed, n.What+" ("+path+")"), reason
	}
	text := words.If(len(closed) > 0, "Could not be read ("+why+"): "+strings.Join(closed, "; ")+".")
	if len(absent) == 0 {
		return text
	}
	text += words.If(text != "", " ") + "Not collected: " + strings.Join(absent, "; ") + "."
	if n := slices.IndexFunc(w.Snapshot.Unreadable, func(u model.Unreadable) bool { return u.Holds == "" }); n >= 0 {
		u := w.Snapshot.Unreadable[n]
		text += " Or it lies in " + u.Path + ", which could not be read (" + u.Why + ")."
	}
	return text
}

// withheld is the first path that promises what a need asks for and could not be read; "" without one.
func withheld(w *facts.World, n Need) (path, why string) {
	for _, u := range w.Snapshot.Unreadable {
		if u.Holds != "" && slices.Contains(n.Holds, u.Holds) {
			return u.Path, u.Why
		}
	}
	return "", ""
}

// incidentText names an incident as the rest of the report does.
func incidentText(in model.Incident) string {
	s := "Incident " + in.ID
	if len(in.Causes) > 0 {
		s += ": " + in.Causes[0].Summary
	}
	return s
}

// firstOf keeps the first few identifiers, each once.
func firstOf(ids []string) []string {
	ids = withoutRepeats(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	return slices.Concat([]string{}, ids[:min(len(ids), maxShown)])
}
