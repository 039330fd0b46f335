package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Per thousand lines of product: conditions of four terms and more, which are better named, and switches without a tag.
const (
	mostConditions = 2.0
	mostTagless    = 3.0
)

// TestDensity: conditions that a reader has to take apart stay rare.
func TestDensity(t *testing.T) {
	all := 0
	var conditions, tagless []string
	for _, p := range modulePackages(t) {
		if !slices.Contains([]string{"cmd", "model", "ingest", "analyze", "report"}, top(p.ImportPath)) {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			path := filepath.Join(moduleRoot(t), strings.TrimPrefix(p.ImportPath, module), name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, s := dense(t, path, text)
			all, conditions, tagless = all+strings.Count(string(text), "\n"), append(conditions, c...), append(tagless, s...)
		}
	}
	for _, row := range []struct {
		what string
		list []string
		most float64
	}{{"conditions of four terms and more", conditions, mostConditions}, {"switches without a tag", tagless, mostTagless}} {
		if got := 1000 * float64(len(row.list)) / float64(all); got > row.most || got == 0 {
			t.Errorf("%d %s in %d lines, %.2f per thousand, want at most %.1f; name some of\n%s", len(row.list), row.what, all, got, row.most,
				strings.Join(row.list, "\n"))
		}
	}
}

// TestDense: what counts as a condition of four terms, and as a switch without a tag.
func TestDense(t *testing.T) {
	for n, row := range []struct {
		body       string
		cond, bare int
	}{
		{"return a && b && c", 0, 0}, {"return a && b && c && d", 1, 0}, {"return a && (b || !c) && d", 1, 0}, {"return !(a && b || c && d)", 1, 0},
		{"return a && func() bool { return b && c && d && a }()", 1, 0}, {"if a && b { return c && d }; return a", 0, 0},
		{"switch { case a: return b }; return c", 0, 1}, {"switch a { case b: return c }; return d", 0, 0}, {"switch x := any(a); x { case b: }; return d", 0, 0},
	} {
		cond, bare := dense(t, "a.go", []byte("package p\nfunc f(a, b, c, d bool) bool { "+row.body+" }\n"))
		if len(cond) != row.cond || len(bare) != row.bare {
			t.Errorf("%d: %v and %v in %s", n, cond, bare, row.body)
		}
	}
}

// dense are the places of a file's conditions of four terms and more, and of its switches without a tag.
func dense(t *testing.T, path string, text []byte) (conditions, tagless []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	within := map[ast.Expr]bool{} // parts of a condition that was counted as a whole
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			if n.Tag == nil {
				tagless = append(tagless, files.Position(n.Pos()).String())
			}
		case *ast.BinaryExpr:
			if !within[n] && terms(n, within) >= 4 {
				conditions = append(conditions, files.Position(n.Pos()).String())
			}
		}
		return true
	})
	return conditions, tagless
}

// terms counts what && and || join in a condition, and takes note of its parts.
func terms(e ast.Expr, within map[ast.Expr]bool) int {
	within[e] = true
	switch e := e.(type) {
	case *ast.ParenExpr:
		return terms(e.X, within)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return terms(e.X, within)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return terms(e.X, within) + terms(e.Y, within)
		}
	}
	return 1
}
