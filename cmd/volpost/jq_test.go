package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// queryAndOutput is a query of docs/jq.md with what it prints.
var queryAndOutput = regexp.MustCompile("(?s)```bash\n(.*?)```\n\n```text\n(.*?)```\n")

// TestDocsQueries runs every query of docs/jq.md over the report that the page makes. -update writes what they print.
func TestDocsQueries(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("needs jq")
	}
	file := filepath.Join(moduleRoot(t), "docs", "jq.md")
	page := inRepository(t, "docs/jq.md")
	commands := shellLines(page)
	if len(commands) != 1 || !strings.HasPrefix(commands[0], "volpost ") {
		t.Fatalf("the page begins with %q", commands)
	}
	t.Chdir(t.TempDir())
	if got := volpost(strings.Fields(commands[0])[1:]...); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	queries := queryAndOutput.FindAllStringSubmatch(page, -1)
	if len(queries) < 8 || len(queries) != strings.Count(page, "```bash\n") {
		t.Fatalf("%d queries have an output", len(queries))
	}
	for _, q := range queries {
		run := exec.Command("sh", "-euc", q[1])
		var complaint strings.Builder
		run.Stderr = &complaint
		out, err := run.Output()
		switch {
		case err != nil || complaint.Len() > 0 || len(out) == 0:
			t.Errorf("%s%v: %s%s", q[1], err, complaint.String(), out)
		case *update:
			page = strings.Replace(page, q[0], "```bash\n"+q[1]+"```\n\n```text\n"+string(out)+"```\n", 1)
		case string(out) != q[2]:
			t.Errorf("%sprints otherwise (go test ./cmd/volpost -update rewrites it):\n%s", q[1], firstDifference(q[2], string(out)))
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
