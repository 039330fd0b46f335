package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// pkg is a package with its mutants written into it.
type pkg struct {
	dir, temp string
	fset      *token.FileSet
	info      *types.Info
	source    map[string][]byte
	files     map[string][]byte // with the mutants
	span      map[ast.Node]span // as the source has it, of what is rewritten from the inside out
	mutants   []mutant
}

// span is a place in the source.
type span struct{ from, to token.Position }

// load reads a package and writes every mutant into its files.
func load(dir string) (*pkg, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	p := &pkg{
		dir: abs, temp: temp, fset: token.NewFileSet(), source: map[string][]byte{}, files: map[string][]byte{}, span: map[ast.Node]span{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}},
	}
	files, err := p.parse()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name := p.fset.File(f.FileStart).Name()
		if bytes.Contains(p.source[name], []byte("//go:embed")) {
			continue // its comments would be lost, and with them what is embedded
		}
		p.rewrite(f)
		var b bytes.Buffer
		if err := printer.Fprint(&b, token.NewFileSet(), f); err != nil {
			return nil, err
		}
		p.files[name] = b.Bytes()
	}
	p.files[filepath.Join(abs, "zz_mutants.go")] = []byte("package " + files[0].Name.Name + helpers)
	return p, p.main(files[0].Name.Name)
}

// main lets the package's TestMain, or one of its own, run the tests with each mutant.
func (p *pkg) main(name string) error {
	run := "package " + name + loop
	tests, err := filepath.Glob(filepath.Join(p.dir, "*_test.go"))
	if err != nil {
		return err
	}
	own := false
	for _, path := range tests {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Contains(text, []byte("\nfunc TestMain(m *testing.M)")) {
			continue
		}
		called := "MutantsRun(m)"
		if bytes.Contains(text, []byte("package "+name+"_test\n")) {
			called = name + "." + called
		}
		own, p.files[path] = true, bytes.Replace(text, []byte("m.Run()"), []byte(called), 1)
	}
	if !own {
		run += testMain
	}
	p.files[filepath.Join(p.dir, "zz_mutants_test.go")] = []byte(run)
	return nil
}

// parse reads the files that are no tests, with the types of what they hold.
func (p *pkg) parse() ([]*ast.File, error) {
	names, err := exec.Command("go", "list", "-f", `{{join .GoFiles "\n"}}`, p.dir).Output()
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range strings.Fields(string(names)) {
		path := filepath.Join(p.dir, name)
		if p.source[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(p.fset, path, p.source[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, p.check(files)
}

// check finds the types of all expressions, with the compiled imports that go list names.
func (p *pkg) check(files []*ast.File) error {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", p.dir).Output()
	if err != nil {
		return err
	}
	export := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		export[path] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(export[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", open)}
	_, err = config.Check(p.dir, p.fset, files, p.info)
	return err
}

// add enters a mutant and returns its number as an argument.
func (p *pkg) add(e ast.Expr, format string, args ...any) ast.Expr {
	at := p.span[e].from
	place := fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)
	p.mutants = append(p.mutants, mutant{place: place, what: fmt.Sprintf(format, args...)})
	return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(len(p.mutants))}
}

func call(name string, args ...ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: args}
}

// rewrite puts every mutant of a file into its functions. What is computed before a test runs cannot be switched.
func (p *pkg) rewrite(f *ast.File) {
	depth := 0
	inside := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.FuncDecl:
			return n.Body != nil
		}
		return false
	}
	astutil.Apply(f, func(c *astutil.Cursor) bool {
		if inside(c.Node()) {
			depth++
		}
		if e, ok := c.Node().(ast.Expr); ok {
			p.span[e] = span{p.fset.Position(e.Pos()), p.fset.Position(e.End())}
		}
		return true
	}, func(c *astutil.Cursor) bool {
		if inside(c.Node()) {
			depth--
		}
		if e, ok := c.Node().(ast.Expr); ok && depth > 0 {
			if m := p.mutate(c, e); m != e {
				c.Replace(m)
			}
		}
		return true
	})
}

// mutate is an expression with the mutants that it has where it stands.
func (p *pkg) mutate(c *astutil.Cursor, e ast.Expr) ast.Expr {
	t, typed := p.info.Types[e]
	if !typed || t.Type == nil || t.IsType() {
		return e
	}
	out := e
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if t.Value == nil {
			out = p.binary(x)
		}
	case *ast.CallExpr:
		if name, ok := x.Fun.(*ast.Ident); ok && (name.Name == "min" || name.Name == "max") && p.info.Types[x.Fun].IsBuiltin() {
			other := map[string]string{"min": "max", "max": "min"}[name.Name]
			op := &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(name.Name)}
			return call("mutantPick", append([]ast.Expr{p.add(e, "%s is %s", name.Name, other), op}, x.Args...)...)
		}
		if isBool(t.Type) && !alone(c.Parent()) {
			out = call("mutantNot", p.add(e, "%s is negated", p.text(x.Fun)), e)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if _, cond := c.Parent().(*ast.IfStmt); cond && isBool(t.Type) && t.Value == nil {
			out = call("mutantNot", p.add(e, "%s is negated", p.text(e)), e)
		}
	}
	if t.Value != nil {
		return p.constant(c, e, t)
	}
	return p.operand(c, e, out)
}

