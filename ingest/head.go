package ingest

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// headPath is a file of the write-ahead logs and head chunks of a data directory, with its directory.
var headPath = regexp.MustCompile(`^(?:(.*)/)?((?:wal|wbl)/(?:checkpoint\.\d{8}/)?\d{8}|chunks_head/\d{6})$`)

// openHeads opens the heads that the walk met, by their data directories in order.
func (r *reading) openHeads(each func(dir, file string, b *series.Block)) {
	heads := slices.SortedFunc(maps.Keys(r.blocks.found), func(a, b blockAt) int { return cmp.Compare(a.dir, b.dir) })
	for _, at := range heads {
		d, dir := r.blocks.found[at], at.dir
		if !at.head {
			continue
		}
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
