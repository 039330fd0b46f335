package ingest

import (
	"io"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// headPath is a file of the write-ahead logs and head chunks of a data directory, with its directory.
var headPath = regexp.MustCompile(`^(?:(.*)/)?((?:wal|wbl)/(?:checkpoint\.\d{8}/)?\d{8}|chunks_head/\d{6})$`)

// headFile copies a file of a head to a private directory, because reading a log may have to repair it. dir is the data directory.
func (r *reading) headFile(dir, file string, e archive.Entry, content io.Reader) {
	r.mu.Lock()
	d := r.blocks.heads[dir]
	if d == nil {
		if r.blocks.heads == nil {
			r.blocks.heads = map[string]*blockDir{}
		}
		d = &blockDir{}
		if d.err = r.blocks.makeScratch(); d.err == nil {
			d.real = filepath.Join(r.blocks.scratch, "head-"+strconv.Itoa(len(r.blocks.heads)))
		}
		r.blocks.heads[dir] = d
	}
	if d.file == "" || e.Path < d.file {
		d.file = e.Path
	}
	failed := d.err
	r.mu.Unlock()
	if failed != nil {
		return
	}
	r.copyOut(d, filepath.Join(d.real, file), content)
}

// openHeads opens the heads that the walk met, by their data directories in order.
func (r *reading) openHeads(each func(dir, file string, b *series.Block)) {
	for _, dir := range slices.Sorted(maps.Keys(r.blocks.heads)) {
		d := r.blocks.heads[dir]
		b, lost, err := (*series.Block)(nil), "", d.err
		if err == nil {
			b, lost, err = series.OpenHead(r.ctx, d.real, path.Join(dir, "wal"))
		}
		if r.late(d.file) {
			continue
		}
		if err != nil {
			r.problem(model.Problem{Severity: model.Failure, Path: d.file,
				Message: "the write-ahead log " + cause(err).Error() + "; the newest samples are not known"})
			continue
		}
		if lost != "" {
			r.problem(model.Problem{Severity: model.Warning, Path: d.file, Message: "the write-ahead log " + lost})
		}
		each(dir, d.file, b)
	}
}
