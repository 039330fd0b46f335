package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInvokedAs(t *testing.T) {
	for argv0, want := range map[string]string{
		"volpost":                              programName,
		"/usr/bin/volpost":                     programName,
		`C:\Program Files\volpost.exe`:         programName,
		"/home/a/kubectl-volpost-old/volpost":  programName,
		"kubectl-volpost":                      pluginName,
		"/home/a/.krew/bin/kubectl-volpost":    pluginName,
		`C:\Users\a\.krew\kubectl-volpost.EXE`: pluginName,
		"":                                     programName,
	} {
		if got := invokedAs(argv0); got != want {
			t.Errorf("%q: %q, want %q", argv0, got, want)
		}
	}
}

// asPlugin runs the program as kubectl does.
func asPlugin(args ...string) outcome {
	var out, err bytes.Buffer
	code := app{stdin: strings.NewReader(""), stdout: &out, stderr: &err, version: testVersion, name: pluginName}.run(args)
	return outcome{code, out.String(), err.String()}
}

// Where kubectl runs the program, there is no command of the name volpost: whatever tells what to type has to say kubectl.
func TestPluginNamesItself(t *testing.T) {
	for _, args := range [][]string{
		{}, {"--help"}, {"help", "whatif"}, {"gather", "--help"}, {"samples", "--help"},
		{"analyse"}, {"analyze"}, {"analyze", "sample:node-delete"}, {"analyze", "--frobnicate"}, {"explain", "x"}, {"analyze", "x", "-o", "pdf"},
	} {
		got := asPlugin(args...)
		text := got.stdout + got.stderr
		for line := range strings.Lines(text) {
			for _, command := range commandNames(app{}.rootCommand()) {
				bare := strings.ReplaceAll(line, "kubectl volpost ", "")
				if strings.Contains(bare, "volpost "+command+" ") && !strings.Contains(bare, "what volpost checks beside") || strings.Contains(bare,
					"volpost --help") {
					t.Errorf("%v: %s", args, line)
				}
			}
		}
		if strings.Contains(text, "kubectl kubectl") {
			t.Errorf("%v names kubectl twice:\n%s", args, text)
		}
	}
	if got := asPlugin("analyze", "--help").stdout; !strings.Contains(got, "kubectl volpost analyze BUNDLE...") ||
		!strings.Contains(got, "| kubectl volpost analyze -") {
		t.Errorf("the help of a command:\n%s", got)
	}
	if got := asPlugin("--help").stdout; !strings.Contains(got, "volpost reads what was collected") ||
		!strings.Contains(got, "what volpost checks beside") {
		t.Errorf("a sentence about volpost changed:\n%s", got)
	}
}

// The man pages name every command that a user can see, and are the same each time.
func TestManPages(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "man"), t.TempDir()
	for _, dir := range []string{first, second} {
		if got := volpost("man", dir); got.code != exitOK {
			t.Fatal(got.stderr)
		}
	}
	pages, err := os.ReadDir(first)
	if err != nil {
		t.Fatal(err)
	}
	visible := 1
	for _, c := range (app{}).rootCommand().Commands() {
		if c.IsAvailableCommand() {
			visible++
			if _, err := os.Stat(filepath.Join(first, "volpost-"+c.Name()+".1")); err != nil {
				t.Error(err)
			}
		}
	}
	if len(pages) < visible {
		t.Errorf("%d pages for %d commands", len(pages), visible)
	}
	for _, page := range pages {
		a, err := os.ReadFile(filepath.Join(first, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(second, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs between two runs", page.Name())
		}
		if head, _, _ := strings.Cut(string(a), "\n.SH"); !strings.Contains(head, `.TH "VOLPOST`) || !strings.Contains(head, testVersion) ||
			strings.Contains(head, "0001") {
			t.Errorf("%s begins with %s", page.Name(), head)
		}
	}
}
