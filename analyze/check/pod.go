package check

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// volumePods are the pods of the bundle that use a claim and pass a test, ordered by node.
func volumePods(w *reconstruct.World, test func(pod) bool) []pod {
	on := map[string][]pod{} // by node
	for _, p := range w.PodsWithClaims() {
		if test(p) {
			on[nodeOf(p)] = append(on[nodeOf(p)], p)
		}
	}
	var out []pod
	for _, node := range slices.Sorted(maps.Keys(on)) {
		out = append(out, on[node]...)
	}
	return out
}

func nodeOf(p pod) string { return p.Value().Spec.NodeName }

// podsAre begins a sentence about some pods.
func podsAre(g []pod, one, many string) string {
	if len(g) == 1 {
		return "Pod " + g[0].Ref.String() + " " + one
	}
	return fmt.Sprintf("%d pods (%s) %s", len(g), words.List(namesOfPods(g)), many)
}

// podRefs are the node and the pods.
func podRefs(node string, g []pod) []model.Ref {
	return append([]model.Ref{nodeRef(node)}, refsOfPods(g)...)
}

// quotePods cites fields of the first few pods.
func quotePods(g []pod, fields ...string) []*model.Observation {
	var out []*model.Observation
	for _, p := range g[:min(len(g), maxShown)] {
		out = append(out, reconstruct.CiteAll(p, fields...)...)
	}
	return out
}

// ofStatefulSet reports whether a StatefulSet made the pod.
func ofStatefulSet(p pod) bool {
	return slices.ContainsFunc(p.Value().OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.Kind == "StatefulSet" && o.Controller != nil && *o.Controller
	})
}

// volumesOf are the volumes of a pod's claims, as far as they are known.
func volumesOf(w *reconstruct.World, p pod) []*reconstruct.Volume {
	var out []*reconstruct.Volume
	for _, claim := range reconstruct.ClaimsOf(p.Value()) {
		if v := w.Volumes.OfClaim(p.Ref.Namespace, claim); v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// volumeRefs are the PersistentVolumes of some volumes.
func volumeRefs(list []*reconstruct.Volume) []model.Ref {
	var out []model.Ref
	for _, v := range list {
		if v.PersistentVolume != "" {
			out = append(out, volumeRef(v.PersistentVolume))
		}
	}
	return out
}
