package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// optionNames are names that Kubernetes refuses and that a shell or kubectl would obey.
var optionNames = []string{"--all", "-lx", "$(reboot)", "x;reboot", "`reboot`", "x y"}

// TestOptionNames gives nodes, pods, claims, volumes, namespaces and workloads of the samples names that would be options or
// programs: no command of any command's output has one, and a shell takes each whole command.
func TestOptionNames(t *testing.T) {
	t.Parallel()
	commands, tried := map[string]bool{}, 0
	for n, s := range recordings.Sweep(samples.List()) {
		_, clean := ofSample(t, s.Name)
		for at, name := range optionNames {
			if (n+at)%len(optionNames) != 0 {
				continue
			}
			tried++
			bundle := sampleFiles(t, s.Name)
			for _, old := range namesOf(clean) {
				for _, f := range bundle {
					f.Data = bytes.ReplaceAll(f.Data, []byte(old), []byte(name))
				}
			}
			dir := filepath.Join(t.TempDir(), "bundle")
			if err := os.CopyFS(dir, bundle); err != nil {
				t.Fatal(err)
			}
			_, r := explained(t, bundle, s.Name)
			for _, text := range outputsOf(t, dir, r) {
				for _, c := range inProse.FindAllString(text, -1) {
					if strings.Contains(" "+c, " "+name) {
						t.Errorf("%s: %q stands in %s", s.Name, name, c)
					}
				}
			}
			md := bytes.Buffer{}
			render(t, &md, "md", r)
			for _, c := range commandsOf(r, map[string]string{"md": md.String()}) {
				commands[c] = true
			}
		}
	}
	takenByShell(t, slices.Collect(maps.Keys(commands)))
	t.Logf("%d tried, %d commands", tried, len(commands))
}

// inProse is a command wherever it stands, to the end of its clause.
var inProse = regexp.MustCompile(`\b(?:kubectl|oc|fuser|lsof|findmnt|systemctl|journalctl) [a-z-][^\n<>]*?(?:$|[)\n<>]|[,;:.] |\.$)`)

// namesOf are the names of the objects of all incidents, the longest first.
func namesOf(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		out = append(out, i.From.Node, i.To.Node, i.Volume.PersistentVolume)
		for _, ref := range slices.Concat(i.From.Pods, i.To.Pods) {
			out = append(out, ref.Name, ref.Namespace)
		}
		if i.Volume.Claim != nil {
			out = append(out, i.Volume.Claim.Name)
		}
		if i.Workload != nil {
			out = append(out, i.Workload.Name)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return len(name) < 3 })
}

// outputsOf is what the commands print of a bundle, and the JSON's strings apart from each other.
func outputsOf(t *testing.T, dir string, r *model.Report) []string {
	t.Helper()
	var out []string
	file := filepath.Join(t.TempDir(), "report.json")
	for _, f := range report.Formats() {
		var b bytes.Buffer
		render(t, &b, f.Name, r)
		if f.Name == "json" {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			out = append(out, stringsIn(t, b.Bytes())...)
		} else {
			out = append(out, b.String())
		}
	}
	for _, args := range [][]string{{"inspect", dir}, {"whatif", dir}, {"graph", dir}, {"diff", file, file}} {
		out = append(out, volpost(args...).stdout, strings.Join(stringsIn(t, []byte(volpost(append(args, "-o", "json")...).stdout)), "\n"))
	}
	return out
}

func stringsIn(t *testing.T, text []byte) []string {
	t.Helper()
	if len(text) == 0 {
		return nil
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	var out []string
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for _, e := range v {
				visit(e)
			}
		}
	}
	visit(tree)
	return out
}
