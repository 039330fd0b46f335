// Package evidence keeps the quotes that a report rests on. A quote's identifier is made of its place: each run gives the same.
package evidence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Ledger collects quotes as claims cite them. The zero value is ready.
type Ledger struct {
	entries map[string]model.Evidence
}

// Quote enters a quote and returns its identifier. A quote without text has no identifier: it proves nothing.
func (l *Ledger) Quote(src model.Source, q model.Quote) string {
	if q.Text == "" {
		return ""
	}
	if l.entries == nil {
		l.entries = map[string]model.Evidence{}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%d|%s|%s", src.Kind, src.Path, src.Line, src.Field, src.Series))
	id := "e-" + hex.EncodeToString(sum[:6])
	l.entries[id] = model.Evidence{ID: id, Source: src, Text: q.Text, Truncated: q.Truncated, SHA256: q.SHA256}
	return id
}

// Observation enters an observation's quote.
func (l *Ledger) Observation(o *model.Observation) string { return l.Quote(o.Source, o.Quote) }

// Observations enters several, but for those that are nil, and returns their identifiers without repetition.
func (l *Ledger) Observations(list []*model.Observation) []string {
	var out []string
	for _, o := range list {
		if o == nil {
			continue
		}
		if id := l.Observation(o); id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// Moment is an instant with its evidence; nil when the instant is unknown.
func (l *Ledger) Moment(i facts.Instant) *model.Moment {
	if !i.Known() {
		return nil
	}
	m := i.Moment
	m.Evidence = l.Observations(i.Witness)
	return &m
}

// All is every entry, ordered by place.
func (l *Ledger) All() []model.Evidence {
	return append([]model.Evidence{}, slices.SortedFunc(maps.Values(l.entries), func(a, b model.Evidence) int {
		x, y := a.Source, b.Source
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Field, y.Field), cmp.Compare(a.ID, b.ID))
	})...)
}
