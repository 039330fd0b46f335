package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// maxNamed is how many names a sentence lists; the objects of the finding are complete.
const maxNamed = 3

// grouped gathers items of one key, in the order in which the keys appear.
func grouped[T any, K comparable](list []T, key func(T) K) [][]T {
	var out [][]T
	at := map[K]int{}
	for _, item := range list {
		k := key(item)
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k], out = i, append(out, nil)
		}
		out[i] = append(out[i], item)
	}
	return out
}

// maxShown is how many objects of one finding are quoted.
const maxShown = 5

// placed is a volume on a node, as the storage has it: see reconstruct Storage.
type placed struct {
	volume *reconstruct.Volume
	node   string
}

// told is what the open incidents report already. One that is over says nothing of the state at the collection.
type told struct {
	held, wanted map[placed]bool
	old, fresh   map[string]bool // pods by namespace/name
}

func toldBy(cases []*reconstruct.Case) told {
	t := told{held: map[placed]bool{}, wanted: map[placed]bool{}, old: map[string]bool{}, fresh: map[string]bool{}}
	for _, c := range cases {
		if c.Resolved() {
			continue
		}
		t.held[placed{c.Volume.Storage(), c.From}], t.wanted[placed{c.Volume.Storage(), c.To}] = true, true
		for _, p := range c.OldPods {
			t.old[p.String()] = true
		}
		for _, p := range c.NewPods {
			t.fresh[p.String()] = true
		}
	}
	return t
}

func nodeRef(name string) model.Ref { return model.Ref{Kind: "Node", Name: name} }

// claimRef names a claim; one from a log line has no kind.
func claimRef(claim model.Ref) model.Ref {
	claim.Kind = "PersistentVolumeClaim"
	return claim
}

func volumeRef(name string) model.Ref { return model.Ref{Kind: "PersistentVolume", Name: name} }

// withoutRepeats drops repeated references and keeps the order.
func withoutRepeats(refs []model.Ref) []model.Ref {
	seen := make(map[model.Ref]bool, len(refs))
	return slices.DeleteFunc(refs, func(r model.Ref) bool {
		twice := seen[r]
		seen[r] = true
		return twice
	})
}

// allowed are the names that Kubernetes gives objects; any other, such as one with a leading dash, could be an option in a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$`)

// refused stands in a command in place of a name that Kubernetes would refuse.
const refused = "NAME-THAT-KUBERNETES-REFUSES"

// word is a name as one word of a shell's command. The names of Kubernetes need no quotes; a bundle can hold any.
func word(name string) string {
	if !allowed.MatchString(name) {
		return refused
	}
	return name
}

// shellWords are several names.
func shellWords(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, word(n))
	}
	return strings.Join(out, " ")
}
