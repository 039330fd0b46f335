package ingest

import (
	"errors"
	"io"
	"os"
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

// partOfHead answers the data directory of a file of its head.
func partOfHead(p string) (dir string, ok bool) {
	m := headPath.FindStringSubmatch(p)
	if m == nil {
		return "", false
	}
	if m[1] == "" {
		return ".", true
	}
	return m[1], true
}

// headFile copies a file of a head to a private directory, because reading a log may have to repair it.
func (r *reading) headFile(dir string, e archive.Entry, content io.Reader) {
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
	name := filepath.Join(d.real, headPath.FindStringSubmatch(slashed(e.Path))[2])
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = copyOut(name, content)
	}
	if err != nil {
		r.mu.Lock()
		d.err = errors.Join(d.err, err)
		r.mu.Unlock()
	}
}

// openHeads opens the heads that the walk met, by their data directories in order.
func (r *reading) openHeads(each func(dir, file string, b *series.Block)) {
	var dirs []string
	for dir := range r.blocks.heads {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		d := r.blocks.heads[dir]
		b, lost, err := (*series.Block)(nil), "", d.err
		if err == nil {
			b, lost, err = series.OpenHead(d.real, path.Join(dir, "wal"))
		}
		if err != nil {
			r.problem(model.Problem{Severity: model.Failure, Path: d.file, Message: "the write-ahead log " + cause(err).Error() + "; the newest samples are not known"})
			continue
		}
		if lost != "" {
			r.problem(model.Problem{Severity: model.Warning, Path: d.file, Message: "the write-ahead log " + lost})
		}
		each(dir, d.file, b)
	}
}
