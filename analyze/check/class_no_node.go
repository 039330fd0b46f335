package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var classNoNode = Check{
	ID: "class-no-node", Severity: "warning",
	Title:  "A StorageClass allows only places where no node is",
	Remedy: "Correct allowedTopologies, or add nodes there; a StorageClass is deleted and created anew to change it.",
	Doc: Doc{
		Means: `allowedTopologies restricts where volumes of the class are made. When no node has such labels, no pod can use a volume of the class: with
WaitForFirstConsumer it is not scheduled, with Immediate its volume is made out of reach.`,
		DecidedBy:  "The terms of allowedTopologies against the labels of all Nodes; none has one term in full.",
		LeftAlone:  "Classes of which at least one term has a node. Keys that the CSI driver writes to nodes count like any label.",
		References: []string{"https://kubernetes.io/docs/concepts/storage/storage-classes/#allowed-topologies"},
	},
	Needs: []Need{needClasses, needNodeList},
	Look:  lookClassNoNode,
}

func lookClassNoNode(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	var out []Hit
	for _, c := range w.Classes {
		if len(c.Value().AllowedTopologies) == 0 || len(topology.OfClass(c.Value())) > 0 {
			continue
		}
		h := Hit{Objects: []model.Ref{c.Ref}}
		var terms []string
		for t, term := range c.Value().AllowedTopologies {
			for e, x := range term.MatchLabelExpressions {
				terms = append(terms, x.Key+" in "+valuesText(x.Values))
				if t < maxShown && e < maxShown {
					field := fmt.Sprintf("allowedTopologies[%d].matchLabelExpressions[%d].", t, e)
					h.Shown = append(h.Shown, reconstruct.CiteAll(c, field+"key", field+"values[0]")...)
				}
			}
		}
		h.Text = fmt.Sprintf("StorageClass %s allows volumes only where nodes have %s; none of the %s has that.", c.Ref.Name, words.List(terms), words.Plural(len(w.Nodes), "node", "nodes"))
		out = append(out, h)
	}
	return out
}
