package check

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var claimShared = Check{
	ID: "claim-shared", Severity: "warning",
	Title:  "Two workloads use one volume that only one node may have",
	Remedy: "Give each workload its own claim, use storage with ReadWriteMany, or keep their pods on one node by affinity.",
	Doc: Doc{
		Means: `Pods of different owners name one claim, and its PersistentVolume admits one node. As long as they happen to be on one node, both work; as soon
as one of them moves, it waits with Multi-Attach until the other ends.`,
		DecidedBy:  "Pods that have not ended and are not being deleted, of different controllers (a ReplicaSet's Deployment counts), that name one claim whose PersistentVolume has neither ReadWriteMany nor ReadOnlyMany.",
		LeftAlone:  "Pods of one controller: see replicas-exclusive. Volumes that one node alone can reach. Claims of an incident of the report.",
		References: []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes"},
	},
	Needs: []Need{needPods, needClaims, needVolumes},
	Look:  lookClaimShared,
}

func lookClaimShared(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	explained := sharing(cases)
	var out []Hit
	for _, c := range w.Claims {
		pv, ok := volumeOf(w, c.Value())
		if !ok || !oneNode(pv.Value()) || explained[c.Ref.String()] {
			continue
		}
		var users []pod
		for _, p := range activePods(w.ClaimPods(c.Ref.Namespace, c.Ref.Name)) {
			if p.Value().DeletionTimestamp == nil {
				users = append(users, p)
			}
		}
		owners := grouped(users, w.TopOwner)
		if len(owners) < 2 || w.Listed("Node", "") && len(topology.OfVolume(pv.Value())) <= 1 {
			continue
		}
		out = append(out, shared(c, pv, owners, w))
	}
	return out
}

// shared is the finding for a claim, with one pod of each of its owners.
func shared(c claim, pv volume, owners [][]pod, w *reconstruct.World) Hit {
	h := Hit{Objects: []model.Ref{c.Ref, pv.Ref}, Shown: reconstruct.CiteAll(pv, "spec.accessModes[0]")}
	var names []string
	nodes := map[string]bool{}
	for i, g := range owners {
		owner := w.TopOwner(g[0])
		names = append(names, owner.Kind+" "+owner.Name)
		h.Objects = append(h.Objects, owner)
		if i < maxShown {
			h.Shown = append(h.Shown, citeClaim(g[0], c.Ref.Name)...)
		}
		for _, p := range g {
			nodes[p.Value().Spec.NodeName] = true
		}
	}
	delete(nodes, "")
	h.Text = fmt.Sprintf("Claim %s (%s) is used by %s.", c.Ref, modesText(pv), words.List(names)) + onePodText(pv)
	switch len(nodes) {
	case 0:
	case 1:
		h.Severity = "info"
		h.Text += fmt.Sprintf(" Their pods are all on %s, so that both have it now; none can move alone.", anyPlaced(owners))
	default:
		h.Text += fmt.Sprintf(" Their pods are on %d nodes.", len(nodes))
	}
	return h
}

func anyPlaced(owners [][]pod) string {
	for _, p := range slices.Concat(owners...) {
		if p.Value().Spec.NodeName != "" {
			return p.Value().Spec.NodeName
		}
	}
	return ""
}

// citeClaim quotes where a pod names a claim, and its node.
func citeClaim(p pod, claim string) []*model.Observation {
	for i, v := range p.Value().Spec.Volumes {
		if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim {
			return reconstruct.CiteAll(p, fmt.Sprintf("spec.volumes[%d].persistentVolumeClaim.claimName", i), "spec.nodeName")
		}
	}
	return reconstruct.CiteAll(p, "spec.nodeName")
}
