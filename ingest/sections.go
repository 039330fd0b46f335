package ingest

import (
	"bytes"
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

// cut reads a file of several containers' logs, each an input called file!container, with the lines of the whole file.
func (p *part) cut(data []byte) {
	names := map[string]int{}
	for line := 1; len(data) > 0; {
		mark, body, rest := cutSection(data)
		path, place := p.input.Path, p.place
		if m := startLine.FindSubmatch(mark); m != nil {
			place = layout.Place{Role: layout.Log, Root: p.place.Root, Namespace: string(m[2]), Pod: string(m[3]), Container: string(m[1])}
			path += "!" + place.Container
		}
		above := line - 1 + bytes.Count(mark, []byte("\n"))
		line += bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
		size := int64(len(data) - len(rest))
		data = rest
		if len(mark) == 0 && len(bytes.TrimSpace(body)) == 0 {
			if n := len(p.pieces); n > 0 {
				p.pieces[n-1].input.Bytes += size // blank lines between two logs
			}
			continue
		}
		if names[path]++; names[path] > 1 {
			path += "#" + strconv.Itoa(names[path])
		}
		q := p.reading.newPart(path, place)
		q.above = above
		q.content(bytes.NewReader(body), body[:min(len(body), archive.HeadSize)], int64(len(body)))
		q.input.Bytes = size
		if q.input.Kind != model.InputManifests {
			q.moved(q.above)
		}
		p.pieces = append(p.pieces, q)
	}
	last := p.pieces[len(p.pieces)-1]
	last.Problems = append(last.Problems, p.Problems...)
}

// cutSection cuts a section off: the line that begins it, empty for what stands between sections, and its lines with the one that ends it.
func cutSection(data []byte) (mark, body, rest []byte) {
	if bytes.HasPrefix(data, []byte(startMark)) {
		end := bytes.IndexByte(data, '\n') + 1
		if end == 0 {
			end = len(data)
		}
		mark, data = data[:end], data[end:]
	}
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte(startMark)) {
			break
		}
		if len(mark) > 0 && bytes.HasPrefix(line, []byte(endMark)) {
			return mark, body, data[len(body)+len(line):] // the mark that ends it belongs to its section; what follows does not
		}
		body = data[:len(body)+len(line)]
	}
	return mark, body, data[len(body):]
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
