package analyze

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Chain is what hangs together with a pod or a claim: owner, pod, claim, volume, attachment and node, as the objects of the bundle say,
// and what an incident says beside them. Without a name it is all of the bundle. It is an error when nothing of that name is there.
// When ctx is done, it ends with what is known by then.
func Chain(ctx context.Context, s *model.Snapshot, of model.Ref) (*model.Chain, error) {
	b := newBounds(Options{}, 1)
	g := newGraph()
	for _, p := range split(s) {
		w := facts.NewWorld(p.snapshot)
		g.addChains(w, of)
		for _, c := range b.cases(ctx, w) {
			if of.Name == "" || caseOf(c, of) {
				g.addCase(c)
			}
		}
	}
	if len(g.nodes) == 0 && of.Name != "" {
		return nil, fmt.Errorf("the bundle has no %s %s", of.Kind, of)
	}
	out := &model.Chain{Graph: g.sorted(), Problems: b.cutShort(s.Problems)}
	mask(reflect.ValueOf(out))
	return out, nil
}

// caseOf reports whether an incident is about a pod or a claim.
func caseOf(c *wait.Case, of model.Ref) bool {
	return c.Volume.Claim.Is(of) || slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), of.Is)
}

// addChains adds what hangs together with the requested objects.
func (g *graph) addChains(w *facts.World, of model.Ref) {
	for _, p := range w.Pods {
		if of.Name != "" && !of.Is(p.Ref) {
			continue
		}
		claims := facts.ClaimsOf(p.Value())
		if of.Name == "" && len(claims) == 0 {
			continue
		}
		g.addPod(w, p)
		for _, name := range claims {
			g.addClaimChain(w, p.Ref.Namespace, name)
		}
	}
	for _, c := range w.Claims {
		if of.Is(c.Ref) || of.Name == "" {
			g.addClaimChain(w, c.Ref.Namespace, c.Ref.Name)
		}
	}
}

// findingChains is how many chains a report without an incident shows: where the first findings' objects hang, not a map of the cluster.
const findingChains = 3

// graphOfFindings are the chains of the first objects that findings name and that are part of one.
func graphOfFindings(w *facts.World, findings []model.Finding) model.Graph {
	g := newGraph()
	chains := 0
	shown := map[model.Ref]bool{} // findings by the hundred can name the same objects by the hundred
	for _, f := range findings {
		for _, of := range f.Objects {
			if shown[of] {
				continue
			}
			shown[of] = true
			before := len(g.edges)
			switch of.Kind {
			case "Pod", "PersistentVolumeClaim":
				g.addChains(w, of)
			case "PersistentVolume":
				g.addVolumeChain(w, of.Name)
			case "VolumeAttachment":
				for n, a := range w.Attachments {
					if a.Ref.Name == of.Name {
						pv, _ := w.Attached(n)
						g.addVolumeChain(w, pv)
					}
				}
			}
			if len(g.edges) > before {
				chains++
			}
			if chains == findingChains {
				return g.sorted()
			}
		}
	}
	return g.sorted()
}

// addVolumeChain adds a volume with what hangs together with its claim, or, without one, its attachments alone.
func (g *graph) addVolumeChain(w *facts.World, name string) {
	v := w.Volumes.Find(model.VolumeID{PersistentVolume: name})
	switch {
	case v == nil:
	case v.Claim.Name != "":
		g.addClaimChain(w, v.Claim.Namespace, v.Claim.Name)
	default:
		g.addAttachments(w, v)
	}
}

// addPod adds a pod with its owner, its node, and what it uses.
func (g *graph) addPod(w *facts.World, p model.Object[*corev1.Pod]) {
	if g.again(p.Ref) {
		return
	}
	id := g.add(p.Ref, true, podState(p.Value()))
	g.link(id, g.addNode(w, p.Value().Spec.NodeName, ""), "on")
	if owner := w.TopOwner(p); owner != p.Ref {
		owner.UID = ""
		g.link(g.add(owner, workloadHeld(w.Snapshot, owner), ""), id, "owns")
	}
	for _, name := range facts.ClaimsOf(p.Value()) {
		_, in := w.Claim(p.Ref.Namespace, name)
		g.link(id, g.add(model.Ref{Kind: "PersistentVolumeClaim", Namespace: p.Ref.Namespace, Name: name}, in, ""), "uses")
	}
}

// addClaimChain adds a claim with all of its pods, its volume, and the volume's attachments with their nodes.
func (g *graph) addClaimChain(w *facts.World, namespace, name string) {
	if g.again(model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}) {
		return
	}
	object, in := w.Claim(namespace, name)
	state, volume := "", ""
	if in {
		state, volume = string(object.Value().Status.Phase), object.Value().Spec.VolumeName
	}
	claim := g.add(model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}, in, state)
	for _, p := range w.ClaimPods(namespace, name) {
		g.addPod(w, p)
	}
	v := w.Volumes.OfClaim(namespace, name)
	if v == nil && volume != "" {
		v = w.Volumes.Find(model.VolumeID{PersistentVolume: volume})
	}
	if v == nil || volume != "" && v.PersistentVolume != volume {
		if volume != "" {
			g.link(claim, g.add(model.Ref{Kind: "PersistentVolume", Name: volume}, false, ""), "bound to")
		}
		return
	}
	g.link(claim, g.addAttachments(w, v), "bound to")
}

// addAttachments adds a volume with its attachments and their nodes.
func (g *graph) addAttachments(w *facts.World, v *facts.Volume) string {
	id := g.addVolume(v)
	for _, a := range w.AttachmentsOf(v) {
		va := a.Value()
		state := "not attached"
		if va.DeletionTimestamp != nil {
			state = "being deleted"
		} else if va.Status.Attached {
			state = "attached"
		}
		at := g.add(model.Ref{Kind: "VolumeAttachment", Name: va.Name}, true, state)
		g.link(at, id, "attaches")
		g.link(at, g.addNode(w, va.Spec.NodeName, ""), "to node")
	}
	return id
}
