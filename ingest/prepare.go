package ingest

import (
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// prepared is what an object alone gives. It is made by the goroutine that decoded the object.
type prepared struct {
	told  []model.Observation // what the object says
	bytes int                 // of memory that its value takes
}

// manifestLimits are those of the objects of a file.
func (p *part) manifestLimits() manifest.Limits {
	l := p.reading.limits
	return manifest.Limits{Depth: l.Depth, Nodes: l.Nodes, Full: p.reading.budget.full, Prepare: prepare(p.input.Path)}
}

// prepare takes the statements of an object at path, and lets go of what is not needed afterwards.
func prepare(path string) func(*manifest.Record) {
	same := &alike{}
	return func(r *manifest.Record) {
		var made prepared
		switch v := r.Value.(type) {
		case *manifest.Event:
			made.told = []model.Observation{statement.Event(object(*r, path, v))}
			r.Prepared = made
			return
		case *manifest.Configuration:
			made.told = statement.Configuration(object(*r, path, v))
			r.Prepared = made
			return
		case *corev1.Node:
			made.told = statement.Node(object(*r, path, v))
		case *corev1.Pod:
			made.told = statement.Pod(object(*r, path, v))
		case *storagev1.VolumeAttachment:
			made.told = statement.Attachment(object(*r, path, v))
		case *coordinationv1.Lease:
			made.told = statement.Lease(object(*r, path, v))
		case *appsv1.Deployment:
			made.told = statement.Deployment(object(*r, path, v))
		case *appsv1.StatefulSet:
			made.told = statement.StatefulSet(object(*r, path, v))
		case *manifest.RuleSet:
			v.Groups = r.Rules(v)
		}
		spared := trim(r.Value, same)
		made.bytes = manifest.Footprint(r.Value) - r.Spared - spared
		r.Prepared = made
	}
}
