package ingest

import (
	"path"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/model"
)

// metricBlocks finds the directories of Prometheus blocks: meta.json beside index and chunks/.
type metricBlocks struct {
	seen map[string]int // directory → which of the three it has
}

const wholeBlock = 7

func (m *metricBlocks) see(e archive.Entry) {
	if m.seen == nil {
		m.seen = map[string]int{}
	}
	dir, base := path.Split(slashed(e.Path))
	dir = path.Clean(dir)
	switch {
	case base == "meta.json" && e.Form == archive.File:
		m.seen[dir] |= 1
	case base == "index" && e.Form == archive.File:
		m.seen[dir] |= 2
	case base == "chunks" && e.Form == archive.Dir:
		m.seen[dir] |= 4
	case path.Base(dir) == "chunks":
		m.seen[path.Dir(dir)] |= 4
	}
}

// slashed is a path whose archives are directories.
func slashed(p string) string { return strings.ReplaceAll(p, "!", "/") }

// find answers which files lie in a block, or in the write-ahead log beside one, and the first block's directory; "" when
// there is none.
func (m *metricBlocks) find() (inside func(p string) bool, first string) {
	var blocks []string
	for dir, has := range m.seen {
		if has == wholeBlock {
			blocks = append(blocks, dir)
		}
	}
	slices.Sort(blocks)
	if len(blocks) == 0 {
		return func(string) bool { return false }, ""
	}
	in := map[string]bool{}
	for _, dir := range blocks {
		in[dir] = true
		for _, log := range []string{"wal", "chunks_head", "wbl"} {
			in[path.Join(path.Dir(dir), log)] = true
		}
	}
	return func(p string) bool {
		p = slashed(p)
		for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if in[dir] {
				return true
			}
		}
		return in["."] && !strings.Contains(p, "/")
	}, blocks[0]
}

// withoutBlocks makes the files of blocks such as are not used, and drops what was said of them as if they were texts.
func withoutBlocks(s *model.Snapshot, inside func(string) bool) {
	for i := range s.Inputs {
		if inside(s.Inputs[i].Path) {
			s.Inputs[i] = model.Input{Path: s.Inputs[i].Path, Kind: model.InputIgnored, Bytes: s.Inputs[i].Bytes}
		}
	}
	s.Problems = slices.DeleteFunc(s.Problems, func(p model.Problem) bool { return inside(p.Path) })
	s.Observations = slices.DeleteFunc(s.Observations, func(o model.Observation) bool { return inside(o.Input) })
}
