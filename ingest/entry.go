package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/logfile"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

const (
	headSize = 64 << 10 // what recognising a file may look at
	metaSize = 1 << 20  // of a collector's own small files
)

// readEntry reads one entry of the bundle. It never fails; what is wrong is a problem of the part.
func readEntry(ctx context.Context, e archive.Entry, skip bool) *part {
	p := &part{place: layout.Of(e.Path), input: &model.Input{Path: e.Path, Bytes: e.Size, Kind: model.InputIgnored}}
	switch {
	case e.Form == archive.Dir:
		if e.Err != nil {
			p.problem(model.Failure, 0, "the directory could not be listed: "+cause(e.Err).Error())
		}
		p.input = nil
	case e.Form == archive.Link:
		p.problem(model.Info, 0, fmt.Sprintf("is a symbolic link to %q and is not followed", e.Target))
	case e.Form == archive.Special:
		p.unread("is a device, pipe or socket and is not opened")
	case e.Err != nil:
		p.unread("could not be opened: " + cause(e.Err).Error())
	case skip:
	default:
		p.file(ctx, e)
	}
	return p
}

func (p *part) unread(why string) {
	p.input.Kind = model.InputUnread
	p.problem(model.Failure, 0, why)
}

func (p *part) file(ctx context.Context, e archive.Entry) {
	f, err := e.Open()
	if err != nil {
		p.unread("could not be opened: " + cause(err).Error())
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	counted := &counter{ctx: ctx, r: f}
	r := bufio.NewReaderSize(counted, headSize)
	head, err := r.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		p.unread("could not be read: " + cause(err).Error())
		return
	}
	if wide := utf16Of(head); wide != nil {
		r = bufio.NewReaderSize(&utf16Reader{src: r, order: wide}, headSize)
		head, _ = r.Peek(headSize) // an error comes again when it is read
	}
	p.content(e, r, head)
	// Only whoever reads to the end knows better than the directory.
	p.input.Bytes = max(p.input.Bytes, counted.n)
}

// content recognises a file by what it holds, in the order of certainty.
func (p *part) content(e archive.Entry, r io.Reader, head []byte) {
	if len(head) == 0 {
		p.input.Kind = model.InputEmpty
		return
	}
	if packing := archive.Packing(head); packing != "" {
		p.unread(fmt.Sprintf("is packed (%s) and packed files are not read by this version; unpack it into the bundle", packing))
		return
	}
	switch p.place.Role {
	case layout.Timestamp:
		p.timestamp(r)
		return
	case layout.Version:
		data, _ := io.ReadAll(io.LimitReader(r, metaSize)) // what was read before an error is as good
		p.version, p.input.Kind = string(data), model.InputMetadata
		return
	case layout.Metadata:
		p.input.Kind = model.InputMetadata
		return
	}
	if manifest.Sniff(head) {
		p.manifests(e, r)
		return
	}
	if _, ok := logfile.Sniff(head); ok {
		p.log(e, r)
		return
	}
	if bytes.IndexByte(head, 0) >= 0 {
		p.unread("is binary, neither objects nor a log")
	}
}

func (p *part) timestamp(r io.Reader) {
	data, _ := io.ReadAll(io.LimitReader(r, metaSize)) // what was read before an error is as good
	p.input.Kind = model.InputMetadata
	if p.stamps = layout.Stamps(data); len(p.stamps) == 0 {
		p.problem(model.Warning, 0, "should say when the bundle was collected, but holds no time that could be read")
	}
}

func (p *part) log(e archive.Entry, r io.Reader) {
	hint := logfile.Hint{Namespace: p.place.Namespace, Pod: p.place.Pod, Container: p.place.Container, Path: e.Path}
	res := logfile.Read(r, e.Path, hint)
	*p.input = res.Input
	p.Observations = append(p.Observations, res.Observations...)
	p.Problems = append(p.Problems, res.Problems...)
}

func (p *part) manifests(e archive.Entry, r io.Reader) {
	data, err := readWhole(r, e.Size)
	if err != nil {
		p.problem(model.Failure, 0, "could not be read to its end: "+cause(err).Error())
	}
	if len(data) > manifest.MaxFile {
		p.unread(fmt.Sprintf("holds objects, but is longer than %d MiB, up to which such files are read; split it", manifest.MaxFile>>20))
		return
	}
	res := manifest.Read(data, e.Path, p.record)
	p.lists, p.audit = res.Lists, res.Audit
	p.Problems = append(p.Problems, res.Problems...)
	in := p.input
	in.Kind, in.Records, in.Used = model.InputManifests, res.Total, res.Used
	in.Skipped = in.Records - in.Used
	switch {
	case res.Audit && in.Used == 0:
		in.Kind = model.InputIgnored
		p.problem(model.Info, 0, "is an audit log; audit logs are not read by this version")
	case in.Used == 0 && len(res.Problems) > 0:
		in.Kind = model.InputUnread
	}
	in.From, in.To = eventWindow(p.events)
}

// readWhole reads a file whose size is known about, up to one byte more than manifests may have.
func readWhole(r io.Reader, size int64) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, min(max(size, 0)+bytes.MinRead, manifest.MaxFile+bytes.MinRead)))
	_, err := buf.ReadFrom(io.LimitReader(r, manifest.MaxFile+1))
	return buf.Bytes(), err
}

// eventWindow is what a list of events covers: from its first to its last statement.
func eventWindow(events []event) (from, to *time.Time) {
	for _, e := range events {
		first, last := e.observation.At.At, e.observation.Last.At
		if first.IsZero() {
			continue
		}
		if from == nil || first.Before(*from) {
			from = &first
		}
		if to == nil || last.After(*to) {
			to = &last
		}
	}
	return from, to
}

// counter counts the bytes of a file and stops reading it when the caller has given up.
type counter struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (c *counter) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
