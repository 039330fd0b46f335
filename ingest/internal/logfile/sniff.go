package logfile

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/logline"
)

// Sniff says from the first bytes of a file (up to 64 KiB) whether it is a log that Read understands, and of which component, "" when that
// is not clear yet. One record with a header is enough: an excerpt may hold no more, and prose around it does no harm.
func Sniff(head []byte) (component string, ok bool) {
	s := logline.NewScanner(bytes.NewReader(head))
	s.Known, s.Block = known, len(head)+1
	var v votes
	n := 0
	for range s.Records {
		h := s.Head()
		v.see(h.File, h.Text)
		n++
	}
	// Headers inside another text, such as a manifest that quotes a log, stand indented among lines of their own kind.
	if st := s.Stats(); st.Indented == n && st.Orphans > n {
		return "", false
	}
	return v.component(), n > 0
}

// IsLevelled reports that a file begins as the log of a program in JSON, which one line of alone looks like an object.
func IsLevelled(head []byte) bool { return logline.IsLevelled(head) }

// Quoted reports that the only records of a text are messages without a header or a time among lines of other kinds: a person quotes them,
// and no log is there.
func Quoted(head []byte) bool {
	s := logline.NewScanner(bytes.NewReader(head))
	s.Known, s.Block = known, len(head)+1
	for range s.Records {
		if h := s.Head(); !h.Bare || h.Event || len(h.File) > 0 || !h.Time.IsZero() || h.From != nil {
			return false
		}
	}
	return s.Stats().Orphans > 0
}
