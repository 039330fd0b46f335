package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// byNode groups observations of some kinds by node, in the order of time, without those of an incident.
func byNode(w *reconstruct.World, cases []*reconstruct.Case, kinds ...model.Kind) [][]*model.Observation {
	var list []*model.Observation
	for _, k := range kinds {
		for _, o := range w.Told(k) {
			if o.Node != "" || !o.Volume.IsZero() {
				list = append(list, o)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	inCase := map[*model.Observation]bool{}
	for _, c := range cases {
		for _, o := range c.Story() {
			inCase[o] = true
		}
		if c.Thin() {
			for _, o := range c.DetachStuck() {
				inCase[o] = true // its cause is named after it
			}
		}
	}
	list = slices.DeleteFunc(list, func(o *model.Observation) bool { return inCase[o] })
	slices.SortStableFunc(list, func(a, b *model.Observation) int {
		return cmp.Or(a.Compare(b), cmp.Compare(a.Quote.Text, b.Quote.Text))
	})
	return grouped(list, func(o *model.Observation) string { return o.Node })
}

// objects names the node, the volumes and the attachments of some observations.
func objects(w *reconstruct.World, g []*model.Observation) []model.Ref {
	out := []model.Ref{}
	if g[0].Node != "" {
		out = append(out, nodeRef(g[0].Node))
	}
	for _, o := range g {
		if name := volumeName(w, o); name != "" {
			out = append(out, volumeRef(name))
		}
	}
	for _, o := range g {
		if o.Object.Kind == "VolumeAttachment" {
			out = append(out, o.Object)
		}
	}
	return withoutRepeats(out)
}

// volumes counts the volumes among the objects, naming some.
func volumes(refs []model.Ref) string {
	var names []string
	for _, r := range refs {
		if r.Kind == "PersistentVolume" {
			names = append(names, r.Name)
		}
	}
	switch len(names) {
	case 0:
		return "A volume that is not named"
	case 1:
		return "Volume " + names[0]
	}
	return fmt.Sprintf("%d volumes (%s)", len(names), words.List(names))
}

func volumeName(w *reconstruct.World, o *model.Observation) string {
	if v := w.Volumes.Find(o.Volume); v != nil {
		return v.Key()
	}
	return cmp.Or(o.Volume.PersistentVolume, o.Volume.UniqueName, o.Volume.Handle)
}

// ends keeps the first and the last of a run.
func ends(g []*model.Observation) []*model.Observation {
	if len(g) <= 2 {
		return g
	}
	return []*model.Observation{g[0], g[len(g)-1]}
}

// maxError is how many characters of an error a sentence repeats; the quote has more.
const maxError = 300

func shorten(s string) string { return words.Clip(s, maxError) }
