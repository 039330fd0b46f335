package analyze

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// WhenKind says how the time of a step is given.
type WhenKind int

// Justified: the first moment that justified the remedy, and the reaction. At: an instant. OfDay: a time of the incident's
// day, in UTC. AfterReport: so long after the first Multi-Attach report, which is before it when negative.
const (
	Justified WhenKind = iota
	At
	OfDay
	AfterReport
)

// When is the time of a step. A preventive remedy takes none.
type When struct {
	Kind   WhenKind
	At     time.Time     // of At
	Offset time.Duration // of OfDay from midnight, and of AfterReport
}

// Applied is a remedy applied at a time.
type Applied struct {
	Remedy string // identifier; empty for none
	When   When
}

// Question asks for one incident replayed with something different: a remedy, settings from the beginning, or both.
type Question struct {
	Incident string // identifier, or number in the report's order from 1; empty for the only one
	Applied

	NodeMonitorGracePeriod, Toleration *time.Duration
	DisableForceDetach                 bool
}

// QuestionError is a question that the bundle has no answer for. Incidents is the number of those that its hint names; 0 for none.
type QuestionError struct {
	Msg, Hint string
	Incidents int
}

func (e *QuestionError) Error() string { return e.Msg }

// WhatIf replays one incident of a snapshot as the question wants it. Its errors are of type *QuestionError. When ctx is done, it
// ends with what is known by then.
func WhatIf(ctx context.Context, s *model.Snapshot, q Question, o Options) (*model.WhatIf, error) {
	b := newBounds(o, 1)
	one, err := b.chosen(ctx, s, q.Incident)
	if err != nil {
		return nil, err
	}
	var ledger evidence.Ledger
	out := &model.WhatIf{Schema: model.WhatIfVersion, Generator: model.Generator{Name: "volpost", Version: o.Version}, Bundle: s.Root}
	called := alarm(b.alerts(ctx, one.c.World.Snapshot, []*wait.Case{one.c}, nil, &ledger), one.c)
	out.StandIn = one.c.World.Axis.StandIn()
	out.Incident = incident(one.c, one.m, o, called, &ledger)
	out.Incident.Cluster = one.cluster
	r := remedy.New(one.m, one.c, out.Incident.Causes, o.Reaction, called)
	remedy.Judge(r, &ledger) // some remedies look at the others
	ask, at, asked, err := resolve(r, one.c, q)
	if err != nil {
		return nil, err
	}
	out.Asked, out.Answer = []string{asked}, remedy.Answer(r, ask, at, &ledger)
	out.Answer.Title = asked
	out.Evidence, out.Problems = ledger.All(), b.cutShort(s.Problems)
	return masked(out), nil
}

// found is an incident of a part of the snapshot.
type found struct {
	cluster string
	c       *wait.Case
	m       *replay.Model
}

// chosen finds the incident that a question names.
func (b *bounds) chosen(ctx context.Context, s *model.Snapshot, name string) (found, error) {
	var all []found
	var names []IncidentNames
	for _, p := range split(s) {
		w := facts.NewWorld(p.snapshot)
		cases := b.cases(ctx, w)
		m := replay.NewModel(w, cases)
		for _, c := range cases {
			all = append(all, found{p.cluster, c, m})
			names = append(names, NamesOf(c.ID(), volume(c)))
		}
	}
	n, err := ChooseIncident(names, name)
	if err != nil {
		return found{}, err
	}
	return all[n], nil
}

// resolve is the remedy that a question asks for, its time, and what is asked in words.
func resolve(r *remedy.Incident, c *wait.Case, q Question) (ask remedy.Remedy, at time.Time, asked string, err error) {
	if q.Remedy != "" {
		if ask, at, asked, err = resolveStep(r, c, q.Applied); err != nil {
			return ask, at, "", err
		}
	}
	set := func(id, text string, change func(*replay.Settings)) {
		one := remedy.Set(id, change)
		if asked == "" {
			ask, asked = one, text
		} else {
			ask, asked = ask.With(one), asked+", "+text
		}
	}
	if d := q.NodeMonitorGracePeriod; d != nil {
		set("faster-node-detection", "node-monitor-grace-period="+d.String(), func(s *replay.Settings) { s.Grace = new(d.Seconds()) })
	}
	if d := q.Toleration; d != nil {
		set("shorten-tolerations", "tolerationSeconds="+strconv.FormatFloat(d.Seconds(), 'f', -1, 64),
			func(s *replay.Settings) { s.Toleration = new(d.Seconds()) })
	}
	if q.DisableForceDetach {
		set("disable-force-detach", "disable-force-detach-on-timeout=true", func(s *replay.Settings) { s.NoForcedDetach = true })
	}
	return ask, at, asked, nil
}

func resolveStep(r *remedy.Incident, c *wait.Case, s Applied) (known remedy.Remedy, at time.Time, asked string, err error) {
	known, ok := remedy.Find(s.Remedy)
	switch {
	case !ok:
		return known, at, "", &QuestionError{Msg: fmt.Sprintf("there is no remedy %q", s.Remedy), Hint: "volpost remedies lists them"}
	case !known.Preventive:
		at, err = timeOf(r, c, known, s.When)
		return known, at, known.ID + " at " + model.TimeOfDay(at), err
	case s.When.Kind != Justified:
		return known, at, "", &QuestionError{Msg: known.ID + " is configured before an incident and takes no time", Hint: "--apply " + known.ID}
	}
	return known, at, known.ID, nil
}

// timeOf is the instant of a step, which has to lie within the incident.
func timeOf(r *remedy.Incident, c *wait.Case, known remedy.Remedy, w When) (time.Time, error) {
	var at time.Time
	switch w.Kind {
	case At:
		at = w.At
	case AfterReport:
		at = c.Began.At.Add(w.Offset)
	case OfDay:
		at = ofDay(c, w.Offset)
	default:
		justified, ok := r.Justified(known)
		if !ok && known.Fit(r).Verdict == remedy.Misfit {
			return c.Began.At, nil // the answer says why it has nothing to act on
		}
		if !ok {
			return at, &QuestionError{Msg: "nothing in the bundle tells when " + known.ID + " would have been justified",
				Hint: "give a time: --apply " + known.ID + "@+5m, or @HH:MM:SS"}
		}
		return justified, nil
	}
	if span := r.Outside(at); span != "" {
		return at, &QuestionError{Msg: fmt.Sprintf("%s lies outside of the incident", remedy.Written(at)), Hint: "the incident is from " + span}
	}
	return at, nil
}

// ofDay is a time of day on the day of the incident, of which there are two when it passes midnight: the first that lies within it.
func ofDay(c *wait.Case, offset time.Duration) time.Time {
	midnight := c.Span.From.At.UTC().Truncate(24 * time.Hour)
	days := int(c.Span.To.At.Sub(midnight)/(24*time.Hour)) + 1
	first := midnight.Add(offset)
	for day := range min(days, 366) {
		if at := midnight.AddDate(0, 0, day).Add(offset); !at.Before(c.Span.From.At.Truncate(time.Second)) {
			return at
		}
	}
	return first
}
