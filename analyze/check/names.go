package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Copies of objects.
type (
	claim  = model.Object[*corev1.PersistentVolumeClaim]
	volume = model.Object[*corev1.PersistentVolume]
	pod    = model.Object[*corev1.Pod]
	node   = model.Object[*corev1.Node]
)

// inRow reports that a row of a table or a description of the bundle says it, and fromObject that an object itself does.
func inRow(o *model.Observation) bool      { return o.Source.Kind == model.SourceText }
func fromObject(o *model.Observation) bool { return o.Source.Kind == model.SourceManifest }

// sampledLast reports a sample of the last moment that the metrics show.
func sampledLast(w *facts.World, o *model.Observation) bool {
	return o.Source.Kind == model.SourceMetric && newestSample(w, o)
}

// namesAny reports that an error names the pod or the volume that it is about.
func namesAny(o *model.Observation) bool { return o.Pod.Name != "" || !o.Volume.IsZero() }

// isEvent reports an Event with one of some reasons.
func isEvent(o *model.Observation, reasons ...string) bool {
	return o.Kind == model.KubernetesEvent && slices.Contains(reasons, o.Detail)
}

// maxNamed is how many names a sentence lists; the objects of the finding are complete.
const maxNamed = 3

// maxShown is how many objects of one finding are quoted.
const maxShown = 5

// maxError is how many characters of an error a sentence repeats; the quote has more.
const maxError = 300

func shorten(s string) string { return upstream.Excerpt(s, maxError) }

// first keeps the first few of what is to be quoted.
func first[T any](list []T) []T { return list[:min(len(list), maxShown)] }

// containsAny reports that a text has one of some words.
func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

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

// quoted cites the first few items.
func quoted[T any](list []T, cite func(T) []*model.Observation) []*model.Observation {
	return slices.Concat(facts.Each(first(list), cite)...)
}

// cite cites fields of the first few objects.
func cite[T any](list []model.Object[T], fields ...string) []*model.Observation {
	return quoted(list, func(o model.Object[T]) []*model.Observation { return facts.CiteAll(o, fields...) })
}

func refOf[T any](o model.Object[T]) model.Ref   { return o.Ref }
func nameOf[T any](o model.Object[T]) string     { return o.Ref.Name }
func fullNameOf[T any](o model.Object[T]) string { return o.Ref.String() }

// deref is what a field points to, or its default where nothing is said.
func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// several names one thing, or counts and lists more of them.
func several(one, many string, names []string) string {
	if len(names) == 1 {
		return one + " " + names[0]
	}
	return fmt.Sprintf("%d %s (%s)", len(names), many, words.List(names))
}

func volumesText(names []string) string { return several("Volume", "volumes", names) }

// placed is a volume on a node, as the storage has it: see wait.Storage.
type placed struct {
	volume *facts.Volume
	node   string
}

// reportedState is what the open incidents report already. One that is over says nothing of the state at the collection.
type reportedState struct {
	held, wanted map[placed]bool
	pods         map[string]bool // by namespace/name
}

func reportedStateOf(cases []*wait.Case) reportedState {
	t := reportedState{held: map[placed]bool{}, wanted: map[placed]bool{}, pods: map[string]bool{}}
	for _, c := range cases {
		if c.Resolved() {
			continue
		}
		t.held[placed{c.Volume.Storage(), c.From}], t.wanted[placed{c.Volume.Storage(), c.To}] = true, true
		for _, p := range slices.Concat(c.OldPods, c.NewPods) {
			t.pods[p.String()] = true
		}
	}
	return t
}

// about reports that an open incident is about a volume on a node, as the one that holds it or the one that wants it.
func (t reportedState) about(p placed) bool { return t.held[p] || t.wanted[p] }

// waits reports that an open incident is about a pod.
func (t reportedState) waits(p model.Ref) bool { return t.pods[p.String()] }

func nodeRef(name string) model.Ref   { return model.Ref{Kind: "Node", Name: name} }
func volumeRef(name string) model.Ref { return model.Ref{Kind: "PersistentVolume", Name: name} }
func classRef(name string) model.Ref  { return model.Ref{Kind: "StorageClass", Name: name} }

// claimRef names a claim; one from a log line has no kind.
func claimRef(claim model.Ref) model.Ref {
	claim.Kind = "PersistentVolumeClaim"
	return claim
}

// volumeRefs are the PersistentVolumes of some volumes.
func volumeRefs(list []*facts.Volume) []model.Ref {
	return facts.Each(facts.Where(list, func(v *facts.Volume) bool { return v.PersistentVolume != "" }), func(v *facts.Volume) model.Ref {
		return volumeRef(v.PersistentVolume)
	})
}

// withoutRepeats drops repeated items and keeps the order.
func withoutRepeats[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		twice := seen[item]
		seen[item] = true
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
func shellWords(names []string) string { return strings.Join(facts.Each(names, word), " ") }
