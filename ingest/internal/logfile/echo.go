package logfile

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// echoes knows the repetitions of a statement by their text, so that they are counted without being parsed again: a controller
// repeats some up to ten times a second, for hours.
type echoes struct {
	of    map[string]echo
	key   []byte // of the current record; empty when it can be nobody's repetition
	at    time.Time
	vary  string // what varies in it
	bytes int    // of the keys
	off   bool
}

// echo is what a text told when it was read.
type echo struct {
	run       run
	kind      model.Kind
	component string
	floating  bool
	last      model.Moment // of the statement
	at        time.Time    // of the record that it was learnt from
	changes   int          // of the folder until then
}

// Bounds of echoes: when one is reached, they are learnt anew.
const (
	maxEchoes    = 8192
	maxEchoBytes = 4 << 20
	maxEcho      = 16 << 10 // of one text
)

// see makes a key of a record: its file and text, without what varies, and the host, which is the only thing that a statement has of
// its writer.
func (e *echoes) see(h *logline.Head, row phrase.Row) {
	e.key, e.vary, e.at = e.key[:0], "", h.Time
	if e.off || h.JSON || h.Bare || h.Event || len(h.Text) > maxEcho || h.Time.IsZero() {
		return
	}
	from, to, varies := row.Varying(h.Text)
	if varies {
		e.vary = string(h.Text[from:to])
	}
	if h.From != nil {
		e.key = append(e.key, h.From.Host...)
	}
	e.key = append(append(append(e.key, 0), h.File...), 0)
	e.key = append(append(append(e.key, h.Text[:from]...), 0), h.Text[to:]...)
}

// learn remembers what the current record told.
func (e *echoes) learn(o *model.Observation, r run, changes int) {
	if len(e.key) == 0 || o.Count != 1 || !o.At.At.Equal(e.at) || !o.Last.At.Equal(e.at) || e.vary != "" && o.Detail != e.vary {
		return
	}
	if len(e.of) >= maxEchoes || e.bytes >= maxEchoBytes || e.of == nil {
		e.of, e.bytes = map[string]echo{}, 0
	}
	e.of[string(e.key)] = echo{
		run: r, kind: o.Kind, component: o.Component, floating: o.Floating, last: o.Last, at: e.at, changes: changes,
	}
	e.bytes += len(e.key)
}

// repeats counts a record whose text is known to repeat a statement. It answers false for any other, which is then to be parsed.
func (l *log) repeats(h *logline.Head, row phrase.Row) bool {
	l.echoes.see(h, row)
	if len(l.echoes.key) == 0 || !l.order.flows() || l.writers.oneProcess {
		return false
	}
	e, ok := l.echoes.of[string(l.echoes.key)]
	if !ok || e.changes != l.fold.changes || e.floating != h.Floating || !l.fold.goesOn(&e, h.Time, l.echoes.vary) {
		return false
	}
	l.use(e.component)
	l.fold.repeat(e.run, 1, e.last.Shift(h.Time.Sub(e.at)))
	return true
}

// goesOn is continues for what an echo stands for.
func (f *folder) goesOn(e *echo, at time.Time, detail string) bool {
	if e.kind == model.NodeHeartbeatMissed {
		return e.run.probe.near(probeBefore(at, detail))
	}
	gap, _ := repetition(e.kind)
	return f.silence(e.run, at) <= gap
}
