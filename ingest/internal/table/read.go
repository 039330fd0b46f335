package table

import (
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// maxObservations is what one file may give; the largest clusters have some ten thousand events.
const maxObservations = 200_000

// Hint is what is known of a file before it is read. Any field may be empty.
type Hint struct {
	Path        string
	Namespace   string        // of a table that shows none
	CollectedAt *model.Moment // when the file was written
}

// Result is what one file tells. Observations are in the order of the file, but for the events of one object.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// reader is a file that is being read.
type reader struct {
	path    string
	hint    Hint
	in      model.Input
	out     []model.Observation
	command command
	table   *openTable
	desc    *description
	section *section
	pending *pending
	orphans int
	lost    int
	lostAt  int
	long    int // descriptions over their bounds
}

// openTable is the table whose header was read last.
type openTable struct {
	columns columns
	kind    *tableKind // nil for a table of events, and for one that is not read
	events  bool
}

// Read reads a whole file with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string, hint Hint) Result {
	rd := &reader{path: path, hint: hint, in: model.Input{Path: path, Kind: model.InputText}}
	ls := newLines(r)
	for {
		l, ok := ls.next()
		if !ok {
			break
		}
		rd.line(l)
	}
	rd.close()
	return rd.finish(ls)
}

var (
	fence     = regexp.MustCompile("^ *(?:```|~~~)")
	underline = regexp.MustCompile(`^[ -]*-{3}[ -]*$`)
)

// line takes one line. What begins something new ends what is open; only then may a line belong to what is open.
func (r *reader) line(l line) {
	s := l.text
	switch {
	case s == "":
		r.commit()
		r.table = nil
		return
	case fence.MatchString(s):
		r.close()
		return
	}
	if c, ok := parseCommand(s); ok {
		r.close()
		r.command = c
		// A grep may have run the output into the prompt's line.
		r.shaped(l)
		return
	}
	if c, ok := header(s); ok {
		r.open(c)
		return
	}
	if r.describes(l) || r.tableRow(l) || r.event(l) || r.shaped(l) {
		return
	}
	switch {
	case r.pending != nil && r.pending.extend(l):
		if r.pending.whole() && !r.pending.mayGo() {
			r.commit()
		}
	case r.desc != nil && r.section == nil:
		r.desc.add(l)
	case underline.MatchString(s):
	default:
		r.commit()
		r.orphans++
	}
}

// open begins a table. The header of a describer's events begins a section instead.
func (r *reader) open(c columns) {
	r.commit()
	r.table = nil
	if c.has("type", "reason", "message") && c.has("from") {
		// Rows above without a header are of another object; those of a description have only just begun.
		if r.section == nil || len(r.section.rows) > 0 {
			r.begin()
		}
		return
	}
	r.endSection()
	r.endDescription()
	r.table = &openTable{columns: c, events: eventTable(&c)}
	for i := range tableKinds {
		if !r.table.events && tableKinds[i].is(&c) {
			r.table.kind = &tableKinds[i]
			break
		}
	}
}

// begin begins a section of events about what is described, or about what the command asked for.
func (r *reader) begin() {
	r.endSection()
	r.section = &section{}
	switch {
	case r.desc != nil:
		r.section.object = r.desc.ref()
		if r.section.object.Kind == "Pod" {
			r.section.on(r.desc.podNode())
		}
	case r.command.verb == "describe" && r.command.name != "" && r.command.kind != "":
		r.section.object = model.Ref{Kind: r.command.kind, Namespace: r.command.namespace, Name: r.command.name}
	}
	if o := &r.section.object; o.Kind == "Pod" && o.Namespace == "" {
		o.Namespace = r.hint.Namespace
	}
}

// describes takes the lines that begin a description, and the one that begins its events.
func (r *reader) describes(l line) bool {
	if _, indent, ok := beginsDescription(l.text); ok && (r.desc == nil || indent <= r.desc.indent || r.section != nil) {
		r.close()
		r.desc = &description{indent: indent, asked: r.command}
		r.desc.add(l)
		return true
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.text, " "), "Events:")
	if !ok {
		return false
	}
	r.commit()
	r.table = nil
	if rest = strings.TrimSpace(rest); rest == "<none>" {
		r.endSection()
		r.endDescription()
		return true
	}
	if rest != "" {
		return false
	}
	r.begin()
	return true
}

// tableRow takes a row of the open table.
func (r *reader) tableRow(l line) bool {
	t := r.table
	if t == nil {
		return false
	}
	if t.events {
		parse := func(s string) (eventRow, bool) {
			c, ok := t.columns.split(s)
			if !ok {
				return eventRow{}, false
			}
			return columnRow(c)
		}
		return r.wait(l, parse)
	}
	if t.kind == nil {
		// A table of something else: its rows are nobody's.
		r.in.Records++
		return true
	}
	c, ok := t.columns.split(l.text)
	return ok && r.tell(t.kind, c, l)
}

