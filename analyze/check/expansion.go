package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

func lookToldUnexpanded(w *facts.World, _ *scene, hit func(Hit)) {
	told(w, hit, "The volume, or its file system, keeps its old size",
		func(o *model.Observation) bool { return o.Kind == model.ResizeFailed }, "FileSystemResizeSuccessful")
}

// expansionPatience is how long an expansion may take: the longest pause between two tries of the external-resizer (--retry-interval-max).
const expansionPatience = 5 * time.Minute

func lookExpansionStuck(w *facts.World, _ *scene, hit func(Hit)) {
	for _, c := range w.Claims {
		want, has := c.Value().Spec.Resources.Requests[corev1.ResourceStorage], c.Value().Status.Capacity[corev1.ResourceStorage]
		grows := !has.IsZero() && want.Cmp(has) > 0
		if c.Value().Status.Phase != corev1.ClaimBound || c.Value().DeletionTimestamp != nil || !grows {
			continue
		}
		if h, ok := (expansion{w, c}).step(); ok {
			h.Text = fmt.Sprintf("Claim %s asks for %s and has %s: ", c.Ref, want.String(), has.String()) + h.Text
			h.Objects = append([]model.Ref{c.Ref}, h.Objects...)
			h.Shown = append(facts.CiteAll(c, "spec.resources.requests.storage", "status.capacity.storage"), h.Shown...)
			hit(h)
		}
	}
}

const fileSystemPending = corev1.PersistentVolumeClaimFileSystemResizePending

// expansion is a claim that asks for more than it has.
type expansion struct {
	w *facts.World
	claim
}

// step finds where the expansion stands, the last step first.
func (e expansion) step() (Hit, bool) {
	status := string(e.Value().Status.AllocatedResourceStatuses[corev1.ResourceStorage])
	name, _ := classOf(e.Value())
	class, known := e.w.Class(name)
	failed := lastEvent(e.w, e.Ref, model.ResizeFailed)
	switch {
	case strings.HasPrefix(status, "NodeResize") || e.condition("NodeResizeError") >= 0 || e.condition(fileSystemPending) >= 0:
		return e.atNode(status, failed)
	case strings.HasPrefix(status, "ControllerResizeInfeasible"), strings.HasPrefix(status, "ControllerResizeFailed"),
		e.condition("ControllerResizeError") >= 0, failed != nil:
		h := e.atController(failed)
		if status != "" {
			h.Shown = append(h.Shown, facts.CiteAll(e.claim, "status.allocatedResourceStatuses.storage")...)
		}
		return h, true
	case known && !deref(class.Value().AllowVolumeExpansion, false):
		return Hit{
			Objects: []model.Ref{class.Ref}, Shown: facts.CiteAll(class, "allowVolumeExpansion", "metadata.name"),
			Text: fmt.Sprintf("class %s does not allow expansion (allowVolumeExpansion is not true), so that nothing will act.", name),
			Remedy: fmt.Sprintf("When driver %s can expand volumes: kubectl patch storageclass %s -p '{\"allowVolumeExpansion\":true}'",
				class.Value().Provisioner, word(name)),
		}, true
	}
	i := e.condition(corev1.PersistentVolumeClaimResizing)
	if i < 0 || atLeast(e.w, e.Value().Status.Conditions[i].LastTransitionTime) < expansionPatience {
		return Hit{}, false
	}
	return Hit{
		Text:   fmt.Sprintf("the resizer began %s, and no error is recorded.", ago(e.w, e.Value().Status.Conditions[i].LastTransitionTime)),
		Shown:  e.shown(i),
		Remedy: "Look at the log of the resizer (container csi-resizer of the CSI controller).",
	}, true
}

// condition is the index of a condition that is True; -1 without one.
func (e expansion) condition(of corev1.PersistentVolumeClaimConditionType) int {
	return slices.IndexFunc(e.Value().Status.Conditions, func(c corev1.PersistentVolumeClaimCondition) bool {
		return c.Type == of && c.Status == corev1.ConditionTrue
	})
}

func (e expansion) shown(i int) []*model.Observation {
	field := fmt.Sprintf("status.conditions[%d].", i)
	return facts.CiteAll(e.claim, field+"type", field+"lastTransitionTime", field+"message")
}

