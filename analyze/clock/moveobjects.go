package clock

import (
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/volpost/volpost/model"
)

// moveObjects replaces the objects of streams whose clock differs as a whole by copies with other times. Of objects in which one kubelet's
// times differ, the statements alone are moved.
func moveObjects(s *model.Snapshot, offsets []Offset) {
	s.Nodes = copies(s.Nodes, offsets)
	s.Pods = copies(s.Pods, offsets)
	s.PersistentVolumes = copies(s.PersistentVolumes, offsets)
	s.PersistentVolumeClaims = copies(s.PersistentVolumeClaims, offsets)
	s.VolumeAttachments = copies(s.VolumeAttachments, offsets)
	s.CSINodes = copies(s.CSINodes, offsets)
	s.Leases = copies(s.Leases, offsets)
	s.Deployments = copies(s.Deployments, offsets)
	s.ReplicaSets = copies(s.ReplicaSets, offsets)
	s.StatefulSets = copies(s.StatefulSets, offsets)
	s.DaemonSets = copies(s.DaemonSets, offsets)
	s.Metrics = slices.Clone(s.Metrics)
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Select != nil {
			moveSamples(m, moveOf(Source{sampled, m.Path, samples}, offsets).back)
		}
	}
}

// moveSamples sets back the times of a server's samples.
func moveSamples(m *model.MetricSource, d time.Duration) {
	if d == 0 {
		return
	}
	type selecting = func([]model.Matcher, time.Time, time.Time, func(model.Labels, model.Samples) error) error
	move := func(from selecting) selecting {
		if from == nil {
			return nil
		}
		return func(matchers []model.Matcher, lo, hi time.Time, each func(model.Labels, model.Samples) error) error {
			return from(matchers, shifted(lo, d), shifted(hi, d), func(l model.Labels, list model.Samples) error {
				return each(l, func(yield func(model.Sample, error) bool) {
					for s, err := range list {
						if s.At = shifted(s.At, -d); !yield(s, err) {
							return
						}
					}
				})
			})
		}
	}
	m.From, m.To, m.Select, m.Scraped = shifted(m.From, -d), shifted(m.To, -d), move(m.Select), move(m.Scraped)
}

// copies are the objects with the times that other clocks have.
func copies[T runtime.Object](list []model.Object[T], offsets []Offset) []model.Object[T] {
	out := list
	for i, o := range list {
		d := moveOf(objectSource(o.Ref, APIServer), offsets).back
		if d == 0 || o.Content == nil {
			continue
		}
		if c, ok := o.Value().DeepCopyObject().(T); ok {
			if &out[0] == &list[0] {
				out = slices.Clone(list)
			}
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
				t.Time = shifted(t.Time, -d)
				return
			case *metav1.MicroTime:
				t.Time = shifted(t.Time, -d)
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
