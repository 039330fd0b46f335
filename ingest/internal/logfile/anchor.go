package logfile

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// anchors ties the log's own clock to the axis: the instants that it prints, else its other lines, whose wrapper has year and zone.
func (l *log) anchors(st logline.Stats) []logline.Anchor {
	if placed := &l.order.spans[0]; len(st.Anchors) == 0 && placed.records > 0 && st.ZoneOffset != nil && st.ZoneMoved == 0 {
		return []logline.Anchor{{Line: 1, Civil: placed.from.Add(*st.ZoneOffset), Offset: *st.ZoneOffset}}
	}
	return st.Anchors
}

// anchored puts the floating statements of a log on the axis, where the log itself prints its clock beside an instant.
func (l *log) anchored(anchors []logline.Anchor, out []model.Observation) {
	placed, floating := &l.order.spans[0], &l.order.spans[1]
	if len(anchors) == 0 || floating.records == 0 {
		return
	}
	for i := range out {
		if o := &out[i]; o.Floating {
			a := nearest(anchors, o.Source.Line)
			o.At, o.Last, o.Floating = moment(o.At, a), moment(o.Last, a), false
		}
	}
	placed.widen(instant(floating.from, anchors[0]), instant(floating.to, anchors[len(anchors)-1]), floating.records)
	*floating = covered{}
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
	return logline.Nearest(a.Civil, func(year int) time.Time {
		return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	}).Add(-a.Offset)
}

// moment moves a whole floating moment with its best estimate.
func moment(m model.Moment, a logline.Anchor) model.Moment {
	if m.IsZero() {
		return m
	}
	at := instant(m.At, a)
	return model.Moment{At: at, Earliest: at.Add(m.Earliest.Sub(m.At)), Latest: at.Add(m.Latest.Sub(m.At)),
		Basis: m.Basis.Weaker(model.Derived)}
}
