package ingest

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// prepared is what an object alone gives. It is made by the goroutine that decoded the object.
type prepared struct {
	told    []model.Observation // what the object says
	content any                 // its value, as a model.Content of its type; *manifest.Event and *manifest.Configuration as they are
	bytes   int                 // of memory that the value takes, without what is on the shelf
}

// manifestLimits are those of the objects of a file.
func (p *part) manifestLimits() manifest.Limits {
	l := p.reading.limits
	path, left := p.input.Path, p.reading.budget
	return manifest.Limits{Depth: l.Depth, Nodes: l.Nodes, Objects: l.Objects, Pool: &p.reading.pool, Full: left.full, Prepare: func(r *manifest.Record) { prepare(r, path) },
		Shelved: func(bytes int) { left.objects.Add(-int64(bytes)) }}
}

// prepare takes the statements of an object at path, and lets go of what is not needed afterwards.
func prepare(r *manifest.Record, path string) {
	made := prepared{told: statements(r, path)}
	made.content, made.bytes = content(r)
	r.Value, r.Prepared = nil, made
}

// statements are what an object at path says.
func statements(r *manifest.Record, path string) []model.Observation {
	switch v := r.Value.(type) {
	case *manifest.Event:
		return []model.Observation{statement.Event(object(*r, path, model.Whole(v)))}
	case *manifest.Configuration:
		return statement.Configuration(object(*r, path, model.Whole(v)))
	case *corev1.Node:
		return statement.Node(object(*r, path, model.Whole(v)))
	case *corev1.Pod:
		return statement.Pod(object(*r, path, model.Whole(v)))
	case *storagev1.VolumeAttachment:
		return statement.Attachment(object(*r, path, model.Whole(v)))
	case *coordinationv1.Lease:
		return statement.Lease(object(*r, path, model.Whole(v)))
	case *appsv1.Deployment:
		return statement.Deployment(object(*r, path, model.Whole(v)))
	case *appsv1.StatefulSet:
		return statement.StatefulSet(object(*r, path, model.Whole(v)))
	}
	return nil
}

// content is an object's value as it is held, with about how many bytes it takes beside the shelf.
func content(r *manifest.Record) (held any, bytes int) {
	switch v := r.Value.(type) {
	case *corev1.Node:
		return packed(r, v)
	case *corev1.Pod:
		trimPod(v)
		return packed(r, v)
	case *corev1.PersistentVolume:
		return packed(r, v)
	case *corev1.PersistentVolumeClaim:
		return packed(r, v)
	case *corev1.Namespace:
		return packed(r, v)
	case *storagev1.VolumeAttachment:
		return packed(r, v)
	case *storagev1.CSINode:
		return packed(r, v)
	case *storagev1.CSIDriver:
		return packed(r, v)
	case *storagev1.StorageClass:
		return packed(r, v)
	case *coordinationv1.Lease:
		return packed(r, v)
	case *appsv1.Deployment:
		return packed(r, v)
	case *appsv1.ReplicaSet:
		return packed(r, v)
	case *appsv1.StatefulSet:
		return packed(r, v)
	case *appsv1.DaemonSet:
		return packed(r, v)
	case *batchv1.Job:
		return packed(r, v)
	case *model.ClusterVersion:
		return model.Whole(*v), manifest.Footprint(v)
	case *model.VolumeSnapshot:
		return model.Whole(*v), manifest.Footprint(v)
	case *model.VolumeSnapshotContent:
		return model.Whole(*v), manifest.Footprint(v)
	case *manifest.RuleSet:
		groups := r.Rules(v)
		return model.Whole(groups), manifest.Footprint(groups)
	}
	return r.Value, 0 // an Event or a configuration: what they say is kept
}
