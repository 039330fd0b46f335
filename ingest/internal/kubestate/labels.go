package kubestate

import (
	"unique"

	"github.com/volpost/volpost/model"
)

// labels are those of a series, name and value in turn, each text once: a cluster of 20,000 pods has 300,000 series, whose labels repeat.
type labels []unique.Handle[string]

func labelsOf(l model.Labels) labels {
	out := make(labels, 0, 2*len(l))
	for _, x := range l {
		out = append(out, unique.Make(x.Name), unique.Make(x.Value))
	}
	return out
}

func once(text string) string { return unique.Make(text).Value() }

func (l labels) all() model.Labels {
	out := make(model.Labels, len(l)/2)
	for i := range out {
		out[i] = model.Label{Name: l[2*i].Value(), Value: l[2*i+1].Value()}
	}
	return out
}

func (l labels) get(name string) string {
	for i := 0; i < len(l); i += 2 {
		if l[i].Value() == name {
			return l[i+1].Value()
		}
	}
	return ""
}

// String is the series as PromQL writes it.
func (l labels) String() string { return l.all().String() }
