package ingest

import (
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// prepared is what an object alone gives. It is made by the goroutine that decoded the object.
type prepared struct {
	observations []model.Observation // what the object says
	bytes        int                 // of memory that the value takes, without what is in the store
}

// manifestLimits are those of the objects of a file.
func (p *part) manifestLimits() manifest.Limits {
	l := p.reading.limits
	path, left := p.input.Path, p.reading.budget
	prepare := func(r *manifest.Record) {
		observations := statement.Of(r, path) // before the record lets go of what is not needed afterwards
		r.Prepared = prepared{observations: observations, bytes: r.Hold()}
	}
	return manifest.Limits{Depth: l.Depth, Nodes: l.Nodes, Objects: l.Objects, Full: left.full, Prepare: prepare,
		Stored: func(bytes int) { left.objects.Add(-int64(bytes)) }}
}

// record files an object under its kind. An Event and settings are no objects of the snapshot: what they say is.
func (p *part) record(r manifest.Record) {
	made := r.Prepared.(prepared)
	switch v := r.Value.(type) {
	case *manifest.Event:
		o := made.observations[0]
		p.input.Cover(o.At.At, o.Last.At)
		if e := (event{UID: v.Meta.UID, Version: r.ResourceVersion, Statement: o}); p.take(&e) {
			p.events = append(p.events, e)
		}
	case *manifest.Configuration:
		p.Observations = append(p.Observations, p.affordable(made.observations)...)
	default:
		p.keep(r, made)
	}
}
