package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNoticeIsComplete: NOTICE names the modules that a release links for any of its targets, in their versions, and no other,
// each with a licence and texts that are there, and what is linked and is no module.
func TestNoticeIsComplete(t *testing.T) {
	t.Parallel()
	notice := inRepository(t, "NOTICE")
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^(\S+ v\S+) [A-Z].*?((?: \[\d+\])+)$`).FindAllStringSubmatch(notice, -1) {
		named = append(named, m[1])
		for _, number := range strings.Fields(m[2]) {
			if !strings.Contains(notice, "\n======== "+number+" ========\n") {
				t.Errorf("%s has no text %s", m[1], number)
			}
		}
	}
	linked := linkedModules(t)
	for _, m := range linked {
		if !slices.Contains(named, m) {
			t.Errorf("NOTICE does not name %s: make notice", m)
		}
	}
	for _, m := range named {
		if !slices.Contains(linked, m) {
			t.Errorf("NOTICE names %s, which is not linked: make notice", m)
		}
	}
	graphviz := regexp.MustCompile(`brings Graphviz (\S+)`).FindStringSubmatch(inRepository(t, "docs", "dependencies.md"))
	if graphviz == nil || !strings.Contains(notice, "\n======== Graphviz "+graphviz[1]+" EPL-1.0 ========\n") {
		t.Errorf("NOTICE lacks the licence of Graphviz %q", graphviz)
	}
	if !regexp.MustCompile(`(?m)^Go 1\.\S+ BSD-3-Clause \[1\]$`).MatchString(notice) {
		t.Error("NOTICE lacks the licence of Go")
	}
}

// linkedModules are the modules of the program and their versions, for every system that there is a release for.
func linkedModules(t *testing.T) []string {
	targets := regexp.MustCompile(`(?m)^targets="(.*)"$`).FindStringSubmatch(inRepository(t, ".ci", "cross"))
	if targets == nil {
		t.Fatal("no targets")
	}
	var out []string
	for _, target := range strings.Fields(targets[1]) {
		system, processor, _ := strings.Cut(target, "/")
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
		modules, err := list.Output()
		if err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		out = append(out, strings.FieldsFunc(string(modules), func(r rune) bool { return r == '\n' })...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestNoticeTravels: archives, packages and the image have LICENSE and NOTICE.
func TestNoticeTravels(t *testing.T) {
	config, image := inRepository(t, ".goreleaser.yaml"), inRepository(t, "Dockerfile")
	for _, want := range []string{
		"- { src: NOTICE, info: *plain }", "- { src: NOTICE, dst: /usr/share/doc/volpost/NOTICE,", "extra_files: [LICENSE, NOTICE]",
	} {
		if !strings.Contains(config, want) {
			t.Errorf(".goreleaser.yaml lacks %s", want)
		}
	}
	if !strings.Contains(image, "\nCOPY LICENSE NOTICE ") {
		t.Error("the image has no NOTICE")
	}
}

// TestEmbeddingCompiles: the program of docs/embedding.md is one.
func TestEmbeddingCompiles(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(inRepository(t, "docs", "embedding.md"))
	if code == nil {
		t.Fatal("no code")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(code[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
