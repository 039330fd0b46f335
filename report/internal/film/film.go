// Package film plays an incident of a model.Report: At answers its State at an instant, for volpost replay and the page's scrubber alike.
//
// It concludes nothing. A state is that of the object's lane, else unknown. A moment counts from its best estimate, and each state carries
// the moment since when it holds. Strings are as in the report.
package film

import (
	"time"

	"github.com/volpost/volpost/model"
)

// Film is one incident. Asked for an instant after To, it answers as for To.
type Film struct {
	Incident *model.Incident
	Zero     time.Time // T+0, the first Multi-Attach report, or what the incident's kind has in its place, or model.T
	From, To time.Time // the stretch that the phases tile
	First    time.Time // of the earliest event, or From: what came before the incident can be shown, too
	Events   []Event   // of this incident, ordered by time; none is later than To, where another story begins
	LeftOut  int       // pods of the incident that the film does not follow
}

// Event is something that happened, reported by one or more sources.
type Event struct {
	At       model.Moment // of the most exact source
	Kind     model.Kind
	About    []model.Ref
	Text     string
	Evidence []string // of all sources
}

// New makes the film of one incident of a report. The report is read while the film is in use, and never written.
func New(r *model.Report, in *model.Incident) *Film {
	f := &Film{Incident: in, Zero: in.Zero(), From: in.Span.From.At, To: in.Span.To.At}
	if f.From.IsZero() {
		f.From = f.Zero
	}
	if f.To.Before(f.From) {
		f.To = f.From
	}
	f.First, f.Events = f.From, events(r.Timeline, in.ID, model.Later(f.To, in.Span.To.Latest))
	if len(f.Events) > 0 && f.Events[0].At.At.Before(f.First) {
		f.First = f.Events[0].At.At
	}
	f.LeftOut = leftOut(in)
	return f
}

// PhaseAt is the index of the phase at an instant: -1 before the first, their number after the last. Empty phases are skipped.
func PhaseAt(phases []model.Phase, t time.Time) int {
	for i, p := range phases {
		if t.Before(p.From.At) {
			return i - 1
		}
		if t.Before(p.To.At) {
			return i
		}
	}
	if len(phases) == 0 {
		return -1
	}
	return len(phases)
}
