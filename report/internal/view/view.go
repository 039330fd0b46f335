// Package view is what all formats share: a report with visible names, its lookups, and incidents, remedies and the answer in words.
package view

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// View is what the renderers for people share: a report with visible names, its lookups, and each incident in words.
type View struct {
	*model.Report
	Walls    *walls          // of the zone of all times; nil for UTC
	Incident []*IncidentView // in the report's order
	Group    []GroupView
	Gaps     gaps

	EvidenceAt map[string]int    // id → index; for lookup only
	sayings    map[string]saying // evidence id → what the timeline says of it; for lookup only
	Below      string            // directory that every quote's path begins with, or ""
	IncidentOf map[string]*IncidentView
	graph      *graphIndex // made by the first picture
}

// GroupView is a group with its incidents. Incidents without a group of their own come last, each as a group of one.
type GroupView struct {
	model.Group
	Anchor  string
	Members []*IncidentView
}

// Claim is one thing said for or against something: a sentence, with its quotes if it is of a source.
type Claim struct {
	Sentence string
	Evidence []string
}

// gaps counts what the report could not decide.
type gaps struct {
	NotCollected int // kinds of data that the bundle lacks
	Missing      int // distinct things that a cause would have needed
	Problems     int // warnings and errors of reading
}

// Total is the number that a reader should look at before trusting the rest.
func (g gaps) Total() int { return g.NotCollected + g.Missing + g.Problems }

// New prepares a report for people.
func New(r *model.Report) *View { return In(r, nil) }

// In is newView with all times in a zone; nil is UTC.
func In(r *model.Report, zone *time.Location) *View { return Of(r, words.Visible, zone) }

// Of is newViewIn with another way to make each text fit to be shown.
func Of(r *model.Report, text func(string) string, zone *time.Location) *View {
	w := wallsOf(r, zone)
	v := &View{Report: Normal(r, text, w), Walls: w, EvidenceAt: map[string]int{}, IncidentOf: map[string]*IncidentView{}}
	for i, e := range v.Evidence {
		if _, ok := v.EvidenceAt[e.ID]; !ok {
			v.EvidenceAt[e.ID] = i
		}
	}
	v.sayings, v.Below = sayings(v.Timeline), below(v.Evidence)
	for i := range v.Incidents {
		in := newIncidentView(v, i)
		v.Incident = append(v.Incident, in)
		if _, ok := v.IncidentOf[in.ID]; !ok {
			v.IncidentOf[in.ID] = in
		}
	}
	v.group()
	v.Gaps = v.countGaps()
	return v
}

// group resolves the groups' members and adds the incidents that are in none.
func (v *View) group() {
	grouped := map[*IncidentView]bool{}
	for _, g := range v.Groups {
		out := GroupView{Group: g, Anchor: "group-" + Anchor(g.ID)}
		for _, id := range g.Incidents {
			if in := v.IncidentOf[id]; in != nil && !grouped[in] {
				grouped[in] = true
				out.Members = append(out.Members, in)
			}
		}
		if len(out.Members) > 0 {
			v.Group = append(v.Group, out)
		}
	}
	for _, in := range v.Incident {
		if !grouped[in] {
			g := model.Group{ID: in.ID, Title: in.Title, Node: in.From.Node, Incidents: []string{in.ID}}
			v.Group = append(v.Group, GroupView{Group: g, Anchor: "group-" + Anchor(in.ID), Members: []*IncidentView{in}})
		}
	}
}

func (v *View) countGaps() gaps {
	g := gaps{NotCollected: len(v.Bundle.NotCollected)}
	missing := map[string]bool{}
	for _, in := range v.Incident {
		for _, c := range in.Causes {
			for _, m := range c.Missing {
				missing[m] = true
			}
		}
	}
	g.Missing = len(missing)
	for _, p := range v.Bundle.Problems {
		if p.Severity != model.Info {
			g.Problems++
		}
	}
	return g
}

// Clusters are the clusters of a bundle with several, each as people call it and with its identifier.
func (v *View) Clusters() []string {
	return Each(v.Bundle.Clusters, v.cluster)
}

func (v *View) cluster(id string) string {
	text := words.OneLine(id)
	if name := model.ClusterName(id, v.Bundle.Inputs); name != id {
		return words.OneLine(name) + " (" + text + ")"
	}
	return text
}

// claims resolves evidence ids; what is no id is a sentence. A quote is worded as in the timeline, or by its place, and once.
func (v *View) claims(list []string) []Claim {
	var out []Claim
	at := map[string]int{}
	for _, s := range list {
		index, ok := v.EvidenceAt[s]
		if !ok {
			out = append(out, Claim{Sentence: s})
			continue
		}
		item, found := v.sayings[s]
		if !found {
			item = saying{text: v.Short(v.Evidence[index].Source)}
		}
		if i, again := at[item.text]; again {
			out[i].Evidence = append(out[i].Evidence, s)
			continue
		}
		at[item.text] = len(out)
		out = append(out, Claim{Sentence: strings.TrimSpace(item.time + " " + item.text), Evidence: []string{s}})
	}
	return out
}

