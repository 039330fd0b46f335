package manifest

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// dropped are fields whose types are read somewhere, but not below these paths; an empty kind stands for all.
var dropped = []struct{ kind, path, because string }{
	{"Pod", "metadata managedFields", "the statements about pods do not ask who wrote a field"},
	{"PersistentVolume", "metadata managedFields", "there are no statements about volumes"},
	{"PersistentVolumeClaim", "metadata managedFields", "nor about claims"},
	{"Namespace", "metadata managedFields", "nor about namespaces"},
	{"CSINode", "metadata managedFields", "nor about these"},
	{"CSIDriver", "metadata managedFields", "nor about these"},
	{"StorageClass", "metadata managedFields", "nor about classes"},
	{"ReplicaSet", "metadata managedFields", "nor about these"},
	{"DaemonSet", "metadata managedFields", "nor about these"},
	{"Job", "metadata managedFields", "nor about these"},
	{"Lease", "metadata managedFields", "the statements about leases do not ask who wrote a field"},
	{"Node", "metadata managedFields fieldsV1", "it is read by its keys"},
	{"VolumeAttachment", "metadata managedFields fieldsV1", "it is read by its keys"},
	{"Deployment", "metadata managedFields fieldsV1", "it is read by its keys"},
	{"StatefulSet", "metadata managedFields fieldsV1", "it is read by its keys"},
	{"StatefulSet", "spec volumeClaimTemplates metadata", "of a template the name and the annotated class are read"},
	{"StatefulSet", "spec volumeClaimTemplates status", "a template has none"},
	{"VolumeAttachment", "spec source inlineVolumeSpec", "of an inline volume driver and handle are read"},
	{"Event", "involvedObject", "only these four are there"},
}

// What the code behind this package reads of an object is in the table of what is needed.
func TestNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the packages that read objects")
	}
	read := fieldsRead(t)
	for _, k := range kinds {
		need := k.needs
		if need == nil {
			continue
		}
		if k.assign == nil {
			t.Fatalf("%s has needs and no type", k.name)
		}
		_, value, _ := k.assign(&yaml.Node{Kind: yaml.MappingNode}, false, &scratch{})
		of := reflect.TypeOf(value).Elem()
		read.check(t, k.name, of, "", need)
		read.checkCited(t, k.name, of, need)
	}
	for _, must := range []string{"cited reclaimPolicy", "cited spec.volumes[%d].persistentVolumeClaim.claimName",
		"k8s.io/api/core/v1.PodSpec NodeName", "k8s.io/api/core/v1.Pod Labels pod-template-hash", "k8s.io/api/core/v1.Node Labels *"} {
		if !read[must] {
			t.Errorf("it did not find that %s is read", must)
		}
	}
}

// readFields has "type field" for each field that is read, and "type Labels key" for labels and annotations; "*" is any key.
type readFields map[string]bool

// check walks through the fields of a type that are read and looks for those that are dropped.
func (read readFields) check(t *testing.T, kindName string, of reflect.Type, path string, need *needs) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if need.whole || of.Kind() != reflect.Struct || reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		if !need.whole {
			t.Errorf("%s: %s is read, but not needed with all that it holds", kindName, path)
		}
		return
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			read.check(t, kindName, f.Type, path, need)
			continue
		}
		at := strings.TrimSpace(path + " " + name)
		if !read[of.PkgPath()+"."+of.Name()+" "+f.Name] || slices.ContainsFunc(dropped, func(d struct{ kind, path, because string }) bool {
			return d.kind == kindName && (at == d.path || strings.HasPrefix(at, d.path+" "))
		}) {
			continue
		}
		if f.Type == reflect.TypeFor[map[string]string]() && (f.Name == "Labels" || f.Name == "Annotations") {
			read.checkKeys(t, kindName, f.Name, need.field(name))
			continue
		}
		if below := need.field(name); below == nil {
			t.Errorf("%s: %s is read and not in the table", kindName, at)
		} else if below.whole || len(below.fields) > 0 || f.Type.Kind() != reflect.Pointer {
			read.check(t, kindName, f.Type, at, below)
		}
	}
}

// checkKeys looks for labels or annotations that are read of a kind.
func (read readFields) checkKeys(t *testing.T, kindName, field string, need *needs) {
	for what := range read {
		of, rest, _ := strings.Cut(what, " ")
		key, ok := strings.CutPrefix(rest, field+" ")
		if !ok || !strings.HasSuffix(of, "."+kindName) {
			continue
		}
		if need == nil || !need.whole && (key == "*" || need.field(key) == nil) {
			t.Errorf("%s: key %s of %s is read and not in the table", kindName, key, field)
		}
	}
}

// notCited begins paths that are cited of other kinds only.
var notCited = map[string][]string{
	"Pod": {"status.message"}, "Node": {"status.phase"}, "Job": {"spec.", "status."},
	"Namespace": {"status."}, "Deployment": {"status."}, "ReplicaSet": {"status."}, "StatefulSet": {"status."},
	"DaemonSet": {"status.conditions"},
}

