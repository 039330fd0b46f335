package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// render writes a report in a format.
func render(t testing.TB, format string, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rendered keeps what render gave for a fixture, because several properties look at the same large page.
var rendered sync.Map

// of is a fixture in a format.
func of(t testing.TB, format, name string, r *model.Report) string {
	if out, ok := rendered.Load(format + name); ok {
		return out.(string)
	}
	out := render(t, format, r)
	rendered.Store(format+name, out)
	return out
}

// fixtures are the reports that every property is tried on.
func fixtures() []struct {
	name   string
	report *model.Report
} {
	return []struct {
		name   string
		report *model.Report
	}{
		{"rich", rich()}, {"none", none()}, {"bare", bare()}, {"hostile", hostile()}, {"many", many(25)}, {"crowd", many(200)},
	}
}

func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		for _, c := range fixtures() {
			if c.name == "many" && f.Name != "text" || c.name == "crowd" {
				continue // a large file that shows nothing new
			}
			t.Run(f.Name+"/"+c.name, func(t *testing.T) {
				golden(t, c.name+f.Extension, reporttest.WithoutStyle(render(t, f.Name, c.report)))
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range gotLines {
		if i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s differs at line %d (go test ./report -update rewrites it)\n got: %s", path, i+1, gotLines[i])
		}
	}
	t.Fatalf("%s is longer than what was rendered", path)
}

func TestSameBytesAgain(t *testing.T) {
	for _, f := range Formats() {
		first := render(t, f.Name, rich())
		for range 3 {
			if again := render(t, f.Name, rich()); again != first {
				t.Errorf("%s: two renderings of equal reports differ", f.Name)
			}
		}
	}
}

func TestReportIsNotChanged(t *testing.T) {
	r := hostile()
	before := render(t, "json", r)
	for _, f := range Formats() {
		render(t, f.Name, r)
	}
	if after := render(t, "json", r); after != before {
		t.Error("rendering changed the report")
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Write(&bytes.Buffer{}, "pdf", none())
	if err == nil {
		t.Fatal("no error for a format that does not exist")
	}
	for _, f := range Formats() {
		if !strings.Contains(err.Error(), f.Name) {
			t.Errorf("the error %q does not name %s", err, f.Name)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if f.Name == "" || f.Doc == "" || !strings.HasPrefix(f.Extension, ".") {
			t.Errorf("incomplete format %+v", f)
		}
	}
	Formats()[0].Name = "changed"
	if Formats()[0].Name == "changed" {
		t.Error("a caller can change the formats")
	}
}
