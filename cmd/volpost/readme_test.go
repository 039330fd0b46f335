package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/report"
)

func readme(t *testing.T) string { return inRepository(t, "README.md") }

// TestReadmeBegins with the two commands for somebody who has only just cloned the repository.
func TestReadmeBegins(t *testing.T) {
	lines := shellLines(readme(t))
	if len(lines) < 2 || lines[0] != "go run ./cmd/volpost analyze sample:node-deleted" || lines[1] != "go test ./..." {
		t.Errorf("the README begins with %q", lines)
	}
}

// TestReadmeOrder: a reader finds first what volpost answers, then how to try it, and the insides last.
func TestReadmeOrder(t *testing.T) {
	want := []string{
		"# volpost", "## Try it", "## Your own bundle", "## Reading the report", "## What it cannot know", "## What it reads", "## Exit codes",
		"## Safety", "## Performance", "## Adding one of a kind", "## The folders", "## Other tools",
	}
	text, at := readme(t), 0
	for _, heading := range want {
		next := strings.Index(text[at:], heading+"\n")
		if next < 0 {
			t.Fatalf("the README has no %q in its place", heading)
		}
		at += next
	}
}

// TestReadmeFormats: the table of commands names every format.
func TestReadmeFormats(t *testing.T) {
	_, row, _ := strings.Cut(readme(t), "| `analyze BUNDLE` |")
	row, _, _ = strings.Cut(row, "\n")
	for _, f := range report.Formats() {
		if !strings.Contains(row, "`"+f.Name+"`") {
			t.Errorf("README.md does not name the format %s beside analyze", f.Name)
		}
	}
}

// TestReadmeReport keeps the report in the README the real one; -update rewrites it.
func TestReadmeReport(t *testing.T) {
	want := "```text\n" + excerpt(volpost("analyze", "sample:node-deleted", "-o", "text").stdout) + "```"
	text := readme(t)
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		switch {
		case block[1] != "text" || block[0] == want:
		case *update:
			text = strings.Replace(text, block[0], want, 1)
			if err := os.WriteFile(filepath.Join(moduleRoot(t), "README.md"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("the README's report is not what volpost prints now (go test ./cmd/volpost -update rewrites it):\n%s",
				firstDifference(block[0], want))
		}
	}
	if !strings.Contains(text, want) {
		t.Error("the README shows no report")
	}
}

// excerpt keeps the paragraphs of a text report that show what it answers, and says where it leaves others out.
func excerpt(report string) string {
	var b strings.Builder
	gap := false
	for paragraph := range strings.SplitSeq(strings.TrimSpace(report), "\n\n") {
		title := strings.TrimSpace(paragraph)
		keep := false
		for _, start := range []string{"RESOLVED · ", "shop/orders-db was ", "Why it was not detached", "Where the time went"} {
			keep = keep || strings.HasPrefix(title, start)
		}
		switch {
		case keep && b.Len() > 0:
			b.WriteString("\n" + paragraph + "\n")
		case keep:
			b.WriteString(paragraph + "\n")
		case !gap:
			b.WriteString("\n…\n")
		}
		gap = !keep
	}
	return b.String()
}

// TestEveryCommandIsDocumented wants every format and every command named in the README.
func TestEveryCommandIsDocumented(t *testing.T) {
	text := readme(t)
	for _, f := range report.Formats() {
		if !strings.Contains(text, "`"+f.Name+"`") {
			t.Errorf("the README does not name the format %s", f.Name)
		}
	}
	for _, c := range (app{}).rootCommand().Commands() {
		if c.IsAvailableCommand() && !strings.Contains(text, "`"+c.Name()+"`") && !strings.Contains(text, "| `"+c.Name()+" ") {
			t.Errorf("the README does not name the command %s", c.Name())
		}
	}
}

// TestDependenciesAreExplained wants a line in docs/dependencies.md for each module that go.mod requires directly.
func TestDependenciesAreExplained(t *testing.T) {
	required, explained := inRepository(t, "go.mod"), inRepository(t, "docs", "dependencies.md")
	direct := regexp.MustCompile(`(?m)^(?:require )?\t?(\S+\.\S+/\S+) v\S+$`).FindAllStringSubmatch(required, -1)
	if len(direct) < 5 {
		t.Fatalf("only %d direct requirements found", len(direct))
	}
	for _, d := range direct {
		if !strings.Contains(explained, "| `"+d[1]+"`") {
			t.Errorf("docs/dependencies.md does not say why %s", d[1])
		}
	}
}
