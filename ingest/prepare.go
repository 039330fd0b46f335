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
	return manifest.Limits{Depth: l.Depth, Nodes: l.Nodes, Pool: &p.reading.pool, Full: left.full, Prepare: func(r *manifest.Record) { prepare(r, path) },
		Shelved: func(bytes int) { left.objects.Add(-int64(bytes)) }}
}

// prepare takes the statements of an object at path, and lets go of what is not needed afterwards.
func prepare(r *manifest.Record, path string) {
	var made prepared
	switch v := r.Value.(type) {
	case *manifest.Event:
		made.told, made.content = []model.Observation{statement.Event(object(*r, path, model.Whole(v)))}, v
	case *manifest.Configuration:
		made.told, made.content = statement.Configuration(object(*r, path, model.Whole(v))), v
	case *corev1.Node:
		made.told = statement.Node(object(*r, path, model.Whole(v)))
		made.hold(packed(r, v))
	case *corev1.Pod:
		made.told = statement.Pod(object(*r, path, model.Whole(v)))
		trimPod(v)
		made.hold(packed(r, v))
	case *storagev1.VolumeAttachment:
		made.told = statement.Attachment(object(*r, path, model.Whole(v)))
		made.hold(packed(r, v))
	case *coordinationv1.Lease:
		made.told = statement.Lease(object(*r, path, model.Whole(v)))
		made.hold(packed(r, v))
	case *appsv1.Deployment:
		made.told = statement.Deployment(object(*r, path, model.Whole(v)))
		made.hold(packed(r, v))
	case *appsv1.StatefulSet:
		made.told = statement.StatefulSet(object(*r, path, model.Whole(v)))
		made.hold(packed(r, v))
	default:
		made.silent(r)
	}
	r.Value, r.Prepared = nil, made
}

// silent holds the objects of kinds that make no statements.
func (m *prepared) silent(r *manifest.Record) {
	switch v := r.Value.(type) {
	case *corev1.PersistentVolume:
		m.hold(packed(r, v))
	case *corev1.PersistentVolumeClaim:
		m.hold(packed(r, v))
	case *corev1.Namespace:
		m.hold(packed(r, v))
	case *storagev1.CSINode:
		m.hold(packed(r, v))
	case *storagev1.CSIDriver:
		m.hold(packed(r, v))
	case *storagev1.StorageClass:
		m.hold(packed(r, v))
	case *appsv1.ReplicaSet:
		m.hold(packed(r, v))
	case *appsv1.DaemonSet:
		m.hold(packed(r, v))
	case *batchv1.Job:
		m.hold(packed(r, v))
	case *model.ClusterVersion:
		m.hold(model.Whole(*v), manifest.Footprint(v))
	case *manifest.RuleSet:
		groups := r.Rules(v)
		m.hold(model.Whole(groups), manifest.Footprint(groups))
	}
}

func (m *prepared) hold(content any, bytes int) { m.content, m.bytes = content, bytes }
