package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fence is a fenced block of a Markdown file with its language.
var fence = regexp.MustCompile("(?ms)^```(\\w+)\\n(.*?)^```$")

// pages are the Markdown files of the repository, by their paths.
func pages(t *testing.T) map[string]string {
	t.Helper()
	root := moduleRoot(t)
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "testdata", "golden", "build", "dist"}, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		relative, relErr := filepath.Rel(root, path)
		if err != nil || relErr != nil {
			return err
		}
		out[filepath.ToSlash(relative)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 15 {
		t.Fatalf("only %d pages found", len(out))
	}
	return out
}

// shellLines are the commands of the blocks marked sh, without comments.
func shellLines(text string) []string {
	var out []string
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(block[2], "\\\n", " ")) {
			command, _, _ := strings.Cut(line, " #")
			if command = strings.TrimSpace(command); command != "" && command[0] != '#' {
				out = append(out, command)
			}
		}
	}
	return out
}

// ownTests are the pages whose commands another test runs and compares with the output that they show.
var ownTests = []string{"docs/tutorial.md"}

// notRun are the commands that the tests of CI are, or that build what the tests have built.
var notRun = regexp.MustCompile(`^(go test \./\.\.\.|go install \./cmd/volpost && PATH="\$PATH:\$\(go env GOPATH\)/bin"|make ` +
	`(build|install|check|test-long|golden|docs|fuzz|bench|bench-peers|cross|release-check)|\.ci/run)$`)

// TestPagesCommands runs what the pages tell a reader to run: each page in a directory of its own, with a bundle called
// must-gather, a kcm.log, and volpost in the path. What needs a cluster or credentials is in blocks marked console.
func TestPagesCommands(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a POSIX shell")
	}
	program := binary(t)
	ran := 0
	for name, text := range pages(t) {
		lines := shellLines(text)
		if len(lines) == 0 || slices.Contains(ownTests, name) {
			continue
		}
		dir := readersDirectory(t)
		for _, line := range lines {
			if notRun.MatchString(line) {
				continue
			}
			ran++
			command := exec.Command(shell, "-c", strings.ReplaceAll(line, "go run ./cmd/volpost ", "volpost "))
			command.Dir = dir
			command.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", name, line, err, out)
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands were run", ran)
	}
}

// readersDirectory is where a reader of the pages stands.
func readersDirectory(t *testing.T) string {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "must-gather"), sampleFiles(t, "node-deleted")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kcm.log"), bareControllerLog(t, "node-deleted"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestPlainPages wants the words of the style sheet's left column in no page but its own, and in no help.
func TestPlainPages(t *testing.T) {
	t.Parallel()
	texts := pages(t)
	delete(texts, "CONTRIBUTING.md")
	helps, err := filepath.Glob("testdata/cli/help*.txtar")
	if err != nil || len(helps) < 15 {
		t.Fatalf("%d texts of help found: %v", len(helps), err)
	}
	for _, path := range helps {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	for path, text := range texts {
		plainWords(t, path, text)
	}
}
