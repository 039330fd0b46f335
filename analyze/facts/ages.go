package facts

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// EventLife is how long the API server keeps an Event after its last write (--event-ttl, default 1h, 1.13–1.36).
const EventLife = time.Hour

// suppliedSlack is how far what the user says may lie beside what the evidence says: people round to minutes.
const suppliedSlack = 2 * time.Minute

// dateCollection decides when the bundle was collected, and places on the axis what a person pasted with an age, or with none.
// An age counts back from when its file was printed: as the file itself proves, else another of the same collection, else the user.
// Without either, ages stay unknown, unless they are all that the bundle has: then a stand-in keeps the distances true.
func (a *Axis) dateCollection(s *model.Snapshot) {
	of := map[string][]*model.Observation{}
	for i := range a.Observations {
		if o := &a.Observations[i]; pasted(o) {
			of[o.Input] = append(of[o.Input], o)
		}
	}
	recorded := s.CapturedAt != nil
	var p printed
	if len(of) > 0 || !recorded {
		p = findPrinted(s, a.Observations, func(file string) bool { return !recorded || len(of[file]) > 0 })
	}
	supplied, refused := p.supplied(s)
	a.Problems = append(a.Problems, refused...)
	if !recorded {
		a.dateBundle(p, supplied)
	}
	a.placeAges(of, p, supplied)
	if a.CapturedHow == model.CollectedAssumed {
		a.countFromReport()
	}
}

// countFromReport moves an axis without dates so that its first report or refusal lies at model.T, else the collection.
func (a *Axis) countFromReport() {
	var first *model.Observation
	for i := range a.Observations {
		o := &a.Observations[i]
		reports := !o.At.IsZero() && (o.Kind == model.MultiAttach || refusedElsewhere(o))
		if reports && (first == nil || o.At.At.Before(first.At.At)) {
			first = o
		}
	}
	if first == nil {
		return
	}
	by := model.T.Sub(first.At.At)
	for i := range a.Observations {
		if o := &a.Observations[i]; !o.At.IsZero() {
			o.At, o.Last = o.At.Shift(by), o.Last.Shift(by)
		}
	}
	collected := a.CapturedAt.Shift(by)
	a.CapturedAt, a.fromReport = &collected, true
}

// supplied is the time of collection that the user gave, or why it cannot be.
func (p *printed) supplied(s *model.Snapshot) (*model.Moment, []model.Problem) {
	t := s.Supplied.CollectedAt.UTC()
	if s.Supplied.CollectedAt.IsZero() {
		return nil, nil
	}
	refuse := func(path, why string) (*model.Moment, []model.Problem) {
		message := fmt.Sprintf("--collected-at %s is not used: %s", t.Format(time.RFC3339), why)
		return nil, []model.Problem{{Severity: model.Warning, Path: path, Message: message}}
	}
	around := func(m model.Moment, after time.Duration) bool {
		return During(m.Earliest.Add(-suppliedSlack), m.Latest.Add(after)).Holds(t)
	}
	if s.CapturedAt != nil && !around(*s.CapturedAt, suppliedSlack) {
		return nil, nil // the reader has said so
	}
	if p.latest != nil && !around(p.latest.at, oneCollection) {
		return refuse(p.latest.file, fmt.Sprintf("%s, so that it was printed from %s to %s; "+
			"give the time at which the collection ran, or leave the flag out",
			p.latest.why, p.latest.at.Earliest.Format(time.RFC3339), p.latest.at.Latest.Format(time.RFC3339)))
	}
	if t.Add(suppliedSlack).Before(p.newest) {
		return refuse(p.newestFile, fmt.Sprintf("a time of %s in it is later, and nothing is newer than the collection; "+
			"give the time at which the collection ran, with its zone", p.newest.UTC().Format(time.RFC3339)))
	}
	return &model.Moment{At: t, Earliest: t, Latest: t, Basis: model.Derived}, nil
}

// dateBundle says when a bundle was collected whose collector does not.
func (a *Axis) dateBundle(p printed, supplied *model.Moment) {
	if at := p.shared(); supplied != nil {
		a.CapturedAt, a.CapturedHow = supplied, model.CollectedSupplied
	} else if at != nil && at.Basis != model.Assumed {
		a.CapturedAt, a.CapturedHow = at, model.CollectedAges
		q := p.latest.quote
		a.CapturedFrom = model.Evidence{Source: p.latest.from, Text: q.Text, Truncated: q.Truncated, SHA256: q.SHA256}
	} else {
		if a.CapturedAt = newestSeen(a.Observations); a.CapturedAt != nil {
			a.CapturedHow = model.CollectedNewest
		}
	}
}

// shared is when a file was printed that proves nothing itself: when the latest proof of the others says, or up to the newest
// date where the collection went on. It is assumed where that is much newer: nothing dates the file.
func (p *printed) shared() *model.Moment {
	if p.latest == nil {
		return nil
	}
	m := p.latest.at
	if p.unsure[p.latest.file] != "" {
		m.Basis = model.Assumed
	}
	if p.newest.After(m.Latest) {
		if p.newest.Sub(m.Latest) > oneCollection {
			m.Basis = model.Assumed
		}
		m.At, m.Latest = p.newest, p.newest
	}
	return &m
}

