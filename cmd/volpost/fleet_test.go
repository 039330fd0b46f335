package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// fleetDirectory holds the reports of two recordings, one of them twice, and files that are no report.
func fleetDirectory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	handover, _ := explained(t, playedFiles(t, "handover"), "handover")
	deleted, _ := explained(t, playedFiles(t, "node-deleted"), "node-deleted")
	for name, data := range map[string][]byte{
		"a/handover.json": handover, "deleted.json": deleted, "again.json": deleted, "notes.json": []byte("{}"),
		"cut.json": deleted[:len(deleted)/2], "notes.txt": []byte("not looked at"),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFleet(t *testing.T) {
	dir := fleetDirectory(t)
	t.Chdir(dir)
	got := volpost("fleet", ".")
	for _, want := range []string{"FLEET: 3 reports, 1 incident, 1 ordinary hand-over", "counted once: 1 incident.", "cut.json: ",
		"notes.json: is JSON, but no volpost report", "automate-out-of-service"} {
		if got.code != exitOK || !strings.Contains(got.stdout, want) {
			t.Errorf("exit code %d, no %q in\n%s%s", got.code, want, got.stdout, got.stderr)
		}
	}
	// Rows lead to the page of a report where there is one, and else to the report.
	if err := os.WriteFile("deleted.html", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	page := volpost("fleet", ".", "-o", "html").stdout
	for want, there := range map[string]bool{`<a href="deleted.html">`: false, `<a href="again.json">`: true,
		`<a href="a/handover.json">`: true} {
		if strings.Contains(page, want) != there {
			t.Errorf("the page has %s: %t", want, !there)
		}
	}
	if page = volpost("fleet", "deleted.json", "-o", "html").stdout; !strings.Contains(page, `<a href="deleted.html">`) {
		t.Error("the page beside a report is not linked")
	}
	if strings.Contains(got.stdout, "notes.txt") {
		t.Error("a file that is not .json was read")
	}
	// The same reports on standard input, one after another, give the same sums.
	var stream bytes.Buffer
	for _, name := range []string{"deleted.json", "a/handover.json", "again.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(data)
	}
	var out, stderr bytes.Buffer
	code := app{stdin: &stream, stdout: &out, stderr: &stderr, version: testVersion}.run([]string{"fleet", "-", "-o", "csv"})
	if files := volpost("fleet", "deleted.json", "a", "again.json", "-o", "csv"); code != exitOK || out.String() != files.stdout {
		t.Errorf("exit code %d: standard input and files differ\n%s%s\n%s", code, stderr.String(), out.String(), files.stdout)
	}
}

func TestFleetOfNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("notes.json", []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"fleet", "."}, {"fleet", "missing"}, {"fleet", "notes.json"}} {
		if got := volpost(args...); got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "\nhint: ") {
			t.Errorf("%v: exit code %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}

// TestFleetManifest decodes the Job of docs/fleet.md strictly by the API's own types, and checks what makes it work: one
// index for each bundle, known to the arguments, and retried by itself.
func TestFleetManifest(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	manifest, _, ends := strings.Cut(rest, "```")
	if !found || !ends {
		t.Fatal("the page has no manifest")
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict([]byte(manifest), &job); err != nil {
		t.Fatal(err)
	}
	spec, pod := job.Spec, job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || spec.CompletionMode == nil || *spec.CompletionMode != batchv1.IndexedCompletion ||
		spec.Completions == nil || spec.BackoffLimitPerIndex == nil || *spec.BackoffLimitPerIndex < 1 || pod.RestartPolicy != "Never" {
		t.Errorf("not an Indexed Job that retries each index: %+v", spec)
	}
	if len(pod.Containers) != 1 {
		t.Fatalf("%d containers", len(pod.Containers))
	}
	c := pod.Containers[0]
	index := ""
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.FieldRef != nil &&
			e.ValueFrom.FieldRef.FieldPath == "metadata.annotations['"+batchv1.JobCompletionIndexAnnotation+"']" {
			index = "$(" + e.Name + ")"
		}
	}
	if index == "" || strings.Count(strings.Join(c.Args, " "), index) != 2 {
		t.Errorf("the arguments %q do not use the index %q", c.Args, index)
	}
	mounted := map[string]bool{}
	for _, m := range c.VolumeMounts {
		mounted[m.Name] = true
	}
	for _, v := range pod.Volumes {
		if !mounted[v.Name] {
			t.Errorf("the volume %s is not mounted", v.Name)
		}
	}
	command := append([]string{}, c.Args...)
	command[1] = "sample:handover"
	command[len(command)-1] = "json=" + filepath.Join(t.TempDir(), "0.json")
	if got := volpost(command...); got.code != exitOK {
		t.Errorf("%q: exit code %d: %s", command, got.code, got.stderr)
	}
}
