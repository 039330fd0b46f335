// Package analyze_test proves the explanations on small bundles written by hand. A case is a txtar archive: a comment
// that says what happened, the bundle's files, and what the report must say of it. Tests may cross layers, so the bundles
// are read by ingest as a user's would be.
package analyze_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// oneCase is a case as its file has it.
type oneCase struct {
	name    string // folder/file without the ending, such as node-down/yes or check/forced-detach/yes
	check   string // the check that it is about; empty for a case of another kind
	remedy  string // the remedy that it is about; likewise
	path    string
	archive *txtar.Archive
	bundle  fstest.MapFS
	want    string
}

// TestCases compares what is said of every case with what its file wants.
func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			got := describe(c.report(t), c)
			if got == c.want {
				return
			}
			if *small.Update {
				c.rewrite(t, got)
				return
			}
			t.Errorf("%s\n(make golden rewrites it)\ngot\n%swant\n%s", strings.TrimSpace(string(c.archive.Comment)), got, c.want)
		})
	}
}

// readCases are all cases, once they were read, and wholeReports the *wholeReport of each by the address of its bundle: a dozen tests look
// at the same reports, and none may change one.
var (
	readCases    []oneCase
	wholeReports sync.Map
)

// cases are all cases, in the order of their names.
func cases(t testing.TB) []oneCase {
	t.Helper()
	if readCases != nil {
		return readCases
	}
	var out []oneCase
	for _, pattern := range []string{filepath.Join("testdata", "*", "*.txtar"), filepath.Join("testdata", "check", "*", "*.txtar"),
		filepath.Join("testdata", "remedy", "*", "*.txtar")} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no cases", pattern, err)
		}
		for _, path := range paths {
			c := parseCase(t, path)
			wholeReports.Store(reflect.ValueOf(c.bundle).Pointer(), &wholeReport{name: c.name})
			out = append(out, c)
		}
	}
	readCases = out
	return out
}

// wholeReport is the report of a whole case, and what it said when it was made.
type wholeReport struct {
	name   string
	once   sync.Once
	report *model.Report
	was    []byte
}

func (w *wholeReport) changed() bool {
	now, err := json.Marshal(w.report)
	return w.report != nil && (err != nil || !bytes.Equal(now, w.was))
}

// TestMain fails a run in which a test changed what others read.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a third of the time would be spent on garbage
	code := m.Run()
	wholeReports.Range(func(_, entry any) bool {
		if w := entry.(*wholeReport); w.changed() {
			fmt.Fprintln(os.Stderr, "a test changed the shared report of", w.name)
			code = 1
		}
		return true
	})
	os.Exit(code)
}

// caseOptions are those of every report of a case.
var caseOptions = analyze.Options{Version: "v0.0.0-test"}

func parseCase(t testing.TB, path string) oneCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(data)
	name := strings.TrimSuffix(filepath.ToSlash(path), ".txtar")
	c := oneCase{name: strings.TrimPrefix(name, "testdata/"), path: path, archive: archive, bundle: fstest.MapFS{}}
	if rest, ok := strings.CutPrefix(c.name, "check/"); ok {
		c.check, _, _ = strings.Cut(rest, "/")
	}
	if rest, ok := strings.CutPrefix(c.name, "remedy/"); ok {
		c.remedy, _, _ = strings.Cut(rest, "/")
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Errorf("%s does not say what happened", path)
	}
	for _, f := range archive.Files {
		switch {
		case f.Name == small.Wanted:
			c.want = string(f.Data)
		case !fs.ValidPath(f.Name):
			t.Errorf("%s: %q is not a path inside of a bundle", path, f.Name)
		default:
			c.bundle[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return c
}

// report reads and explains the case's bundle.
func (c oneCase) report(t testing.TB) *model.Report {
	t.Helper()
	if whole, ok := wholeReports.Load(reflect.ValueOf(c.bundle).Pointer()); ok {
		w := whole.(*wholeReport)
		w.once.Do(func() {
			w.report = analyze.Run(t.Context(), c.snapshot(t), caseOptions)
			w.was, _ = json.Marshal(w.report)
		})
		return w.report
	}
	return analyze.Run(t.Context(), c.snapshot(t), caseOptions)
}

func (c oneCase) snapshot(t testing.TB) *model.Snapshot {
	t.Helper()
	snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(c.bundle, "bundle"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func (c oneCase) rewrite(t *testing.T, got string) {
	t.Helper()
	out := &txtar.Archive{Comment: c.archive.Comment}
	for _, f := range c.archive.Files {
		if f.Name != small.Wanted {
			out.Files = append(out.Files, f)
		}
	}
	out.Files = append(out.Files, txtar.File{Name: small.Wanted, Data: []byte(got)})
	if err := os.WriteFile(c.path, txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("rewrote %s", c.path)
}
