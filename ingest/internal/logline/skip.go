package logline

import (
	"bytes"
	"sync/atomic"
)

// Skip makes the scanner pass over records that say nothing in a row and in the usual form: take gets them instead, and may refuse them, which has
// each given. Of a long input other goroutines read ahead. Records and Stats are otherwise the same.
func (s *Scanner) Skip(skipper Skipper, take func(*Stretch) bool) {
	s.src.sorter, s.skip = &sorter{skipper: skipper, all: &atomic.Bool{}}, take
}

// pass passes over the stretches that come next: the current record is whole where one follows it.
func (s *Scanner) pass() {
	if s.skip == nil || s.line < maxGlueFree || s.pending() {
		return
	}
	for st := s.src.stretch(); st != nil; st = s.src.stretch() {
		if s.whole(); s.over || !s.passOver(st) {
			return
		}
		s.src.at = st.to
		s.line += st.Records
		s.bytes += int64(st.to - st.from)
	}
}

// pending reports whether something of an earlier line makes the next line another than it is by itself.
func (s *Scanner) pending() bool {
	return s.cut || s.glued || s.drained || s.table != nil || len(s.held) > 0
}

// mostLost is how many records may be read one by one in vain.
const mostLost = 10_000

// passOver gives skip a stretch. It returns false when its lines have to be read one by one, as if they had not been looked at. Where more
// are read so for the sake of what repeats than are passed over, that is wanted from now on.
func (s *Scanner) passOver(st *Stretch) bool {
	prefix, before := s.layers.prefix, s.layers.from
	st.Repetitions = s.src.cur.repetitions[st.repetitions:st.ends]
	ready := s.findWriter(st) && s.place.stretch(st)
	if ready && s.skip(st) {
		s.gained += len(st.Repetitions)
		return true
	}
	if ready && len(st.Repetitions) > 0 {
		if s.gained -= st.Records; s.gained < -mostLost {
			s.src.sorter.all.Store(true)
		}
	}
	s.layers.prefix, s.layers.from = prefix, before
	return false
}

// findWriter finds whom the names before a stretch name. It returns false when the lines have to be read one by one: reading the first
// must leave a state in which each other one is read alike.
func (s *Scanner) findWriter(st *Stretch) bool {
	if st.names == nil {
		return true
	}
	line := s.src.cur.data[st.from:st.to]
	line = bytes.TrimSuffix(line[:bytes.IndexByte(line, '\n')], []byte{'\r'})
	inner, _, w := unwrap(line, nil)
	if _, ok := parseHeader(inner); ok {
		return false
	}
	inner, _, ok := s.strip(inner, &w)
	seen := s.layers.prefix
	st.From = w.from
	return ok && len(line)-len(inner) == st.head && w.from != nil && w.from == s.layers.from && bytes.HasPrefix(st.names, seen) &&
		(st.namesForm != wordsForm || w.from.Pod != "" && len(seen) == len(st.names)-1)
}
