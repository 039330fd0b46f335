// Package cases is for tests of the packages of analyze: the small bundles of analyze/testdata as snapshots, and goldens that hold
// what a package returns in each of them, one file to a question, so that a new question rewrites no old file.
package cases

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/model"
)

// Update is the flag that rewrites goldens; the difference is for a person to read.
var Update = flag.Bool("update", false, "rewrite what the cases want")

// Wanted is the section of an archive that is no part of its bundle.
const Wanted = "want"

// Case is one small bundle, read, or what is left of it without the observations of one kind.
type Case struct {
	Name     string // such as node-down/yes
	Without  model.Kind
	Snapshot *model.Snapshot
}

// Thinner are the cases, each of them followed by what is left of it without the observations of a kind, kind by kind. Those of checks
// and of remedies are about something else, and stay whole.
func Thinner(list []Case) []Case {
	var out []Case
	for _, c := range list {
		out = append(out, c)
		if strings.HasPrefix(c.Name, "check/") || strings.HasPrefix(c.Name, "remedy/") {
			continue
		}
		kinds := map[model.Kind]bool{}
		for _, o := range c.Snapshot.Observations {
			kinds[o.Kind] = true
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			s := *c.Snapshot
			s.Observations = slices.DeleteFunc(slices.Clone(s.Observations), func(o model.Observation) bool { return o.Kind == kind })
			out = append(out, Case{c.Name, kind, &s})
		}
	}
	return out
}

// Reader are the cases of a folder, read once in a process.
func Reader(folder string, read func(fs.FS) (*model.Snapshot, error)) func() []Case {
	return sync.OnceValue(func() []Case {
		var out []Case
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".txtar" {
				return err
			}
			archive, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(folder, strings.TrimSuffix(path, ".txtar"))
			s, err := read(Bundle(archive))
			out = append(out, Case{Name: filepath.ToSlash(name), Snapshot: s})
			return err
		})
		if err != nil || len(out) == 0 {
			panic(fmt.Sprint("no cases in ", folder, ": ", err))
		}
		return out
	})
}

// Bundle are the files of an archive without what is wanted of them.
func Bundle(a *txtar.Archive) fstest.MapFS {
	bundle := fstest.MapFS{}
	for _, f := range a.Files {
		if f.Name != Wanted {
			bundle[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return bundle
}

// Goldens are what a package returns in all cases: testdata/FOLDER has a file for each question, with a line for each case that has an
// answer to it.
type Goldens struct {
	t      *testing.T
	folder string
	want   map[string][]string  // the lines of each question that are still to come
	got    map[string][]string  // all lines, for -update
	whole  map[[2]string]string // the answers of whole cases, by question and case
	wrong  int
}

// Open reads the goldens of a folder.
func Open(t *testing.T, folder string) *Goldens {
	t.Helper()
	g := &Goldens{t: t, folder: filepath.Join("testdata", folder), want: map[string][]string{}, got: map[string][]string{}}
	g.whole = map[[2]string]string{}
	paths, _ := filepath.Glob(filepath.Join(g.folder, "*.golden"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		g.want[strings.TrimSuffix(filepath.Base(path), ".golden")] = strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	return g
}

// Add compares the answer of an incident of a case to a question; an empty one is none, and so is that of a thinner case that is the
// same as the whole one's. After some wrong answers it ends the test: one broken rule gives hundreds.
func (g *Goldens) Add(question string, c Case, incident int, answer string) {
	g.t.Helper()
	of := fmt.Sprintf("%s %d", c.Name, incident)
	if c.Without == "" {
		g.whole[[2]string{question, of}] = answer
	} else if g.whole[[2]string{question, of}] == answer {
		return
	} else {
		of += " -" + string(c.Without)
	}
	if answer == "" {
		return
	}
	line := of + ": " + answer + "\n"
	if *Update {
		g.got[question] = append(g.got[question], line)
		return
	}
	want := g.want[question]
	if len(want) > 0 && strings.TrimSuffix(want[0], "\n")+"\n" == line {
		g.want[question] = want[1:]
		return
	}
	g.t.Errorf("%s (make golden rewrites it, also after a new case):\ngot  %swant %s",
		filepath.Join(g.folder, question+".golden"), line, strings.Join(want[:min(len(want), 1)], ""))
	if g.wrong++; g.wrong > 5 {
		g.t.FailNow()
	}
	if n := slices.IndexFunc(want, func(w string) bool { return strings.HasPrefix(w, of+": ") }); n >= 0 {
		g.want[question] = want[n+1:]
	}
}

// Close ends the comparison: what is still wanted was not answered.
func (g *Goldens) Close() {
	g.t.Helper()
	if *Update {
		g.rewrite()
		return
	}
	for _, question := range slices.Sorted(maps.Keys(g.want)) {
		if rest := g.want[question]; len(rest) > 0 {
			g.t.Errorf("%s (make golden rewrites it):\nnot answered: %s", filepath.Join(g.folder, question+".golden"), rest[0])
		}
	}
}

func (g *Goldens) rewrite() {
	g.t.Helper()
	if err := os.MkdirAll(g.folder, 0o755); err != nil {
		g.t.Fatal(err)
	}
	for question := range g.want {
		os.Remove(filepath.Join(g.folder, question+".golden"))
	}
	for question, lines := range g.got {
		if err := os.WriteFile(filepath.Join(g.folder, question+".golden"), []byte(strings.Join(lines, "")), 0o644); err != nil {
			g.t.Fatal(err)
		}
	}
}
