package logline

import "github.com/volpost/volpost/ingest/internal/envelope"

// maxTitles is within how many lines the titles of a comma-separated table, or of a journal, are looked for.
const maxTitles = 2

// beginsTable takes a line for the titles of a table of log entries.
func (s *Scanner) beginsTable(line []byte) bool {
	if s.table != nil || s.cur.begun || len(line) == 0 {
		return false
	}
	s.table = envelope.NewTable(line)
	return s.table != nil
}

// fromTable queues the entry that a line of the table completes.
func (s *Scanner) fromTable(line []byte) bool {
	s.walker.Entries = s.walker.Entries[:0]
	s.queued, s.entryAt = 0, 0
	if e, ok := s.table.Row(line, s.line); ok {
		s.walker.Entries = append(s.walker.Entries, e)
	}
	return true
}