// checkCited looks for paths that are cited, that a kind has, and that are dropped.
func (read readFields) checkCited(t *testing.T, kindName string, of reflect.Type, need *needs) {
	for what := range read {
		path, ok := strings.CutPrefix(what, "cited ")
		if !ok || slices.ContainsFunc(notCited[kindName], func(begin string) bool { return strings.HasPrefix(path, begin) }) {
			continue
		}
		at, n := of, need
		for field := range strings.SplitSeq(path, ".") {
			field, _, _ = strings.Cut(field, "[")
			if at = fieldOf(at, field); at == nil {
				break
			}
			n = n.field(field)
		}
		if at != nil && n == nil {
			t.Errorf("%s: %s is cited and not in the table", kindName, path)
		}
	}
}

// fieldOf is the type of a field by its name in JSON; nil when there is none.
func fieldOf(of reflect.Type, name string) reflect.Type {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	for i := range of.NumField() {
		f := of.Field(i)
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if json == name {
			return f.Type
		}
		if json == "" && f.Anonymous {
			if found := fieldOf(f.Type, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// fieldsRead type-checks the packages that read objects, and lists the fields that they select.
func fieldsRead(t *testing.T) readFields {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	golist := func(args ...string) []string {
		cmd := exec.Command("go", append([]string{"list"}, args...)...)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	packages := []string{"./analyze/...", "./ingest/..."}
	exports := map[string]string{}
	for _, line := range golist(append([]string{"-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, packages...)...) {
		path, file, _ := strings.Cut(line, "\t")
		exports[path] = file
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	read := readFields{}
	for _, line := range golist(append([]string{"-f", "{{.ImportPath}}\t{{.Dir}}\t{{.GoFiles}}"}, packages...)...) {
		part := strings.Split(line, "\t")
		if strings.HasSuffix(part[0], "/ingest/internal/manifest") || strings.HasSuffix(part[0], "/ingest/internal/cloud") {
			continue // the one reads whatever a type has, the other what no object of Kubernetes is
		}
		var files []*ast.File
		for _, name := range strings.Fields(strings.Trim(part[2], "[]")) {
			file, err := parser.ParseFile(fset, filepath.Join(part[1], name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: from}).Check(part[0], fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			read.add(file, info)
		}
	}
	return read
}

// citing are the functions whose arguments name fields.
var citing = []string{"Cite", "CiteAll", "cite", "quote", "quotePods", "say", "SourceOf"}

var fieldPath = regexp.MustCompile(`^[a-zA-Z]+((\[(%d|\d+)\])?\.[a-zA-Z]+)*(\[(%d|\d+)\])?$`)

// addCited adds the paths that a call cites, where they stand there in one piece.
func (read readFields) addCited(call *ast.CallExpr) {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	if !slices.Contains(citing, name) {
		return
	}
	for _, arg := range call.Args {
		if format, ok := arg.(*ast.CallExpr); ok && len(format.Args) > 0 {
			arg = format.Args[0] // of Sprintf
		}
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if path, err := strconv.Unquote(lit.Value); err == nil && fieldPath.MatchString(path) {
				read["cited "+path] = true
			}
		}
	}
}

// add adds what a file selects, and cites.
func (read readFields) add(file *ast.File, info *types.Info) {
	keys := map[ast.Expr]string{} // of labels and annotations, the keys that are asked for
	ast.Inspect(file, func(n ast.Node) bool {
		if index, ok := n.(*ast.IndexExpr); ok {
			if v := info.Types[index.Index].Value; v != nil && v.Kind() == constant.String {
				keys[index.X] = constant.StringVal(v)
			}
		}
		if call, ok := n.(*ast.CallExpr); ok {
			read.addCited(call)
		}
		expr, ok := n.(*ast.SelectorExpr)
		if !ok || info.Selections[expr] == nil {
			return true
		}
		selection := info.Selections[expr]
		at, first := selection.Recv(), ""
		for i, n := range selection.Index() {
			name := typeName(at)
			if first == "" {
				first = name
			}
			if selection.Kind() != types.FieldVal && i == len(selection.Index())-1 {
				// A method such as GetLabels stands for its field.
				read[name+" "+strings.TrimPrefix(selection.Obj().Name(), "Get")] = true
				break
			}
			field := structOf(at).Field(n)
			read[name+" "+field.Name()] = true
			at = field.Type()
		}
		if name := expr.Sel.Name; name == "Labels" || name == "Annotations" {
			key, ok := keys[expr]
			if !ok {
				key = "*"
			}
			read[first+" "+name+" "+key] = true
		}
		return true
	})
}

func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}

func structOf(t types.Type) *types.Struct {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	return t.(*types.Struct)
}
