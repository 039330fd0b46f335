package logline

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// Marks is how many kinds of records that say nothing can be distinguished.
const Marks = 8

// Rule says whether the records of a source file are skipped.
type Rule int

// A record is wanted, skipped, or Skipper.Text decides. One that repeats is wanted unless it is like an earlier one.
const (
	Wanted Rule = iota
	IsSkipped
	ByText
	Repeats
)

// Skipper takes a record for one that says nothing, by its source file and text as Head has them. What it returns must not depend
// on what follows these bytes in further lines, nor on what was asked before: several goroutines ask.
type Skipper struct {
	File func(file []byte) Verdict
	Text func(file, text []byte) Verdict
	Seed maphash.Seed // of Repetition.Hash; needed where something repeats
}

// Verdict is what a file or a text says.
type Verdict struct {
	Mark     int // a number below Marks
	Rule     Rule
	From, To int // of what varies in a text that repeats
}

// Repetition is a record that repeats: with the same text, but for what varies in it, another stood before.
type Repetition struct {
	File, Text []byte
	From, To   int // of what varies in Text
	Hash       uint64
	Time       time.Time
	clock      int64 // nanoseconds since the month began
}

// Hash is that of a text without what varies in it.
func Hash(seed maphash.Seed, text []byte, from, to int) uint64 {
	if from == to {
		return maphash.Bytes(seed, text)
	}
	return maphash.Bytes(seed, text[:from])*31 + maphash.Bytes(seed, text[to:])
}

// Stretch is a number of records in a row that all are skipped or repeat, have one line each, and there a klog header at the beginning or
// behind the time stamp of a runtime, or klog's JSON; before these, names may stand that are the same in each.
type Stretch struct {
	Records          int
	Floating         bool
	First, Last      int64 // times of the first and of the last record, for At
	Earliest, Latest int64
	Up, Down         int              // steps from one record to the next, forward and backward in time
	Back             time.Duration    // how far a record is behind the latest one before it, at most
	Marks            [Marks]int       // how many records have that mark
	From             *envelope.Origin // whom a prefix of each line names, nil for none
	Repetitions      []Repetition     // the records that repeat, valid until the next record

	from, to          int    // in the data of the block
	wrapped           bool   // every line has a time stamp before its header
	instant           bool   // the times count from 1970, else from the beginning of the month
	year, month       int    // year of the time stamps; the month is also that of the header
	near, far         int64  // how much later than the time stamp's the header's clock is, at least and at most
	names             []byte // before each line; a part of the block's data
	namesForm         namesForm
	head              int       // where the header begins in the first line
	repetitions, ends int       // where the records that repeat begin and end in those of the block
	origin            time.Time // from which the times count
}

// At is one of the times, as Head has it.
func (st *Stretch) At(t int64) time.Time { return st.origin.Add(time.Duration(t)) }

// maxRepetitions bounds the records that repeat in one stretch: if only one of them turns out not to, all have to be read one by one.
const maxRepetitions = 64

// sorter finds the stretches of a block. It takes what parseKlog and unwrap take, in the same way, but only in the most frequent form.
type sorter struct {
	skipper Skipper
	files   [sourceFiles]sourceFile
	texts   [recentTexts]uint64 // hashes of those that repeat and were seen
	all     *atomic.Bool        // what repeats is wanted all the same
}

// recentTexts is how many texts are remembered.
const recentTexts = 1024

// sourceFiles is how many source files are remembered; a controller manager logs from about eighty.
const sourceFiles = 256

// sourceFile is what is known of a source file.
type sourceFile struct {
	name    string
	verdict Verdict
}

