// Package logfile reads one log file into observations: it recognises the component, runs the records of package logline
// through the tables of package phrase, and folds statements that a controller repeats for minutes into one.
package logfile

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// Hint is what the place of a file says about the container that wrote it. Any field may be empty.
type Hint struct {
	Namespace, Pod, Container string
	// Spill, unless nil, may take a statement of a log that gives many: false leaves it to the Result.
	Spill func(model.Observation) bool
}

// Result is what one log file says. Observations are in the order of the file, or of time where the file has none.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// Read reads a whole log with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string, hint Hint) Result {
	return read(logline.NewScanner(r), path, hint, true)
}

// read reads a log. Unless it may pass, every record is taken by itself, whatever it says and however often it is repeated.
func read(s *logline.Scanner, path string, hint Hint, pass bool) Result {
	s.Known = known
	l := &log{
		path: path,
		in:   model.Input{Path: path, Namespace: hint.Namespace, Pod: hint.Pod, Container: hint.Container},
	}
	l.order.fold = &l.fold
	l.fold.spill = hint.Spill
	if l.echoes.off = !pass; pass {
		l.echoes.seed = maphash.MakeSeed()
		s.Skip(skipper(l.echoes.seed), l.skip)
		defer s.Close()
	}
	for range s.Records {
		l.record(s)
	}
	l.order.flush()
	return l.finish(s.Stats())
}

// known takes a text without a header for a statement when its wording is one that the tables know: of the source file,
// if something names that, else one that no other program has. What a log service names as a component's is one, too.
func known(from *envelope.Origin, file, text []byte) bool {
	if len(file) == 0 {
		return phrase.Known(text)
	}
	if from != nil && from.File != "" && ComponentOf(from.Container) != "" {
		return true
	}
	_, ok := phrase.Match(file, text)
	return ok || !phrase.MayMatch(file) && phrase.Known(text)
}

type log struct {
	path    string
	in      model.Input
	votes   votes
	fold    folder
	order   orderer
	writers writers
	marking marking
	rec     logline.Record      // the one that is being read
	says    []model.Observation // what it says
	echoes  echoes

	foreign   covered // records of programs with a syntax of their own
	anonymous int     // used records whose wording any program may have
}

func (l *log) record(s *logline.Scanner) {
	h := s.Head()
	l.in.Records++
	row, matched := phrase.Match(h.File, h.Text)
	if h.Foreign && !matched {
		l.foreign.widen(h.Time, h.Time, 1)
		return
	}
	l.order.see(h.Time, h.Floating, h.Line)
	l.writers.see(h.From)
	l.marking.see(&h)
	if !matched && !h.Event {
		l.votes.see(h.File, h.Text)
		return
	}
	if l.repeats(&h, row) {
		return
	}
	obs, raw := l.statements(s, &h, row)
	if len(obs) == 0 {
		l.votes.see(h.File, h.Text)
		return
	}
	l.use(obs[0].Component, h.File, h.Text)
	for i := range obs {
		o := &obs[i]
		o.Source.Path, o.Input = l.path, l.path
		l.writers.fill(o, &h)
		l.marking.fill(o)
		if l.order.flows() {
			if run := l.fold.add(o, raw); run != nil && len(obs) == 1 {
				l.echoes.learn(o, run)
			}
			continue
		}
		kept := *o
		l.order.add(statement{at: h.Time, o: &kept, raw: raw})
	}
}

// use counts a record that says something, and its writer: the statement, else the record's source file and text.
func (l *log) use(component string, file, text []byte) {
	l.in.Used++
	if component == "" {
		l.anonymous++
		l.votes.see(file, text)
		return
	}
	l.votes.add(component)
}

// statements is what the current record says, until the next one, and the text that does.
func (l *log) statements(s *logline.Scanner, h *logline.Head, row phrase.Row) ([]model.Observation, string) {
	rec := &l.rec
	s.ReadRecord(rec)
	if h.Event {
		return readEvent(rec), rec.Raw
	}
	l.says = row.Read(rec, l.says[:0])
	return l.says, rec.Raw
}

