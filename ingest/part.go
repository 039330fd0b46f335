package ingest

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// part is what one file gives. Parts are made independently of each other.
type part struct {
	*model.Snapshot // its share; nil once it is joined with the others
	reading         *reading
	place           layout.Place
	input           *model.Input // nil for a directory
	events          []event
	lists           []manifest.List
	stamps          []layout.Stamp
	ran             *layout.Collected // when the collector ran, as it says itself
	// version is the content of a collector's version file.
	version        string
	clusterID      string // as the collector itself names the cluster
	context        string // of the kubeconfig, by the commands that printed it
	audit          bool
	mention        *mention               // that was not understood
	memory         *series.Memory         // metrics that the file holds
	refusedObjects int                    // that a limit kept out
	pieces         []*part                // that the file turned out to consist of
	above          int                    // lines of the file above this piece of it
	taken          func(line string) bool // lines that another reader has read; nil when there is none
}

func (r *reading) newPart(path string, place layout.Place) *part {
	return &part{Snapshot: &model.Snapshot{}, reading: r, place: place, input: &model.Input{Path: path, Kind: model.InputIgnored}}
}

// isQuiet reports whether a part says nothing but that it was there, or not even read for a limit that is reported once.
func (p *part) isQuiet() bool {
	if p.input == nil || len(p.Problems) > 0 || len(p.stamps) > 0 || p.ran != nil || len(p.lists) > 0 || p.audit || p.clusterID != "" ||
		p.mention != nil {
		return false
	}
	switch p.input.Kind {
	case model.InputIgnored, model.InputEmpty, model.InputUnread:
		return p.input.Records == 0
	case model.InputLog: // of an application
		return p.input.Used == 0 && p.input.Component == "" && len(p.Observations) == 0 && len(p.events) == 0
	}
	return false
}

// isPlain reports whether all that a part has to say beyond its share of the snapshot is its input: objects, no complete list of them.
func (p *part) isPlain() bool {
	return p.input.Kind == model.InputManifests && p.input.From == nil && len(p.events) == 0 && len(p.lists) == 0 &&
		len(p.stamps) == 0 && p.ran == nil &&
		p.clusterID == "" && !p.audit && p.memory == nil && p.place.Collection != "nodes"
}

// failed reports whether the part already says that it could not be read.
func (p *part) failed() bool {
	return slices.ContainsFunc(p.Problems, func(problem model.Problem) bool { return problem.Severity == model.Failure })
}

// warned reports whether something in the part was not read as it stands.
func (p *part) warned() bool {
	return slices.ContainsFunc(p.Problems, func(problem model.Problem) bool { return problem.Severity != model.Info })
}

// says reports whether one of the part's problems holds a text.
func (p *part) says(text string) bool {
	return slices.ContainsFunc(p.Problems, func(problem model.Problem) bool { return strings.Contains(problem.Message, text) })
}

// event is an Event's observation with what distinguishes it from its copies in other files.
type event struct {
	UID       string
	Version   uint64 // of the resource
	Statement model.Observation
}

func (p *part) problem(s model.Severity, line int, message string) {
	p.Problems = append(p.Problems, model.Problem{Severity: s, Path: p.input.Path, Line: line, Message: message})
}

// objectBytes is what an object takes beside value and text: its place in a list that grows by a quarter, its names, how to cite it.
const objectBytes = 120*5/4 + 128 + manifest.CiteBytes

// keep adds an object to its list and the statements that it makes to the observations.
func (p *part) keep(r manifest.Record, made prepared) {
	p.reading.budget.grant(r.Length, p.reading.limits.ObjectBytes)
	if p.reading.budget.objects.Add(-int64(objectBytes+made.bytes)) < 0 {
		p.refusedObjects++
		p.reading.failOnce(p.input.Path, "all objects take more memory than "+mib(p.reading.limits.ObjectBytes)+" (--max-object-bytes), or than "+
			mib(freeObjects)+" and half of their text; here and in what is read later some are not kept")
		return
	}
	r.AddTo(p.Snapshot, p.input.Path)
	p.Observations = append(p.Observations, p.affordable(made.observations)...)
}

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
