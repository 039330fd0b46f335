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

// dull are the records that match no wording. The tables of wordings decide, so that they cannot be contradicted.
var dull = logline.Dull{File: dullFile, Text: dullText}

// dullFile is what a file tells. Lines of controller_utils.go rule what later lines mean.
func dullFile(file []byte) (mark int, rule logline.Rule) {
	owner, ownedByText := ownerOf(file)
	switch name := string(file); {
	case name == "controller_utils.go":
		return 0, logline.Wanted
	case ownedByText || name == "event.go" || phrase.Tells(file):
		return 0, logline.ByText
	case owner >= 0:
		return owner, logline.IsDull
	}
	return nobodys, logline.IsDull
}

// dullText is what the text tells of a file of which the tables know some lines.
func dullText(file, text []byte) (mark int, dull bool) {
	if _, told := phrase.Match(file, text); told {
		return 0, false
	}
	if string(file) == "event.go" {
		return recordersOwn, true
	}
	if c := owner(file, text); c >= 0 {
		return c, true
	}
	return nobodys, true
}

// skip accounts for records that tell nothing. It answers false when each has to be seen.
func (l *log) skip(st *logline.Stretch) bool {
	if !l.order.skip(st) {
		return false
	}
	l.in.Records += st.Records
	l.writers.see(st.From)
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
