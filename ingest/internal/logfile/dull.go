package logfile

import (
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
)

// Marks of dull records: the component that one proves, or one of these.
const (
	nobodys      = iota + components // several programs have the file
	recordersOwn                     // of the event recorder, which leaves marking as it is
)

var _ [logline.Marks - 1 - recordersOwn]struct{} // there are marks enough

// dullFiles is how many source files are remembered; a controller manager logs from about eighty.
const dullFiles = 256

// dullness remembers what a source file tells of its lines, so that most are known by it alone.
type dullness struct{ files [dullFiles]fileDullness }

type fileDullness struct {
	name   string
	mark   int
	never  bool // every line is wanted
	byText bool // the text decides
}

// newDull decides with the tables of phrases, and with what else is kept of a record that matches none.
func newDull() logline.Dull { return new(dullness).line }

func (d *dullness) line(file, text []byte) (mark int, ok bool) {
	if len(file) == 0 {
		return 0, false
	}
	f := &d.files[(uint(file[0])+uint(file[len(file)/2])*31+uint(len(file))*17)%dullFiles]
	if f.name != string(file) {
		*f = dullnessOf(file)
	}
	switch {
	case f.never:
		return 0, false
	case !f.byText:
		return f.mark, true
	}
	if _, told := phrase.Match(file, text); told {
		return 0, false
	}
	if f.mark != nobodys {
		return f.mark, true
	}
	if c := owner(file, text); c >= 0 {
		return c, true
	}
	return nobodys, true
}

// dullnessOf is what a file tells. Lines of controller_utils.go rule what later lines mean.
func dullnessOf(file []byte) fileDullness {
	f := fileDullness{name: string(file), mark: nobodys}
	c, ownedByText := ownerOf(file)
	switch {
	case f.name == "event.go":
		f.mark = recordersOwn
	case c >= 0:
		f.mark = c
	}
	f.never = f.name == "controller_utils.go"
	f.byText = ownedByText || phrase.Tells(file)
	return f
}

// skip accounts for records that tell nothing. It answers false when each has to be seen.
func (l *log) skip(st *logline.Stretch) bool {
	if !l.order.skip(st) {
		return false
	}
	l.in.Records += st.Records
	from, to, n := &l.from, &l.to, &l.absolute
	if st.Floating {
		from, to, n = &l.floatFrom, &l.floatTo, &l.floating
	}
	*n += st.Records
	widen(from, to, st.Earliest)
	widen(from, to, st.Latest)
	for c := range l.votes.n {
		l.votes.n[c] += st.Marks[c]
	}
	if st.Marks[recordersOwn] < st.Records {
		l.marking.node = ""
	}
	return true
}
