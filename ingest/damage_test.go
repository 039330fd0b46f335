package ingest

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// The blocks of the tests of damage: one is damaged, one beside it of an earlier time is not.
const (
	badBlock  = "01K0Z3Y7Q8R9S0T1V2W3X4Y5Z6"
	goodBlock = "01K0Z3Y7Q8R9S0T1V2W3X4Y5Z7"
)

func flip(name string, at int64) func(dir string) error {
	return func(dir string) error { return flipByte(filepath.Join(dir, name), at) }
}

// flipByte inverts a byte; a place below zero counts from the end.
func flipByte(name string, at int64) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if at < 0 {
		at += int64(len(data))
	}
	data[at] ^= 0xff
	return os.WriteFile(name, data, 0o600)
}

// inIndex damages a byte of a part of an index: the table of contents at the end names where the parts begin, symbols first,
// then series.
func inIndex(part int, offset int64) func(dir string) error {
	return func(dir string) error {
		name := filepath.Join(dir, "index")
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		const toc = 6*8 + 4
		begin := int64(binary.BigEndian.Uint64(data[len(data)-toc+8*part:]))
		return flipByte(name, begin+offset)
	}
}

func remove(name string) func(dir string) error {
	return func(dir string) error { return os.RemoveAll(filepath.Join(dir, name)) }
}

// removeLast takes away the last of the segments, which the index still refers to.
func removeLast(dir string) error {
	all, err := filepath.Glob(filepath.Join(dir, "chunks", "*"))
	if err != nil {
		return err
	}
	return os.Remove(all[len(all)-1])
}

func truncate(name string, size int64) func(dir string) error {
	return func(dir string) error { return os.Truncate(filepath.Join(dir, name), size) }
}

func overwrite(name, text string) func(dir string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
}

// blockDamage are the ways in which blocks come damaged, and what has to be said of each.
var blockDamage = []struct {
	what   string
	damage func(dir string) error
	want   string
}{
	{"meta missing", remove("meta.json"), "has no meta.json"},
	{"meta empty", truncate("meta.json", 0), "meta.json"},
	{"meta of version 2", overwrite("meta.json", `{"ulid":"`+badBlock+`","version":2}`), "version 2"},
	{"index missing", remove("index"), "has no index"},
	{"index empty", truncate("index", 0), "cannot be opened"},
	{"index cut", truncate("index", 100), "cannot be opened"},
	{"magic of the index", flip("index", 0), "cannot be opened"},
	{"contents of the index", flip("index", -10), "cannot be opened"},
	{"symbols", inIndex(0, 20), "cannot be opened"},
	{"an entry of a series", inIndex(1, 4), "other series"},
	{"chunks missing", remove("chunks"), "has no chunks"},
	{"an empty segment", truncate("chunks/000001", 0), "cannot be opened"},
	{"a segment missing", remove("chunks/000002"), "lacks chunks/000002"},
	{"the first segment missing", remove("chunks/000001"), "lacks chunks/000001"},
	{"the last segment missing", removeLast, "series kube_"},
	{"a segment cut", truncate("chunks/000001", 600), "series kube_"},
	{"a chunk", flip("chunks/000001", 60), "series kube_"},
	{"tombstones", overwrite("tombstones", "\x00xx"), "cannot be opened"},
}

// TestDamage: each damage is told with the block, the series where it is one, and that something stays open; the other block
// of the directory is read; nothing is written beside the evidence and nothing is left behind.
func TestDamage(t *testing.T) {
	for _, c := range blockDamage {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			(&clusterBlock{pods: 3, total: 60, ulid: badBlock, segment: 1200}).write(t, dir)
			(&clusterBlock{pods: 3, total: 60, ulid: goodBlock, from: 1785600000000 - blockLength}).write(t, dir)
			if err := c.damage(filepath.Join(dir, badBlock)); err != nil {
				t.Fatal(err)
			}
			s := readUntouched(t, dir)
			told := ""
			for _, p := range s.Problems {
				told += p.Path + ": " + p.Message + "\n"
			}
			if !strings.Contains(told, badBlock) || !strings.Contains(told, c.want) || !strings.Contains(told, "not known") || strings.Contains(told,
				goodBlock) {
				t.Errorf("told %q, want %q", told, c.want)
			}
			if strings.Contains(told, dir) {
				t.Errorf("names a directory of the system: %q", told)
			}
			for _, o := range s.Observations {
				if o.Kind == model.AttachmentGone || o.Kind == model.PodGone || o.Kind == model.NodeDeleted || o.Kind == model.PodNotReady ||
					o.Kind == model.NodeNotReady {
					t.Errorf("%s never happened: %s", o.Kind, o.Quote.Text)
				}
			}
			if len(s.Observations) == 0 {
				t.Error("the whole block is not read")
			}
		})
	}
}

// readUntouched reads a bundle, which must stay as it is, and whose private files must be gone afterwards.
func readUntouched(t *testing.T, dir string) *model.Snapshot {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before := contents(t, dir)
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if after := contents(t, dir); after != before {
		t.Errorf("the evidence was changed:\n%s\nwas\n%s", after, before)
	}
	if left := contents(t, temp); left != "" {
		t.Errorf("left behind: %s", left)
	}
	return s
}

// TestOneServer: blocks of one server, of which one overlaps because samples came late, are one source.
func TestOneServer(t *testing.T) {
	dir := t.TempDir()
	const start = 1785600000000
	(&clusterBlock{pods: 3, total: 60, ulid: badBlock, from: start}).write(t, dir)
	(&clusterBlock{pods: 3, total: 60, ulid: goodBlock, from: start + blockLength/2}).write(t, dir)
	if s := readUntouched(t, dir); len(s.Metrics) != 1 || len(s.Problems) != 0 {
		t.Fatalf("%+v %v", s.Metrics, s.Problems)
	}
}
