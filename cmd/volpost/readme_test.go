package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fence is a fenced block of a Markdown file with its language.
var fence = regexp.MustCompile("(?ms)^```(\\w+)\\n(.*?)^```$")

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shellLines are the commands of the README.
func shellLines(t *testing.T) []string {
	var out []string
	for _, block := range fence.FindAllStringSubmatch(readme(t), -1) {
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(block[2]) {
			command, _, _ := strings.Cut(line, "#")
			if command = strings.TrimSpace(command); command != "" {
				out = append(out, command)
			}
		}
	}
	return out
}

// TestReadmeCommands runs what the README tells a reader to run, in a directory with a bundle called must-gather.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := binary(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "must-gather"), sampleFiles(t, "handover")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kcm.log"), bareControllerLog(t, "node-deleted"), 0o644); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, line := range shellLines(t) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "go run ./cmd/volpost "):
			words = words[3:]
		case words[0] == "volpost":
			words = words[1:]
		case line == "go test ./...", line == "go install ./cmd/volpost", words[0] == "make":
			continue // this is that
		default:
			t.Errorf("the README has a command that this test does not know: %s", line)
			continue
		}
		ran++
		c := exec.Command(program, words...)
		c.Dir = dir
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := c.Run(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, stderr.String())
		}
	}
	if ran < 3 {
		t.Errorf("only %d commands were run", ran)
	}
}

// TestReadmeCommandsForSetup wants the one command that runs the main job and the one that passes the tests.
func TestReadmeCommandsForSetup(t *testing.T) {
	lines := shellLines(t)
	if len(lines) < 2 || lines[0] != "go run ./cmd/volpost analyze sample:node-deleted" || lines[1] != "go test ./..." {
		t.Errorf("the README begins with %q", lines)
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
			t.Errorf("the README's report is not what volpost prints now (go test ./cmd/volpost -update rewrites it):\n%s", firstDifference(block[0], want))
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
		for _, start := range []string{"INCIDENT: ", "Blocking VolumeAttachment", "Why it was not detached", "Where the time went"} {
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

// TestReadmeTables wants every format, command and exit code named.
func TestReadmeTables(t *testing.T) {
	text := readme(t)
	for _, word := range []string{"`text`", "`html`", "`md`", "`json`", "`dot`", "`svg`", "`analyze", "`whatif", "`inspect", "`causes`", "`explain", "`samples`", "`version`"} {
		if !strings.Contains(text, word) {
			t.Errorf("the README does not name %s", word)
		}
	}
}

// TestDependenciesAreExplained wants a line in docs/dependencies.md for each module that go.mod requires directly.
func TestDependenciesAreExplained(t *testing.T) {
	root := moduleRoot(t)
	required, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	explained, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	direct := regexp.MustCompile(`(?m)^(?:require )?\t?(\S+\.\S+/\S+) v\S+$`).FindAllSubmatch(required, -1)
	if len(direct) < 5 {
		t.Fatalf("only %d direct requirements found", len(direct))
	}
	for _, d := range direct {
		if !strings.Contains(string(explained), "| `"+string(d[1])+"`") {
			t.Errorf("docs/dependencies.md does not say why %s", d[1])
		}
	}
}
