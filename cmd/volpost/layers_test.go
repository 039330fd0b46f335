package main

import (
	"go/build"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/volpost/volpost"

// layers says which folders of the module a folder may import: cmd → {ingest, analyze, report} → model. A folder's own
// sub-packages are its own business, and nobody else's, unless they are doors.
var layers = map[string][]string{
	"cmd":     {"ingest", "analyze", "report", "model", "samples", "docs"},
	"ingest":  {"model"},
	"analyze": {"model"},
	"report":  {"model"},
	"model":   nil,
	"samples": nil,
	"docs":    nil,
}

// doors are what another folder may import of a folder. What is done with a report beside writing it has doors of its own.
var doors = []string{"ingest", "analyze", "analyze/advice/advicetest", "report", "report/redact", "report/replay", "report/verify", "model", "model/fields",
	"model/mask", "model/words",
	"samples", "samples/growth", "samples/recordings", "docs"}

func TestLayers(t *testing.T) {
	packages := modulePackages(t)
	if len(packages) < len(layers) {
		t.Fatalf("only %d packages found", len(packages))
	}
	for _, p := range packages {
		folder := top(p.ImportPath)
		if _, known := layers[folder]; !known {
			t.Errorf("%s lies in a folder that the architecture does not know", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if bad := refused(folder, imported, layers[folder]); bad != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, bad)
			}
		}
		// Tests of every folder may go through the doors of all others: they read samples.
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if bad := refused(folder, imported, doors); bad != "" {
				t.Errorf("a test of %s imports %s: %s", p.ImportPath, imported, bad)
			}
		}
	}
}

// refused says why a folder must not import a package, or "".
func refused(folder, imported string, allowed []string) string {
	inside, ours := strings.CutPrefix(imported, module+"/")
	switch target := top(imported); {
	case !ours || target == folder:
		return ""
	case !slices.Contains(allowed, target):
		return "the arrow does not point there"
	case !slices.Contains(doors, inside):
		return "only the door of a folder is for others"
	}
	return ""
}

// top is the folder of an import path right below the module.
func top(importPath string) string {
	folder, _, _ := strings.Cut(strings.TrimPrefix(importPath, module+"/"), "/")
	return folder
}

func modulePackages(t *testing.T) []*build.Package {
	root := moduleRoot(t)
	var out []*build.Package
	err := filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); dir != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" ||
			name == "vendor") {
			return fs.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, dir)
		p.ImportPath = path.Join(module, filepath.ToSlash(relative))
		out = append(out, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDraws: what the table of dependencies says of drawing is in the program.
func TestDraws(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Fields(string(out)), "github.com/goccy/go-graphviz") {
		t.Error("go-graphviz is not in the program")
	}
}

func TestRefusedSeesWrongArrows(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		wrong            bool
	}{
		{"cmd", module + "/ingest", false},
		{"cmd", module + "/ingest/internal/phrase", true},
		{"report", module + "/ingest", true},
		{"report", module + "/report/internal/graphviz", false},
		{"cmd", module + "/report/internal/graphviz", true},
		{"analyze", module + "/samples", true},
		{"ingest", module + "/analyze", true},
		{"model", module + "/ingest", true},
		{"model", "time", false},
		{"ingest", "k8s.io/api/core/v1", false},
	} {
		if got := refused(c.folder, c.imported, layers[c.folder]); (got != "") != c.wrong {
			t.Errorf("%s → %s: %q", c.folder, c.imported, got)
		}
	}
}
