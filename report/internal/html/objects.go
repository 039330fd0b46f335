package html

import (
	"strconv"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// htmlObject is a row of an incident's table of objects.
type htmlObject struct {
	model.GraphNode
	Anchor string
	Cites  []string
	Blocks bool
}

// objectsOf are the objects of a picture with the quotes that tell of them, and how many are left out.
func (p *htmlPage) objectsOf(h *htmlIncident, part view.Picture) (list []htmlObject, left int) {
	shown := part.Nodes[:min(len(part.Nodes), view.GraphNodes)]
	for i, n := range shown {
		o := htmlObject{GraphNode: n, Anchor: h.Anchor + "-object-" + strconv.Itoa(i+1), Blocks: view.Blocks(n)}
		o.Cites = p.witnesses[model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name}.Key()]
		list = append(list, o)
	}
	return list, len(part.Nodes) - len(shown)
}

// objectNumbers gives each object a number, from 1: its place in the datalist "objects", shorter than its name in each row.
func (p *htmlPage) objectNumbers(list []model.Ref) []int {
	var out []int
	for _, r := range list {
		name := words.OneLine(r.Kind + " " + r.String())
		n, known := p.objectNumber[name]
		if !known {
			p.Objects = append(p.Objects, name)
			n = len(p.Objects)
			p.objectNumber[name] = n
		}
		out = append(out, n)
	}
	return out
}

// objectWitnesses are for each object some quotes of the timeline that tell of it, those of incidents before others.
func objectWitnesses(v *view.View) map[string][]string {
	out := map[string][]string{}
	for _, concerning := range []bool{true, false} {
		for _, item := range v.Timeline {
			if len(item.Incidents) > 0 != concerning {
				continue
			}
			for _, r := range item.About {
				if key := r.Key(); len(out[key]) < citesShown {
					out[key] = append(out[key], v.Cited(item.Evidence)...)
				}
			}
		}
	}
	return out
}