// placeAges places the ages of files.
func (a *Axis) placeAges(of map[string][]*model.Observation, p printed, supplied *model.Moment) {
	dated := slices.ContainsFunc(a.Observations, func(o model.Observation) bool { return o.Kind == model.MultiAttach && !o.At.IsZero() })
	for _, f := range slices.Sorted(maps.Keys(of)) {
		at, why, problem := a.countedFrom(f, p, supplied, dated)
		if !slices.ContainsFunc(of[f], func(o *model.Observation) bool { return o.Age != nil }) {
			why, problem = "", words.If(problem != "", "nothing shows when what it says was so; --collected-at says when it was collected")
		}
		if problem != "" {
			a.Problems = append(a.Problems, model.Problem{Severity: model.Warning, Path: f, Message: problem})
		}
		if at == nil {
			continue
		}
		if why != "" {
			a.explainAges(f, why)
		}
		for _, o := range of[f] {
			o.At = backFrom(*at, o.Age)
			if o.Last = o.At; o.LastAge != nil {
				o.Last = backFrom(*at, o.LastAge)
			}
		}
	}
}

// countedFrom is the time from which the ages of a file count back, and how it is known; nil when other sources date what matters.
func (a *Axis) countedFrom(file string, p printed, supplied *model.Moment, dated bool) (at *model.Moment, why, problem string) {
	own, ok := p.of[file]
	m := own.at
	agrees := supplied != nil && During(m.Earliest.Add(-suppliedSlack), m.Latest.Add(suppliedSlack)).Holds(supplied.At)
	if moreExact := agrees && m.Latest.Sub(m.Earliest) > 2*suppliedSlack; ok && !moreExact {
		if doubt := p.unsure[file]; doubt != "" {
			m.Basis = model.Assumed
			why = "from " + bounds(m) + ", assumed: " + own.why + ", but " + doubt
			return &m, why, "its ages count back " + why
		}
		return &m, "from " + bounds(m) + ": " + own.why, ""
	}
	if supplied != nil {
		return supplied, "from " + bounds(*supplied) + ", set by --collected-at", ""
	}
	const unrecorded = "its ages count back from a time of collection that nothing records"
	const ask = "--collected-at says when it was collected"
	if m := p.shared(); m != nil && (!dated || m.Basis != model.Assumed) {
		why = "from " + bounds(*m) + ", as in " + p.latest.file + ": " + p.latest.why
		if m.Basis == model.Assumed {
			return m, why + "; assumed", unrecorded + "; used: " + bounds(*m) + ", from what " + p.latest.file +
				" proves to the newest time in the bundle. " + ask
		}
		return m, why, ""
	}
	if dated {
		return nil, "", "" // a recorded time of another collection dates nothing here
	}
	stand := a.standIn()
	text := model.DateTime(stand.At)
	why = "from " + text + ", assumed: nothing tells when they were printed"
	if a.CapturedHow == model.CollectedAssumed {
		// The stand-in is no real day: only distances from it mean something.
		return stand, "from a time that nothing shows: only the time differences between its lines are certain",
			unrecorded + ": only the time differences between its lines are certain; " + ask
	}
	return stand, why, unrecorded + "; used: " + text + ". Only the time differences between its lines are certain; " + ask
}

// explainAges says of an input from when its ages count back.
func (a *Axis) explainAges(file, why string) {
	for i := range a.Inputs {
		if in := &a.Inputs[i]; in.Path == file {
			var c model.Clock
			if in.Clock != nil {
				c = *in.Clock
			}
			c.Ages, in.Clock = why, &c
		}
	}
}

// bounds writes an instant down, or between which it lies.
func bounds(m model.Moment) string {
	if m.Latest.Sub(m.Earliest) < 2*time.Second {
		return model.Stamp(m.At)
	}
	return "a time between " + model.DateTime(m.Earliest) + " and " + model.Stamp(m.Latest)
}

// pasted reports whether an observation has to be placed by its age, or for want of one: a Multi-Attach report without
// any time still says which volume waits, and so does a refusal because another machine has it, or the error of a detach.
func pasted(o *model.Observation) bool {
	if !o.At.IsZero() {
		return false
	}
	showsAWait := o.Kind == model.MultiAttach || refusedElsewhere(o) || StuckThere(o)
	return showsAWait || o.Age != nil || pendingRow(o)
}

// pendingRow is a row of a VolumeAttachment that is not attached: it was so when it was printed.
func pendingRow(o *model.Observation) bool {
	return o.Kind == model.AttachmentPending && o.Source.Kind == model.SourceText
}

// refusedElsewhere reports that the storage refuses an attach because another machine has the volume.
func refusedElsewhere(o *model.Observation) bool {
	return Kinds(model.AttachFailed, model.MountFailed)(o) && StorageRefuses(o, o.Node)
}

// standIn is the collection when nothing records it: at the newest time in the bundle, or at a placeholder.
func (a *Axis) standIn() *model.Moment {
	if a.CapturedAt == nil {
		a.CapturedAt = &model.Moment{At: model.T, Earliest: model.T, Latest: model.T, Basis: model.Assumed}
		a.CapturedHow = model.CollectedAssumed
	}
	m := *a.CapturedAt
	m.Basis = model.Assumed
	return &m
}

// backFrom is the instant an age before the collection. Without an age, an Event was written within its life.
func backFrom(collected model.Moment, age *model.Range) model.Moment {
	if age == nil {
		return model.Moment{At: collected.At, Earliest: collected.Earliest.Add(-EventLife), Latest: collected.Latest, Basis: model.Assumed}
	}
	return model.Moment{
		At:       collected.At.Add(-secondsOf(age.Best)),
		Earliest: collected.Earliest.Add(-secondsOf(age.Max)),
		Latest:   collected.Latest.Add(-secondsOf(age.Min)),
		Basis:    collected.Basis.Weaker(model.Derived),
	}
}

func secondsOf(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// AgePrinted is an age as it was printed: rounded down to the unit that its bounds are apart.
func AgePrinted(age model.Range) string {
	best := age.Best
	for _, unit := range []float64{86400, 3600, 60, 1} {
		if age.Max-age.Min >= unit {
			best = math.Floor(best/unit) * unit
			break
		}
	}
	return words.Seconds(best)
}
