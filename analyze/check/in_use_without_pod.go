package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var inUseWithoutPod = Check{
	ID: "in-use-without-pod", Severity: "warning",
	Title:  "A node lists a volume as in use, and no pod there uses it",
	Remedy: "Find the mount on the node and unmount it; else restart the kubelet, which makes its list anew.",
	Doc: Doc{
		Means: `While status.volumesInUse of a node lists a volume, the controller takes it as mounted there: it will not detach it for six
minutes after its last pod, and since Kubernetes 1.24.9 never while the node is Ready. An entry without a pod is a mount that the
kubelet could not undo, or an entry that it forgot to remove.`,
		DecidedBy: `An entry of status.volumesInUse on a Ready node; no pod on the node that has not finished uses the claim, and the pods of the
claim's namespace are listed.`,
		LeftAlone: `Nodes that are not Ready: nobody updates their list, and it keeps volumes that have moved on long ago; volumes that an open
incident waits for; volumes with an attach or a detach in the last two minutes before the collection.`,
		References: []string{
			"kubernetes pkg/volume/util/operationexecutor verifyVolumeIsSafeToDetach, 1.13–1.36",
			"kubernetes PR 110721 (1.24.9, 1.25.0)",
			"kubernetes PR 116138, a kubelet of 1.27 that kept entries",
		},
	},
	Needs: []Need{needNodes, needPods},
	Look:  lookInUseWithoutPod,
}

func lookInUseWithoutPod(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	var out []Hit
	for _, n := range w.Nodes {
		if r := w.Readiness(n.Value().Name); !r.Ready {
			continue
		}
		left := nodeVolumes(w, n.Value().Status.VolumesInUse, func(v *reconstruct.Volume) bool {
			return !known.held[placed{v.Storage(), n.Value().Name}] && unused(w, v, n.Value().Name)
		})
		if len(left) == 0 {
			continue
		}
		var shown []*model.Observation
		for _, v := range left[:min(len(left), maxShown)] {
			shown = append(shown, w.InUse(v, n.Value().Name))
		}
		out = append(out, Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...), Shown: shown,
			Text: fmt.Sprintf("%s is Ready and lists %s in status.volumesInUse, and no pod of the bundle uses the claim there. The kubelet reports an unmount within ten seconds.",
				n.Value().Name, volumeNames(left)),
			Remedy: fmt.Sprintf("On %s: findmnt for %s below /var/lib/kubelet; unmount what is left, or restart the kubelet, which makes its list anew.", n.Value().Name, left[0].Key()),
		})
	}
	return out
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
	var names []string
	for _, v := range list {
		names = append(names, v.Key())
	}
	if len(names) == 1 {
		return "volume " + names[0]
	}
	return fmt.Sprintf("%d volumes (%s)", len(names), words.List(names))
}
