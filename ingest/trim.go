package ingest

import (
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
)

// trim lets go of what takes most of an object's memory and explains no attachment: which fields a manager owns, once the
// statements about them are made, and how containers are run. Fields are still cited, from the text. It answers how many bytes of what
// is left are those of an earlier object.
func trim(value any, same *alike) (spared int) {
	if object, ok := value.(metav1.Object); ok {
		managed := object.GetManagedFields()
		for i := range managed {
			managed[i].FieldsV1 = nil
		}
	}
	pod, ok := value.(*corev1.Pod)
	if !ok {
		return 0
	}
	for _, list := range []*[]corev1.Container{&pod.Spec.InitContainers, &pod.Spec.Containers} {
		out, known := same.containers(*list)
		if *list = out; known {
			spared += manifest.Footprint(out)
		}
	}
	// Positions in the list are cited.
	volumes := pod.Spec.Volumes
	for len(volumes) > 0 && !mayAttach(volumes[len(volumes)-1].VolumeSource) {
		volumes = volumes[:len(volumes)-1]
	}
	pod.Spec.Volumes = append([]corev1.Volume(nil), volumes...)
	return spared
}

// mayAttach reports whether a volume is a claim, or a disk that tells by itself how it is attached.
func mayAttach(v corev1.VolumeSource) bool {
	return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.AzureDisk != nil || v.Cinder != nil
}

// alike has the containers of the pods of a file: those of a workload have the same.
type alike struct {
	mu   sync.Mutex
	seen map[string][]corev1.Container
}

// maxAlike bounds them.
const maxAlike = 1 << 12

// containers is a list with the names and images of another. known tells that it takes no memory more.
func (a *alike) containers(list []corev1.Container) (out []corev1.Container, known bool) {
	if len(list) == 0 {
		return nil, true
	}
	var key strings.Builder
	for i := range list {
		fmt.Fprintf(&key, "%q%q", list[i].Name, list[i].Image)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if seen, ok := a.seen[key.String()]; ok {
		return seen, true
	}
	out = make([]corev1.Container, len(list))
	for i, c := range list {
		out[i] = corev1.Container{Name: c.Name, Image: c.Image}
	}
	if len(a.seen) == maxAlike || a.seen == nil {
		a.seen = map[string][]corev1.Container{}
	}
	a.seen[key.String()] = out
	return out, false
}