// alone reports a statement that takes no result of its call: a deferred one would run at once as the argument of another.
func alone(parent ast.Node) bool {
	switch parent.(type) {
	case *ast.DeferStmt, *ast.GoStmt, *ast.ExprStmt:
		return true
	}
	return false
}

// binary are the mutants of an operator: a comparison is negated or moves its boundary, a sum is a difference.
func (p *pkg) binary(x *ast.BinaryExpr) ast.Expr {
	text := p.text(x)
	switch x.Op {
	case token.EQL, token.NEQ:
		return call("mutantNot", p.add(x, "%s is negated", text), x)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		number := p.add(x, "%s is negated", text)
		p.add(x, "the boundary of %s", text)
		return call("mutantOrder", number, x.X, x.Y, &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(x.Op.String())})
	}
	other, ok := map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL}[x.Op]
	if basic, number := p.info.Types[x].Type.Underlying().(*types.Basic); ok && number && basic.Info()&types.IsNumeric != 0 {
		return call("mutantMath", p.add(x, "%s has %s", text, other), x.X, x.Y,
			&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(x.Op.String())})
	}
	return x
}

// constant is a hundred times a number, where it is compared, counted with, or handed on.
func (p *pkg) constant(c *astutil.Cursor, e ast.Expr, t types.TypeAndValue) ast.Expr {
	basic, ok := t.Type.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsNumeric == 0 || t.Value.Kind() != constant.Int && t.Value.Kind() != constant.Float {
		return e
	}
	if constant.Sign(t.Value) == 0 {
		return e // a hundred times 0 is 0
	}
	switch parent := c.Parent().(type) {
	case *ast.BinaryExpr:
		if v := p.info.Types[parent]; v.Value != nil || v.Type == nil {
			return e
		}
	case *ast.CallExpr:
		if f := p.info.Types[parent.Fun]; c.Name() != "Args" || f.IsType() || f.IsBuiltin() {
			return e
		}
	default:
		return e
	}
	_, named := types.Unalias(t.Type).(*types.Named)
	if named && !p.typedByItself(e) {
		return e
	}
	number := p.add(e, "%s is a hundred times that", t.Value)
	if !named {
		e = call(types.Default(basic).String(), e)
	}
	return call("mutantTimes", number, e)
}

// typedByItself reports that a constant has its type from a name in it, not from where it stands.
func (p *pkg) typedByItself(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if k, ok := p.info.Uses[id].(*types.Const); ok {
				_, named := k.Type().(*types.Named)
				found = found || named
			}
		}
		return true
	})
	return found
}

// operand drops a part of a condition, or a case of a switch.
func (p *pkg) operand(c *astutil.Cursor, e, out ast.Expr) ast.Expr {
	switch parent := c.Parent().(type) {
	case *ast.BinaryExpr:
		if parent.Op == token.LAND {
			return call("mutantTrue", p.add(e, "%s && is dropped", p.text(e)), out)
		}
		if parent.Op == token.LOR {
			return call("mutantFalse", p.add(e, "%s || is dropped", p.text(e)), out)
		}
	case *ast.CaseClause:
		if isBool(p.info.Types[e].Type) {
			return call("mutantFalse", p.add(e, "case %s is dropped", p.text(e)), out)
		}
	}
	return out
}

func isBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// text is an expression as its source has it, shortened.
func (p *pkg) text(e ast.Expr) string {
	at := p.span[e]
	s := strings.Join(strings.Fields(string(p.source[at.from.Filename][at.from.Offset:at.to.Offset])), " ")
	return s[:min(len(s), 90)]
}
