package logfile

import (
	"hash/maphash"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
)

// Marks of records that say nothing: the component that one proves, or one of these.
const (
	sharedFile   = iota + components // several programs have the file
	recordersOwn                     // of the event recorder, which leaves marking as it is
)

var _ [logline.Marks - 1 - recordersOwn]struct{} // there are marks enough

// skipper tells the records that match no wording. The tables of wordings decide, so that they cannot be contradicted.
func skipper(seed maphash.Seed) logline.Skipper {
	return logline.Skipper{File: skipFile, Text: skipText, Seed: seed}
}

// skipFile is what a file says. Lines of controller_utils.go rule what later lines mean.
func skipFile(file []byte) logline.Verdict {
	owner, ownedByText := ownerOf(file)
	switch name := string(file); {
	case name == "controller_utils.go":
		return logline.Verdict{Rule: logline.Wanted}
	case ownedByText || name == "event.go" || phrase.MayMatch(file):
		return logline.Verdict{Rule: logline.ByText}
	case owner >= 0:
		return logline.Verdict{Mark: owner, Rule: logline.IsSkipped}
	}
	return logline.Verdict{Mark: sharedFile, Rule: logline.IsSkipped}
}

// skipText is what the text says of a file of which the tables know some lines. The writer of what repeats is in its statement.
func skipText(file, text []byte) logline.Verdict {
	row, matched := phrase.Match(file, text)
	if matched && !repeats(row, text) {
		return logline.Verdict{Rule: logline.Wanted}
	}
	if matched {
		v := logline.Verdict{Mark: sharedFile, Rule: logline.Repeats}
		v.From, v.To = row.Varying(text)
		return v
	}
	if string(file) == "event.go" {
		return logline.Verdict{Mark: recordersOwn, Rule: logline.IsSkipped}
	}
	if c := owner(file, text); c >= 0 {
		return logline.Verdict{Mark: c, Rule: logline.IsSkipped}
	}
	return logline.Verdict{Mark: sharedFile, Rule: logline.IsSkipped}
}

// skip accounts for records that say nothing, or nothing new. It returns false when each has to be seen.
func (l *log) skip(st *logline.Stretch) bool {
	if !l.known(st) || !l.order.skip(st) {
		return false
	}
	for i, e := range l.echoes.found {
		l.repeat(e, &st.Repetitions[i])
	}
	l.in.Records += st.Records
	l.writers.see(st.From)
	for c := range l.votes.n {
		l.votes.n[c] += st.Marks[c]
	}
	if st.Marks[recordersOwn] < st.Records {
		l.marking.node = ""
	}
	return true
}
