package clock

import (
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/volpost/volpost/model"
)

// moveObjects replaces the objects of shelves whose clock differs as a whole by copies with other times. Of objects in which one kubelet's
// times differ, the statements alone are moved.
func moveObjects(s *model.Snapshot, offsets []Offset) {
	by := func(kind string) time.Duration {
		d, _ := ahead(Source{ObjectShelf(kind), APIServer}, offsets)
		return d
	}
	s.Nodes = copies(s.Nodes, by("Node"))
	s.Pods = copies(s.Pods, by("Pod"))
	s.PersistentVolumes = copies(s.PersistentVolumes, by("PersistentVolume"))
	s.PersistentVolumeClaims = copies(s.PersistentVolumeClaims, by("PersistentVolumeClaim"))
	s.VolumeAttachments = copies(s.VolumeAttachments, by("VolumeAttachment"))
	s.CSINodes = copies(s.CSINodes, by("CSINode"))
	s.Leases = copies(s.Leases, by("Lease"))
	s.Deployments = copies(s.Deployments, by("Deployment"))
	s.ReplicaSets = copies(s.ReplicaSets, by("ReplicaSet"))
	s.StatefulSets = copies(s.StatefulSets, by("StatefulSet"))
	s.DaemonSets = copies(s.DaemonSets, by("DaemonSet"))
}

// copies are the objects with times that lie d before.
func copies[T runtime.Object](list []model.Object[T], d time.Duration) []model.Object[T] {
	if d == 0 {
		return list
	}
	out := slices.Clone(list)
	for i, o := range out {
		if o.Content == nil {
			continue
		}
		if c, ok := o.Value().DeepCopyObject().(T); ok {
			turnBack(reflect.ValueOf(c), d)
			out[i].Content = model.Whole(c)
		}
	}
	return out
}

// turnBack moves every time in a value.
func turnBack(v reflect.Value, d time.Duration) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			turnBack(v.Elem(), d)
		}
	case reflect.Slice:
		for i := range v.Len() {
			turnBack(v.Index(i), d)
		}
	case reflect.Struct:
		if v.CanAddr() && v.Addr().CanInterface() {
			switch t := v.Addr().Interface().(type) {
			case *metav1.Time:
				turn(&t.Time, d)
				return
			case *metav1.MicroTime:
				turn(&t.Time, d)
				return
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				turnBack(v.Field(i), d)
			}
		}
	}
}

func turn(t *time.Time, d time.Duration) {
	if !t.IsZero() {
		*t = t.Add(-d)
	}
}
