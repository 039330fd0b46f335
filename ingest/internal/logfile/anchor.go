package logfile

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// anchors is what ties the log's own clock to the axis: the instants that it prints itself, else its other lines, whose
// wrapper has year and zone.
func (l *log) anchors(st logline.Stats) []logline.Anchor {
	if len(st.Anchors) == 0 && l.absolute > 0 && st.ZoneOffset != nil && st.ZoneMoved == 0 {
		return []logline.Anchor{{Line: 1, Civil: l.from.Add(*st.ZoneOffset), Offset: *st.ZoneOffset}}
	}
	return st.Anchors
}

// anchored puts the floating statements of a log on the axis, where the log itself prints its clock beside an instant.
func (l *log) anchored(anchors []logline.Anchor, out []model.Observation) {
	if len(anchors) == 0 || l.floatFrom.IsZero() {
		return
	}
	for i := range out {
		if o := &out[i]; o.Floating {
			a := nearest(anchors, o.Source.Line)
			o.At, o.Last, o.Floating = moment(o.At, a), moment(o.Last, a), false
		}
	}
	from, to := instant(l.floatFrom, anchors[0]), instant(l.floatTo, anchors[len(anchors)-1])
	if l.absolute == 0 || from.Before(l.from) {
		l.from = from
	}
	if l.absolute == 0 || to.After(l.to) {
		l.to = to
	}
	l.absolute += l.floating
	l.floatFrom, l.floatTo, l.floating = time.Time{}, time.Time{}, 0
}

// nearest is the anchor in force at a line: the last one before it.
func nearest(anchors []logline.Anchor, line int) logline.Anchor {
	a := anchors[0]
	for _, b := range anchors[1:] {
		if b.Line <= line {
			a = b
		}
	}
	return a
}

// instant is a floating time by an anchor: in the year that brings it nearest to the anchor's own.
func instant(t time.Time, a logline.Anchor) time.Time {
	const halfYear = 183 * 24 * time.Hour
	in := func(year int) time.Time {
		return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	}
	at := in(a.Civil.Year())
	switch delta := at.Sub(a.Civil); {
	case delta > halfYear:
		at = in(a.Civil.Year() - 1)
	case delta < -halfYear:
		at = in(a.Civil.Year() + 1)
	}
	return at.Add(-a.Offset)
}

// moment moves a whole floating moment with its best estimate.
func moment(m model.Moment, a logline.Anchor) model.Moment {
	if m.IsZero() {
		return m
	}
	at := instant(m.At, a)
	return model.Moment{At: at, Earliest: at.Add(m.Earliest.Sub(m.At)), Latest: at.Add(m.Latest.Sub(m.At)), Basis: m.Basis.Weaker(model.Derived)}
}
