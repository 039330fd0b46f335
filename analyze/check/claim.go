package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// betaClass is where Kubernetes up to 1.5 kept the class, and where it is still honoured.
const betaClass = "volume.beta.kubernetes.io/storage-class"

// classOf is the class that a claim names. It is named as "" for volumes of no class, and not named for the default one.
func classOf(c *corev1.PersistentVolumeClaim) (name string, named bool) {
	if name, ok := c.Annotations[betaClass]; ok {
		return name, true
	}
	return deref(c.Spec.StorageClassName, ""), c.Spec.StorageClassName != nil
}

// lookClaimLost finds claims whose PersistentVolume is gone, by their objects or by rows.
func lookClaimLost(w *facts.World, _ *scene, hit func(Hit)) {
	lost := func(claim model.Ref, pv string, shown *model.Observation) {
		byHand := facts.Find(w.ByKind[model.ObjectShown], func(o *model.Observation) bool {
			return o.Detail == model.Unheld && o.Object.Kind == "PersistentVolume" && o.Object.Name == pv
		})
		list, objects := present([]*model.Observation{shown, byHand}), []model.Ref{claim}
		if pv != "" {
			objects = append(objects, volumeRef(pv))
		}
		hit(Hit{Objects: objects, Shown: list, Text: fmt.Sprintf(
			"Claim %s is Lost, because its PersistentVolume%s is gone%s. Whether its data still exist only the storage can say.",
			claim, words.If(pv != "", " "+pv), words.If(byHand != nil, ", whose finalizers somebody took away"))})
	}
	for _, c := range w.Claims {
		if c.Value().Status.Phase == corev1.ClaimLost {
			lost(c.Ref, c.Value().Spec.VolumeName, facts.Cite(c, "status.phase"))
		}
	}
	for _, o := range w.ByKind[model.VolumeBound] {
		if _, known := w.Claim(o.Claim.Namespace, o.Claim.Name); !known && o.Detail == string(corev1.ClaimLost) && o.Source.Kind == model.SourceText {
			lost(o.Claim, o.Volume.PersistentVolume, o)
		}
	}
}

// lookClaimTerminating finds claims that rows show as being deleted: the finalizer kubernetes.io/pvc-protection keeps one until no pod uses
// it, and by its policy the volume goes with it. The volume is what is looked at: the claim will not be Bound again.
func lookClaimTerminating(w *facts.World, _ *scene, hit func(Hit)) {
	for _, o := range w.ByKind[model.VolumeBound] {
		_, known := w.Claim(o.Claim.Namespace, o.Claim.Name)
		row := o.Source.Kind == model.SourceText && o.Object.Kind != "PersistentVolume" && strings.HasPrefix(o.Detail, "Terminating")
		if pv := o.Volume.PersistentVolume; row && !known && pv != "" {
			hit(Hit{Objects: []model.Ref{volumeRef(pv)}, Shown: present([]*model.Observation{o}),
				Text: fmt.Sprintf("Claim %s is Terminating. As soon as no pod uses it, volume %s is deleted with its data if its policy is Delete.", o.Claim, pv),
				Remedy: "Nothing takes the deletion of a claim back. End no pod that uses it before the policy of its volume is Retain: " +
					"kubectl patch pv " + word(pv) + ` -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`})
		}
	}
}

// volumeOf finds the PersistentVolume that a claim is bound to.
func volumeOf(w *facts.World, c *corev1.PersistentVolumeClaim) (volume, bool) {
	if c.Spec.VolumeName == "" {
		return volume{}, false
	}
	return w.PV(c.Spec.VolumeName)
}

// claimed finds a claim with the PersistentVolume that it is bound to.
func claimed(w *facts.World, namespace, name string) (c claim, pv volume, ok bool) {
	if c, ok = w.Claim(namespace, name); ok {
		pv, ok = volumeOf(w, c.Value())
	}
	return c, pv, ok
}

// oneNode reports that only one node may have a volume, by the modes that the controller uses: those of the PersistentVolume.
func oneNode(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) > 0 && !slices.ContainsFunc(pv.Spec.AccessModes, func(m corev1.PersistentVolumeAccessMode) bool {
		return m == corev1.ReadWriteMany || m == corev1.ReadOnlyMany
	})
}

// onePod reports that only one pod may use a volume at once.
func onePod(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) == 1 && pv.Spec.AccessModes[0] == corev1.ReadWriteOncePod
}

// lastEvent is the newest of a kind that an Event has of a claim.
func lastEvent(w *facts.World, claim model.Ref, kind model.Kind) *model.Observation {
	var out *model.Observation
	for _, o := range w.ClaimEvents(claim) {
		own := o.Kind == kind && o.Claim.Is(claim)
		if own && (out == nil || !o.Last.At.Before(out.Last.At)) {
			out = o
		}
	}
	return out
}

// told gathers the records of one error about claims, or volumes of pods, that are not in the bundle and that no later Event ends.
func told(w *facts.World, hit func(Hit), says string, test func(*model.Observation) bool, end string) {
	ended := facts.Where(w.ByKind[model.KubernetesEvent], func(o *model.Observation) bool { return o.Detail == end })
	list := facts.Where(slices.Concat(w.ByKind[model.ProvisionFailed], w.ByKind[model.ProvisionWaits], w.ByKind[model.ResizeFailed]),
		func(o *model.Observation) bool {
			if !test(o) || fromObject(o) || known(w, o) {
				return false
			}
			return !slices.ContainsFunc(ended, func(e *model.Observation) bool {
				return e.Object.Name == subjectOf(o).Name && !e.Last.IsZero() && e.Last.At.After(o.Last.At)
			})
		})
	for _, g := range grouped(list, func(o *model.Observation) string { return subjectOf(o).Key() + " " + masked(faultOf(o)) }) {
		hit(Hit{
			Objects: affected(w, g), Shown: ends(g),
			Text: fmt.Sprintf("%s: %s. %s. It is not Multi-Attach.", subject(w, g), strings.TrimRight(shorten(errorOf(g[0])), ". "), says),
		})
	}
}

// known reports that the claim that is told of, or that the pod's volume is bound to, is in the bundle.
func known(w *facts.World, o *model.Observation) bool {
	claim := o.Claim
	if v := w.Volumes.Find(o.Volume); claim.Name == "" && v != nil {
		claim = v.Claim
	}
	_, there := w.Claim(claim.Namespace, claim.Name)
	return there || listedSomewhere(w, "PersistentVolumeClaim")
}

// subjectOf is what an error of a volume is about: the claim, else the pod.
func subjectOf(o *model.Observation) model.Ref {
	if o.Claim.Name != "" {
		return o.Claim
	}
	return o.Pod
}
