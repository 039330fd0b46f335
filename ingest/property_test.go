package ingest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// Every text that an observation quotes is found at its source, in every recorded bundle.
func TestQuotesAreFound(t *testing.T) {
	for _, dir := range recorded(t, "bundle", "bundle-later", "flat") {
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			s := readDir(t, dir)
			files := map[string][]string{}
			bad := 0
			for _, o := range s.Observations {
				lines, ok := files[o.Source.Path]
				if !ok {
					lines = strings.SplitAfter(fileText(t, dir, o.Source.Path), "\n")
					files[o.Source.Path] = lines
				}
				if err := found(o, lines); err != nil && bad < 5 {
					bad++
					t.Errorf("%s %s:%d %s: %v", o.Kind, o.Source.Path, o.Source.Line, o.Source.Field, err)
				}
			}
			if len(s.Observations) < 50 {
				t.Errorf("only %d observations", len(s.Observations))
			}
			cited(t, s.Pods, files, dir)
			cited(t, s.VolumeAttachments, files, dir)
		})
	}
}

// found looks for the quote: from its line on for objects and events, on its line for logs, whose quote may leave out
// what wrapped it. Secrets are masked in quotes.
func found(o model.Observation, lines []string) error {
	if o.Source.Line < 1 || o.Source.Line > len(lines) || o.Quote.Text == "" {
		return fmt.Errorf("line %d of %d, quote %q", o.Source.Line, len(lines), o.Quote.Text)
	}
	rest := strings.Join(lines[o.Source.Line-1:min(len(lines), o.Source.Line+200)], "")
	first, _, _ := strings.Cut(o.Quote.Text, "\n")
	if o.Source.Kind == model.SourceLog {
		if line := lines[o.Source.Line-1]; !strings.Contains(line, first) && !strings.Contains(mask.Text(line), first) {
			return fmt.Errorf("quote %.200q is not on the line", first)
		}
		return nil
	}
	if !strings.HasPrefix(rest, o.Quote.Text) && !strings.HasPrefix(mask.Text(rest), o.Quote.Text) {
		return fmt.Errorf("quote %.200q is not there", o.Quote.Text)
	}
	return nil
}

// cited checks that citing works long after reading, and that objects without their bytes cite nothing.
func cited[T any](t *testing.T, list []model.Object[T], files map[string][]string, dir string) {
	t.Helper()
	for _, o := range list {
		src, quote := o.SourceOf("metadata.name")
		if _, ok := files[src.Path]; !ok {
			files[src.Path] = strings.SplitAfter(fileText(t, dir, src.Path), "\n")
		}
		if src.Field == "" || !strings.Contains(quote.Text, o.Ref.Name) || strings.TrimRight(files[src.Path][src.Line-1], "\n") != quote.Text {
			t.Errorf("%s: %s:%d %q", o.Ref, src.Path, src.Line, quote.Text)
		}
		if src, _ := o.SourceOf("metadata.nothing"); src.Field != "" || src.Line != o.Source().Line {
			t.Errorf("%s: a field that is not there is cited at %+v", o.Ref, src)
		}
	}
}

// The order in which a file system lists its files, and that in which they are read, leave no trace.
func TestOrderLeavesNoTrace(t *testing.T) {
	dir := recorded(t, "bundle")[0]
	want := describe(readFS(t, os.DirFS(dir)))
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		got := describe(readFS(t, shuffledFS{os.DirFS(dir), rand.New(rand.NewPCG(seed, 1))}))
		if got != want {
			t.Fatalf("another order gives another snapshot:\n%s", firstDifference(want, got))
		}
	}
}

// shuffledFS lists every directory in another order.
type shuffledFS struct {
	fs.FS
	r *rand.Rand
}

func (s shuffledFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	s.r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

func firstDifference(a, b string) string {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(la), len(lb)) {
		if la[i] != lb[i] {
			return "want " + la[i] + "\n got " + lb[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(la), len(lb))
}

// Every file is exactly one input, whose records add up.
func TestInputsAddUp(t *testing.T) {
	for _, dir := range recorded(t, "bundle", "flat", "clusterinfo") {
		s := readDir(t, dir)
		files := map[string]int64{}
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			rel, _ := filepath.Rel(dir, p)
			files[filepath.ToSlash(rel)] = info.Size()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		read := map[string]int64{}
		for _, in := range s.Inputs {
			file, _, _ := strings.Cut(in.Path, "!") // a log of a file that joins several
			read[file] += in.Bytes
			if in.Used+in.Skipped != in.Records || in.Used < 0 || in.Skipped < 0 {
				t.Errorf("%s: %d used and %d skipped of %d", in.Path, in.Used, in.Skipped, in.Records)
			}
			if in.Kind == model.InputUnread {
				t.Errorf("%s is unread", in.Path)
			}
		}
		for f, size := range files {
			if n, ok := read[f]; !ok || n != size {
				t.Errorf("%s: %d of %d bytes are in the inputs", f, n, size)
			}
			delete(read, f)
		}
		for f := range read {
			t.Errorf("%s is no file", f)
		}
	}
}

// BenchmarkRead reads the recorded bundle with the most bytes.
func BenchmarkRead(b *testing.B) {
	var dir string
	var size int64
	for _, d := range recorded(b, "bundle") {
		var n int64
		for _, in := range readDir(b, d).Inputs {
			n += in.Bytes
		}
		if n > size {
			dir, size = d, n
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		readDir(b, dir)
	}
}

// BenchmarkManifests reads the lists of kubectl, which hold objects and no log of weight.
func BenchmarkManifests(b *testing.B) {
	dir := recorded(b, "flat")[0]
	fsys := fstest.MapFS{}
	var size int64
	for _, name := range []string{"pods.yaml", "events.yaml", "nodes.yaml", "volumeattachments.yaml", "leases.yaml"} {
		data := []byte(fileText(b, dir, name))
		fsys[name] = &fstest.MapFile{Data: data}
		size += int64(len(data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		readFS(b, fsys)
	}
}
