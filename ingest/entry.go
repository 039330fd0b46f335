package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/audit"
	"github.com/volpost/volpost/ingest/internal/cloud"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/logfile"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

const (
	metaSize   = 1 << 20 // of a collector's own small files
	ownLogSize = 8 << 20 // of its own log
)

// readEntry reads one entry. It never fails; what is wrong is a problem of the part. Logs of several containers in one file are parts each.
func (r *reading) readEntry(e archive.Entry, content *bufio.Reader) []*part {
	p := r.newPart(e.Path, layout.Of(e.Path))
	p.input.Bytes = max(e.Size, 0)
	switch {
	case e.Form == archive.Dir:
		if e.Err != nil {
			p.problem(model.Failure, 0, "the directory could not be listed: "+cause(e.Err).Error())
			p.withheld(e.Path, e.Err)
		}
		p.input = nil
	case e.Form == archive.Link:
		p.problem(model.Info, 0, fmt.Sprintf("is a link to %q and is not followed", e.Target))
	case e.Form == archive.Special:
		p.unread("is a device, pipe or socket and is not opened")
	case e.Err != nil:
		p.refused(e.Err)
	case e.Skipped == "":
		return p.file(e, content)
	}
	return []*part{p}
}

func (p *part) unread(why string) {
	p.input.Kind = model.InputUnread
	p.problem(model.Failure, 0, why)
}

// refused reports a file of which no byte could be read. The errors of package archive are sentences about it.
func (p *part) refused(err error) {
	if errors.Is(err, archive.ErrTotal) {
		p.input.Kind = model.InputUnread // the limit has its own problem
		return
	}
	var system *fs.PathError
	if errors.As(err, &system) {
		p.unread("could not be opened: " + system.Err.Error())
		p.withheld(p.input.Path, err)
		return
	}
	p.unread(err.Error())
}

func (p *part) file(e archive.Entry, content *bufio.Reader) []*part {
	counted := &counter{ctx: p.reading.ctx, r: content}
	head, err := content.Peek(archive.HeadSize)
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		p.refused(fmt.Errorf("could not be read: %w", cause(err)))
		p.withheld(p.input.Path, err)
		return []*part{p}
	}
	if p.reading.blockFile(e, counted, head) {
		p.input.Kind = model.InputMetrics
		p.measured(e, counted)
		return []*part{p}
	}
	var r io.Reader = counted
	if wide := utf16Of(head); wide != nil {
		plain := bufio.NewReaderSize(wide.NewDecoder().Reader(counted), archive.HeadSize)
		head, _ = plain.Peek(archive.HeadSize) // an error comes again when it is read
		r = plain
	}
	p.guarded(func() { p.content(r, head, e.Size) })
	if e.Size < 0 {
		_, _ = io.Copy(io.Discard, counted) // only its end shows how long it is; an error is reported below
	}
	p.measured(e, counted)
	if p.pieces != nil {
		return p.pieces
	}
	return []*part{p}
}

// guarded lets a fault of a reader cost this file only: files are read by goroutines of their own.
func (p *part) guarded(read func()) {
	defer func() {
		if fault := recover(); fault != nil {
			p.unread(fmt.Sprintf("volpost itself failed on this file, which is worth a report: %v", fault))
		}
	}()
	read()
}

// measured sets the size of a file: only the reader of it all knows better than the archive or directory.
func (p *part) measured(e archive.Entry, c *counter) {
	p.input.Bytes = max(e.Size, c.n)
	if e.Size >= 0 && c.ended {
		p.input.Bytes = c.n
	}
	var limit *archive.LimitError
	if c.err != nil && (!p.failed() || errors.As(c.err, &limit) && !p.says(limit.Error())) {
		p.problem(model.Failure, 0, "could not be read to its end: "+cause(c.err).Error())
	}
}

// content recognises a file by its place, or by what it holds, in the order of certainty. size is about its length, -1 when unknown.
func (p *part) content(r io.Reader, head []byte, size int64) {
	if len(head) == 0 {
		p.input.Kind = model.InputEmpty
		return
	}
	switch {
	case bytes.HasPrefix(head, []byte(startMark)) || bytes.Contains(head, []byte("\n"+startMark)):
		p.held(r, size, p.cut)
	case p.collectorsOwn(r, head):
	case series.IsAPI(head):
		p.held(r, size, func(data []byte) { p.samples(series.ReadAPI(data)) })
	case manifest.IsRuleAnswer(head):
		p.held(r, size, p.rules)
	case manifest.IsRuleFile(head):
		p.held(r, size, p.ruleFile)
	case series.IsText(head):
		p.samples(series.ReadText(r))
	case diagnostics.Match(head):
		p.held(r, size, p.mixed)
	case cloud.Sniff(head):
		p.cloudAnswer(r)
	case audit.Sniff(head):
		p.audited(audit.Read(r, p.input.Path))
	case manifest.Sniff(head) && !(logfile.IsLevelled(head) && isLog(head)):
		p.held(r, size, p.manifests)
	case isLog(head) && !(logfile.Quoted(head) && p.isText(head)):
		pasted := bytes.Clone(head) // reading overwrites it
		p.log(r)
		p.beside(pasted)
	case p.isText(head):
		p.text(r, head, size)
	case bytes.IndexByte(head, 0) >= 0:
		p.unread("is binary, neither objects nor a log")
	default:
		head = bytes.Clone(head) // reading overwrites it
		if !p.mentions(r) {
			p.clientError(head)
		}
	}
}

