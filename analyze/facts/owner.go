package facts

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// TemplateHash is the label that a Deployment puts on its pods, and the end of the name of their ReplicaSet.
const TemplateHash = "pod-template-hash"

// OwnerOfPod is what owns a pod of the bundle, followed from a ReplicaSet to its Deployment; false when nothing does.
func (w *World) OwnerOfPod(p model.Object[*corev1.Pod]) (*model.Ref, model.Basis, bool) {
	owner, owned := ControllerOf(p)
	if !owned {
		return nil, model.Assumed, false
	}
	top, basis := OwnerOf(w, owner, p.Value().Labels[TemplateHash])
	return top, basis, true
}

// ControllerOf is what an object names as its controller; false when it names none.
func ControllerOf[T metav1.Object](o model.Object[T]) (model.Ref, bool) {
	up := metav1.GetControllerOf(o.Value())
	if up == nil {
		return model.Ref{}, false
	}
	return model.Ref{Kind: up.Kind, Namespace: o.Ref.Namespace, Name: up.Name, UID: string(up.UID)}, true
}

// Random reports the suffix of a generated name: five characters (apiserver names.SimpleNameGenerator).
func Random(s string) bool { return len(s) == 5 && generated(s) }

// DeploymentName is the Deployment that the name of a pod implies: all but its two generated parts.
func DeploymentName(pod string) (name string, ok bool) {
	rs, suffix, _ := CutLast(pod)
	deployment, hash, ok := CutLast(rs)
	if !ok || !Random(suffix) || !templateHash(hash) {
		return "", false
	}
	return deployment, true
}

// CutLast cuts a name at its last hyphen.
func CutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// templateHash reports the end of a ReplicaSet's name: the hash of its template, of up to ten of such characters.
func templateHash(s string) bool { return len(s) >= 6 && len(s) <= 10 && generated(s) }

// generated reports whether every character is of the alphabet of generated names (apimachinery util/rand).
func generated(s string) bool {
	return s != "" && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == ""
}

// OwnerOf follows a ReplicaSet to its Deployment: by the object, or by the name, since only a Deployment names its ReplicaSets so.
func OwnerOf(w *World, owner model.Ref, hash string) (*model.Ref, model.Basis) {
	if owner.Kind != "ReplicaSet" {
		return &owner, model.Observed
	}
	if rs, ok := Found(w, w.ReplicaSets, owner); ok {
		if up, owned := ControllerOf(rs); owned {
			return &up, model.Observed
		}
		return &owner, model.Observed
	}
	if name, suffix, ok := CutLast(owner.Name); ok && (suffix == hash || templateHash(suffix)) {
		return &model.Ref{Kind: "Deployment", Namespace: owner.Namespace, Name: name}, model.Derived
	}
	return &owner, model.Observed
}
