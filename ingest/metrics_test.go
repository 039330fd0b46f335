package ingest

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// someBlock is a directory with a block of a recording.
func someBlock(t *testing.T) string {
	t.Helper()
	return recorded(t, "tsdb")[0]
}

// TestBlocksInArchives reads a block where it lies and out of a tar: the same is told, nothing is written beside the evidence
// and nothing is left behind.
func TestBlocksInArchives(t *testing.T) {
	dir := someBlock(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	plain, inPlace := readBlocks(t, Source{Path: dir})
	archived, inTar := readBlocks(t, Source{Path: "-", Stream: &packed})
	if plain == "" || plain != archived {
		t.Errorf("in place\n%.300s\nin a tar\n%.300s", plain, archived)
	}
	if inPlace != 0 || inTar == 0 {
		t.Errorf("%d private directories for a block in place, %d for one in a tar", inPlace, inTar)
	}
	if after := contents(t, dir); after != before {
		t.Errorf("the evidence was changed:\n%s\nwas\n%s", after, before)
	}
	if left := contents(t, temp); left != "" {
		t.Errorf("left behind: %s", left)
	}
}

// readBlocks returns what the metrics of a bundle tell, and how many private directories that took.
func readBlocks(t *testing.T, source Source) (text string, private int) {
	t.Helper()
	b, err := OpenSources(source)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, o := range s.Observations {
		out.WriteString(string(o.Kind) + " " + o.Quote.Text + "\n")
	}
	made, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if len(s.Metrics) != 1 || s.Metrics[0].Interval != 15*time.Second {
		t.Fatalf("%d sources, problems %v", len(s.Metrics), s.Problems)
	}
	if err := s.Metrics[0].Select(nil, time.Time{}, time.Time{}, func(model.Labels, model.Samples) error { return nil }); err == nil {
		t.Error("a closed bundle answers")
	}
	return out.String(), len(made)
}

func contents(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		info, err := d.Info()
		out.WriteString(p + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestDamagedBlocks: each damage is one problem, and the other block is read.
func TestDamagedBlocks(t *testing.T) {
	from := someBlock(t)
	inside, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	name := inside[0].Name()
	for _, c := range []struct {
		what   string
		damage func(dir string) error
		want   string
	}{
		{"index missing", func(dir string) error { return os.Remove(filepath.Join(dir, "index")) }, "has no index"},
		{"index cut", func(dir string) error { return os.Truncate(filepath.Join(dir, "index"), 100) }, "cannot be opened"},
		{"meta empty", func(dir string) error { return os.Truncate(filepath.Join(dir, "meta.json"), 0) }, "meta.json"},
		{"tombstones damaged", func(dir string) error { return os.WriteFile(filepath.Join(dir, "tombstones"), []byte("\x00xx"), 0o600) },
			"cannot be opened"},
		{"chunks missing", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "chunks")) }, "has no chunks"},
		{"chunks cut", func(dir string) error { return os.Truncate(filepath.Join(dir, "chunks", "000001"), 5000) }, "series "},
		{"index is a link", func(dir string) error {
			return os.Symlink("/etc/passwd", filepath.Join(dir, "index.new"))
		}, ""},
		{"chunks lead outside", func(dir string) error {
			old := filepath.Join(dir, "chunks")
			if err := os.Rename(old, dir+"-away"); err != nil {
				return err
			}
			return os.Symlink(dir+"-away", old)
		}, "is a link"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			bad := filepath.Join(dir, "bundle", name)
			good := filepath.Join(dir, "bundle", "other", name)
			for _, to := range []string{bad, good} {
				if err := os.CopyFS(to, os.DirFS(filepath.Join(from, name))); err != nil {
					t.Fatal(err)
				}
			}
			err := c.damage(bad)
			if link := (*os.LinkError)(nil); errors.As(err, &link) && link.Op == "symlink" {
				t.Skip("this user may not make links here: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			b, err := Open(filepath.Join(dir, "bundle"))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = b.Close() }() // it was only read
			s, err := Read(context.Background(), b, Options{})
			if err != nil {
				t.Fatal(err)
			}
			told := ""
			for _, p := range s.Problems {
				if p.Severity != model.Info && strings.Contains(p.Path, name) {
					told += p.Path + ": " + p.Message + "\n"
				}
			}
			if (c.want == "") != (told == "") || !strings.Contains(told, c.want) {
				t.Errorf("told %q, want %q", told, c.want)
			}
			found := false
			for _, o := range s.Observations {
				found = found || strings.HasPrefix(o.Input, "other/")
			}
			if !found {
				t.Error("the whole block is not read")
			}
		})
	}
}

// TestNoMetricsCommands: what collects metrics names all that is read, and words for the time that only the analysis knows.
func TestNoMetricsCommands(t *testing.T) {
	for _, layouts := range [][]string{nil, {"must-gather"}} {
		missing := lacking(&model.Snapshot{Layouts: layouts}, false, false)
		m := missing[len(missing)-1]
		commands := append([]string{m.Command}, m.Also...)
		wants := []string{"dump-openmetrics --sandbox-dir-root=/prometheus --min-time=START-MS --max-time=END-MS --match='{__name__=~\"kube_",
			"/api/v1/admin/tsdb/snapshot", "query_range --data-urlencode 'query={__name__=~\"kube_"}
		if layouts != nil {
			wants = []string{"gather_metrics --min-time=START-MS --max-time=END-MS --match='{__name__=~\"kube_",
				"-d start=START -d end=END -d step=STEP"}
		}
		for i, want := range wants {
			if len(commands) != len(wants) || !strings.Contains(commands[i], want) {
				t.Errorf("%v: %q, want %q", layouts, commands, want)
			}
		}
	}
}

// TestManyMetrics: of a source with many series the statements that every healthy pod makes go to the store, and all others do not; of
// one with few, none.
func TestManyMetrics(t *testing.T) {
	for pods, many := range map[int]bool{manySeries / 2: false, manySeries: true} {
		var text strings.Builder
		for i := range pods {
			_, _ = fmt.Fprintf(&text, "kube_pod_created{namespace=\"n\",pod=\"p-%d\",uid=\"%d\"} 900 1000.000\n", i, i)
		}
		text.WriteString("kube_node_status_condition{node=\"a\",condition=\"Ready\",status=\"true\"} 1 1000.000\n# EOF\n")
		read, err := series.ReadText(strings.NewReader(text.String()))
		must(t, err)
		r := newReading(context.Background(), "x", Limits{}.orDefaults())
		r.parts = append(r.parts, r.newPart("metrics", layout.Place{}))
		for _, s := range r.sharesOf(read.Source("metrics", "metrics")) {
			r.take(s)
		}
		want := []int{pods + 1, 0}
		if many {
			want = []int{1, pods}
		}
		if got := []int{len(r.s.Observations), r.store.n}; !slices.Equal(got, want) {
			t.Errorf("%d pods: %v statements are kept and in the store, want %v", pods, got, want)
		}
	}
}
