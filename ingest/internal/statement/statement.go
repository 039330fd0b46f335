// Package statement says what one object says: the times that it carries, and the state it was in when it was collected. Every observation
// quotes the line of the field that it rests on. Statements of state have a zero time; the analysis knows when the bundle was collected.
//
// It reads one object at a time and compares nothing.
package statement

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// Of says what the object of a record says. Its value is still whole.
func Of(r *manifest.Record, path string) []model.Observation {
	switch v := r.Value.(type) {
	case *manifest.Event:
		return []model.Observation{event(object(r, path, v))}
	case *manifest.Configuration:
		return configuration(object(r, path, v), r.Cite)
	case *corev1.Node:
		return node(object(r, path, v))
	case *corev1.Pod:
		return pod(object(r, path, v))
	case *storagev1.VolumeAttachment:
		return attachment(object(r, path, v))
	case *coordinationv1.Lease:
		return lease(object(r, path, v))
	case *appsv1.Deployment:
		return changes(of(object(r, path, v)), v.ManagedFields, v.Spec.Replicas, string(v.Spec.Strategy.Type))
	case *appsv1.StatefulSet:
		return changes(of(object(r, path, v)), v.ManagedFields, v.Spec.Replicas, "")
	}
	return nil
}

func object[T any](r *manifest.Record, path string, v T) model.Object[T] {
	return manifest.Object(*r, path, model.Whole(v))
}

// about builds the observations of one object.
type about[T any] struct {
	object model.Object[T]
	base   model.Observation
	out    []model.Observation
}

func of[T any](o model.Object[T]) *about[T] {
	return &about[T]{object: o, base: model.Observation{Count: 1, Object: o.Ref, Input: o.Input}}
}

// say adds an observation that rests on a field. The observation has what is special to it; the rest is filled in.
func (a *about[T]) say(k model.Kind, at model.Moment, field string, fill func(*model.Observation)) {
	o := a.base
	o.Kind, o.At, o.Last = k, at, at
	o.Source, o.Quote = a.object.SourceOf(field)
	if fill != nil {
		fill(&o)
	}
	a.out = append(a.out, o)
}

func detail(text string) func(*model.Observation) {
	return func(o *model.Observation) { o.Detail = text }
}

// second is the moment of a metav1.Time, which the API server cuts to whole seconds; zero stays zero.
func second(t metav1.Time) model.Moment {
	if t.IsZero() {
		return model.Moment{}
	}
	return model.WholeSecond(t.Time)
}

func micro(t *metav1.MicroTime) model.Moment {
	if t == nil || t.IsZero() {
		return model.Moment{}
	}
	return model.Exactly(t.Time)
}

// owner finds the managed fields entry that owns a field last. path are keys of FieldsV1 without f:. The status subresource is preferred.
func owner(entries []metav1.ManagedFieldsEntry, path ...string) (at time.Time, index int, ok bool) {
	for i, e := range entries {
		if e.FieldsV1 == nil || e.Time == nil || ok && !e.Time.After(at) {
			continue
		}
		if owns(e.FieldsV1.GetRawBytes(), path) {
			at, index, ok = e.Time.Time, i, true
		}
	}
	return at, index, ok
}

func owns(raw []byte, path []string) bool {
	for _, key := range path {
		var level map[string]json.RawMessage
		if json.Unmarshal(raw, &level) != nil {
			return false
		}
		next, ok := level["f:"+key]
		if !ok {
			return false
		}
		raw = next
	}
	return true
}

// managedTime is the field path of a managed fields entry's time.
func managedTime(index int) string { return fmt.Sprintf("metadata.managedFields[%d].time", index) }
