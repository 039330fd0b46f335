// Package diff_test proves comparisons on pairs of small bundles written by hand. A case is a txtar archive: a comment that
// says what happened, the files of both collections below before/ and after/, and the comparison as text.
package diff_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

var update = flag.Bool("update", false, "rewrite the want section of the cases; the difference is for a person to read")

const wanted = "want"

var options = analyze.Options{Version: "v0.0.0-test"}

// oneCase is a case as its file has it.
type oneCase struct {
	name, path    string
	archive       *txtar.Archive
	before, after fstest.MapFS
}

func cases(t *testing.T) []oneCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	var out []oneCase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := oneCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path, archive: txtar.Parse(data), before: fstest.MapFS{},
			after: fstest.MapFS{}}
		for _, f := range c.archive.Files {
			side, name, _ := strings.Cut(f.Name, "/")
			switch side {
			case "before":
				c.before[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			case "after":
				c.after[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			}
		}
		out = append(out, c)
	}
	return out
}

func snapshot(t *testing.T, bundle fstest.MapFS, name string) *model.Snapshot {
	t.Helper()
	s, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, name), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func side(t *testing.T, bundle fstest.MapFS, name string) analyze.DiffSide {
	t.Helper()
	return analyze.SideOf(t.Context(), snapshot(t, bundle, name), options)
}

// told is a comparison as text, or why there is none.
func told(t *testing.T, before, after analyze.DiffSide) string {
	t.Helper()
	d, err := analyze.Diff(before, after, options, false)
	if err != nil {
		return "refused: " + err.Error() + "\n"
	}
	var out bytes.Buffer
	if err := report.Diffs.Write(&out, "text", d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCases compares what is said of every case with what its file wants.
func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			got, want := told(t, side(t, c.before, "before"), side(t, c.after, "after")), ""
			for i, f := range c.archive.Files {
				if f.Name != wanted {
					continue
				}
				if want = string(f.Data); *update {
					c.archive.Files[i].Data = []byte(got)
					if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
			}
			if got != want {
				t.Errorf("%s\ngot\n%swant\n%s", strings.TrimSpace(string(c.archive.Comment)), got, want)
			}
		})
	}
}
