package ingest

import (
	"io"

	"github.com/volpost/volpost/model"
)

// whole reads a file into memory, up to one byte more than manifests may have. Of large files one is in memory until release is called.
func (r *reading) whole(src io.Reader, size int64) (data []byte, release func(), err error) {
	limit := r.limits.ManifestBytes + 1
	release = func() {}
	expected := size + 1 // one byte more, to see the end
	if size <= 0 {
		expected = 64 << 10
	}
	data = make([]byte, 0, min(expected, smallFile, limit))
	alone := false
	for err == nil && int64(len(data)) < limit {
		if len(data) == cap(data) {
			next := int64(cap(data)) * 4
			if next > limit/2 {
				next = limit // not twice in memory for the last byte
			}
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

// held reads a file into memory, see whole, and lets read have it. It reports one that is too long.
func (p *part) held(r io.Reader, size int64, read func(data []byte)) {
	data, release, err := p.reading.whole(r, size)
	defer release()
	if limit := p.reading.limits.ManifestBytes; int64(len(data)) > limit {
		p.unread("is longer than the limit of " + mib(limit) + " for a file that is held in memory, a quarter of --max-object-bytes")
		return
	}
	if err != nil {
		p.problem(model.Failure, 0, "could not be read to its end: "+cause(err).Error())
	}
	read(data)
}

// affordable keeps what may be kept of observations, see take.
func (p *part) affordable(all []model.Observation) []model.Observation {
	kept := all[:0]
	for i := range all {
		if p.take(&event{Statement: all[i]}) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// take reports whether a statement is to be kept as it is. Beyond what all files together may keep, ordinary statements go to
// the store until it is known what was complained of; complaints are kept beyond it, up to a limit of their own.
func (p *part) take(e *event) bool {
	r, o := p.reading, &e.Statement
	size := int64(statementSize + len(o.Quote.Text))
	switch total := r.budget.statements.Add(size); {
	case total <= r.limits.StatementBytes:
		return true
	case ordinary(o.Kind):
		p.store(e)
		return false
	case r.budget.complaints.Add(size) > complaintBytes:
		p.refuse("complaints of all files together take more than " + mib(complaintBytes) + " of memory; " +
			"here and in what is read later some are not kept")
		return false
	}
	return true
}

// refuse reports once that a statement was lost: then nothing that the bundle does not say was not so.
func (p *part) refuse(message string) {
	p.reading.budget.lost.Store(true)
	p.reading.failOnce(p.input.Path, message)
}
