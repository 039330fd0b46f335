// Package table reads what people paste from a terminal: the tables of kubectl get and kubectl events, the output of
// kubectl describe, messages of events that stand alone, and the mount table of a node. It bears what copying does to them:
// quoting marks, fences, prompts, tabs, lost headers, shifted columns and wrapped lines.
//
// A terminal shows ages, not instants. An age becomes model.Observation.Age, with the precision that was shown; Place
// turns it into an instant once the time of collection is known. What an Event means is decided by package phrase.
package table

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// maxObservations is what one file may give; the largest clusters have some ten thousand events.
const maxObservations = 200_000

// maxAged bounds the ages of objects that are kept of a file. One that dates the printing is enough.
const maxAged = 20_000

// maxKept bounds the text that stays in memory with them.
const maxKept = 64 << 20

// Hint is what is known of a file before it is read. Any field may be empty.
type Hint struct {
	Path        string
	Namespace   string        // of a table that shows none
	CollectedAt *model.Moment // when the file was written
	Verbatim    bool          // only what stands as it was printed counts: whatever runs in a pod may write about it
	Prose       bool          // what its author tells counts, too
	// Taken, unless nil, reports that another reader has read a line.
	Taken func(raw string) bool
}

// Result is what one file says. Observations are in the order of the file, but for the events of one object.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Aged         []model.Aged
	Problems     []model.Problem
}

type reader struct {
	path    string
	hint    Hint
	in      model.Input
	out     []model.Observation
	aged    []model.Aged
	command command
	half    string            // a command that goes on in the next line
	claim   model.Ref         // that the line above labels
	inodes  bool              // the table of df above counts them
	disks   map[string]string // by lsblk, with their sizes
	table   *openTable
	pods    bool // a table of pods stands above
	desc    *description
	object  []line // of one that is printed over several lines, and not closed yet
	section *section
	pending *pending
	orphans int
	kept    int // bytes of the text of what is kept
	budget  int // what kept may become
	lost    int
	lostAt  int
	long    int // descriptions over their bounds
	prose   prose
	web     console
	newest  model.Moment // of a shell's history: not before the printing of its last row
	spoken  spoken       // when what stands here was pasted
	asked   int          // the place in out, from 1, of the command that was typed last, while nothing shows its answer
	settled []string     // the acts whose answers are shown
}

// openTable is the table whose header was read last.
type openTable struct {
	columns columns
	kind    *tableKind // nil for a table of events, and for one that is not read
	events  bool
}

// Read reads a whole file with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string, hint Hint) Result {
	return newReader(path, hint).read(r)
}

func newReader(path string, hint Hint) *reader {
	return &reader{path: path, hint: hint, in: model.Input{Path: path, Kind: model.InputText}, budget: maxKept}
}

func (r *reader) read(from io.Reader) Result {
	ls := newLines(from)
	ls.whole = r.hint.Verbatim
	for {
		l, ok := ls.next()
		if !ok {
			break
		}
		r.line(l)
	}
	r.endObject()
	r.close()
	return r.finish(ls)
}

// underline is the line below a describer's header.
var underline = regexp.MustCompile(`^[ -]*---[ -]*$`)

func fenced(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

func (r *reader) line(l line) {
	if !r.objectLine(l) {
		r.readLine(l)
	}
}

// readLine takes one line. What begins something new ends what is open; only then may a line belong to what is open.
func (r *reader) readLine(l line) {
	s := l.text
	r.spoken.hears(s)
	l.at, l.floats = r.spoken.at, r.spoken.floats
	if s == "" {
		r.endTable()
		r.endRows()
		return
	}
	if fenced(s) {
		r.close()
		return
	}
	whole, ok := r.continued(s)
	if !ok {
		return
	}
	if r.remembered(l) || r.consoleLine(l) {
		return
	}
	if c, ok := parseCommand(whole); ok && !inMessage(whole) {
		if l.text = whole; !l.at.IsZero() && r.typed(l, true) {
			return
		}
		r.close()
		r.command, r.asked = c, 0
		if typed := strings.TrimSpace(whole); r.prose.ran && strings.HasPrefix(typed, "k") {
			r.says(l, "I ran ", typed)
		}
		// A grep may have run the output into the prompt's line.
		r.shaped(l)
		return
	}
	if strings.HasPrefix(s, "$ ") {
		r.command = command{} // another program's output follows
	}
	if c, ok := header(s); ok {
		r.open(c)
		r.lists(l)
		return
	}
	if r.jsonRow(l) || r.answered(l) || r.fieldRow(l) || r.describes(l) {
		return
	}
	if r.mounted(l) || r.output(l) || r.chain(l) {
		return
	}
	if r.tableRow(l) || r.event(l) || r.shaped(l) {
		return
	}
	switch {
	case r.condition(l):
	case r.pending != nil && r.pending.extend(l):
		if r.pending.whole() && !r.pending.mayGo() {
			r.commit()
		}
	case r.desc != nil && r.section == nil:
		r.desc.add(l)
	case underline.MatchString(s):
	case r.table != nil && !r.table.events && r.table.kind == nil:
		r.commit()
		r.in.Records++ // a table of something else
	default:
		r.commit()
		r.endRows()
		if !r.message(l) && !r.tells(l) {
			r.orphans++
		}
	}
}

// Sniff says from the first bytes (up to 64 KiB) whether a file holds what Read understands. Ask the readers of objects and logs first.
func Sniff(head []byte, hint Hint) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	return Read(bytes.NewReader(head), hint.Path, hint).Input.Used > 0
}

func (r *reader) finish(ls *lines) Result {
	in := &r.in
	in.Bytes = ls.in.Bytes
	in.Skipped = in.Records - in.Used
	if ls.in.Bytes == 0 {
		in.Kind = model.InputEmpty
	} else if in.Records == 0 {
		in.Kind = model.InputIgnored
	}
	r.dateClocks()
	r.dateActs()
	if r.hint.CollectedAt != nil {
		Place(r.out, *r.hint.CollectedAt)
	}
	for i := range r.out {
		in.Cover(r.out[i].At.At, r.out[i].Last.At)
	}
	return Result{Input: *in, Observations: r.out, Aged: r.aged, Problems: r.problems(ls)}
}

// problems says once per file what could not be read.
func (r *reader) problems(ls *lines) []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: r.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if ls.in.Err != nil {
		add(model.Failure, 0, "reading stopped after %d bytes: %v", ls.in.Bytes, ls.in.Err)
	}
	if ls.cut > 0 {
		add(model.Warning, ls.cutAt, "%s longer than %d KiB, up to which a line of pasted text is read", these(ls.cut), maxLine>>10)
	}
	if r.long > 0 {
		add(model.Warning, 0, "%d of the descriptions have more than %d lines or 1 MiB, up to which they are read", r.long, maxFields)
	}
	if r.lost > 0 {
		add(model.Warning, r.lostAt, "%d statements from here on are not kept: a file gives %d at most, of %d MiB of text", r.lost,
			maxObservations, maxKept>>20)
	}
	if r.orphans > 0 && r.in.Records > 0 {
		add(model.Info, 0, "%s neither a row, nor a description, nor a message that is read", these(r.orphans))
	}
	return out
}

// these counts lines that are something.
func these(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return fmt.Sprintf("%d lines are", n)
}
