package ingest

import (
	"path"
	"strings"

	"github.com/volpost/volpost/ingest/internal/archive"
)

// metricBlocks finds the directories of Prometheus blocks: meta.json beside index and chunks/. It answers which files
// lie in one, or in the write-ahead log beside one, and the first such directory; "" when there is none.
func metricBlocks(entries []archive.Entry) (inside func(p string) bool, first string) {
	seen := map[string]int{} // directory → which of the three it has
	for _, e := range entries {
		dir, base := path.Split(e.Path)
		dir = path.Clean(dir)
		switch {
		case base == "meta.json" && e.Form == archive.File:
			seen[dir] |= 1
		case base == "index" && e.Form == archive.File:
			seen[dir] |= 2
		case base == "chunks" && e.Form == archive.Dir, path.Base(dir) == "chunks":
			if base != "chunks" {
				dir = path.Dir(dir)
			}
			seen[dir] |= 4
		}
	}
	blocks := map[string]bool{}
	for _, e := range entries {
		dir := path.Dir(e.Path)
		if seen[dir] == 7 && !blocks[dir] {
			blocks[dir] = true
			for _, log := range []string{"wal", "chunks_head", "wbl"} {
				blocks[path.Join(path.Dir(dir), log)] = true
			}
			if first == "" {
				first = dir
			}
		}
	}
	return func(p string) bool {
		for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if blocks[dir] {
				return true
			}
		}
		return blocks["."] && !strings.Contains(p, "/")
	}, first
}
