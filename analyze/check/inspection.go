package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// item is one question of the inspection; yes means that there is something to look at. Checks, incidents or a look of its own answer it.
type item struct {
	id, question string
	command      string // that answers it in the cluster, on a node or at the back end

	checks []string                  // a finding of one of them is a yes
	tells  func(model.Incident) bool // an incident for which it is true is a yes: checks leave out what an incident says
	// still, unless nil, makes the test that such an incident needs for a yes: that something shows the state at the collection.
	still func(*reconstruct.World) func(model.Incident) bool
	// visible is the answer where an incident came to an attach, of which tells does not hold, and the needs are not met.
	visible string
	own     func(*reconstruct.World) answer // a look at every kind of evidence that volpost reads, whether or not the needs are met
	needs   []Need                          // beyond those of the checks
	among   []string                        // kinds of object that a no was looked for among
	beyond  string                          // why no bundle can answer no, or none that does not meet the needs of the checks
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
		shown = reconstruct.CiteAll(o, fields...)
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

// The answers of the report.
const (
	answerYes        = "yes"
	answerNo         = "no"
	answerCannotTell = "cannot-tell"
)

// Inspection answers every item, from findings and incidents of the same world.
func Inspection(w *reconstruct.World, findings []model.Finding, incidents []model.Incident, l *evidence.Ledger) []model.InspectionItem {
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
	w *reconstruct.World, findings map[string][]model.Finding, incidents []model.Incident, l *evidence.Ledger,
) model.InspectionItem {
	out := model.InspectionItem{ID: i.id, Question: i.question, Answer: answerCannotTell, Command: i.command, Findings: []string{}}
	var said []string
	for _, id := range i.checks {
		if len(findings[id]) > 0 {
			out.Findings = append(out.Findings, id)
		}
		for _, f := range findings[id] {
			said = append(said, f.Text)
			out.Evidence = append(out.Evidence, f.Evidence...)
		}
	}
	var unsure []string
	still := func(model.Incident) bool { return true }
	if i.still != nil {
		still = i.still(w)
	}
	for _, in := range incidents {
		switch {
		case i.tells == nil || !i.tells(in):
		case !still(in):
			unsure = append(unsure, in.ID)
		default:
			said = append(said, incidentText(in))
			out.Evidence = append(out.Evidence, in.MultiAttach.Began.Evidence...)
		}
	}
	missing := i.unmet(w)
	var own answer
	if i.own != nil {
		own = i.own(w)
	}
	if own.yes {
		said = append(said, own.text)
		out.Evidence = append(out.Evidence, l.Observations(present(own.shown))...)
	}
	out.Evidence = firstOf(out.Evidence)
	switch {
	case len(said) > 0:
		out.Answer, out.Text = answerYes, said[0]
		if more := len(said) - 1; more > 0 {
			out.Text += fmt.Sprintf(" And %d more.", more)
		}
	case own.no:
		out.Answer, out.Text = answerNo, own.text
		out.Evidence = firstOf(l.Observations(present(own.shown)))
	case len(unsure) > 0:
		out.Text = fmt.Sprintf("Incident %s has no end in the bundle, and nothing there shows the state at the collection.", words.List(unsure))
	case own.text != "":
		out.Text = own.text
	case i.beyond != "" && (len(i.checks) == 0 || len(missing) > 0):
		out.Text = i.beyond
	case i.visible != "" && len(missing) > 0 && slices.ContainsFunc(incidents, cameToAttach):
		out.Text, out.Command = i.visible, missing[0].Command
	case len(missing) > 0:
		out.Text = lackingText(w, missing)
		out.Command = missing[0].Command
	default:
		out.Answer, out.Text = answerNo, i.scope(w)
	}
	return out
}

func cameToAttach(in model.Incident) bool { return in.Kind != model.KindBeforeMultiAttach }

// unmet are the needs of the item and of its checks that a world does not meet, each once.
func (i item) unmet(w *reconstruct.World) []Need {
	needs := slices.Clone(i.needs)
	for _, c := range All {
		if slices.Contains(i.checks, c.ID) {
			needs = append(needs, c.Needs...)
		}
	}
	var out []Need
	for _, n := range needs {
		if !n.Met(w) && !slices.ContainsFunc(out, func(o Need) bool { return o.What == n.What }) {
			out = append(out, n)
		}
	}
	return out
}

// lackingText says what is missing: what was not collected, and what could not be read.
func lackingText(w *reconstruct.World, missing []Need) string {
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
	var parts []string
	if len(closed) > 0 {
		parts = append(parts, "Could not be read ("+why+"): "+strings.Join(closed, "; ")+".")
	}
	if len(absent) > 0 {
		parts = append(parts, "Not collected: "+strings.Join(absent, "; ")+".")
	}
	for _, u := range w.Snapshot.Unreadable {
		if u.Holds == "" && len(absent) > 0 {
			return strings.Join(parts, " ") + " Or it lies in " + u.Path + ", which could not be read (" + u.Why + ")."
		}
	}
	return strings.Join(parts, " ")
}

// withheld is the first path that promises what a need asks for and could not be read; "" without one.
func withheld(w *reconstruct.World, n Need) (path, why string) {
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
		if id != "" && !slices.Contains(out, id) {
			if out = append(out, id); len(out) == maxShown {
				break
			}
		}
	}
	return out
}

// scope says among how many objects nothing was found: a bundle seldom holds those of all namespaces.
func (i item) scope(w *reconstruct.World) string {
	var parts []string
	for _, kind := range i.among {
		one, many, n := countOf(w, kind)
		parts = append(parts, words.Plural(n, one, many))
	}
	if len(parts) == 0 {
		return "Nothing in the bundle says so."
	}
	return "Not among " + strings.Join(parts, ", ") + " of the bundle."
}

// countOf counts the objects of a kind.
func countOf(w *reconstruct.World, kind string) (one, many string, n int) {
	switch kind {
	case "Node":
		n = len(w.Nodes)
	case "Pod":
		n = len(w.Pods)
	case "VolumeAttachment":
		n = len(w.Attachments)
	case "PersistentVolume":
		n = len(w.PVs)
	case "PersistentVolumeClaim":
		n = len(w.Claims)
	case "StorageClass":
		return kind, kind + "es", len(w.Classes)
	case "CSINode":
		n = len(w.CSINodes)
	default:
		n = len(w.Deployments) + len(w.StatefulSets) + len(w.DaemonSets) + len(w.LoneReplicaSets())
	}
	return kind, kind + "s", n
}
