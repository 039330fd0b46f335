package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/volpost/volpost/model"
)

// generated is a pod's name with five characters of the alphabet that Kubernetes generates from (k8s.io/apimachinery/pkg/util/rand).
var generated = regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}$`)

// fillNamespaces gives a pod that was pasted without its namespace the one that its generated name has elsewhere.
func (r *reading) fillNamespaces() {
	s, of := r.s, generatedPods(r.s)
	first := map[string]model.Source{} // of the text that comes first by its name: the order in which they were read is any
	for i := range s.Observations {
		o := &s.Observations[i]
		if o.Source.Kind != model.SourceText {
			continue
		}
		refs := []*model.Ref{&o.Pod, &o.Object}
		for j := range o.Pods {
			refs = append(refs, &o.Pods[j])
		}
		for _, ref := range refs {
			ns := of[ref.Name]
			if ref.Kind != "Pod" || ref.Namespace != "" || ns == "" {
				continue
			}
			ref.Namespace = ns
			if was, again := first[ref.Name]; !again || cmp.Or(cmp.Compare(o.Source.Path, was.Path), o.Source.Line-was.Line) < 0 {
				first[ref.Name] = o.Source
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		s.Problems = append(s.Problems, model.Problem{Severity: model.Info, Path: first[name].Path, Line: first[name].Line,
			Message: fmt.Sprintf("names pod %s without a namespace; it is taken for %s/%s, which is the only pod of that generated name",
				name, of[name], name)})
	}
	for i := range s.Aged {
		if ref := &s.Aged[i].Object; ref.Kind == "Pod" && ref.Namespace == "" {
			ref.Namespace = of[ref.Name]
		}
	}
}

// generatedPods is the namespace of each pod with a generated name, "" when several have a pod of that name.
func generatedPods(s *model.Snapshot) map[string]string {
	of := map[string]string{}
	see := func(ref model.Ref) {
		if ref.Kind != "Pod" || ref.Name == "" || ref.Namespace == "" || !generated.MatchString(ref.Name) {
			return
		}
		if was, ok := of[ref.Name]; ok && was != ref.Namespace {
			of[ref.Name] = ""
			return
		}
		of[ref.Name] = ref.Namespace
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		see(o.Pod)
		see(o.Object)
	}
	for i := range s.Pods {
		see(s.Pods[i].Ref)
	}
	return of
}
