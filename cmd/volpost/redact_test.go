package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// TestNamesComeBack writes a report without names in several formats, and gives them back.
func TestNamesComeBack(t *testing.T) {
	t.Chdir(t.TempDir())
	const sample = "sample:node-deleted"
	got := volpost("analyze", sample, "--redact", "--redact-map", "names.json", "-o", "json=r.json,text=r.txt,md=r.md,csv=r.csv,dot=r.dot")
	if got.code != exitOK || !strings.Contains(got.stderr, "wrote names.json, which gives the names back") {
		t.Fatalf("exit code %d, %s", got.code, got.stderr)
	}
	if info, err := os.Stat("names.json"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key can be read by others: %v, %v", info.Mode(), err)
	}
	if got := volpost("analyze", sample, "-o", "json=o.json,text=o.txt,md=o.md,csv=o.csv,dot=o.dot"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for _, ext := range []string{"json", "txt", "md", "csv", "dot"} {
		redacted := fileText(t, "r."+ext)
		if strings.Contains(redacted, "worker-1") || strings.Contains(redacted, "orders") {
			t.Errorf("r.%s has names", ext)
		}
		back := volpost("unredact", "r."+ext, "--redact-map", "names.json")
		want := fileText(t, "o."+ext)
		exact := ext == "json" || ext == "csv" // no name is cut in them
		if named := strings.Contains(back.stdout, "worker-1") && strings.Contains(back.stdout, "orders"); back.code != exitOK || !named || exact && back.stdout != want {
			t.Errorf("%s: %s %s", ext, back.stderr, firstDifference(want, back.stdout))
		}
	}
	// The same run again writes the same key; another report must not take its place.
	if got := volpost("analyze", sample, "--redact", "--redact-map", "names.json", "-o", "json=r.json"); got.code != exitOK {
		t.Errorf("the same again: %s", got.stderr)
	}
	if got := volpost("analyze", "sample:handover", "--redact", "--redact-map", "names.json", "-o", "json=h.json"); got.code != exitFailed ||
		!strings.Contains(got.stderr, "is not the key of this report") {
		t.Errorf("another report over the key: %d, %s", got.code, got.stderr)
	}
	if _, err := os.Stat("h.json"); err == nil {
		t.Error("a report was written whose key was not")
	}
}

// TestAnswersComeBack: what graph, diff and fleet write without names tells its key in every format but CSV, and comes back by it.
func TestAnswersComeBack(t *testing.T) {
	t.Chdir(t.TempDir())
	const sample = "sample:two-incidents"
	if got := volpost("analyze", "sample:handover", "--redact", "--redact-map", "other.json", "-o", "json=r.json"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	if got := volpost("analyze", sample, "-o", "json=o.json"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for n, c := range []struct {
		args    []string
		formats []string
	}{
		{[]string{"graph", sample}, report.Graphs.Names()}, {[]string{"diff", "o.json", sample}, report.Diffs.Names()},
		{[]string{"fleet", "o.json"}, report.Fleets.Names()},
	} {
		for _, format := range c.formats {
			args, key := append(slices.Clone(c.args), "-o", format), fmt.Sprintf("%d-%s.json", n, format)
			plain, got := volpost(args...), volpost(append(args, "--redact", "--redact-map", key)...)
			if plain.code != exitOK || got.code != exitOK || plain.stdout == got.stdout || strings.Contains(plain.stdout, "seudonyms") {
				t.Fatalf("%q: %s %s", args, plain.stderr, got.stderr)
			}
			if err := os.WriteFile("text", []byte(got.stdout), 0o644); err != nil {
				t.Fatal(err)
			}
			back, other := volpost("unredact", "text", "--redact-map", key), volpost("unredact", "text", "--redact-map", "other.json")
			if (format == "csv" || format == "json") && back.stdout != plain.stdout {
				t.Errorf("%q: %s %s", args, back.stderr, firstDifference(plain.stdout, back.stdout))
			}
			if format != "csv" && (other.code != exitFailed || !strings.Contains(other.stderr, "is the key of another report")) {
				t.Errorf("%q with another key: %d, %s", args, other.code, other.stderr)
			}
		}
	}
}

// TestChoiceWithoutNames: what replay and whatif say of the incidents that they could play has no name when names are not wanted.
func TestChoiceWithoutNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const sample = "sample:many-volumes"
	if got := volpost("analyze", sample, "-o", "json=r.json"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	names := bundleNames(t, sampleFiles(t, "many-volumes"))
	for _, args := range [][]string{
		{"replay", sample}, {"replay", "r.json"}, {"replay", sample, "--incident", "x"}, {"replay", "r.json", "--incident", "x"},
		{"whatif", sample, "--apply", "force-delete-pod"}, {"whatif", sample, "--apply", "force-delete-pod", "--incident", "x"},
	} {
		plain, got := volpost(args...), volpost(append(args, "--redact")...)
		if left := surviving(got.stderr, names); len(left) > 0 || !strings.Contains(got.stderr, "--incident names") {
			t.Errorf("%q: %v in %s", args, left, got.stderr)
		}
		if left := surviving(plain.stderr, names); len(left) == 0 {
			t.Errorf("%q: no names to take out: %s", args, plain.stderr)
		}
	}
}

// TestLaterRedaction wants report --redact to give what analyze --redact gives.
func TestLaterRedaction(t *testing.T) {
	t.Chdir(t.TempDir())
	volpost("analyze", "sample:handover", "-o", "json=o.json")
	now := volpost("analyze", "sample:handover", "--redact", "-o", "json")
	later := volpost("report", "o.json", "--redact", "-o", "json")
	if now.stdout == "" || now.stdout != later.stdout {
		t.Error(firstDifference(now.stdout, later.stdout) + later.stderr)
	}
	if err := os.WriteFile("r.json", []byte(now.stdout), 0o644); err != nil {
		t.Fatal(err)
	}
	if twice := volpost("report", "r.json", "--redact", "-o", "json"); twice.code != exitFailed ||
		!strings.Contains(twice.stderr, "redacted already") {
		t.Errorf("redacted twice: %d, %s", twice.code, twice.stderr)
	}
}

// TestVerify compares reports with the bundle, a changed one, and without names.
func TestVerify(t *testing.T) {
	t.Chdir(t.TempDir())
	unpack(t, "handover", "bundle")
	got := volpost("analyze", "bundle", "--redact", "--redact-map", "names.json", "-o", "json=r.json")
	if got.code != exitOK || volpost("analyze", "bundle", "-o", "json=o.json").code != exitOK {
		t.Fatal(got.stderr)
	}
	if got := volpost("analyze", "sample:node-deleted", "-o", "json=reaction.json", "--reaction", "1m"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	original := decoded(t, []byte(fileText(t, "o.json")))
	for name, forge := range map[string]func(*model.Report){
		"forged.json": func(r *model.Report) { r.Verdict.Headline = "all of it was an exercise" },
		"other.json":  func(r *model.Report) { r.Generator.Version, r.Verdict.Headline = "v9.9.9", "x" },
	} {
		forged := *original
		forge(&forged)
		var text bytes.Buffer
		render(t, &text, "json", &forged)
		if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"o.json", "bundle"}, exitOK, "quotes are in the bundle"},
		{[]string{"o.json", "bundle"}, exitOK, "concludes from it what the report says"},
		{[]string{"forged.json", "bundle"}, exitFailed, "concluded verdict.headline"},
		{[]string{"forged.json", "bundle"}, exitFailed, "all of it was an exercise"},
		{[]string{"other.json", "bundle"}, exitOK, "the conclusions were not checked: the report is by volpost v9.9.9"},
		{[]string{"reaction.json", "sample:node-deleted"}, exitFailed, "written with other flags?"},
		{[]string{"reaction.json", "sample:node-deleted", "--reaction", "1m"}, exitOK, "concludes from it"},
		{[]string{"r.json", "bundle"}, exitFailed, "is redacted"},
		{[]string{"r.json", "bundle", "--redact-map", "names.json"}, exitOK, "quotes are in the bundle"},
		{[]string{"o.json", "bundle", "--redact-map", "names.json"}, exitFailed, "needs no key"},
		{[]string{"o.json", "sample:node-deleted"}, exitFailed, "missing"},
		{[]string{"o.json", "no-such"}, exitFailed, "does not exist"},
		{[]string{"bundle", "bundle"}, exitFailed, "is a directory"},
	} {
		got := volpost(append([]string{"verify"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.want) {
			t.Errorf("verify %q: exit code %d, %s%s", c.args, got.code, got.stdout, got.stderr)
		}
	}
	events, err := filepath.Glob("bundle/*/namespaces/shop/core/events.yaml")
	if err != nil || len(events) != 1 {
		t.Fatalf("%v, %v", events, err)
	}
	text := fileText(t, events[0])
	if err := os.WriteFile(events[0], []byte(strings.ReplaceAll(text, "Multi-Attach error", "Multi-Attach terror")), 0o644); err != nil {
		t.Fatal(err)
	}
	changed := volpost("verify", "o.json", "bundle")
	for _, want := range []string{"changed", "core/events.yaml:", "terror", "report:", "bundle:"} {
		if changed.code != exitFailed || !strings.Contains(changed.stdout, want) {
			t.Errorf("a changed file: exit code %d, no %s in %s%s", changed.code, want, changed.stdout, changed.stderr)
		}
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unpack writes a sample's bundle to a directory.
func unpack(t *testing.T, sample, dir string) {
	t.Helper()
	for path, file := range sampleFiles(t, sample) {
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), fs.FileMode(0o755)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
