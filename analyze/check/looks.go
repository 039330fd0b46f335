package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// The components whose logs the items ask for, as ingest names them.
const (
	attacherLog   = "external-attacher"
	kubeletLog    = "kubelet"
	controllerLog = "kube-controller-manager"
)

// needReports is met when a Multi-Attach report would be in the bundle.
var needReports = Need{
	What: "the Events of the namespaces with the pods, or the log of the kube-controller-manager", Command: "kubectl get events -A -o yaml",
	Met: func(w *reconstruct.World) bool { return w.LogCovers() || w.EventsCover() },
}

// needControllerLog, needAttacherLog and needKubeletLog are met when the bundle has lines of the component.
var (
	needControllerLog = needLog(controllerLog, "kubectl logs -n kube-system KUBE-CONTROLLER-MANAGER")
	needAttacherLog   = needLog(attacherLog, "kubectl logs -n NAMESPACE CSI-CONTROLLER -c csi-attacher")
	needKubeletLog    = needLog(kubeletLog, "on the node: journalctl -u kubelet")
)

func needLog(component, command string) Need {
	return Need{What: "the log of the " + component, Command: command, Met: func(w *reconstruct.World) bool { return w.HasLog(component) }}
}

// open is true of incidents that had not ended at the collection.
func open(in model.Incident) bool { return in.Span.Open }

// openForLong is true of open incidents whose pod has surely waited for as long as the check pod-not-starting asks for.
func openForLong(in model.Incident) bool {
	return open(in) && in.MultiAttach.Began.Until(in.Span.To).Min >= startPatience.Seconds()
}

// with is true of incidents that have one of some causes for certain or likely.
func with(causes ...string) func(model.Incident) bool {
	return func(in model.Incident) bool {
		return slices.ContainsFunc(in.Causes, func(c model.Cause) bool {
			return c.Verdict != model.Undecidable && slices.Contains(causes, c.ID)
		})
	}
}

// openWith is both.
func openWith(causes ...string) func(model.Incident) bool {
	has := with(causes...)
	return func(in model.Incident) bool { return open(in) && has(in) }
}

// oldPodRemains is true of an open incident whose controller has not let go of the old pod: the operand was false while
// the wait lasted, and nothing says until when.
func oldPodRemains(in model.Incident) bool {
	return open(in) && slices.ContainsFunc(in.WhyNotDetached, func(o model.Operand) bool {
		return o.Operand == "old-pod-released" && o.Value == model.False && o.Until == nil
	})
}

func nodesNotReady(w *reconstruct.World) answer {
	var a answer
	var names []string
	for _, n := range w.Nodes {
		if r := w.Readiness(n.Ref.Name); r.Known && !r.Ready {
			if names = append(names, n.Ref.Name); len(names) <= maxShown {
				a.shown = append(a.shown, r.Shown...)
			}
		}
	}
	a.yes, a.text = len(names) > 0, "Not Ready: "+listing(names)+"."
	return a
}

// lastOf quotes the newest observation of a kind.
func lastOf(w *reconstruct.World, kind model.Kind, say string) answer {
	list := w.OfKind(kind)
	if len(list) == 0 {
		return answer{}
	}
	o := list[len(list)-1]
	return answer{true, fmt.Sprintf("%s %s, the last: %s", plural(len(list), "line or Event", "lines or Events"), say, shorten(o.Detail)), []*model.Observation{o}}
}

func attacherErrors(w *reconstruct.World) answer {
	return lastOf(w, model.AttacherFailed, "of the external-attacher tell of errors")
}

func unmountErrors(w *reconstruct.World) answer {
	return lastOf(w, model.UnmountFailed, "of kubelets tell of failed unmounts")
}

// claimsPending finds Pending claims that no check has anything to say of.
func claimsPending(w *reconstruct.World) answer {
	var names []string
	var a answer
	for _, p := range pendingClaims(w) {
		if names = append(names, p.Ref.String()); len(names) <= maxShown {
			a.shown = append(a.shown, reconstruct.CiteAll(p.claim, "status.phase")...)
		}
	}
	a.yes, a.text = len(names) > 0, "Pending: "+listing(names)+"."
	return a
}

func quotaExhausted(w *reconstruct.World) answer {
	for _, o := range slices.Backward(w.OfKind(model.ProvisionFailed)) {
		text := strings.ToLower(o.Detail)
		if slices.ContainsFunc(quotaWords, func(word string) bool { return strings.Contains(text, word) }) {
			return answer{true, fmt.Sprintf("A provisioner was refused for claim %s: %s", o.Claim, shorten(o.Detail)), []*model.Observation{o}}
		}
	}
	return answer{}
}

// volumesWithoutAttachment finds volumes that are attached without a VolumeAttachment, or not at all: those of in-tree
// plugins, of local disks, and of drivers with attachRequired false.
func volumesWithoutAttachment(w *reconstruct.World) answer {
	skip := map[string]bool{}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		skip[d.Ref.Name] = d.Value().Spec.AttachRequired != nil && !*d.Value().Spec.AttachRequired
	}
	var names []string
	var a answer
	for _, pv := range w.PVs {
		csi := pv.Value().Spec.CSI
		if csi != nil && !skip[csi.Driver] || migrated(pv.Value()) {
			continue
		}
		if names = append(names, pv.Ref.Name); len(names) <= maxShown {
			a.shown = append(a.shown, reconstruct.CiteAll(pv, "metadata.name", "spec.csi.driver")...)
		}
	}
	a.yes = len(names) > 0
	a.text = fmt.Sprintf("%s of an in-tree plugin, a local disk or a driver that needs no attachment (%s): VolumeAttachments say nothing of them.", plural(len(names), "volume", "volumes"), listing(names))
	return a
}

// migrated reports that an in-tree volume is handled by a CSI driver, and so has a VolumeAttachment.
func migrated(pv *corev1.PersistentVolume) bool {
	return pv.Annotations["pv.kubernetes.io/migrated-to"] != ""
}

func expansionForbidden(w *reconstruct.World) answer {
	used := map[string]int{}
	for _, pv := range boundVolumes(w) {
		used[pv.Value().Spec.StorageClassName]++
	}
	var names []string
	var a answer
	for _, c := range w.Classes {
		if allow := c.Value().AllowVolumeExpansion; used[c.Ref.Name] > 0 && (allow == nil || !*allow) {
			if names = append(names, fmt.Sprintf("%s (%s)", c.Ref.Name, plural(used[c.Ref.Name], "volume", "volumes"))); len(names) <= maxShown {
				a.shown = append(a.shown, reconstruct.CiteAll(c, "metadata.name", "allowVolumeExpansion")...)
			}
		}
	}
	a.yes, a.text = len(names) > 0, "allowVolumeExpansion is not true of "+listing(names)+"."
	return a
}
