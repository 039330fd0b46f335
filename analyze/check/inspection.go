package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// item is one question of the inspection; yes means that there is something to look at. Checks, incidents or a look of its own answer it.
type item struct {
	id, question string
	command      string // that answers it in the cluster, on a node or at the back end

	checks []string                  // a finding of one of them is a yes
	isYes  func(model.Incident) bool // an incident for which it is true is a yes: checks leave out what an incident says
	// still, unless nil, makes the test that such an incident needs for a yes: that something shows the state at the collection.
	still func(*facts.World) func(model.Incident) bool
	// visible is the answer where an incident came to an attach, isYes is false of it, and the needs are not met.
	visible string
	own     func(*facts.World) answer // a look at every kind of evidence that volpost reads, whether or not the needs are met
	needs   []Need                    // beyond those of the checks
	among   []string                  // kinds of object that a no was looked for among
	beyond  string                    // why no bundle can answer no, or none that does not meet the needs of the checks
}

// answer is what an item's own look found: nothing, or a yes or no that needs nothing else.
type answer struct {
	yes   bool
	no    bool
	text  string
	shown []*model.Observation
}

// seen are the things that a look found, and quotes of the first ones.
type seen struct {
	names []string
	shown []*model.Observation
}

func (s *seen) add(name string, shown ...*model.Observation) {
	if s.names = append(s.names, name); len(s.names) <= maxShown {
		s.shown = append(s.shown, shown...)
	}
}

// addObject quotes fields of an object, which it looks up only for the first ones.
func addObject[T any](s *seen, name string, o model.Object[T], fields ...string) {
	var shown []*model.Observation
	if len(s.names) < maxShown {
		shown = facts.CiteAll(o, fields...)
	}
	s.add(name, shown...)
}

// yes is the answer that names them, in a text with %s for the names; none when there are none.
func (s *seen) yes(text string) answer {
	if len(s.names) == 0 {
		return answer{}
	}
	return answer{yes: true, text: fmt.Sprintf(text, words.List(s.names)), shown: s.shown}
}

// Inspection answers every item, from findings and incidents of the same world.
func Inspection(w *facts.World, findings []model.Finding, incidents []model.Incident, l *evidence.Ledger) []model.InspectionItem {
	w = w.AtCollection()
	byID := map[string][]model.Finding{}
	for _, f := range findings {
		byID[f.ID] = append(byID[f.ID], f)
	}
	out := make([]model.InspectionItem, 0, len(items))
	for _, i := range items {
		out = append(out, i.answer(w, byID, incidents, l))
	}
	return out
}

func (i item) answer(
	w *facts.World, findings map[string][]model.Finding, incidents []model.Incident, l *evidence.Ledger,
) model.InspectionItem {
	out := model.InspectionItem{ID: i.id, Question: i.question, Answer: model.CannotTell, Command: i.command, Findings: []string{}}
	var texts []string
	for _, id := range i.checks {
		if len(findings[id]) > 0 {
			out.Findings = append(out.Findings, id)
		}
		for _, f := range findings[id] {
			texts = append(texts, f.Text)
			out.Evidence = append(out.Evidence, f.Evidence...)
		}
	}
	sure, unsure := i.yes(w, incidents)
	for _, in := range sure {
		texts = append(texts, incidentText(in))
		out.Evidence = append(out.Evidence, in.MultiAttach.Began.Evidence...)
	}
	var own answer
	if i.own != nil {
		own = i.own(w)
	}
	shown := l.Observations(present(own.shown))
	if own.yes {
		texts = append(texts, own.text)
		out.Evidence = append(out.Evidence, shown...)
	}
	out.Evidence = firstOf(out.Evidence)
	switch {
	case len(texts) > 0:
		out.Answer, out.Text = model.Yes, texts[0]+words.If(len(texts) > 1, fmt.Sprintf(" And %d more.", len(texts)-1))
	case own.no:
		out.Answer, out.Text, out.Evidence = model.No, own.text, firstOf(shown)
	case len(unsure) > 0:
		ids := facts.Each(unsure, func(in model.Incident) string { return in.ID })
		out.Text = fmt.Sprintf("Incident %s has no end in the bundle, and nothing there shows the state at the collection.", words.List(ids))
	case own.text != "":
		out.Text = own.text
	default:
		i.silent(w, incidents, &out)
	}
	return out
}

// silent is the answer where nothing shows it: a no, when what would show it is in the bundle.
func (i item) silent(w *facts.World, incidents []model.Incident, out *model.InspectionItem) {
	missing := i.unmet(w)
	switch {
	case i.beyond != "" && (len(i.checks) == 0 || len(missing) > 0):
		out.Text = i.beyond
	case len(missing) == 0:
		out.Answer, out.Text = model.No, i.scope(w)
	case i.visible != "" && slices.ContainsFunc(incidents, func(in model.Incident) bool { return in.Kind != model.KindBeforeMultiAttach }):
		out.Text, out.Command = i.visible, missing[0].Command
	default:
		out.Text, out.Command = lackingText(w, missing), missing[0].Command
	}
}

// yes are the incidents that are a yes, and those of which nothing shows the state at the collection.
func (i item) yes(w *facts.World, incidents []model.Incident) (sure, unsure []model.Incident) {
	if i.isYes == nil {
		return nil, nil
	}
	sure = facts.Where(incidents, i.isYes)
	if i.still == nil {
		return sure, nil
	}
	still := i.still(w)
	return facts.Where(sure, still), facts.Where(sure, func(in model.Incident) bool { return !still(in) })
}

// unmet are the needs of the item and of its checks that a world does not meet, each once.
func (i item) unmet(w *facts.World) []Need {
	needs := slices.Clone(i.needs)
	for _, c := range all {
		if slices.Contains(i.checks, c.ID) {
			needs = append(needs, c.Needs...)
		}
	}
	unmet := facts.Where(needs, func(n Need) bool { return !n.Met(w) })
	return facts.Each(grouped(unmet, func(n Need) string { return n.What }), func(same []Need) Need { return same[0] })
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
	out := []string{}
	for _, id := range ids {
		if len(out) < maxShown && id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// scope says among how many objects nothing was found: a bundle seldom holds those of all namespaces.
func (i item) scope(w *facts.World) string {
	var parts []string
	of := map[string]int{
		"Node": len(w.Nodes), "Pod": len(w.Pods), "VolumeAttachment": len(w.Attachments), "PersistentVolume": len(w.PVs),
		"PersistentVolumeClaim": len(w.Claims), "StorageClass": len(w.Classes), "CSINode": len(w.CSINodes),
		workloadKind: len(w.Deployments) + len(w.StatefulSets) + len(w.DaemonSets) + len(w.LoneReplicaSets()),
	}
	for _, kind := range i.among {
		parts = append(parts, words.Plural(of[kind], kind, kind+words.If(kind == "StorageClass", "e")+"s"))
	}
	if len(parts) == 0 {
		return "Nothing in the bundle says so."
	}
	return "Not among " + strings.Join(parts, ", ") + " of the bundle."
}
