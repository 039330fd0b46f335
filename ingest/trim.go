package ingest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// trim lets go of what takes most of an object's memory and explains no attachment: which fields a manager owns, once the
// statements about them are made, and how containers are run. Fields are still cited, from the text.
func trim(value any) {
	if object, ok := value.(metav1.Object); ok {
		managed := object.GetManagedFields()
		for i := range managed {
			managed[i].FieldsV1 = nil
		}
	}
	pod, ok := value.(*corev1.Pod)
	if !ok {
		return
	}
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			c := &list[i]
			*c = corev1.Container{Name: c.Name, Image: c.Image}
		}
	}
}
