package kubestate

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// texts interns names and values of labels: a cluster of 20,000 pods has 300,000 series, whose labels repeat.
type texts struct {
	list []string
	at   map[string]uint32
}

func (t *texts) place(text string) uint32 {
	i, ok := t.at[text]
	if !ok {
		i, text = uint32(len(t.list)), strings.Clone(text)
		t.list = append(t.list, text)
		t.at[text] = i
	}
	return i
}

func (t *texts) once(text string) string { return t.list[t.place(text)] }

func (t *texts) labels(l model.Labels) labels {
	places := make([]uint32, 0, 2*len(l))
	for _, x := range l {
		places = append(places, t.place(x.Name), t.place(x.Value))
	}
	return labels{t, places}
}

// labels are those of a series, name and value in turn.
type labels struct {
	texts  *texts
	places []uint32
}

func (l labels) all() model.Labels {
	out := make(model.Labels, len(l.places)/2)
	for i := range out {
		out[i] = model.Label{Name: l.texts.list[l.places[2*i]], Value: l.texts.list[l.places[2*i+1]]}
	}
	return out
}

func (l labels) get(name string) string {
	for i := 0; i < len(l.places); i += 2 {
		if l.texts.list[l.places[i]] == name {
			return l.texts.list[l.places[i+1]]
		}
	}
	return ""
}

// String is the series as PromQL writes it.
func (l labels) String() string { return l.all().String() }