func (e expansion) atController(failed *model.Observation) Hit {
	why := "the resizer reports an error"
	h := Hit{Remedy: "Remove what the error names; the resizer tries again by itself. A size that the back end will never grant can be " +
		"lowered again from Kubernetes 1.31 on (down to what the claim has)."}
	if i := e.condition("ControllerResizeError"); i >= 0 {
		why, h.Shown = "the resizer reports: "+cmp.Or(shorten(e.Value().Status.Conditions[i].Message), "an error"), e.shown(i)
	}
	if failed != nil {
		why = fmt.Sprintf("the disk was not enlarged. %s: %s", times(failed), shorten(failed.Detail))
		h.Shown = append(h.Shown, failed)
	}
	h.Text = strings.TrimSuffix(why, ".") + "."
	if pv, ok := volumeOf(e.w, e.Value()); ok {
		h.Objects = []model.Ref{pv.Ref}
	}
	return h
}

// atNode is the last step: the disk is large enough, the file system is not.
func (e expansion) atNode(status string, failed *model.Observation) (Hit, bool) {
	h := Hit{Text: "the disk has been enlarged, the file system has not. "}
	var since time.Duration = -1
	for _, of := range []corev1.PersistentVolumeClaimConditionType{fileSystemPending, "NodeResizeError"} {
		if i := e.condition(of); i >= 0 {
			h.Shown = append(h.Shown, e.shown(i)...)
			since = max(since, atLeast(e.w, e.Value().Status.Conditions[i].LastTransitionTime))
		}
	}
	users := usersOnNodes(e.w.ClaimPods(e.Ref.Namespace, e.Ref.Name))
	if failed == nil {
		failed = e.podFailure(users)
	}
	bad := failed != nil || e.condition("NodeResizeError") >= 0 || slices.Contains([]string{"NodeResizeInfeasible", "NodeResizeFailed"}, status)
	switch {
	case !bad && since < expansionPatience:
		return Hit{}, false
	case len(users) == 0 && e.w.Listed("Pod", e.Ref.Namespace):
		h.Text += "No pod uses the claim; the kubelet enlarges the file system when one does."
		h.Remedy = fmt.Sprintf("Start a pod that uses claim %s.", e.Ref)
	case len(users) == 0:
		h.Text += "The kubelet of the node where a pod uses the claim has to do that; the pods are not in the bundle."
	default:
		u := users[0]
		h.Text += fmt.Sprintf("The kubelet of %s has to do that, where %s uses the claim.", u.Value().Spec.NodeName, u.Ref)
		h.Objects = append(h.Objects, nodeRef(u.Value().Spec.NodeName), u.Ref)
		h.Shown = append(h.Shown, facts.CiteAll(u, "spec.nodeName")...)
		h.Remedy = fmt.Sprintf("Look for NodeExpandVolume in the kubelet's log of %s; when the driver cannot expand a volume in use, restart %s.",
			u.Value().Spec.NodeName, u.Ref)
	}
	if failed != nil {
		h.Text += fmt.Sprintf(" %s: %s", times(failed), shorten(failed.Detail))
		h.Shown = append(h.Shown, failed)
	}
	return h, true
}

// usersOnNodes are the pods that have a node and have not ended.
func usersOnNodes(list []pod) []pod {
	return facts.Where(activePods(list), func(p pod) bool { return nodeOf(p) != "" })
}

// podFailure is an error of the file system's expansion, of this volume, in an Event of one of the pods or in a kubelet's log.
func (e expansion) podFailure(users []pod) *model.Observation {
	name := e.Value().Spec.VolumeName
	list := facts.Where(e.w.ByKind[model.ResizeFailed], func(o *model.Observation) bool {
		v := e.w.Volumes.Find(o.Volume)
		return v != nil && v.PersistentVolume == name && o.Source.Kind == model.SourceLog
	})
	slices.Reverse(list)
	for _, u := range users {
		list = append(list, facts.Where(e.w.OfPod(u.Ref), func(o *model.Observation) bool {
			return o.Kind == model.ResizeFailed && strings.Contains(o.Detail, name)
		})...)
	}
	return append(list, nil)[0]
}
