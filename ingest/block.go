package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// Magic numbers of the files of a block (prometheus/tsdb docs/format).
var (
	indexMagic      = []byte{0xba, 0xaa, 0xd7, 0x00}
	chunksMagic     = []byte{0x85, 0xbd, 0x40, 0xdd}
	tombstonesMagic = []byte{0x01, 0x30, 0xba, 0x30}
)

// metricBlocks gathers the files of blocks and heads while a bundle is walked.
type metricBlocks struct {
	found      map[blockAt]*blockDir
	scratch    string                 // private directory for members of archives; "" until one is needed
	newScratch func() (string, error) // makes it; nil for one among the temporary files
}

// blockAt is the directory of a block, or the data directory of a head, with archives as directories.
type blockAt struct {
	dir  string
	head bool
}

// blockDir is what a directory holds of a block.
type blockDir struct {
	has    blockPart
	file   string // of the bundle: the index, else any
	real   string // directory of the system
	linked string // a member that is a link
	err    error  // of copying a member out of an archive
}

// blockFile reports whether an entry is a file of a block or head, and takes note of it. Where a block lies in a directory of the system
// nothing of it is read; out of an archive it is copied to a private directory, because a block is mapped, and a head always, because
// reading its log may have to repair it.
func (r *reading) blockFile(e archive.Entry, content io.Reader, head []byte) bool {
	dir, part, ok := partOfBlock(slashed(e.Path), head)
	if !ok {
		return false
	}
	where, local := r.tree.Local(e.Path)
	if local = local && part != headPart; local {
		where = filepath.Dir(where)
		if part == blockChunks {
			where = filepath.Dir(where)
		}
	}
	r.mu.Lock()
	d := r.blocks.at(blockAt{dir, part == headPart})
	d.has |= part
	if d.file == "" || part == blockIndex || part == headPart && e.Path < d.file {
		d.file = e.Path
	}
	var err error
	if !local {
		where, err = r.blocks.private(d)
	}
	d.real = where
	r.mu.Unlock()
	if err == nil && !local {
		err = copyOut(filepath.Join(where, strings.TrimPrefix(slashed(e.Path), dir+"/")), content)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	d.err = errors.Join(d.err, err)
	return true
}

// partOfBlock says by name and first bytes which file of which block or head a file is.
func partOfBlock(p string, head []byte) (dir string, part blockPart, ok bool) {
	if m := headPath.FindStringSubmatch(p); m != nil {
		return cmp.Or(m[1], "."), headPart, true
	}
	dir, base := path.Split(p)
	dir = path.Clean(dir)
	inChunks := path.Base(dir) == "chunks"
	named := ulid.MatchString(path.Base(dir)) || inChunks && ulid.MatchString(path.Base(path.Dir(dir)))
	binary := named || bytes.IndexByte(head, 0) >= 0 // a damaged one, too
	switch {
	case base == "index" && (binary || bytes.HasPrefix(head, indexMagic)):
		return dir, blockIndex, true
	case base == "tombstones" && (binary || bytes.HasPrefix(head, tombstonesMagic)):
		return dir, 0, true
	case base == "meta.json" && (named || bytes.Contains(head, []byte(`"ulid"`))):
		return dir, blockMeta, true
	case inChunks && (binary && isNumber(base) || bytes.HasPrefix(head, chunksMagic)):
		return path.Dir(dir), blockChunks, true
	}
	return "", 0, false
}

var ulid = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)

// isNumber reports whether a name is that of a numbered file, such as a segment of chunks.
func isNumber(base string) bool {
	_, err := strconv.ParseUint(base, 10, 64)
	return err == nil
}

func (m *metricBlocks) at(where blockAt) *blockDir {
	if m.found == nil {
		m.found = map[blockAt]*blockDir{}
	}
	if m.found[where] == nil {
		m.found[where] = &blockDir{}
	}
	return m.found[where]
}

// link takes note of a link that stands where a file of a block would: following it would lead out of the bundle.
func (m *metricBlocks) link(p string) {
	dir, base := path.Split(slashed(p))
	dir = path.Clean(dir)
	if slices.Contains([]string{"index", "meta.json", "tombstones", "chunks"}, base) {
		m.at(blockAt{dir: dir}).linked = base
	} else if path.Base(dir) == "chunks" && isNumber(base) {
		m.at(blockAt{dir: path.Dir(dir)}).linked = "chunks/" + base
	}
}

// private is the directory to which a block of an archive is copied.
func (m *metricBlocks) private(d *blockDir) (where string, err error) {
	if m.scratch == "" && m.newScratch != nil {
		m.scratch, err = m.newScratch()
	} else if m.scratch == "" {
		m.scratch, err = os.MkdirTemp("", "volpost-metrics-")
	}
	if err != nil || d.real != "" {
		return d.real, err
	}
	return filepath.Join(m.scratch, strconv.Itoa(len(m.found))), nil
}

// copyOut copies a file of a block or head out of an archive, or to where it may be repaired.
func copyOut(name string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

// dirs are the directories that hold a block, or two parts of one, or are named like one, sorted.
func (m *metricBlocks) dirs() []string {
	var out []string
	for at, d := range m.found {
		if d.has&(d.has-1) != 0 || d.has&wholeBlock != 0 && ulid.MatchString(path.Base(at.dir)) {
			out = append(out, at.dir)
		}
	}
	slices.Sort(out)
	return out
}

func (m *metricBlocks) open(ctx context.Context, dir string) (*series.Block, error) {
	d := m.found[blockAt{dir: dir}]
	if d.err != nil {
		return nil, fmt.Errorf("could not be copied out of its archive: %w", cause(d.err))
	}
	if d.linked != "" {
		return nil, fmt.Errorf("is not opened: its %s is a link, which may lead out of the bundle", d.linked)
	}
	if d.has != wholeBlock {
		return nil, errors.New(d.has.missing())
	}
	return series.OpenBlock(ctx, d.real, dir)
}

// Close removes what was copied out of archives.
func (m *metricBlocks) Close() error {
	if m.scratch == "" {
		return nil
	}
	return os.RemoveAll(m.scratch)
}

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
