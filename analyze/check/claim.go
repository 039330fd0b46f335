package check

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// claim is a copy of a PersistentVolumeClaim, volume of a PersistentVolume, pod of a Pod.
type (
	claim  = model.Object[*corev1.PersistentVolumeClaim]
	volume = model.Object[*corev1.PersistentVolume]
	pod    = model.Object[*corev1.Pod]
)

// needClaims is met when the bundle has PersistentVolumeClaims, or a list without any.
var needClaims = needKind("PersistentVolumeClaim", "the PersistentVolumeClaims", "kubectl get pvc -A -o yaml")

// needClasses is met when the bundle has StorageClasses, or a list without any.
var needClasses = needKind("StorageClass", "the StorageClasses", "kubectl get storageclasses -o yaml")

// needKind is met by a list of a kind: a single saved object says nothing of the others.
func needKind(kind, what, command string) Need {
	return Need{What: what, Command: command, Holds: []string{kind}, Met: func(w *reconstruct.World) bool { return listedSomewhere(w, kind) }}
}

func listedSomewhere(w *reconstruct.World, kind string) bool {
	return slices.ContainsFunc(w.Snapshot.Lists, func(l model.Listed) bool { return l.Kind == kind })
}

// betaClass is where Kubernetes up to 1.5 kept the class, and where it is still honoured.
const betaClass = "volume.beta.kubernetes.io/storage-class"

// classOf is the class that a claim names. It is named as "" for volumes of no class, and not named for the default one.
func classOf(c *corev1.PersistentVolumeClaim) (name string, named bool) {
	if name, ok := c.Annotations[betaClass]; ok {
		return name, true
	}
	if c.Spec.StorageClassName == nil {
		return "", false
	}
	return *c.Spec.StorageClassName, true
}

// volumeOf finds the PersistentVolume that a claim is bound to.
func volumeOf(w *reconstruct.World, c *corev1.PersistentVolumeClaim) (volume, bool) {
	if c.Spec.VolumeName == "" {
		return volume{}, false
	}
	return w.PV(c.Spec.VolumeName)
}

// oneNode reports that only one node may have a volume, by the modes that the controller uses: those of the PersistentVolume.
func oneNode(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) > 0 && !slices.Contains(pv.Spec.AccessModes, corev1.ReadWriteMany) && !slices.Contains(pv.Spec.AccessModes, corev1.ReadOnlyMany)
}

// onePod reports that only one pod may use a volume at once.
func onePod(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) == 1 && pv.Spec.AccessModes[0] == corev1.ReadWriteOncePod
}

func classRef(name string) model.Ref { return model.Ref{Kind: "StorageClass", Name: name} }

// namesOfPods are the names of pods, for a sentence.
func namesOfPods(list []pod) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.Ref.String())
	}
	return out
}

func refsOfPods(list []pod) []model.Ref {
	var out []model.Ref
	for _, p := range list {
		out = append(out, p.Ref)
	}
	return out
}

func nodeNames(list []model.Object[*corev1.Node]) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Ref.Name)
	}
	return out
}

// first keeps the first few of what is to be quoted.
func first[T any](list []T) []T { return list[:min(len(list), maxShown)] }
