package check

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func lookUnreadyNodeAttachment(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool {
		return a.Value().Status.Attached && a.exclusive() && !s.held[a.place()]
	})
	for _, g := range grouped(list, attachment.node) {
		node := g[0].node()
		r := w.Readiness(node)
		if !r.Known || r.Ready {
			continue
		}
		hit(Hit{
			Objects: append([]model.Ref{nodeRef(node)}, refsOf(g...)...),
			Text: fmt.Sprintf("%s is not Ready (%s), and %s attached to it. Whoever needs such a volume on another node waits until the old pod "+
				"is gone from the API and the detach is through.",
				node, condition(r), several("volume", "volumes", namesOf(g))+oneOr(g, " is", " are")),
			Remedy: bringBack(w, node),
			Shown:  slices.Concat(r.Shown, quote(g, "spec.nodeName", "status.attached")), Since: r.Since,
		})
	}
}

// lookReadyOutOfService finds the taint where it is a mistake, or was left on when the machine came back. Pod GC acts on it only while the node is
// not Ready; the eviction and the attach/detach controller do not ask (podgc/gc_controller.go, attachdetach/reconciler, 1.26–1.36).
func lookReadyOutOfService(w *facts.World, _ *scene, hit func(Hit)) {
	for _, node := range wait.ReadyOutOfService(w) {
		_, shown := w.NodeNow(node)
		detached := words.If(!w.Version.Known() || upstream.OutOfServiceDetach(w.Version) != upstream.Absent,
			", and a volume whose pod is gone is detached without waiting for its unmount, so that two nodes can write to it")
		hit(Hit{
			Objects: []model.Ref{nodeRef(node)}, Shown: append([]*model.Observation{wait.OutOfServiceNow(w, node)}, shown...),
			Text: node + " is Ready and bears the out-of-service taint: its pods are evicted and none is scheduled there" + detached + ".",
			Remedy: fmt.Sprintf("Of each volume that has moved, see that nothing on %s still has it mounted before its data are trusted. Take the taint off, "+
				"unless the machine is about to be powered off: kubectl taint node %s %s-", node, word(node), upstream.OutOfServiceTaint),
		})
	}
}

// condition writes a Ready condition down.
func condition(r facts.Readiness) string {
	s := "the condition is " + string(r.Status) + words.If(r.Reason != "", ", "+r.Reason)
	s += words.If(!r.Since.IsZero(), ", since "+r.Since.UTC().Format("2006-01-02 15:04:05")+" UTC")
	return s
}

// bringBack is what can be done about a node that is not Ready, by what the version offers.
func bringBack(w *facts.World, node string) string {
	back := "Bring " + node + " back. "
	taint := "kubectl taint node " + word(node) + " " + upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"
	if upstream.OutOfServiceDetach(w.Version) == upstream.Supported {
		return back + "Only when the machine is certainly off, and only until it comes back: " + taint
	}
	if !w.Version.Known() {
		return back + "Only when the machine is certainly off, only until it comes back, and with Kubernetes 1.26 or later: " + taint
	}
	return back + "Only when the machine is certainly off: delete its pods with --grace-period=0 --force; " +
		"a volume that is still in use is detached six minutes later."
}

func lookStatefulSetUnreadyNode(w *facts.World, s *scene, hit func(Hit)) {
	list := volumePods(w, func(p pod) bool { return ofStatefulSet(p) && stays(p.Value()) && !s.waits(p.Ref) })
	for _, g := range grouped(list, nodeOf) {
		node := nodeOf(g[0])
		r := w.Readiness(node)
		if !r.Known || r.Ready {
			continue
		}
		hit(Hit{
			Objects: podRefs(node, g...),
			Text: fmt.Sprintf("%s on %s, which is not Ready (%s). Its StatefulSet creates no replacement before the object is gone, and nothing on "+
				"a dead node removes it.", podsAre(g, "of a StatefulSet is", "of StatefulSets are"), node, condition(r)),
			Remedy: bringBack(w, node),
			Shown:  slices.Concat(r.Shown, cite(g, "spec.nodeName"), quoted(g, citeStatefulSet)), Since: r.Since,
		})
	}
}

// citeStatefulSet cites what makes a pod a StatefulSet's.
func citeStatefulSet(p pod) []*model.Observation {
	i := slices.IndexFunc(p.Value().OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "StatefulSet" })
	return facts.CiteAll(p, fmt.Sprintf("metadata.ownerReferences[%d].kind", i))
}

// longToleration is the time from which a toleration of a lost node counts as very long: six times the default of 300 s.
const longToleration = 30 * time.Minute

