package report

import (
	"strconv"

	"github.com/volpost/volpost/model"
)

// view is what the renderers for people share: a report with visible names, its lookups, and each incident in words.
type view struct {
	*model.Report
	Incident []*incidentView // in the report's order
	Group    []groupView
	Gaps     gaps

	evidence map[string]int // id → index; for lookup only
	incident map[string]*incidentView
}

// groupView is a group with its incidents. Incidents without a group of their own come last, each as a group of one.
type groupView struct {
	model.Group
	Anchor  string
	Members []*incidentView
}

// claim is one thing said for or against something: a quote, or a sentence where there is none.
type claim struct {
	Sentence string
	Evidence *model.Evidence
}

// gaps counts what the report could not decide.
type gaps struct {
	NotCollected int // kinds of data that the bundle lacks
	Missing      int // distinct things that a cause would have needed
	Unknown      int // operands without a value
	Problems     int // warnings and errors of reading
}

// Total is the number that a reader should look at before trusting the rest.
func (g gaps) Total() int { return g.NotCollected + g.Missing + g.Unknown + g.Problems }

// newView prepares a report for people.
func newView(r *model.Report) *view {
	v := &view{Report: normal(r, visible), evidence: map[string]int{}, incident: map[string]*incidentView{}}
	for i, e := range v.Evidence {
		if _, ok := v.evidence[e.ID]; !ok {
			v.evidence[e.ID] = i
		}
	}
	for i := range v.Incidents {
		in := newIncidentView(v, i)
		v.Incident = append(v.Incident, in)
		if _, ok := v.incident[in.ID]; !ok {
			v.incident[in.ID] = in
		}
	}
	v.group()
	v.Gaps = v.countGaps()
	return v
}

// group resolves the groups' members and adds the incidents that are in none.
func (v *view) group() {
	grouped := map[*incidentView]bool{}
	for _, g := range v.Groups {
		out := groupView{Group: g, Anchor: "group-" + anchor(g.ID)}
		for _, id := range g.Incidents {
			if in := v.incident[id]; in != nil && !grouped[in] {
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
			v.Group = append(v.Group, groupView{Group: g, Anchor: "group-" + anchor(in.ID), Members: []*incidentView{in}})
		}
	}
}

func (v *view) countGaps() gaps {
	g := gaps{NotCollected: len(v.Bundle.NotCollected)}
	missing := map[string]bool{}
	for _, in := range v.Incident {
		for _, c := range in.Causes {
			for _, m := range c.Missing {
				missing[m] = true
			}
		}
		for _, o := range in.WhyNotDetached {
			if o.Value == model.Unknown {
				g.Unknown++
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

// claims resolves evidence ids; what is no id is a sentence.
func (v *view) claims(list []string) []claim {
	var out []claim
	for _, s := range list {
		if i, ok := v.evidence[s]; ok {
			out = append(out, claim{Evidence: &v.Evidence[i]})
		} else {
			out = append(out, claim{Sentence: s})
		}
	}
	return out
}

// cited keeps the ids that are quotes of this report.
func (v *view) cited(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, id := range list {
			if _, ok := v.evidence[id]; ok && !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// place writes where a quote stands, as path:line or path and field.
func place(s model.Source) string {
	text := oneLine(s.Path)
	if s.Line > 0 {
		text += ":" + strconv.Itoa(s.Line)
	}
	if s.Field != "" {
		text += " " + oneLine(s.Field)
	}
	if s.Series != "" {
		text += " " + oneLine(s.Series)
	}
	return text
}

// anchor makes an identifier fit for an HTML id and a fragment: letters, digits, and "-", ".", "_"; another character
// becomes "_" and its hexadecimal number, so that different identifiers stay different.
func anchor(id string) string {
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

// refs writes objects by name, separated by commas.
func refs(list []model.Ref) string {
	text := ""
	for i, r := range list {
		if i > 0 {
			text += ", "
		}
		text += oneLine(r.String())
	}
	return text
}

// or is the text, or what to say when there is none.
func or(text, none string) string {
	if text == "" {
		return none
	}
	return text
}
