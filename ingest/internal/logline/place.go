package logline

import "time"

// placer turns a header's clock into an instant. A klog header has no year and no zone: a wrapper with both places it, else it floats.
type placer struct {
	time     time.Time
	floating bool

	year   int // of floating times: 0 where the log begins, 1 after a new year within it, -1 before one
	month  int // of the floating record before
	offset *time.Duration
	now    time.Duration // offset in force
	moved  int
}

// zoneStep is the grid of zone offsets, zoneSlack half of it: a wrapper that lags less behind its line does not look like another zone.
const (
	zoneStep  = 15 * time.Minute
	zoneSlack = zoneStep / 2
	maxZone   = 14 * time.Hour
)

// place sets time and floating for a record.
func (p *placer) place(b *buffer) {
	c := &b.head.clock
	p.floating = false
	switch {
	case b.head.json, b.head.logrus, b.head.logfmt:
		p.time = time.UnixMicro(c.instant).UTC()
	case b.head.bare:
		p.bare(b)
	case b.wrap.has:
		p.time = p.besideWrapper(c, b.wrap.time, b.line)
	default:
		p.floating = true
		p.time = c.in(p.floatingYear(c.month))
	}
}

// in is the clock's time in a year, as if UTC.
func (c *clock) in(year int) time.Time {
	return time.Date(year, time.Month(c.month), c.day, c.hour, c.minute, c.second, c.nanos, time.UTC)
}

// floatingYear keeps a log monotone that runs from December into January, or, newest line first, back into December.
// Workers that write around midnight may swap their lines, so it steps both ways.
func (p *placer) floatingYear(month int) int {
	if p.month >= 11 && month <= 2 {
		p.year = min(p.year+1, 1)
	} else if p.month != 0 && p.month <= 2 && month >= 11 {
		p.year = max(p.year-1, -1)
	}
	p.month = month
	return p.year
}

// Nearest is a time without year in the year that brings it nearest to an instant: around new year that is the neighbouring one.
func Nearest(to time.Time, in func(year int) time.Time) time.Time {
	const halfYear = 183 * 24 * time.Hour
	at := in(to.Year())
	if delta := at.Sub(to); delta > halfYear {
		at = in(to.Year() - 1)
	} else if delta < -halfYear {
		at = in(to.Year() + 1)
	}
	return at
}

// besideWrapper places the header's microseconds by the wrapper's year and zone. The offset of the header's zone is
// constant but for daylight saving, so the one in force is kept while it fits.
func (p *placer) besideWrapper(c *clock, wrapper time.Time, line int) time.Time {
	t := Nearest(wrapper, c.in)
	delta := t.Sub(wrapper)
	if residual := delta - p.now; p.offset != nil && residual.Abs() <= zoneSlack {
		return t.Add(-p.now)
	}
	offset := delta.Round(zoneStep)
	if offset.Abs() > maxZone {
		return wrapper // not the time of writing, such as the time of an import; but the only one with a zone
	}
	if p.offset == nil {
		p.offset = &offset
	} else if p.moved == 0 {
		p.moved = line
	}
	p.now = offset
	return t.Add(-offset)
}

// stretch places many records at once. It returns false when each has to be placed by itself.
func (p *placer) stretch(st *Stretch) bool {
	year, shift := st.year, time.Duration(0)
	switch {
	case st.instant:
	case st.wrapped:
		near, far := time.Duration(st.near)-p.now, time.Duration(st.far)-p.now
		if p.offset == nil || near < -zoneSlack || far > zoneSlack {
			return false
		}
		shift = -p.now
	default:
		year, st.Floating = p.floatingYear(st.month), true
	}
	st.origin = time.Unix(0, 0).UTC()
	if !st.instant {
		st.origin = time.Date(year, time.Month(st.month), 1, 0, 0, 0, 0, time.UTC).Add(shift)
	}
	for i := range st.Repetitions {
		st.Repetitions[i].Time = st.At(st.Repetitions[i].clock)
	}
	return true
}

// bare places a record without a header by its wrapper. Its time is zero when that has none.
func (p *placer) bare(b *buffer) {
	if b.wrap.has {
		p.time = b.wrap.time
	} else if b.wrap.isCivil {
		p.floating = true
		month := time.UnixMicro(b.wrap.civil).UTC().Month()
		p.time = civilIn(b.wrap.civil, p.floatingYear(int(month)))
	} else {
		p.time = time.Time{}
	}
}

// civilIn is a time of year 0, in Unix microseconds, in another year.
func civilIn(micros int64, year int) time.Time {
	t := time.UnixMicro(micros).UTC()
	return time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
