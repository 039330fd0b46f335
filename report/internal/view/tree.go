package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// trunk is a graph as a tree: below each object those of the next kinds that it has a relation with, from the owner to the node.
type trunk struct {
	g       model.Graph
	place   map[string]int   // id → place in Nodes
	below   map[int][]int    // for each object those below it, in the report's order
	notes   map[int][]string // what a line says besides: where a pod runs
	written map[int]bool
	lines   strings.Builder
}

// Tree writes objects as a tree. What hangs on several objects is written in full below the first.
func Tree(g model.Graph) string {
	if len(g.Nodes) == 0 {
		return "No object: no pod of the bundle uses a claim, and no claim is in it.\n"
	}
	t := &trunk{g: g, place: map[string]int{}, below: map[int][]int{}, notes: map[int][]string{}, written: map[int]bool{}}
	for i, n := range g.Nodes {
		t.place[n.ID] = i
	}
	hangs := t.grow()
	for level := range 6 {
		for i, n := range g.Nodes {
			if !hangs[i] && levelOf(n.Kind) == level {
				t.write(i, "", "")
			}
		}
	}
	return t.lines.String()
}

// levelOf is where a kind stands on the way from an owner to a node.
func levelOf(kind string) int { return 1 + slices.Index(LayerKinds(), kind) }

// grow finds what hangs below what; it returns which objects hang below another.
func (t *trunk) grow() map[int]bool {
	hangs := map[int]bool{}
	for _, e := range t.g.Edges {
		from, ok := t.place[e.From]
		to, known := t.place[e.To]
		if !ok || !known || from == to {
			continue
		}
		a, b := t.g.Nodes[from], t.g.Nodes[to]
		if above, under := levelOf(a.Kind), levelOf(b.Kind); a.Kind == "Pod" && b.Kind == "Node" {
			t.notes[from] = append(t.notes[from], words.OneLine(e.Relation+" "+b.Name)+words.If(b.State != "", " ("+words.OneLine(b.State)+")"))
			hangs[to] = true
			continue
		} else if above > under {
			from, to = to, from
		}
		if !slices.Contains(t.below[from], to) {
			t.below[from] = append(t.below[from], to)
		}
		hangs[to] = true
	}
	return hangs
}

func (t *trunk) write(i int, first, rest string) {
	n := t.g.Nodes[i]
	parts := []string{words.OneLine(n.Kind) + " " + words.OneLine(model.Ref{Namespace: n.Namespace, Name: n.Name}.String())}
	if t.written[i] && len(t.below[i]) > 0 {
		fmt.Fprintf(&t.lines, "%s%s  (as above)\n", first, parts[0])
		return
	}
	again := t.written[i]
	t.written[i] = true
	if state := words.OneLine(n.State); Blocks(n) {
		parts = append(parts, StateText(n))
	} else if state != "" {
		parts = append(parts, state)
	}
	if parts = append(parts, t.notes[i]...); n.Presence == model.Reconstructed {
		parts = append(parts, "(not in the bundle)")
	}
	t.lines.WriteString(first + strings.Join(parts, "  ") + "\n")
	if again {
		return
	}
	for at, child := range t.below[i] {
		if at == len(t.below[i])-1 {
			t.write(child, rest+"└─ ", rest+"   ")
		} else {
			t.write(child, rest+"├─ ", rest+"│  ")
		}
	}
}
