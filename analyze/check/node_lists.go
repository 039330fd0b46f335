package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var inUseWithoutPod = Check{
	ID: "in-use-without-pod", Severity: "warning", Title: "A node lists a volume as in use, and no pod there uses it",
	Remedy: "Find the mount on the node and unmount it; else restart the kubelet, which makes its list anew.",
	Means: `While status.volumesInUse of a node lists a volume, the controller takes it as mounted there: it will not detach it for six
minutes after its last pod, and since Kubernetes 1.24.9 never while the node is Ready. An entry without a pod is a mount that the kubelet
could not undo, or an entry that it forgot to remove.`,
	DecidedBy: `An entry of status.volumesInUse on a Ready node where no unfinished pod uses the claim, and the pods of its namespace listed.`,
	LeftAlone: `Nodes that are not Ready: nobody updates their list, and it keeps volumes that have moved on long ago; volumes that an open
incident waits for; volumes with an attach or a detach in the last two minutes before the collection.`,
	References: []string{"kubernetes pkg/volume/util/operationexecutor verifyVolumeIsSafeToDetach, 1.13–1.36",
		"kubernetes PR 110721 (1.24.9, 1.25.0)", "kubernetes PR 116138, a kubelet of 1.27 that kept entries"},
	Needs: []Need{needNodes, needPods}, Look: lookInUseWithoutPod,
}

func lookInUseWithoutPod(w *reconstruct.World, cases []*reconstruct.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	for _, n := range w.Nodes {
		node := n.Value().Name
		left := nodeVolumes(w, n.Value().Status.VolumesInUse, func(v *reconstruct.Volume) bool {
			return w.Readiness(node).Ready && !known.held[placed{v.Storage(), node}] && unused(w, v, node)
		})
		if len(left) == 0 {
			continue
		}
		hit(Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...),
			Shown:   each(first(left), func(v *reconstruct.Volume) *model.Observation { return w.InUse(v, node) }),
			Text: fmt.Sprintf("%s is Ready and lists %s in status.volumesInUse, and no pod of the bundle uses the claim there. The kubelet "+
				"reports an unmount within ten seconds.", node, volumeNames(left)),
			Remedy: fmt.Sprintf("On %s: findmnt for %s below /var/lib/kubelet; unmount what is left, or restart the kubelet, which makes its list "+
				"anew.", node, left[0].Key()),
		})
	}
}

// nodeVolumes are the volumes of one of a Node's lists that pass a test, without repetition.
func nodeVolumes(w *reconstruct.World, names []corev1.UniqueVolumeName, test func(*reconstruct.Volume) bool) []*reconstruct.Volume {
	var out []*reconstruct.Volume
	seen := map[*reconstruct.Volume]bool{}
	for _, name := range names {
		v := w.Volumes.Find(model.VolumeID{UniqueName: string(name)})
		if v != nil && !seen[v] && test(v) {
			out = append(out, v)
		}
		seen[v] = true
	}
	return out
}

func volumeNames(list []*reconstruct.Volume) string {
	return several("volume", "volumes", each(list, (*reconstruct.Volume).Key))
}

var attachedWithoutAttachment = Check{
	ID: "attached-without-attachment", Severity: "warning", Title: "A node lists a volume as attached that has no VolumeAttachment",
	Remedy: "See what the controller's log says of the volume, and ask the storage system where it is attached.",
	Means: `The controller writes status.volumesAttached from what it believes, the attacher goes by the VolumeAttachment. An entry
without one was removed by somebody else, which the controller notices once a minute while it runs; the storage may still have it
attached.`,
	DecidedBy: "A CSI volume in a node's status.volumesAttached without a VolumeAttachment for both, by reference or name, in a whole list.",
	LeftAlone: "In-tree volumes, which have none; volumes attached or detached in the last two minutes before the collection.",
	References: []string{"kubernetes pkg/controller/volume/attachdetach/statusupdater, 1.13–1.36",
		"kubernetes --attach-detach-reconcile-sync-period (1m), 1.13–1.36"},
	Needs: []Need{needNodes, needAttachmentList}, Look: lookAttachedWithoutAttachment,
}

func lookAttachedWithoutAttachment(w *reconstruct.World, _ []*reconstruct.Case, hit func(Hit)) {
	for _, n := range w.Nodes {
		node := n.Value().Name
		attached := each(n.Value().Status.VolumesAttached, func(v corev1.AttachedVolume) corev1.UniqueVolumeName { return v.Name })
		left := nodeVolumes(w, attached, func(v *reconstruct.Volume) bool {
			_, ok := w.AttachmentOf(v, node)
			return !ok && v.Handle != "" && v.Driver != "" && !w.MovedLately(v, node)
		})
		if len(left) == 0 {
			continue
		}
		hit(Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...),
			Shown:   each(first(left), func(v *reconstruct.Volume) *model.Observation { return w.ListedAttached(v, node) }),
			Text: fmt.Sprintf("%s lists %s in status.volumesAttached, and there is no VolumeAttachment for it: it was removed behind the "+
				"controller, which notices within a minute while it runs.", node, volumeNames(left)),
			Remedy: fmt.Sprintf("Look again (kubectl get node %s -o yaml). When %s is still listed, see what the kube-controller-manager logs "+
				"about it, and ask the storage system of %s where it is attached.", word(node), left[0].Key(), left[0].Driver),
		})
	}
}
