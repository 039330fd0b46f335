package replay

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// shortNames are an incident's names as a screen has room for. The evidence, the plain replay and reports have them whole.
type shortNames struct {
	domain string       // what the names of both nodes end in, with its dot; "" when there is no such thing
	words  []view.Label // a name, and what stands for it
	kinds  []view.Label // a kind and a name, and what stands for both
}

func newShortNames(in *model.Incident) shortNames {
	n := shortNames{domain: commonDomain(in.From.Node, in.To.Node)}
	v := in.Volume
	n.kinds = []view.Label{
		{"volume " + words.OneLine(v.UniqueName), "the volume"}, {"volume " + words.OneLine(v.PersistentVolume), "the volume"},
	}
	if from, to := in.From.Pods, in.To.Pods; len(from) == 1 && len(to) == 1 && from[0].Key() != to[0].Key() {
		n.kinds = append(n.kinds, view.Label{"pod " + words.OneLine(from[0].String()), "the old pod"},
			view.Label{"pod " + words.OneLine(to[0].String()), "the new pod"})
	}
	if n.domain != "" {
		n.words = []view.Label{{words.OneLine(in.From.Node), n.node(in.From.Node)}, {words.OneLine(in.To.Node), n.node(in.To.Node)}}
	}
	return n
}

// commonDomain is the domain that two different hosts share.
func commonDomain(a, b string) string {
	hostA, domainA, ok := strings.Cut(a, ".")
	hostB, domainB, also := strings.Cut(b, ".")
	if !ok || !also || domainA != domainB || hostA == hostB || hostA == "" || hostB == "" {
		return ""
	}
	return "." + domainA
}

// node is the name of a node without the domain that both nodes share.
func (n shortNames) node(name string) string {
	return strings.TrimSuffix(words.OneLine(name), n.domain)
}

// text is a sentence of the timeline with shorter names. Only whole words are replaced: one name can begin another.
func (n shortNames) text(s string) string {
	list := strings.Split(words.OneLine(s), " ")
	var out []string
	for i := 0; i < len(list); i++ {
		word := strings.TrimRight(list[i], ",;:")
		mark := list[i][len(word):]
		if i+1 < len(list) && mark == "" {
			next := strings.TrimRight(list[i+1], ",;:")
			if pair := word + " " + next; view.Find(n.kinds, pair) != pair && next != "" {
				out = append(out, view.Find(n.kinds, pair)+list[i+1][len(next):])
				i++
				continue
			}
		}
		out = append(out, view.Find(n.words, word)+mark)
	}
	return strings.Join(out, " ")
}
