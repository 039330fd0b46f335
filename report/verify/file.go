package verify

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

const (
	maxLine   = 16 << 20 // of a line that is compared; of a longer one the beginning is
	maxRecord = 1 << 20  // of a record of several lines
	maxLines  = 300
	maxWork   = 256 << 20 // bytes of such records that are tried in one file
)

// File compares the quotes of one file, read to its end; r is nil if it cannot be. whole: r has its bytes, so their number counts.
func (c *Checker) File(path string, r io.Reader, whole bool) error {
	// Secrets are masked in paths, too.
	name := mask.Text(path)
	s := &scan{todo: c.byPath[name]}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[name] = true
	if r == nil {
		return nil
	}
	size, err := s.read(r)
	want, listed := c.inputs[name]
	if counts := listed && whole && !c.parted[name]; counts && err == nil && want != size {
		c.sizes = append(c.sizes, Difference{What: Size, Source: model.Source{Path: name}, Want: want, Got: size})
	}
	return err
}

// scan goes once through a file.
type scan struct {
	todo  []*claim // whose line is not reached, by line
	open  []*claim // whose record is not complete
	lines []string // from line number first on, as far as open records need them
	first int
	held  int // bytes of lines
	work  int // bytes of records that were tried
}

func (s *scan) read(r io.Reader) (size int64, err error) {
	b := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, n, err := readLine(b)
		size += n
		if n > 0 {
			s.line(number, line)
		}
		if err != nil {
			for _, one := range s.open {
				s.close(one)
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return size, err
		}
	}
}

// readLine reads a line without its end, and says how many bytes it took.
func readLine(b *bufio.Reader) (line string, n int64, err error) {
	var text []byte
	for {
		piece, err := b.ReadSlice('\n')
		n += int64(len(piece))
		if room := maxLine - len(text); room > 0 {
			text = append(text, piece[:min(len(piece), room)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimSuffix(string(text), "\n"), n, err
		}
	}
}

// line looks at the next line.
func (s *scan) line(number int, text string) {
	for len(s.todo) > 0 && s.todo[0].Source.Line <= number {
		if one := s.todo[0]; one.Source.Line == number {
			one.found = text[:min(len(text), model.MaxQuote)]
			s.open = append(s.open, one)
		}
		s.todo = s.todo[1:]
	}
	if len(s.open) == 0 {
		s.lines, s.held = s.lines[:0], 0
		return
	}
	if len(s.lines) == 0 {
		s.first = number
	}
	s.lines = append(s.lines, text)
	s.held += len(text)
	left := s.open[:0]
	for _, one := range s.open {
		if !s.complete(one, number) {
			left = append(left, one)
		}
	}
	s.open = left
}

// complete compares a record as far as it is read, and reports whether nothing more of it is needed.
func (s *scan) complete(one *claim, number int) bool {
	count := number - one.Source.Line + 1
	if count < one.lines() {
		return false
	}
	record := strings.Join(s.lines[one.Source.Line-s.first:], "\n")
	s.work += len(record)
	one.try(record)
	if one.state == right {
		return true
	}
	enough := count >= maxLines || s.held > maxRecord || s.work > maxWork
	if goesOn := one.Truncated && one.state == beginning; enough || !goesOn {
		one.within(record)
		return true
	}
	return false
}

// close gives up on a record that the file's end has cut.
func (s *scan) close(one *claim) {
	if from := one.Source.Line - s.first; from < len(s.lines) {
		one.within(strings.Join(s.lines[from:], "\n"))
	}
}
