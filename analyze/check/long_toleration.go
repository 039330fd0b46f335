package check

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// longToleration is the time from which a toleration of a lost node counts as very long: six times the default of 300 s.
const longToleration = 30 * time.Minute

var tolerateLost = Check{
	ID: "long-toleration", Severity: "info",
	Title:  "Pods with a volume for one node tolerate a lost node for very long",
	Remedy: "Unless that is meant, set tolerationSeconds in the pod template.",
	Doc: Doc{
		Means: `When a node is lost, its pods are deleted after their tolerationSeconds for node.kubernetes.io/unreachable, 300 s unless the pod
says otherwise. A toleration without a limit, or with a very long one, keeps the pod, and with it the volume, on the lost node.`,
		DecidedBy: `The tolerations of pods with a volume for one node that match the taint node.kubernetes.io/unreachable:NoExecute: none has a limit,
or the shortest is longer than 30 min.`,
		LeftAlone: "Pods of DaemonSets and static pods, which belong to their node; pods that have finished; volumes whose access modes the bundle does not tell.",
		References: []string{
			"kubernetes plugin/pkg/admission/defaulttolerationseconds (300 s), 1.13–1.36",
			"kubernetes pkg/controller/tainteviction getMinTolerationTime, 1.13–1.36",
		},
	},
	Needs: []Need{needPods, needVolumes},
	Look:  lookTolerateLost,
}

func lookTolerateLost(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	list := volumePods(w, func(p pod) bool {
		return !finished(p) && p.Value().DeletionTimestamp == nil && !tiedToNode(p) && slices.ContainsFunc(volumesOf(w, p), exclusiveVolume) && tolerates(p).long()
	})
	var out []Hit
	for _, g := range grouped(list, w.TopOwner) {
		owner, t := w.TopOwner(g[0]), tolerates(g[0])
		refs := []model.Ref{owner}
		for _, p := range g {
			refs = append(refs, p.Ref)
		}
		limit, until := "without a limit", "until somebody acts"
		if !t.unlimited {
			limit, until = "for "+words.Duration(t.shortest), "that long"
		}
		out = append(out, Hit{
			Objects: withoutRepeats(refs),
			Text: fmt.Sprintf("%s %s %s, with a volume for one node. A lost node keeps the pod, and with it the volume, %s.",
				podsAre(g, "tolerates", "tolerate"), upstream.UnreachableTaint, limit, until),
			Remedy: fmt.Sprintf("Unless that is meant, set tolerationSeconds for %s in the pod template of %s %s.", upstream.UnreachableTaint, owner.Kind, owner),
			Shown:  quotePods(g, fmt.Sprintf("spec.tolerations[%d].operator", t.index), fmt.Sprintf("spec.tolerations[%d].key", t.index), fmt.Sprintf("spec.tolerations[%d].tolerationSeconds", t.index)),
		})
	}
	return out
}

func exclusiveVolume(v *reconstruct.Volume) bool {
	exclusive, known := v.Exclusive()
	return exclusive && known
}

// tiedToNode reports that a pod belongs to its node: a DaemonSet's, which tolerates everything by design, or a static one.
func tiedToNode(p pod) bool {
	for _, o := range p.Value().OwnerReferences {
		if o.Kind == "DaemonSet" || o.Kind == "Node" {
			return true
		}
	}
	return false
}

// toleration is how long a pod stays on a node that became unreachable. The zero value is one that does not tolerate it.
type toleration struct {
	matches, unlimited bool
	shortest           time.Duration
	index              int // of the toleration that decides
}

func (t toleration) long() bool { return t.matches && (t.unlimited || t.shortest > longToleration) }

// tolerates finds the shortest of the limits that match; without any limit it is for ever (getMinTolerationTime).
func tolerates(p pod) toleration {
	t := toleration{unlimited: true}
	for i, own := range p.Value().Spec.Tolerations {
		if !matchesUnreachable(own) {
			continue
		}
		if !t.matches {
			t.index = i
		}
		t.matches = true
		if s := own.TolerationSeconds; s != nil {
			d := time.Duration(min(max(*s, 0), maxSeconds)) * time.Second
			if t.unlimited || d < t.shortest {
				t.unlimited, t.shortest, t.index = false, d, i
			}
		}
	}
	return t
}

// maxSeconds keeps a nonsensical toleration from overflowing: a hundred years.
const maxSeconds = 100 * 365 * 24 * 60 * 60

// matchesUnreachable reports whether a toleration matches the NoExecute taint of an unreachable node, which has no value.
func matchesUnreachable(t corev1.Toleration) bool {
	effect := t.Effect == "" || t.Effect == corev1.TaintEffectNoExecute
	switch {
	case !effect:
		return false
	case t.Key == "":
		return t.Operator == corev1.TolerationOpExists
	case t.Operator == corev1.TolerationOpExists:
		return t.Key == upstream.UnreachableTaint
	}
	return t.Key == upstream.UnreachableTaint && t.Value == "" && (t.Operator == "" || t.Operator == corev1.TolerationOpEqual)
}
