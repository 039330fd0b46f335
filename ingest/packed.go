package ingest

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// kubernetes is a type of Kubernetes' objects.
type kubernetes[V any] interface {
	model.Message[V]
	metav1.Object
	runtime.Object
}

// packed is a value as it is held until the report is written, without the fields that a manager owns, as the statements about them
// are made, and about how many bytes it takes beside the shelf. What would not come back as it was is held whole.
func packed[V any, P kubernetes[V]](r *manifest.Record, v P) (content any, bytes int) {
	managed := v.GetManagedFields()
	for i := range managed {
		managed[i].FieldsV1 = nil
	}
	if content, ok := model.Pack[V](v, r.Shelf()); ok && (r.Plain || comesBack[V](v, content.Value())) {
		return content, model.PackBytes
	}
	return model.Whole((*V)(v)), manifest.Footprint(v)
}

// comesBack reports whether a value that was packed and unpacked says the same as before.
func comesBack[V any, P kubernetes[V]](was, is P) bool {
	was.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // nobody asks: its list tells the kind
	return equality.Semantic.DeepEqual(was, is)
}

// trimPod lets go of how containers are run and of volumes that explain no attachment. They are still cited, from the text.
func trimPod(pod *corev1.Pod) {
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
}

// there keeps of a probe that there is one.
func there(p *corev1.Probe) *corev1.Probe {
	if p == nil {
		return nil
	}
	return &corev1.Probe{}
}

// mayAttach reports whether a volume is a claim, or a disk that tells by itself how it is attached.
func mayAttach(v corev1.VolumeSource) bool {
	return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.AzureDisk != nil || v.Cinder != nil
}
