package analyze_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byIdentity are the kinds that need no mention in analyze: what they say is the names that they tie together, and those
// are taken from every observation alike.
var byIdentity = []string{"VolumeBound"}

// TestVocabulary: each kind of statement is made by a reader and read by the analysis, so that none is a dead word.
func TestVocabulary(t *testing.T) {
	produced, read := mentions(t, "../ingest"), mentions(t, ".")
	sentences, err := parser.ParseFile(token.NewFileSet(), "../model/sentence.go", nil, 0) // which the timeline has
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(sentences, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			read[kv.Key.(*ast.Ident).Name] = true
		}
		return true
	})
	for _, kind := range kindNames(t) {
		if !produced[kind] {
			t.Errorf("no reader in ingest produces model.%s", kind)
		}
		if !read[kind] && !slices.Contains(byIdentity, kind) {
			t.Errorf("nothing in analyze reads model.%s", kind)
		}
	}
}

// kindNames are the constants of type model.Kind.
func kindNames(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../model/kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Kind" {
			for _, name := range spec.Names {
				out = append(out, name.Name)
			}
		}
		return false
	})
	if len(out) < 50 {
		t.Fatalf("found %d kinds in model/kind.go", len(out))
	}
	return out
}

// mentions are the names of package model that the code below a folder uses, tests left out.
func mentions(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "model" {
					out[s.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
