// Package replay plays one incident of a report as it unfolded: on a terminal with keys, or line by line.
package replay

import (
	"context"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// Replay is one incident of a report, ready to be played as it unfolded.
type Replay struct {
	in       *view.IncidentView
	film     *film
	names    shortNames
	evidence map[string]model.Evidence // by id, for lookup only
}

// New makes the replay of one incident, by its place in the report.
func New(r *model.Report, index int) *Replay {
	v := view.New(r)
	out := &Replay{in: v.Incident[index], film: newFilm(v.Report, &v.Incidents[index]), evidence: map[string]model.Evidence{}}
	for _, e := range v.Evidence {
		out.evidence[e.ID] = e
	}
	out.names = newShortNames(&v.Incidents[index])
	return out
}

// Play shows the replay on the terminal until a key or the context ends it. It begins at a speed; now is the clock.
func (r *Replay) Play(ctx context.Context, speed float64, now func() time.Time) error {
	p := newPlayer(r, speed)
	return terminal.Run(ctx, terminal.Program{Frame: p.frame, Key: p.key, Tick: p.tick}, now)
}
