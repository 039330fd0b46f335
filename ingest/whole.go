package ingest

import (
	"io"
	"time"

	"github.com/volpost/volpost/model"
)

// smallFile is how long a file may be of which several are in memory at a time.
const smallFile = 8 << 20

// whole reads a file of about size bytes into memory, up to one byte more than manifests may have. Of large files one is
// in memory at a time: until release is called.
func (r *reading) whole(src io.Reader, size int64) (data []byte, release func(), err error) {
	limit := r.limits.ManifestBytes + 1
	release = func() {}
	data = make([]byte, 0, min(max(size+1, 64<<10), smallFile, limit))
	alone := false
	for err == nil && int64(len(data)) < limit {
		if len(data) == cap(data) {
			next := min(int64(cap(data))*4, limit)
			if len(data) >= smallFile && !alone {
				alone = true
				r.large.Lock()
				release = r.large.Unlock
			}
			if alone && size > int64(len(data)) {
				next = min(size+1, limit) // the container knows how much comes
			}
			data = append(make([]byte, 0, next), data...)
		}
		var n int
		n, err = src.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
	}
	if err == io.EOF {
		err = nil
	}
	return data, release, err
}

// eventWindow is what a list of events covers: from its first to its last statement.
func eventWindow(events []event) (from, to *time.Time) {
	for _, e := range events {
		first, last := e.observation.At.At, e.observation.Last.At
		if first.IsZero() {
			continue
		}
		if from == nil || first.Before(*from) {
			from = &first
		}
		if to == nil || last.After(*to) {
			to = &last
		}
	}
	return from, to
}

// statementSize is about what an observation takes beside its quote.
const statementSize = 1000

// affordable cuts observations at what all files together may keep.
func (p *part) affordable(all []model.Observation) []model.Observation {
	for i := range all {
		if p.reading.budget.statements.Add(-int64(statementSize+len(all[i].Quote.Text))) < 0 {
			p.reading.tellOnce(p.input.Path, "the statements of all files together take more than "+mib(statementBytes)+" of memory; here and in what is read later some are not kept")
			return all[:i]
		}
	}
	return all
}
