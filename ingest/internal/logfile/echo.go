package logfile

import (
	"hash/maphash"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// echoes recognises repetitions of a statement by text, to count them unparsed: a controller repeats some ten times a second, for hours.
type echoes struct {
	seed  maphash.Seed
	of    map[uint64]*echo
	bytes int // of their texts
	off   bool
	now   logline.Repetition // the current record; without a hash when it can repeat none
	host  string             // of its writer: the only thing that a statement has of that
	found []*echo            // of the records of a stretch
}

// echo is what a text said when it was read.
type echo struct {
	host, file, head, tail string // head and tail are the text around what varies
	run                    *run
	kind                   model.Kind
	component              string
	last                   model.Moment // of the statement
	at                     time.Time    // of the record that it was learnt from
}

// Bounds of echoes: when one is reached, they are learnt anew.
const (
	maxEchoes    = 8192
	maxEchoBytes = 4 << 20
	maxEcho      = 16 << 10 // of one text
)

// repeats reports whether a wording is repeated for long.
func repeats(row phrase.Row, text []byte) bool {
	gap, _ := repetition(row.Kind())
	return gap == foldGap && len(text) <= maxEcho
}

// see looks at a record. It returns what its text said before, nil when that is not known.
func (e *echoes) see(h *logline.Head, row phrase.Row) *echo {
	e.now = logline.Repetition{}
	if h.JSON || h.Bare || h.Event {
		return nil
	}
	if e.off || h.Time.IsZero() || !repeats(row, h.Text) {
		return nil
	}
	e.now = logline.Repetition{File: h.File, Text: h.Text, Time: h.Time}
	e.now.From, e.now.To = row.Varying(h.Text)
	e.now.Hash = logline.Hash(e.seed, h.Text, e.now.From, e.now.To)
	e.host = ""
	if h.From != nil {
		e.host = h.From.Host
	}
	return e.find(&e.now, e.host)
}

// find is what a text said, nil when that is not known.
func (e *echoes) find(t *logline.Repetition, host string) *echo {
	known := e.of[t.Hash]
	if known != nil && known.host == host && string(t.File) == known.file &&
		string(t.Text[:t.From]) == known.head && string(t.Text[t.To:]) == known.tail {
		return known
	}
	return nil
}

// learn remembers what the current record said.
func (e *echoes) learn(o *model.Observation, r *run) {
	t := &e.now
	exact := o.Count == 1 && o.At.At.Equal(t.Time) && o.Last.At.Equal(t.Time)
	if t.Hash == 0 || !exact || t.From < t.To && o.Detail != string(t.Text[t.From:t.To]) {
		return
	}
	if len(e.of) >= maxEchoes || e.bytes >= maxEchoBytes || e.of == nil {
		e.of, e.bytes = map[uint64]*echo{}, 0
	}
	e.of[t.Hash] = &echo{
		host: e.host, file: string(t.File), head: string(t.Text[:t.From]), tail: string(t.Text[t.To:]),
		run: r, kind: o.Kind, component: o.Component, last: o.Last, at: t.Time,
	}
	e.bytes += len(t.Text)
}

// repeats counts a record whose text is known to repeat a statement. It returns false for any other, which is then to be parsed.
func (l *log) repeats(h *logline.Head, row phrase.Row) bool {
	e := l.echoes.see(h, row)
	if e == nil || !l.order.flows() || !l.fold.goesOn(e, &l.echoes.now, foldGap) {
		return false
	}
	l.repeat(e, &l.echoes.now)
	return true
}

// known finds what the records of a stretch that repeat said before. It returns false when one has to be parsed. While they are counted,
// their runs go on: those that are at most half of a gap behind what is known are at most a gap behind each other.
func (l *log) known(st *logline.Stretch) bool {
	l.echoes.found = l.echoes.found[:0]
	if len(st.Repetitions) == 0 {
		return true
	}
	host := ""
	if st.From != nil {
		host = st.From.Host
	}
	if !l.order.flows() {
		return false
	}
	for i := range st.Repetitions {
		e := l.echoes.find(&st.Repetitions[i], host)
		if e == nil || !l.fold.goesOn(e, &st.Repetitions[i], foldGap/2) {
			return false
		}
		l.echoes.found = append(l.echoes.found, e)
	}
	return true
}

func (l *log) repeat(e *echo, t *logline.Repetition) {
	l.use(e.component, t.File, t.Text)
	e.run.repeat(1, e.last.Shift(t.Time.Sub(e.at)))
}

// goesOn is continues for what an echo stands for.
func (f *folder) goesOn(e *echo, t *logline.Repetition, gap time.Duration) bool {
	if !f.open(e.run) {
		return false
	}
	if e.kind == model.NodeHeartbeatMissed {
		return e.run.probe.near(probeBefore(t.Time, string(t.Text[t.From:t.To])))
	}
	return e.run.silence(t.Time) <= gap
}