func (l *log) finish(st logline.Stats) Result {
	in := &l.in
	in.Bytes, in.ZoneOffset = st.Bytes, st.ZoneOffset
	l.writers.name(in)
	in.Component = cmp.Or(l.votes.component(), ComponentOf(in.Container))
	if l.writers.oneProcess && l.votes.n[controllerManager] > 0 {
		in.Component = componentNames[controllerManager]
	}
	out := slices.Concat(l.fold.out...)
	anchors := l.anchors(st)
	l.anchored(anchors, out)
	if n := len(anchors); n > 0 && in.ZoneOffset == nil {
		in.ZoneOffset = &anchors[n-1].Offset
	}
	if in.Component == componentNames[apiServer] {
		// Its flags and its leader elections say nothing of the controllers.
		out = slices.DeleteFunc(out, func(o model.Observation) bool { return o.Component == "" })
		in.Used -= l.anonymous
	}
	in.Skipped = in.Records - in.Used
	if in.Records > 0 {
		in.Kind = strings.TrimSuffix(model.InputLog+"/"+in.Component, "/")
	} else if st.Bytes > 0 {
		in.Kind = model.InputUnread
	} else {
		in.Kind = model.InputEmpty
	}
	l.setSpan()
	for i := range out {
		if out[i].Component == "" && !l.writers.oneProcess {
			out[i].Component = in.Component
		}
	}
	return Result{Input: *in, Observations: out, Problems: l.problems(st)}
}

// setSpan sets the time that the log covers.
func (l *log) setSpan() {
	whole := l.order.spans[0]
	if whole.records == 0 {
		whole = l.order.spans[1]
		l.in.Floating = whole.records > 0
	}
	if whole.records == 0 {
		whole = l.foreign // beside a component's log they say nothing of what that covers
	}
	if !whole.from.IsZero() {
		l.in.From, l.in.To = &whole.from, &whole.to
	}
}

// problems says once per file what could not be read.
func (l *log) problems(st logline.Stats) []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: l.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if st.Err != nil {
		add(model.Failure, 0, "reading stopped after %d bytes: %v", st.Bytes, st.Err)
	}
	switch {
	case st.NotALog:
		add(model.Warning, 0, "not a log: no klog record within the first 4 MiB")
	case l.in.Records == 0 && st.Bytes > 0:
		add(model.Warning, 0, "not a log: no klog record in it")
	case st.Orphans > 0:
		add(model.Info, 0, "%s that no log record holds", counted(st.Orphans, "line"))
	}
	if st.TooLong > 0 {
		add(model.Warning, st.TooLongAt, "%d bytes of %d records are not read: a record is kept up to 1 MiB", st.Dropped, st.TooLong)
	}
	if st.ZoneMoved > 0 {
		add(model.Info, st.ZoneMoved, "the zone of the log's own clock changes here")
	}
	if st.Broken > 0 {
		add(model.Info, 0, "%s of JSON broke off; what came before is read", counted(st.Broken, "piece"))
	}
	if l.order.hourBack > 0 {
		add(model.Warning, l.order.hourBack, "its clock, which names no zone, goes back by an hour here, as where summer time ends: "+
			"times of that hour, and distances across it, may be wrong by an hour")
	}
	if l.order.disorder > 0 {
		add(model.Info, l.order.disorder, "its records are not in the order of time; they are read in that order")
	}
	if l.order.cut {
		add(model.Warning, l.order.disorder, "it has too many statements to sort them all: up to %d are sorted at once", maxSorted)
	}
	if l.fold.lost > 0 {
		add(model.Warning, l.fold.lostAt, "%d statements from here on are not kept: a file gives %d at most, of %d MiB of text", l.fold.lost,
			maxObservations, maxKept>>20)
	}
	if l.order.spans[0].records > 0 && l.order.spans[1].records > 0 {
		add(model.Info, 0, "some records have a time with year and zone, others have neither")
	}
	return out
}

// counted is a number of things with its word.
func counted(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
