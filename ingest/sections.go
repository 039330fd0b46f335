package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// kubectl cluster-info dump joins the logs of a pod in one file, or all in one stream (k8s.io/kubectl pkg/cmd/clusterinfo).
const (
	startMark = "==== START logs for container "
	endMark   = "==== END logs for container "
)

var startLine = regexp.MustCompile(`^==== START logs for container (\S+) of pod ([^/\s]+)/(\S+) ====\s*$`)

// joinsLogs reports whether a file begins a container's log in its head.
func joinsLogs(head []byte) bool {
	return bytes.HasPrefix(head, []byte(startMark)) || bytes.Contains(head, []byte("\n"+startMark))
}

// sections reads a file of several containers' logs, each an input called file!container, with the lines of the whole file.
func (p *part) sections(r io.Reader) []*part {
	src := &sectionReader{r: bufio.NewReaderSize(r, archive.HeadSize), line: 1}
	var parts []*part
	names := map[string]int{}
	for src.next() {
		path, place := p.input.Path, p.place
		if m := startLine.FindSubmatch(src.mark); m != nil {
			place = layout.Place{Role: layout.Log, Root: p.place.Root, Namespace: string(m[2]), Pod: string(m[3]), Container: string(m[1])}
			path += "!" + place.Container
		}
		if names[path]++; names[path] > 1 {
			path += "#" + strconv.Itoa(names[path])
		}
		q := p.reading.newPart(path, place)
		before, line := src.bytes, src.line
		body := bufio.NewReaderSize(src, archive.HeadSize)
		head, _ := body.Peek(archive.HeadSize) // an error comes again when it is read
		if len(bytes.TrimSpace(head)) == 0 && len(src.mark) == 0 {
			src.skip()
			if len(parts) > 0 {
				parts[len(parts)-1].input.Bytes += src.bytes - before // blank lines between two logs
			}
			continue
		}
		q.above = line - 1
		q.content(body, head, -1)
		src.skip()
		q.input.Bytes = src.bytes - before + int64(len(src.mark))
		if q.input.Kind != model.InputManifests {
			q.moved(q.above)
		}
		parts = append(parts, q)
	}
	if len(parts) == 0 {
		return []*part{p}
	}
	if src.err != nil && !errors.Is(src.err, io.EOF) {
		parts[len(parts)-1].problem(model.Failure, 0, "could not be read to its end: "+cause(src.err).Error())
	}
	return parts
}

// moved counts the lines of a log from the beginning of the file that holds it.
func (p *part) moved(by int) {
	for i := range p.Observations {
		p.Observations[i].Source.Line += by
	}
	for i := range p.Problems {
		if p.Problems[i].Line > 0 {
			p.Problems[i].Line += by
		}
	}
}

// sectionReader gives the bytes of one section until the next begins.
type sectionReader struct {
	r     *bufio.Reader
	mark  []byte // the line that began the section; empty for what stands between sections
	line  int    // of the next byte
	bytes int64  // given so far, the marks not counted
	rest  []byte // of the current line
	begun bool   // the current line's beginning was looked at
	ended bool   // the section
	err   error
}

func (s *sectionReader) next() bool {
	if s.err != nil && len(s.rest) == 0 {
		return false
	}
	s.mark, s.ended = nil, false
	if len(s.rest) == 0 && !s.fill() {
		return false
	}
	if !s.begun && bytes.HasPrefix(s.rest, []byte(startMark)) {
		s.mark = bytes.Clone(s.rest)
		s.consume(len(s.rest))
		s.bytes -= int64(len(s.mark))
	}
	return true
}

func (s *sectionReader) fill() bool {
	if s.err != nil {
		return false
	}
	piece, err := s.r.ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		s.err = err
	}
	s.rest = piece
	return len(piece) > 0
}

func (s *sectionReader) consume(n int) {
	s.begun = true
	if s.rest[n-1] == '\n' {
		s.line++
		s.begun = false
	}
	s.rest = s.rest[n:]
	s.bytes += int64(n)
}

func (s *sectionReader) Read(b []byte) (int, error) {
	if s.ended {
		return 0, io.EOF
	}
	if len(s.rest) == 0 && !s.fill() {
		return 0, s.err
	}
	s.ended = !s.begun && bytes.HasPrefix(s.rest, []byte(startMark))
	if !s.begun && len(s.mark) > 0 && bytes.HasPrefix(s.rest, []byte(endMark)) {
		// The mark belongs to its section; what follows does not.
		s.ended = true
		s.consume(len(s.rest))
	}
	if s.ended {
		return 0, io.EOF
	}
	n := copy(b, s.rest)
	if n > 0 {
		s.consume(n)
	}
	return n, nil
}

func (s *sectionReader) skip() { _, _ = io.Copy(io.Discard, s) } // an error stays in s.err
