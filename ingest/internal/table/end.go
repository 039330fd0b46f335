package table

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

func (r *reader) commit() {
	p := r.pending
	if p == nil {
		return
	}
	r.pending = nil
	if !p.says() {
		r.orphans += len(p.lines)
		return
	}
	if e := &p.row.record; isBlock(e.Message) && strings.HasPrefix("FailedAttachVolume", e.Reason) {
		e.Reason = "FailedAttachVolume" // its end stands in the next line of its column
	}
	placed := placedRow{eventRow: p.row, quote: quoteOf(p.lines), bytes: p.length(),
		source: model.Source{Kind: model.SourceText, Path: r.path, Line: p.lines[0].number}}
	if p.row.about {
		if o := &placed.record.Object; !manifest.ClusterScoped(o.Kind) {
			o.Namespace = cmp.Or(o.Namespace, r.command.namespace, r.hint.Namespace)
		}
		r.record([]model.Observation{placed.observation()}, placed.bytes)
		return
	}
	if r.section == nil || !r.section.takes(&p.row) {
		r.begin()
		if !r.section.takes(&p.row) {
			r.section = &section{}
		}
	}
	r.section.add(placed)
}

func (r *reader) endSection() {
	r.commit()
	if r.section == nil {
		return
	}
	all := r.section.observe()
	if at := r.section.printed(); !at.IsZero() {
		Place(all, at)
	}
	for i, o := range all {
		r.record([]model.Observation{o}, r.section.rows[i].bytes)
	}
	r.section = nil
}

// endRows ends a section with rows, and its description. kubectl puts nothing between rows of one object; further ones may be of another.
func (r *reader) endRows() {
	if r.section != nil && len(r.section.rows) > 0 {
		r.endSection()
		r.endDescription()
	}
}

func (r *reader) endDescription() {
	if r.desc == nil {
		return
	}
	if r.desc.lost {
		r.long++
	}
	if observed := r.desc.observe(r.path); len(observed) == 0 && r.desc.ref().Name == "" {
		r.orphans += len(r.desc.fields) // a text with keys, but none of kubectl's
	} else {
		r.record(observed, r.desc.bytes)
	}
	r.desc = nil
}

// close ends everything that is open, but for what the command said.
func (r *reader) close() {
	r.endTable()
	r.endSection()
	r.endDescription()
}

func (r *reader) endTable() {
	r.commit()
	r.table = nil
}

// record accounts for one row or description and keeps what it says. Its text, of a length in bytes, is kept with it.
func (r *reader) record(statements []model.Observation, length int) {
	r.in.Records++
	if len(statements) > 0 {
		r.in.Used++
		r.kept += length
	}
	for _, o := range statements {
		if len(r.out) >= maxObservations || r.kept > r.budget {
			if r.lost == 0 {
				r.lostAt = o.Source.Line
			}
			r.lost++
			continue
		}
		r.out = append(r.out, o)
	}
}
