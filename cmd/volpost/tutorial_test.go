package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// consoleBlock is a block of commands with what they print.
var consoleBlock = regexp.MustCompile("(?ms)^```console\\n(.*?)^```$")

// screenBlock is a block that shows a screen.
var screenBlock = regexp.MustCompile("(?ms)^```text\\n(.*?)^```$")

// tutorialScreen is the screen that the tutorial shows: a test of package report keeps it what the replay draws.
const tutorialScreen = "report/replay/testdata/failover.txt"

// TestDocsTutorial runs every command of the tutorial and compares what it prints; -update rewrites the page.
func TestDocsTutorial(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the tutorial's commands need a POSIX shell")
	}
	root := moduleRoot(t)
	file := filepath.Join(root, "docs", "tutorial.md")
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(tutorialScreen)))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ran := 0
	want := consoleBlock.ReplaceAllStringFunc(string(have), func(block string) string {
		var b strings.Builder
		b.WriteString("```console\n")
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				ran++
				b.WriteString(line + printed(t, shell, strings.TrimSpace(command)))
			}
		}
		return b.String() + "```"
	})
	want = screenBlock.ReplaceAllLiteralString(want, "```text\n"+string(screen)+"```")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(have) != want {
		t.Errorf("docs/tutorial.md is not what volpost prints now (make docs rewrites it):\n%s", firstDifference(string(have), want))
	}
	if ran < 10 {
		t.Errorf("only %d commands were run", ran)
	}
}

// printed is what a command of the tutorial prints: volpost runs inside of the test, what it is piped into by the shell.
func printed(t *testing.T, shell, command string) string {
	t.Helper()
	first, rest, piped := strings.Cut(command, " | ")
	words := strings.Fields(first)
	if words[0] != "volpost" {
		out, err := exec.Command(shell, "-c", command).CombinedOutput()
		if err != nil || len(out) == 0 {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	got := volpost(words[1:]...)
	if got.code != exitOK || got.stderr != "" {
		t.Errorf("%s: exit code %d\n%s", first, got.code, got.stderr)
	}
	if !piped {
		return got.stdout
	}
	c := exec.Command(shell, "-c", rest)
	c.Stdin = strings.NewReader(got.stdout)
	out, err := c.CombinedOutput()
	if err != nil || len(out) == 0 {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// TestDocsTutorialNames wants every command and identifier that the text of the tutorial names to exist.
func TestDocsTutorialNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`volpost ([a-z]+)(?: ([a-z0-9-]+))?[^`]*`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 4 {
		t.Fatalf("only %d commands are named", len(named))
	}
	for _, n := range named {
		args := []string{n[1], "--help"}
		if n[1] == "explain" {
			args = []string{n[1], n[2]}
		}
		if got := volpost(args...); got.code != exitOK {
			t.Errorf("volpost %s: %s", strings.Join(args, " "), got.stderr)
		}
	}
}