// collectorsOwn reads a file that is about the collection, not about the cluster; false for any other.
func (p *part) collectorsOwn(r io.Reader, head []byte) bool {
	base := path.Base(slashed(p.input.Path))
	switch p.place.Role {
	case layout.Timestamp:
		p.timestamp(r)
	case layout.Version:
		p.version, p.input.Kind = string(upTo(metaSize, r)), model.InputMetadata
	case layout.Metadata:
		p.input.Kind = model.InputMetadata
		if base == "must-gather.logs" {
			p.clusterID = layout.ClusterID(slashed(p.input.Path), upTo(ownLogSize, r))
		}
	case layout.Date:
		p.ownAccount(r, layout.DateOutput)
	case layout.OwnLog:
		p.ownAccount(r, layout.LogSpan)
	default:
		if base != "metadata.yaml" {
			return false
		}
		if _, dated := layout.Created(head); !dated {
			return false
		}
		p.ownAccount(r, layout.Created)
	}
	return true
}

func isLog(text []byte) bool {
	_, ok := logfile.Sniff(text)
	return ok
}

// upTo reads the beginning of a file. What was read before an error is as good.
func upTo(limit int64, r io.Reader) []byte {
	data, _ := io.ReadAll(io.LimitReader(r, limit))
	return data
}

// ownAccount reads what a collector wrote about its own run. Without a time in it the file says nothing.
func (p *part) ownAccount(r io.Reader, read func([]byte) (layout.Collected, bool)) {
	p.input.Kind = model.InputMetadata
	if span, ok := read(upTo(ownLogSize, r)); ok {
		p.ran = &span
	}
}

func (p *part) timestamp(r io.Reader) {
	p.input.Kind = model.InputMetadata
	if p.stamps = layout.Stamps(upTo(metaSize, r)); len(p.stamps) == 0 {
		p.problem(model.Warning, 0, "should say when the bundle was collected, but holds no time that could be read")
	}
}

func (p *part) log(r io.Reader) {
	hint := logfile.Hint{Namespace: p.place.Namespace, Pod: p.place.Pod, Container: p.place.Container, Spill: p.spill}
	res := logfile.Read(r, p.input.Path, hint)
	p.gives(res.Input, res.Observations, res.Problems)
}

func (p *part) audited(res audit.Result) {
	p.audit = true
	p.gives(res.Input, res.Observations, res.Problems)
}

// gives takes what a reader made of the file.
func (p *part) gives(in model.Input, observed []model.Observation, problems []model.Problem) {
	*p.input = in
	p.Observations = joinStatements(p.Observations, p.affordable(observed))
	p.Problems = append(p.Problems, problems...)
}

func (p *part) manifests(data []byte) {
	if at := bytes.Index(data, []byte("\n"+startMark)); at >= 0 {
		p.cut(data) // cluster-info dump to standard output
		return
	}
	if p.above > 0 {
		data = append(bytes.Repeat([]byte("\n"), p.above), data...) // an object's fields are cited by lines of the whole file
	}
	p.objects(p.manifestLimits().Read(data, p.input.Path, p.record))
}

func (p *part) objects(res manifest.Result) {
	p.lists, p.audit = res.Lists, res.Audit
	p.Problems = append(p.Problems, res.Problems...)
	in := p.input
	in.Kind, in.Records, in.Used = model.InputManifests, res.Total, res.Used-p.refusedObjects
	in.Skipped = in.Records - in.Used
	if res.Audit && in.Used == 0 {
		in.Kind = model.InputIgnored
		p.problem(model.Info, 0, "holds audit events, which are read only as JSON and in a file of their own")
	} else if in.Used == 0 && len(res.Problems) > 0 {
		in.Kind = model.InputUnread
	}
	if p.lost() {
		p.lists = nil // what is not in the list may be what was lost of it
	}
}

// counter counts the bytes of a file and stops reading it when the caller has given up.
type counter struct {
	ctx   context.Context
	r     io.Reader
	n     int64
	ended bool
	err   error // other than the end
}

func (c *counter) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(b)
	c.n += int64(n)
	if err == io.EOF {
		c.ended = true
	} else if err != nil {
		c.err = err
	}
	return n, err
}