func lookTolerateLost(w *facts.World, s *scene, hit func(Hit)) {
	list := volumePods(w, func(p pod) bool {
		if !stays(p.Value()) || tiedToNode(p) {
			return false
		}
		return slices.ContainsFunc(volumesOf(w, p), (*facts.Volume).Exclusive) && veryLong(tolerates(p))
	})
	for _, g := range grouped(list, w.TopOwner) {
		owner, t := w.TopOwner(g[0]), tolerates(g[0])
		limit, until := "without a limit", "until somebody acts"
		if !t.Unlimited {
			limit, until = "for "+words.Duration(t.Shortest), "that long"
		}
		hit(Hit{
			Objects: withoutRepeats(append([]model.Ref{owner}, facts.Each(g, refOf)...)),
			Text: fmt.Sprintf("%s %s %s, with a volume for one node. A lost node keeps the pod, and with it the volume, %s.",
				podsAre(g, "tolerates", "tolerate"), upstream.UnreachableTaint, limit, until),
			Remedy: fmt.Sprintf("Unless that is meant, set tolerationSeconds for %s in the pod template of %s %s.",
				upstream.UnreachableTaint, owner.Kind, owner),
			Shown: cite(g, fmt.Sprintf("spec.tolerations[%d].operator",
				t.Index), fmt.Sprintf("spec.tolerations[%d].key", t.Index), fmt.Sprintf("spec.tolerations[%d].tolerationSeconds", t.Index)),
		})
	}
}

// tiedToNode reports that a pod belongs to its node: a DaemonSet's, which tolerates everything by design, or a static one.
func tiedToNode(p pod) bool {
	return slices.ContainsFunc(p.Value().OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.Kind == "DaemonSet" || o.Kind == "Node"
	})
}

// tolerates is how long a pod stays on a node that became unreachable.
func tolerates(p pod) facts.Toleration {
	return facts.TolerationOf(p.Value(), corev1.Taint{Key: upstream.UnreachableTaint, Effect: corev1.TaintEffectNoExecute})
}

// veryLong reports that a lost node keeps a pod for much longer than Kubernetes' default.
func veryLong(t facts.Toleration) bool {
	return t.Matches && (t.Unlimited || t.Shortest > longToleration)
}

func lookInUseWithoutPod(w *facts.World, s *scene, hit func(Hit)) {
	for _, n := range w.Nodes {
		node := n.Value().Name
		left := nodeVolumes(w, n.Value().Status.VolumesInUse, func(v *facts.Volume) bool {
			return w.Readiness(node).Ready && !s.held[placed{v.Storage(), node}] && unused(w, v, node)
		})
		if len(left) == 0 {
			continue
		}
		hit(Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...),
			Shown:   facts.Each(first(left), func(v *facts.Volume) *model.Observation { return w.InUse(v, node) }),
			Text: fmt.Sprintf("%s is Ready and lists %s in status.volumesInUse, and no pod of the bundle uses the claim there. The kubelet "+
				"reports an unmount within ten seconds.", node, volumeNames(left)),
			Remedy: fmt.Sprintf("On %s: findmnt for %s below /var/lib/kubelet; unmount what is left, or restart the kubelet, which builds its "+
				"list again.", node, left[0].Key()),
		})
	}
}

// nodeVolumes are the volumes of one of a Node's lists that pass a test, without repetition.
func nodeVolumes(w *facts.World, names []corev1.UniqueVolumeName, test func(*facts.Volume) bool) []*facts.Volume {
	var out []*facts.Volume
	seen := map[*facts.Volume]bool{}
	for _, name := range names {
		v := w.Volumes.Find(model.VolumeID{UniqueName: string(name)})
		if v != nil && !seen[v] && test(v) {
			out = append(out, v)
		}
		seen[v] = true
	}
	return out
}

func volumeNames(list []*facts.Volume) string {
	return several("volume", "volumes", facts.Each(list, (*facts.Volume).Key))
}

func lookAttachedWithoutAttachment(w *facts.World, _ *scene, hit func(Hit)) {
	for _, n := range w.Nodes {
		node := n.Value().Name
		attached := facts.Each(n.Value().Status.VolumesAttached, func(v corev1.AttachedVolume) corev1.UniqueVolumeName { return v.Name })
		left := nodeVolumes(w, attached, func(v *facts.Volume) bool {
			_, ok := w.AttachmentOf(v, node)
			csi := v.Handle != "" && v.Driver != ""
			return csi && !ok && !movedLately(w, v, node)
		})
		if len(left) == 0 {
			continue
		}
		hit(Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...),
			Shown:   facts.Each(first(left), func(v *facts.Volume) *model.Observation { return w.ListedAttached(v, node) }),
			Text: fmt.Sprintf("%s lists %s in status.volumesAttached, and there is no VolumeAttachment for it: it was removed behind the "+
				"controller, which notices within a minute while it runs.", node, volumeNames(left)),
			Remedy: fmt.Sprintf("Look again (kubectl get node %s -o yaml). When %s is still listed, see what the kube-controller-manager logs "+
				"about it, and ask the storage system of %s where it is attached.", word(node), left[0].Key(), left[0].Driver),
		})
	}
}
