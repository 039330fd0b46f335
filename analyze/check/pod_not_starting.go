package check

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// startPatience is how long a pod may take from its node to its first container: the kubelet's wait for volumes ends after 2m3s
// (volume_manager.go) and comes a second time within this; from 1.28 on without an Event.
const startPatience = 5 * time.Minute

var podNotStarting = Check{
	ID: "pod-not-starting", Severity: "warning",
	Title:  "A pod with a volume has not started for more than five minutes",
	Remedy: "Do what the reason asks for.",
	Doc: Doc{
		Means: `The pod has a node, and after five minutes none of its containers has run: they wait as ContainerCreating or
PodInitializing. A volume that is not attached or not mounted does that, and so do a secret that is missing or a network that is
not ready; the finding says which, when anything tells.`,
		DecidedBy: `Phase Pending, bound to a node more than five minutes before the collection, no container past ContainerCreating or PodInitializing. The
reason is the VolumeAttachment on that node, else the newest record of a failed mount or attach, else the node's condition.`,
		LeftAlone: "Pods that an open incident waits for; pods without a claim; pods with an init container that ran; images that cannot be pulled, which have a reason of their own; complaints that a check not-multi-attach-… names.",
		References: []string{
			"kubernetes pkg/kubelet/volumemanager/volume_manager.go podAttachAndMountTimeout (2m3s), 1.13–1.36",
			"kubernetes pkg/kubelet/kubelet_pods.go (ContainerCreating, PodInitializing), 1.13–1.36",
		},
	},
	Needs: []Need{needPods, needCollectionTime},
	Look:  lookPodNotStarting,
}

func lookPodNotStarting(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := volumePods(w, func(p pod) bool {
		return nodeOf(p) != "" && p.Value().DeletionTimestamp == nil && !known.fresh[p.Ref.String()] && !known.old[p.Ref.String()] &&
			creating(p) && atLeast(w, boundAt(p)) > startPatience
	})
	var out []Hit
	for _, p := range list {
		why := whyNotStarted(w, p)
		if why.told {
			continue
		}
		out = append(out, Hit{
			Objects: append(podRefs(nodeOf(p), []pod{p}), why.objects...),
			Text:    fmt.Sprintf("Pod %s was bound to %s %s, and no container of it has run. %s", p.Ref, nodeOf(p), ago(w, boundAt(p)), why.text),
			Remedy:  why.remedy,
			Shown:   slices.Concat(quotePods([]pod{p}, "status.phase", "spec.nodeName"), why.shown),
		})
	}
	return out
}

// creating reports that no container of a pod has come past the preparation by the kubelet.
func creating(p pod) bool {
	if p.Value().Status.Phase != corev1.PodPending {
		return false
	}
	for _, s := range slices.Concat(p.Value().Status.InitContainerStatuses, p.Value().Status.ContainerStatuses) {
		if s.State.Waiting == nil || s.State.Waiting.Reason != "ContainerCreating" && s.State.Waiting.Reason != "PodInitializing" {
			return false
		}
	}
	return true
}

// boundAt is when the pod got its node; zero when the condition does not tell.
func boundAt(p pod) metav1.Time {
	for _, c := range p.Value().Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionTrue {
			return c.LastTransitionTime
		}
	}
	return metav1.Time{}
}

// reason is why a pod does not start.
type reason struct {
	text, remedy string
	objects      []model.Ref
	shown        []*model.Observation
	told         bool // another check names it as what it is
}

func whyNotStarted(w *reconstruct.World, p pod) reason {
	for _, v := range volumesOf(w, p) {
		if r, ok := notAttached(w, v, nodeOf(p)); ok {
			return r
		}
	}
	if o := w.NewestOf(p.Ref, model.MountFailed, model.AttachFailed); o != nil {
		return reason{told: kindOf(o) != "", text: "The newest complaint is: " + shorten(o.Detail), remedy: "Repair what the complaint names.", shown: []*model.Observation{o}}
	}
	if r := w.Readiness(nodeOf(p)); r.Known && !r.Ready {
		return reason{text: fmt.Sprintf("%s is not Ready (%s).", nodeOf(p), condition(r)), remedy: bringBack(w, nodeOf(p)), shown: r.Shown}
	}
	look := fmt.Sprintf("kubectl -n %s describe pod %s; the kubelet's log of %s", word(p.Ref.Namespace), word(p.Ref.Name), nodeOf(p))
	if upstream.WaitWithoutEvent(w.Version) {
		look += ": since Kubernetes 1.28 no event tells of a wait for volumes"
	}
	return reason{text: "Nothing in the bundle says why.", remedy: look + "."}
}

// notAttached reports that a volume which needs a VolumeAttachment is not attached to the node.
func notAttached(w *reconstruct.World, v *reconstruct.Volume, node string) (reason, bool) {
	if v.PV == nil || v.PV.Value().Spec.CSI == nil || !w.Listed("VolumeAttachment", "") || !attachRequired(w, v.Driver) {
		return reason{}, false
	}
	va, ok := w.AttachmentOf(v, node)
	look := reason{remedy: "See what the kube-controller-manager and the external-attacher for " + v.Driver + " log about " + v.Key() + ".", objects: volumeRefs([]*reconstruct.Volume{v})}
	switch {
	case !ok:
		look.text = fmt.Sprintf("Volume %s has no VolumeAttachment for %s%s.", v.Key(), node, attachedElsewhere(w, v))
	case va.Value().Status.Attached:
		return reason{}, false
	case va.Value().Status.AttachError != nil:
		look.text = fmt.Sprintf("Volume %s could not be attached: %s", v.Key(), shorten(va.Value().Status.AttachError.Message))
		look.remedy = "Repair what the error names; the attacher tries again by itself."
		look.shown = reconstruct.CiteAll(va, "status.attachError.message")
	default:
		look.text = fmt.Sprintf("Volume %s is not attached to %s yet.", v.Key(), node)
		look.shown = reconstruct.CiteAll(va, "status.attached")
	}
	if ok {
		look.objects = append(look.objects, va.Ref)
	}
	return look, true
}

// attachedElsewhere names the node that has the volume.
func attachedElsewhere(w *reconstruct.World, v *reconstruct.Volume) string {
	for _, a := range w.AttachmentsOf(v) {
		if a.Value().Status.Attached {
			return "; it is attached to " + a.Value().Spec.NodeName
		}
	}
	return ""
}

// attachRequired reports whether volumes of a driver have VolumeAttachments; a driver that is not in the bundle has.
func attachRequired(w *reconstruct.World, driver string) bool {
	for _, d := range w.Snapshot.CSIDrivers {
		if d.Value().Name == driver && d.Value().Spec.AttachRequired != nil && !*d.Value().Spec.AttachRequired {
			return false
		}
	}
	return true
}