// decide sets the mark of a line and returns whether it may be passed over. It returns false for plain when that is no plain line at all.
func (s *sorter) decide(p *plainLine) (pass, plain bool) {
	name := p.file
	f := &s.files[(uint(name[0])+uint(name[len(name)/2])*31+uint(len(name))*17)%sourceFiles]
	if f.name != string(name) {
		if bytes.ContainsAny(name, " /]") { // no base name before the colon of `file:line]`
			return false, false
		}
		f.name, f.verdict = string(name), s.skipper.File(name)
	}
	p.mark, p.repeats = f.verdict.Mark, false
	if f.verdict.Rule != ByText {
		return f.verdict.Rule == IsSkipped, true
	}
	v := s.skipper.Text(name, p.text)
	p.mark, p.repeats = v.Mark, v.Rule == Repeats && !p.instant && !s.all.Load()
	return v.Rule == IsSkipped || p.repeats && s.seen(p, v), true
}

// seen reports whether a line has the text of an earlier one.
func (s *sorter) seen(p *plainLine, v Verdict) bool {
	p.repeat = Repetition{File: p.file, Text: p.text, From: v.From, To: v.To, Hash: Hash(s.skipper.Seed, p.text, v.From, v.To), clock: p.clock}
	known := &s.texts[p.repeat.Hash%recentTexts]
	before := *known
	*known = p.repeat.Hash
	return before == p.repeat.Hash
}

// sort finds the stretches. The line after a stretch is another record's first: only then is nothing of what follows a part
// of the stretch's last record. The first lines of an input are left to the code that looks for titles in them, and for a lost newline.
func (s *sorter) sort(b *block) {
	at, skip := 0, 0
	if b.first {
		skip = maxGlueFree
	}
	if b.inside {
		if at = bytes.IndexByte(b.data, '\n') + 1; at == 0 {
			return
		}
	}
	var one, other plainLine
	line, last := &one, &other // last may be passed over, and is whole once the next line begins a record
	waits, open := false, false
	for {
		n := bytes.IndexByte(b.data[at:], '\n') + 1
		if n == 0 {
			return
		}
		if skip > 0 {
			skip--
			at += n
			continue
		}
		pass, plain := false, line.parse(b.data[at:at+n-1])
		if plain {
			pass, plain = s.decide(line)
		}
		if waits && plain {
			b.add(last, open)
			open = true
		}
		line.from, line.to = at, at+n
		at += n
		waits = pass
		open = open && waits
		line, last = last, line
	}
}

// add adds a line to the stretch before it, if that is open and goes on with it.
func (b *block) add(p *plainLine, open bool) {
	n := len(b.stretches)
	if !open || !b.stretches[n-1].takes(p) {
		b.stretches = append(b.stretches, Stretch{
			First: p.clock, Last: p.clock, Earliest: p.clock, Latest: p.clock, near: p.clock - p.stamp, far: p.clock - p.stamp,
			from: p.from, wrapped: p.wrapped, instant: p.instant, year: p.year, month: p.month,
			names: p.names, namesForm: p.namesForm, head: p.head, repetitions: len(b.repetitions),
		})
		n++
	}
	if p.repeats {
		b.repetitions = append(b.repetitions, p.repeat)
	}
	b.stretches[n-1].add(p, len(b.repetitions))
}

// takes reports whether a line's times can be counted from the same beginning.
func (st *Stretch) takes(p *plainLine) bool {
	return st.wrapped == p.wrapped && st.instant == p.instant && st.month == p.month && st.year == p.year &&
		bytes.Equal(st.names, p.names) && st.ends-st.repetitions < maxRepetitions
}

// add takes one line more.
func (st *Stretch) add(p *plainLine, repetitions int) {
	st.to, st.ends = p.to, repetitions
	st.Records++
	st.Marks[p.mark]++
	if p.clock > st.Last {
		st.Up++
	} else if p.clock < st.Last {
		st.Down++
	}
	st.Last = p.clock
	if p.clock >= st.Latest {
		st.Latest = p.clock
	} else {
		st.Back = max(st.Back, time.Duration(st.Latest-p.clock))
		st.Earliest = min(st.Earliest, p.clock)
	}
	if p.wrapped {
		st.near, st.far = min(st.near, p.clock-p.stamp), max(st.far, p.clock-p.stamp)
	}
}

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
