// Package advice says what an expert would say of an incident: what was done and its worth, what would have been better at that moment, or
// is to be done now, and what prevents the next one. It chooses among the remedies of an incident by rules; replays give the seconds.
package advice

import (
	"math"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// Of is the advice for an incident, of which next are the commands that decide what is open. remedy.Judge has to have looked at it before.
func Of(i *remedy.Incident, next []model.NextStep, l *evidence.Ledger) *model.Advice {
	c := chooser{i: i, l: l, situation: situationOf(i), acts: done(i, l)}
	out := &model.Advice{Done: []model.DoneAct{}, Now: []model.Option{}, Better: []model.Option{}, Prevent: []model.Option{}}
	for _, a := range c.acts {
		out.Done = append(out.Done, a.DoneAct)
	}
	if _, ended := i.End(); ended && !i.Case.Span.Open {
		out.Better = c.better()
	} else {
		out.Now = c.now(next)
	}
	out.Prevent, out.Compared = c.prevent(), c.compared()
	out.Floor, out.Curve = c.floor(out), c.curve(out)
	return out
}

// chooser chooses the options of one incident.
type chooser struct {
	i         *remedy.Incident
	l         *evidence.Ledger
	situation situation
	acts      []act
}

// seconds is an instant on the axis of the incident's scenario.
func seconds(i *remedy.Incident, t time.Time) float64 { return t.Sub(i.Scenario.Zero).Seconds() }

func finite(s float64) bool { return !math.IsInf(s, 0) && !math.IsNaN(s) }

func tenth(s float64) float64 { return math.Round(s*10) / 10 }

// find is a remedy of an identifier. Powering a lost node off is followed by what then moves its volumes: alone it moves nothing.
func (c *chooser) find(id string) (remedy.Remedy, bool) {
	if id == "fence-node" && c.i.Lost() {
		return c.i.PowerOffFirst(), true
	}
	if id == "single-writer-replicas" {
		return c.i.OneWriter(), true
	}
	return remedy.Find(id)
}
