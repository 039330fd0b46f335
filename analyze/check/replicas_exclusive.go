package check

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var replicasExclusive = Check{
	ID: "replicas-exclusive", Severity: "warning",
	Title:  "Several replicas share a volume that only one node may have",
	Remedy: "Run one replica, give each its own claim (a StatefulSet with volumeClaimTemplates), or use storage with ReadWriteMany.",
	Doc: Doc{
		Means: `All pods of the workload name one claim, and its PersistentVolume admits one node. Pods that are put on another node than the first wait with
Multi-Attach for ever; on one node they all write to one file system.`,
		DecidedBy: "More than one replica (of a DaemonSet: more than one node to run on) and, in the pod template, a claim whose PersistentVolume has neither ReadWriteMany nor ReadOnlyMany.",
		LeftAlone: "Claims of volumeClaimTemplates, of which each pod has its own. Workloads whose volume and selector leave one node. What an incident of the report names.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes",
			"kubernetes pkg/volume/util/util.go IsMultiAttachAllowed, 1.15–1.36",
		},
	},
	Needs: []Need{needWorkloads, needClaims, needVolumes},
	Look:  lookReplicasExclusive,
}

func lookReplicasExclusive(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	explained := sharing(cases)
	var out []Hit
	for o := range workloads(w) {
		if o.replicas < 2 {
			continue
		}
		for _, c := range exclusiveClaims(w, o.ref.Namespace, o.spec) {
			if explained[c.claim.String()] || oneReach(w, topology, o.spec, c.pv) {
				continue
			}
			out = append(out, Hit{
				Objects: []model.Ref{o.ref, c.claim, c.pv.Ref},
				Text:    fmt.Sprintf("%s wants %d pods, and all name claim %s (%s).%s", o.name(), o.replicas, c.claim, modesText(c.pv), onePodText(c.pv)+together(w, c.claim)),
				Shown:   slices.Concat(o.cite(o.count, "spec.template.spec."+c.field), reconstruct.CiteAll(c.pv, "spec.accessModes[0]")),
			})
		}
	}
	return out
}

// together says where the pods of a claim are, when they are in the bundle.
func together(w *reconstruct.World, c model.Ref) string {
	nodes := map[string]bool{}
	users := usersOnNodes(w.ClaimPods(c.Namespace, c.Name))
	for _, p := range users {
		nodes[p.Value().Spec.NodeName] = true
	}
	switch {
	case len(users) < 2:
		return ""
	case len(nodes) == 1:
		return fmt.Sprintf(" At the moment they are all on %s.", users[0].Value().Spec.NodeName)
	}
	return fmt.Sprintf(" They are on %d nodes.", len(nodes))
}

// sharing are the claims of which a case has two pods that were both to stay: neither was being deleted when the wait began.
func sharing(cases []*reconstruct.Case) map[string]bool {
	out := map[string]bool{}
	for _, c := range cases {
		if !c.DeletionRequested.Known() && len(c.OldPods) > 0 && len(c.NewPods) > 0 && c.Volume.Claim.Name != "" {
			out[c.Volume.Claim.String()] = true
		}
	}
	return out
}
