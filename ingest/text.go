package ingest

import (
	"io"
	"path"

	"github.com/volpost/volpost/ingest/internal/table"
	"github.com/volpost/volpost/model"
)

// text reads what was pasted from a terminal.
func (p *part) text(r io.Reader) {
	res := table.Read(r, p.input.Path, table.Hint{Path: p.input.Path, Namespace: p.place.Namespace})
	*p.input = res.Input
	p.Observations = append(p.Observations, res.Observations...)
	p.Problems = append(p.Problems, res.Problems...)
}

// placeAges turns the ages in texts that lie within the collection into instants. When another text was written, nothing
// tells.
func placeAges(s *model.Snapshot) {
	if s.CapturedAt == nil {
		return
	}
	root := path.Dir(s.CapturedFrom.Source.Path)
	for i := range s.Observations {
		if within(s.Observations[i].Input, root) {
			table.Place(s.Observations[i:i+1], *s.CapturedAt)
		}
	}
}
