package logfile

import (
	"io"
	"slices"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// Hint is what the place of a file tells about the container that wrote it. Any field may be empty.
type Hint struct {
	Namespace, Pod, Container string
	Path                      string
}

// Result is what one log file tells. Observations are in the order of the file.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// Read reads a whole log with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string, hint Hint) Result {
	s := logline.NewScanner(r)
	l := &log{
		path: path,
		in:   model.Input{Path: path, Namespace: hint.Namespace, Pod: hint.Pod, Container: hint.Container},
	}
	for s.Scan() {
		l.record(s)
	}
	return l.finish(s.Stats(), hint)
}

// log is a file that is being read.
type log struct {
	path  string
	in    model.Input
	votes votes
	fold  folder

	from, to           time.Time // of absolute records
	floatFrom, floatTo time.Time // of floating ones
	absolute           int       // records
	anonymous          int       // used records whose wording any program may have
}

// record takes the scanner's current record.
func (l *log) record(s *logline.Scanner) {
	h := s.Head()
	l.in.Records++
	if l.in.Records == 1 {
		l.fold.beats.began = h.Time
	}
	l.span(h)
	l.votes.see(h.File, h.Text)
	row, ok := phrase.Match(h.File, h.Text)
	if !ok {
		return
	}
	rec := s.Record()
	obs := row.Read(&rec)
	if len(obs) == 0 {
		return
	}
	l.in.Used++
	l.votes.add(obs[0].Component)
	if obs[0].Component == "" {
		l.anonymous++
	}
	for _, o := range obs {
		o.Source.Path, o.Input = l.path, l.path
		l.fold.add(o, rec.Raw)
	}
}

// span widens the time that the log covers.
func (l *log) span(h logline.Head) {
	from, to := &l.from, &l.to
	if h.Floating {
		from, to = &l.floatFrom, &l.floatTo
	} else {
		l.absolute++
	}
	if from.IsZero() || h.Time.Before(*from) {
		*from = h.Time
	}
	if to.IsZero() || h.Time.After(*to) {
		*to = h.Time
	}
}

// finish accounts for the file.
func (l *log) finish(st logline.Stats, hint Hint) Result {
	in := &l.in
	in.Bytes, in.ZoneOffset = st.Bytes, st.ZoneOffset
	in.Component = l.votes.component(hint.Container)
	out := l.fold.out
	if in.Component == componentNames[apiServer] {
		// Its flags and its leader elections say nothing of the controllers.
		out = slices.DeleteFunc(out, func(o model.Observation) bool { return o.Component == "" })
		in.Used -= l.anonymous
	}
	in.Skipped = in.Records - in.Used
	in.Kind = model.InputLog
	if in.Component != "" {
		in.Kind += "/" + in.Component
	}
	switch {
	case in.Records == 0 && st.Bytes == 0:
		in.Kind = model.InputEmpty
	case in.Records == 0:
		in.Kind = model.InputUnread
	}
	from, to := l.from, l.to
	if l.absolute == 0 && in.Records > 0 {
		in.Floating, from, to = true, l.floatFrom, l.floatTo
	}
	if in.Records > 0 {
		in.From, in.To = &from, &to
	}
	for i := range out {
		if out[i].Component == "" {
			out[i].Component = in.Component
		}
	}
	return Result{Input: *in, Observations: out, Problems: l.problems(st)}
}
