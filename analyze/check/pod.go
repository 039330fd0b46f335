package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// volumePods are the pods of the bundle that use a claim and pass a test, ordered by node.
func volumePods(w *facts.World, test func(pod) bool) []pod {
	list := w.PodsWithClaims(test)
	slices.SortStableFunc(list, func(a, b pod) int { return cmp.Compare(nodeOf(a), nodeOf(b)) })
	return list
}

func nodeOf(p pod) string { return p.Value().Spec.NodeName }

// podsAre begins a sentence about some pods.
func podsAre(g []pod, one, many string) string {
	return several("Pod", "pods", facts.Each(g, fullNameOf)) + " " + oneOr(g, one, many)
}

// podRefs are the node and the pods.
func podRefs(node string, g ...pod) []model.Ref {
	return append([]model.Ref{nodeRef(node)}, facts.Each(g, refOf)...)
}

// ofStatefulSet reports whether a StatefulSet made the pod.
func ofStatefulSet(p pod) bool {
	owner, _ := facts.ControllerOf(p)
	return owner.Kind == "StatefulSet"
}

// volumesOf are the volumes of a pod's claims, as far as they are known.
func volumesOf(w *facts.World, p pod) []*facts.Volume {
	var out []*facts.Volume
	for _, claim := range facts.ClaimsOf(p.Value()) {
		if v := w.Volumes.OfClaim(p.Ref.Namespace, claim); v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// endPatience is how long past its grace period an ordinary pod may take; the recordings show up to 11 s.
const endPatience = time.Minute

func lookPodTerminating(w *facts.World, s *scene, hit func(Hit)) {
	list := volumePods(w, func(p pod) bool {
		at := p.Value().DeletionTimestamp
		if at == nil || nodeOf(p) == "" || s.waits(p.Ref) {
			return false
		}
		return len(p.Value().Finalizers) == 0 && atLeast(w, *at) > endPatience
	})
	type group struct{ node, why string }
	for _, g := range grouped(list, func(p pod) group {
		why, _, _ := whyNotEnded(w, p)
		return group{nodeOf(p), why}
	}) {
		why, remedy, shown := whyNotEnded(w, g[0])
		note := words.If(slices.ContainsFunc(g, ofStatefulSet), " A StatefulSet creates no replacement while the object exists.")
		hit(Hit{
			Objects: podRefs(nodeOf(g[0]), g...), Remedy: remedy,
			Text: fmt.Sprintf("%s on %s: the grace period ended %s.%s %s", podsAre(g, "is still Terminating", "are still Terminating"), nodeOf(g[0]),
				ago(w, *g[0].Value().DeletionTimestamp), note, why),
			Shown: slices.Concat(shown, cite(g, "metadata.deletionTimestamp", "spec.nodeName")), Since: *g[0].Value().DeletionTimestamp,
		})
	}
}

func whyNotEnded(w *facts.World, p pod) (why, remedy string, shown []*model.Observation) {
	node, statuses := nodeOf(p), p.Value().Status.ContainerStatuses
	of := fmt.Sprintf("pod %s (UID %s)", p.Ref, p.Value().UID)
	look := "See in the kubelet's log of " + node
	running := fmt.Sprintf("%s why the containers of %s do not stop.", look, of)
	switch r := w.Readiness(node); {
	case nodeGone(w, node):
		return node + " does not exist; pod GC removes its pods after 40 s.",
			"See whether the pod garbage collector runs: it is part of the kube-controller-manager.", nil
	case r.Known && !r.Ready:
		return node + " is not Ready, and only its kubelet can finish the pod.", bringBack(w, node), r.Shown
	case len(statuses) == 0:
		return "Nothing tells the state of its containers.", running, nil
	case slices.ContainsFunc(statuses, func(s corev1.ContainerStatus) bool { return s.State.Running != nil }):
		return "Its containers still count as running.", running, nil
	}
	return "Its containers have stopped; the kubelet has not finished taking it down.",
		fmt.Sprintf("%s what keeps a volume of %s mounted.", look, of), nil
}

// startPatience is how long a pod may take from its node to its first container: the kubelet's wait for volumes ends after 2m3s
// (volume_manager.go) and comes a second time within this; from 1.28 on without an Event.
const startPatience = 5 * time.Minute

func lookPodNotStarting(w *facts.World, s *scene, hit func(Hit)) {
	for _, p := range volumePods(w, func(p pod) bool {
		if nodeOf(p) == "" || p.Value().DeletionTimestamp != nil || s.waits(p.Ref) {
			return false
		}
		return facts.Creating(p.Value()) && atLeast(w, boundAt(p)) > startPatience
	}) {
		why, named := whyNotStarted(w, p)
		if named {
			continue
		}
		hit(Hit{
			Objects: append(podRefs(nodeOf(p), p), why.Objects...), Remedy: why.Remedy,
			Text:  fmt.Sprintf("Pod %s was bound to %s %s and has no container yet. %s", p.Ref, nodeOf(p), ago(w, boundAt(p)), why.Text),
			Shown: append(facts.CiteAll(p, "status.phase", "spec.nodeName"), why.Shown...), Since: boundAt(p),
		})
	}
}

// boundAt is when the pod got its node; zero when the condition does not say.
func boundAt(p pod) metav1.Time {
	if cond, _ := facts.PodCondition(p.Value(), corev1.PodScheduled); cond.Status == corev1.ConditionTrue {
		return cond.LastTransitionTime
	}
	return metav1.Time{}
}

// whyNotStarted is why a pod does not start, unless another check names it as what it is.
func whyNotStarted(w *facts.World, p pod) (why Hit, named bool) {
	for _, v := range volumesOf(w, p) {
		if h, ok := notAttached(w, v, nodeOf(p)); ok {
			return h, false
		}
	}
	if o := w.NewestOf(p.Ref, model.MountFailed, model.AttachFailed); o != nil {
		text := "The newest complaint is: " + shorten(o.Detail)
		return Hit{Text: text, Remedy: "Repair what the complaint names.", Shown: []*model.Observation{o}}, reasonNamed(o)
	}
	if r := w.Readiness(nodeOf(p)); r.Known && !r.Ready {
		return Hit{Text: fmt.Sprintf("%s is not Ready (%s).", nodeOf(p), condition(r)), Remedy: bringBack(w, nodeOf(p)), Shown: r.Shown}, false
	}
	look := fmt.Sprintf("kubectl -n %s describe pod %s; the kubelet's log of %s", word(p.Ref.Namespace), word(p.Ref.Name), nodeOf(p))
	if upstream.WaitWithoutEvent(w.Version) {
		look += ": since Kubernetes 1.28 no event tells of a wait for volumes"
	}
	return Hit{Text: "Nothing in the bundle says why.", Remedy: look + "."}, false
}

// notAttached reports that a volume which needs a VolumeAttachment is not attached to the node.
func notAttached(w *facts.World, v *facts.Volume, node string) (Hit, bool) {
	va, ok := w.AttachmentOf(v, node)
	csi := v.PV != nil && v.PV.Value().Spec.CSI != nil
	if !csi || !attachRequired(w, v.Driver) || !w.Listed("VolumeAttachment", "") {
		return Hit{}, false
	}
	if ok && va.Value().Status.Attached {
		return Hit{}, false
	}
	h := Hit{
		Objects: volumeRefs([]*facts.Volume{v}), Text: fmt.Sprintf("Volume %s is not attached to %s yet.", v.Key(), node),
		Remedy: "See what the kube-controller-manager and the external-attacher for " + v.Driver + " log about " + v.Key() + ".",
	}
	if !ok {
		h.Text = fmt.Sprintf("Volume %s has no VolumeAttachment for %s%s.", v.Key(), node, attachedElsewhere(w, v))
		return h, true
	}
	h.Objects, h.Shown = append(h.Objects, va.Ref), facts.CiteAll(va, "status.attached")
	if e := va.Value().Status.AttachError; e != nil {
		h.Text = fmt.Sprintf("Volume %s could not be attached: %s", v.Key(), shorten(e.Message))
		h.Remedy, h.Shown = attacherTries, facts.CiteAll(va, "status.attachError.message")
	}
	return h, true
}

// attachedElsewhere names the node that has the volume.
func attachedElsewhere(w *facts.World, v *facts.Volume) string {
	if held, _ := w.AttachmentStates(v); len(held) > 0 {
		return "; it is attached to " + held[0].Node
	}
	return ""
}

// attachRequired reports whether volumes of a driver have VolumeAttachments; a driver that is not in the bundle has.
func attachRequired(w *facts.World, driver string) bool {
	return !slices.ContainsFunc(w.Snapshot.CSIDrivers, func(d model.Object[*storagev1.CSIDriver]) bool {
		return d.Value().Name == driver && !deref(d.Value().Spec.AttachRequired, true)
	})
}

func lookPodVolumeFails(w *facts.World, s *scene, hit func(Hit)) {
	named := slices.ContainsFunc(w.ByKind[model.MountFailed], func(o *model.Observation) bool { return !nameless(o) })
	list := outside(w, s.cases, []model.Kind{model.MountFailed, model.AttachFailed}, func(o *model.Observation) bool {
		if fromObject(o) || kindOf(o) != "" || s.waits(o.Pod) {
			return false
		}
		if !namesAny(o) && (named || !nameless(o)) {
			return false
		}
		if toldByObjects(w, o) || s.passed(o) || s.namedLater(o) {
			return false
		}
		return !waitedInVain(o) || !s.attachFails(o.Pod)
	})
	for _, g := range grouped(list, func(o *model.Observation) string {
		return words.If(o.Pod.Name == "", volumeName(w, o)) + "\x00" + o.Pod.String()
	}) {
		hit(s.notGot(g))
	}
}

// attachFails reports that a look-alike names the error of an attach that a pod waits for, or that no pod is named for either: its
// kubelet's time-out says less.
func (s *scene) attachFails(pod model.Ref) bool {
	list := s.w.OfPod(pod)
	if pod.Name == "" {
		list = facts.Where(s.w.ByKind[model.AttachFailed], func(o *model.Observation) bool { return o.Pod.Name == "" })
	}
	return slices.ContainsFunc(list, func(o *model.Observation) bool {
		return o.Kind == model.AttachFailed && kindOf(o) != "" && !s.passed(o)
	})
}

// namedLater reports that a look-alike names a later error of the same volume.
func (s *scene) namedLater(o *model.Observation) bool {
	return !o.Volume.IsZero() && slices.ContainsFunc(s.w.ByVolume[s.w.Volumes.Find(o.Volume)], func(p *model.Observation) bool {
		return facts.Kinds(model.AttachFailed, model.MountFailed)(p) && p.Last.At.After(o.Last.At) && kindOf(p) != "" && !s.passed(p)
	})
}

// nameless reports an error of a mount that was pasted without the names of its pod and its volume.
func nameless(o *model.Observation) bool {
	return o.Kind == model.MountFailed && inRow(o) && !namesAny(o)
}

// notGot is the finding for the errors of one pod, or of one volume.
func (s *scene) notGot(g []*model.Observation) Hit {
	w := s.w
	o := telling(g)
	h := Hit{Objects: affected(w, g), Shown: ends(g)}
	h.Text = subject(w, []*model.Observation{o}) + suffers(w, []*model.Observation{o}) + words.If(o.Node != "", " on "+o.Node)
	if nameless(o) {
		h.Text = "A pod cannot mount its volumes" + words.If(o.Node != "", " on "+o.Node)
	}
	if fault := faultOf(o); len(fault) >= minFault {
		h.Text += ": " + strings.TrimRight(shorten(fault), ". ")
	} else {
		of := "reason=Failed" + words.If(o.Kind == model.AttachFailed, "AttachVolume") + words.If(o.Kind == model.MountFailed, "Mount")
		if o.Pod.Name != "" {
			of = "involvedObject.name=" + word(o.Pod.Name)
		}
		h.Remedy = "The record ends before its error: repair what the events name: kubectl get events -A --field-selector " + of
	}
	h.Text = strings.TrimSpace(h.Text + ". " + firstReported(g))
	if waitedInVain(o) && o.Node != "" {
		h.Remedy = fmt.Sprintf("The time-out names no reason; the kubelet of %s logs it: journalctl -u kubelet | grep %s", o.Node,
			words.If(o.Pod.Name != "", word(o.Pod.Name))+words.If(o.Pod.Name == "", "-e MountVolume -e VerifyControllerAttachedVolume"))
	}
	if lost := s.lostHolders(); waitedInVain(o) && len(lost) > 0 {
		h.Remedy = fmt.Sprintf("The time-out names no reason: see whether the volume of its claim is one that %s, which %s not Ready, still has; if so, bring %s back, "+
			"or prove that the machine is off: kubectl get pvc%s", words.List(lost), oneOr(lost, "is", "are"), oneOr(lost, "it", "that node"),
			words.If(o.Pod.Namespace != "", " -n "+word(o.Pod.Namespace)))
	}
	if volume := volumeName(w, o); unattached(errorOf(o)) && volume != "" {
		h.Remedy = fmt.Sprintf("The kubelet waits for the attach, which is the controller's: see which node has the volume, and whether its "+
			"VolumeAttachment is being deleted: kubectl get volumeattachment | grep -e NAME -e %s", word(volume))
	}
	if o.Pod.Name == "" || o.Kind != model.MountFailed {
		return h
	}
	if came := w.NewestOf(o.Pod, model.AttachSucceeded); came != nil {
		name := volumeName(w, came)
		h.Objects, h.Shown = withoutRepeats(append(h.Objects, volumeRef(name))), append(h.Shown, came)
		h.Text += fmt.Sprintf(" Volume %s was attached%s.", name, words.If(came.Node != "", " to "+came.Node))
	}
	return h
}

// lostHolders are the nodes that rows show as not Ready and as having volumes: which pods wait for those, no row tells.
func (s *scene) lostHolders() []string {
	nodes := withoutRepeats(facts.Each(rowsAttached(s.w, s), func(o *model.Observation) string { return o.Node }))
	return slices.DeleteFunc(nodes, func(n string) bool { return rowNotReady(s.w, n) == nil })
}

// unattached reports a kubelet's word that the attach that it waits for has not come (1.13–1.36).
func unattached(text string) bool {
	return strings.Contains(text, "not attached according to node status") || upstream.BeingDeleted(text)
}

// toldByObjects reports that the objects of the bundle tell the same, which a check of their own does.
func toldByObjects(w *facts.World, o *model.Observation) bool {
	if p, here := w.Pod(o.Pod); here {
		return atLeast(w, boundAt(p)) > startPatience
	}
	v := w.Volumes.Find(o.Volume)
	if v == nil || o.Node == "" {
		return false
	}
	va, ok := w.AttachmentOf(v, o.Node)
	return ok && va.Value().Status.AttachError != nil
}

// telling is the error that says most: the newest of an attach or a call, before one that only says that the kubelet has waited.
func telling(g []*model.Observation) *model.Observation {
	best := g[len(g)-1]
	for _, o := range g {
		if waitedInVain(best) || !waitedInVain(o) {
			best = o
		}
	}
	return best
}

// waitedInVain reports the kubelet's own time-out.
func waitedInVain(o *model.Observation) bool {
	return o.Kind == model.MountFailed && upstream.WaitedInVain(errorOf(o))
}