// shaped takes a row of a table whose header is missing.
func (r *reader) shaped(l line) bool {
	kind, c, ok := shapedCells(l.text)
	return ok && r.tell(kind, c, l)
}

// tell makes the statements of a table's row.
func (r *reader) tell(kind *tableKind, c cells, l line) bool {
	namespace := r.command.namespace
	if namespace == "" {
		namespace = r.hint.Namespace
	}
	row := row{cells: c, at: l, path: r.path, namespace: namespace}
	if !kind.read(&row) {
		return false
	}
	r.commit()
	r.record(row.out)
	return true
}

// event takes a row of events that is told by its shape, or a message that stands alone, unless it stands under the row
// that it was broken from.
func (r *reader) event(l line) bool {
	if p := r.pending; p != nil && p.ok && p.row.record.Message == "" {
		if _, ok := bareRow(l.text); ok && p.extend(l) {
			return true
		}
	}
	return r.wait(l, shapedRow) || r.wait(l, bareRow) || r.wrapped(l)
}

// wait takes a row of events. It is kept back while it may go on in the next line.
func (r *reader) wait(l line, parse func(string) (eventRow, bool)) bool {
	row, ok := parse(l.text)
	if !ok {
		return false
	}
	r.commit()
	r.pending = &pending{lines: []line{l}, text: l.text, parse: parse, row: row, ok: true}
	if r.pending.whole() && !r.pending.mayGo() {
		r.commit()
	}
	return true
}

// wrappedBare is a report whose volume is followed by nothing: the rest is on the next line.
var wrappedBare = regexp.MustCompile(`(?:^ *|FailedAttachVolume:? +)(?:Multi-Attach error|Waiting for detach) for volume(?: \S*)?(?: V[a-z ()]*)?$`)

// wrapped takes the first line of a message that stands alone and was broken.
func (r *reader) wrapped(l line) bool {
	if !wrappedBare.MatchString(l.text) {
		return false
	}
	r.commit()
	r.pending = &pending{lines: []line{l}, text: l.text, parse: bareRow}
	return true
}

// commit ends the row that waits.
func (r *reader) commit() {
	p := r.pending
	if p == nil {
		return
	}
	r.pending = nil
	if !p.says() {
		r.orphans += len(p.lines)
		return
	}
	placed := placedRow{eventRow: p.row, quote: p.quote(),
		source: model.Source{Kind: model.SourceText, Path: r.path, Line: p.lines[0].number}}
	if p.row.about {
		if o := &placed.record.Object; o.Namespace == "" && namespaced(o.Kind) {
			if o.Namespace = r.command.namespace; o.Namespace == "" {
				o.Namespace = r.hint.Namespace
			}
		}
		r.record([]model.Observation{placed.observation()})
		return
	}
	if r.section == nil || !r.section.takes(&p.row) {
		r.begin()
		if !r.section.takes(&p.row) {
			r.section = &section{}
		}
	}
	r.section.add(placed)
}

func namespaced(kind string) bool {
	switch kind {
	case "Node", "PersistentVolume", "VolumeAttachment", "Namespace":
		return false
	}
	return true
}

// endSection tells what the rows of the section say.
func (r *reader) endSection() {
	r.commit()
	if r.section == nil {
		return
	}
	for _, o := range r.section.observe() {
		r.record([]model.Observation{o})
	}
	r.section = nil
}

// endDescription tells what the description says.
func (r *reader) endDescription() {
	if r.desc == nil {
		return
	}
	if r.desc.lost {
		r.long++
	}
	if r.desc.ref().Name == "" {
		r.orphans += len(r.desc.fields) // a text with keys, but none of kubectl's
	} else {
		r.record(r.desc.observe(r.path))
	}
	r.desc = nil
}

// close ends everything that is open, but for what the command said.
func (r *reader) close() {
	r.endSection()
	r.endDescription()
	r.table = nil
}

// record accounts for one row or description and keeps what it says.
func (r *reader) record(statements []model.Observation) {
	r.in.Records++
	if len(statements) > 0 {
		r.in.Used++
	}
	for _, o := range statements {
		if len(r.out) >= maxObservations {
			if r.lost == 0 {
				r.lostAt = o.Source.Line
			}
			r.lost++
			continue
		}
		r.span(o.At)
		r.span(o.Last)
		r.out = append(r.out, o)
	}
}

// span widens the time that the file's instants cover.
func (r *reader) span(m model.Moment) {
	if m.IsZero() {
		return
	}
	at := m.At
	widen := func(to **time.Time, further bool) {
		if *to == nil || further {
			*to = &at
		}
	}
	widen(&r.in.From, r.in.From != nil && at.Before(*r.in.From))
	widen(&r.in.To, r.in.To != nil && at.After(*r.in.To))
}
