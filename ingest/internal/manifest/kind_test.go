package manifest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// Every list of objects of a snapshot has one row, which finds it, and no name means two kinds.
func TestKinds(t *testing.T) {
	s := &model.Snapshot{}
	lists := map[uintptr]string{}
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && strings.HasPrefix(f.Type().Elem().Name(), "Object[") {
			lists[f.Addr().Pointer()] = v.Type().Field(i).Name
		}
	}
	named := map[string]string{}
	for _, k := range kinds {
		for _, name := range append([]string{k.plural(), strings.ToLower(k.name)}, k.names...) {
			if was := named[name]; was != "" || !k.calls(name) || KindCalled(name) != k.name {
				t.Errorf("%s means %s and %s", name, was, k.name)
			}
			named[name] = k.name
		}
		if k.list == nil {
			continue
		}
		at := reflect.ValueOf(k.list).Call([]reflect.Value{reflect.ValueOf(s)})[0].Pointer()
		if strings.ToLower(lists[at]) != k.plural() {
			t.Errorf("%s is kept in %q", k.name, lists[at])
		}
		delete(lists, at)
	}
	for _, name := range lists {
		t.Errorf("%s has no row", name)
	}
}

// Beside this table there is no list of kinds. What is special to a few of them is a switch where it is done.
func TestOneTable(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		seen++
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || d.Name() == "kind.go" {
				return true
			}
			found := map[string]bool{}
			for _, elt := range lit.Elts {
				before, code := len(found), false
				ast.Inspect(elt, func(n ast.Node) bool {
					if _, ok := n.(*ast.Ident); ok {
						code = true
					}
					if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
						if name, err := strconv.Unquote(s.Value); err == nil && (kindNamed(name, "") != nil || KindOfPlural(name) != "") {
							found[name] = true
						}
					}
					return true
				})
				if code || len(found) == before {
					return true // of something else, or of what is done with each
				}
			}
			if len(found) > 2 {
				t.Errorf("%s lists kinds: %v", path, found)
			}
			return false
		})
		return nil
	})
	if err != nil || seen < 100 {
		t.Error(err, seen)
	}
}