// Mark is the short name of a quote: its number in the report.
func (v *View) Mark(id string) string {
	if i, ok := v.EvidenceAt[id]; ok {
		return "E" + strconv.Itoa(i+1)
	}
	return id
}

// Cited keeps the ids that are quotes of this report.
func (v *View) Cited(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, id := range list {
			if _, ok := v.EvidenceAt[id]; ok && !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// saying is an item of the timeline in short.
type saying struct{ time, text string }

// sayings gives for each quote the first item of the timeline that cites it; what was inferred from it does not count.
func sayings(timeline []model.TimelineItem) map[string]saying {
	out := map[string]saying{}
	for _, item := range timeline {
		if item.Kind == model.InferredAction {
			continue
		}
		for _, id := range item.Evidence {
			if _, ok := out[id]; !ok {
				out[id] = saying{TimeOfDay(item.At), item.Text}
			}
		}
	}
	return out
}

// below is the directory that the paths of all quotes share. Collectors put everything below one long name.
func below(evidence []model.Evidence) string {
	common := ""
	for i, e := range evidence {
		dir := e.Source.Path[:strings.LastIndex(e.Source.Path, "/")+1]
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndex(strings.TrimSuffix(common, "/"), "/")+1]
		}
	}
	return common
}

// Short is the place of a quote without the directory that all of them share.
func (v *View) Short(s model.Source) string {
	s.Path = strings.TrimPrefix(s.Path, v.Below)
	return Place(s)
}

// Place writes where a quote stands, as path:line or path and field.
func Place(s model.Source) string {
	text := words.OneLine(s.Path) + words.If(s.Line > 0, ":"+strconv.Itoa(s.Line))
	text += words.If(s.Field != "", " "+words.OneLine(s.Field))
	text += words.If(s.Series != "", " "+words.OneLine(s.Series))
	return text
}

// Anchor makes an identifier fit for an HTML id: another character becomes "_" and its number, so that two stay different.
func Anchor(id string) string {
	out := make([]byte, 0, len(id))
	for _, r := range id {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.':
			out = append(out, byte(r))
		default:
			out = strconv.AppendInt(append(out, '_'), int64(r), 16)
			out = append(out, '_')
		}
	}
	return string(out)
}

// refsShown is how many objects a sentence names; the JSON report has all.
const refsShown = 50

// Refs writes objects by name, separated by commas.
func Refs(list []model.Ref) string {
	names := Each(list[:min(len(list), refsShown)], func(r model.Ref) string { return words.OneLine(r.String()) })
	if more := len(list) - len(names); more > 0 {
		names = append(names, "and "+words.Number(more)+" more")
	}
	return strings.Join(names, ", ")
}

// String says what the report could not decide, in words.
func (g gaps) String() string {
	return cmp.Or(partsText(part{g.NotCollected, "not collected"}, part{g.Missing, "missing for a cause"},
		part{g.Problems, "not read without problems"}), "none")
}

// Main is the incident that the top of a page speaks of: that of the headline, else the first that is no ordinary hand-over.
func (v *View) Main() *IncidentView {
	if in := v.IncidentOf[v.Verdict.Incident]; in != nil {
		return in
	}
	for _, in := range v.Incident {
		if len(in.Causes) == 0 || in.Causes[0].ID != model.CauseHandover {
			return in
		}
	}
	if len(v.Incident) > 0 {
		return v.Incident[0]
	}
	return nil
}

// LaneText is the name of a lane.
func LaneText(id string) string { return Find(lanes, id) }

// The lanes of the timeline, in the order in which a reader looks for the beginning of a story.
var lanes = []Label{
	{"node", "Node"}, {"pods", "Pods"}, {"controller", "Attach-detach controller"}, {"attacher", "External attacher"},
	{"storage", "Volumes and attachments"}, {"people", "People and scripts"}, {"alerts", "Alerts"}, {"other", "Other"},
}

// laneByPrefix gives the lane of an observation kind by the beginning of its name; the first that fits counts.
var laneByPrefix = []Label{
	{"node-", "node"}, {"zone-", "node"}, {"kubelet-", "node"},
	{"pod-", "pods"}, {"mount-", "pods"}, {"unmount-", "pods"}, {"workload-", "pods"}, {"replica-", "pods"},
	{string(model.VolumeMounted), "pods"}, {string(model.InferredAction), "pods"}, // a person's or a script's has its own lane
	{"attachment-", "storage"}, {"provision-", "storage"}, {"resize-", "storage"},
	{string(model.ReclaimFailed), "storage"}, {string(model.VolumeBound), "storage"},
	{"multi-attach", "controller"}, {"force-detach", "controller"}, {"operation-", "controller"}, {"volume-", "controller"},
	{"controller-", "controller"}, {"detach-", "controller"}, {"attach-", "controller"}, {"attacher-", "attacher"},
}

// Lane is where the timeline shows an item: by its kind, or people when no program of the cluster acted; else other.
func Lane(item model.TimelineItem) string {
	if item.By != "" {
		return "people"
	}
	for _, p := range laneByPrefix {
		if strings.HasPrefix(string(item.Kind), p.ID()) {
			return p.Text()
		}
	}
	return "other"
}
