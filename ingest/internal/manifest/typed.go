package manifest

import (
	"encoding/json"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/volpost/volpost/model"
)

// kubernetes is a type of Kubernetes' objects, with the protobuf form that it has between API server and etcd.
type kubernetes[V any] interface {
	*V
	metav1.Object
	runtime.Object
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// object completes the row of a type of Kubernetes.
func object[V any, P kubernetes[V]](list listOf[*V], k kind) *kind {
	k.list, k.decode, k.assign = list, typed[V, P], assigned(func(v *V) metav1.Object { return P(v) })
	if k.hold == nil {
		k.hold = func(r *Record) (any, int) { return packed[V, P](r, r.Value.(*V)) }
	}
	return &k
}

// custom completes the row of a type that volpost makes of an object.
func custom[V any](list listOf[V], k kind) *kind {
	k.list = list
	if k.hold == nil {
		k.hold = func(r *Record) (any, int) { return model.Whole(*r.Value.(*V)), r.Length }
	}
	return &k
}

// typed decodes into a Kubernetes type. A field of the wrong type is left empty and reported; the object still counts.
func typed[V any, P kubernetes[V]](data []byte) (metav1.Object, any, error) {
	value := P(new(V))
	err := json.Unmarshal(data, value)
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) {
		return nil, nil, err
	}
	return value, (*V)(value), err
}

// packed is a value as it is kept, without managed fields, and its bytes beside the store.
func packed[V any, P kubernetes[V]](r *Record, v P) (content any, bytes int) {
	managed := v.GetManagedFields()
	for i := range managed {
		managed[i].FieldsV1 = nil
	}
	return pack[V, P](v, r.store), packBytes
}

// holdPod lets go of how containers are run and of volumes that explain no attachment. They are still cited, from the text.
func holdPod(r *Record) (content any, bytes int) {
	pod := r.Value.(*corev1.Pod)
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i, c := range list {
			list[i] = corev1.Container{Name: c.Name, Image: c.Image, ReadinessProbe: there(c.ReadinessProbe), StartupProbe: there(c.StartupProbe)}
		}
	}
	volumes := pod.Spec.Volumes // positions in the list are cited
	for len(volumes) > 0 && !mayAttach(volumes[len(volumes)-1].VolumeSource) {
		volumes = volumes[:len(volumes)-1]
	}
	pod.Spec.Volumes = volumes
	return packed(r, pod)
}

// there keeps of a probe that there is one.
func there(p *corev1.Probe) *corev1.Probe {
	if p == nil {
		return nil
	}
	return &corev1.Probe{}
}

// mayAttach reports whether a volume is a claim, or a disk that itself says how it is attached.
func mayAttach(v corev1.VolumeSource) bool {
	claim := v.PersistentVolumeClaim != nil || v.Ephemeral != nil
	return claim || v.AzureDisk != nil || v.Cinder != nil
}
