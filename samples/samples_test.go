package samples_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/samples"
)

func TestEverySampleIsComplete(t *testing.T) {
	list := samples.List()
	if len(list) < 16 {
		t.Fatalf("%d samples, want at least sixteen", len(list))
	}
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			if s.Title == "" || strings.HasPrefix(s.Title, "#") {
				t.Errorf("title is %q", s.Title)
			}
			checkBundle(t, s.Name)
			checkTruth(t, s.Name)
			checkReadme(t, s.Name)
		})
	}
}

// checkBundle wants a readable archive whose bytes depend on names and contents only.
func checkBundle(t *testing.T, name string) {
	bundle, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	archive, ok := bundle.(*zip.Reader)
	if !ok {
		t.Fatalf("the bundle is a %T", bundle)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
		if f.Modified.Year() >= 1980 { // an archive without times reads as the year before its epoch
			t.Errorf("%s carries a time", f.Name)
		}
		if _, err := fs.ReadFile(bundle, f.Name); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	// The order is that of a walk: by path elements, which is not the order of whole strings.
	byElement := func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) }
	if !slices.IsSortedFunc(names, byElement) {
		t.Error("the members are not sorted")
	}
	if len(names) < 10 {
		t.Errorf("only %d members", len(names))
	}
}

func checkTruth(t *testing.T, name string) {
	text, err := samples.Truth(name)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		CauseClass string
		Affected   []struct{ PV string }
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	if truth.CauseClass == "" || truth.Affected == nil {
		t.Errorf("truth.json names no class or no volumes: %+v", truth)
	}
	for _, a := range truth.Affected {
		if a.PV == "" {
			t.Errorf("truth.json does not name a volume: %+v", truth)
		}
	}
}

// checkReadme wants what a lesson needs, on one screen.
func checkReadme(t *testing.T, name string) {
	readme, err := samples.Readme(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| when | what was done, or happened |", "## What to notice", "What a reader should see:",
		"## What is often believed", "- \""} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README does not have %q", want)
		}
	}
	if n := strings.Count(readme, "\n"); n > 40 {
		t.Errorf("the README has %d lines: more than a screen", n)
	}
}

// TestSizes bounds what the samples add to the binary.
func TestSizes(t *testing.T) {
	total := int64(0)
	for _, s := range samples.List() {
		info, err := os.Stat(filepath.Join(s.Name, "bundle.zip.zst"))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 500_000 {
			t.Errorf("the archive of %s has %d bytes, more than 500 kB", s.Name, info.Size())
		}
		total += info.Size()
	}
	if total > 5_000_000 {
		t.Errorf("the archives have %d bytes together, more than 5 MB", total)
	}
}

// TestEachLessonIsAnotherRecording wants no recording twice.
func TestEachLessonIsAnotherRecording(t *testing.T) {
	seen := map[string]string{}
	for _, s := range samples.List() {
		text, err := samples.Truth(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if other := seen[string(text)]; other != "" {
			t.Errorf("%s is the same recording as %s", s.Name, other)
		}
		seen[string(text)] = s.Name
	}
}

func TestExtract(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := samples.Extract("clean", dir); err != nil {
		t.Fatal(err)
	}
	bundle, err := samples.Bundle("clean")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = fs.WalkDir(bundle, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		n++
		want, err := fs.ReadFile(bundle, path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, "bundle", filepath.FromSlash(path)))
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s differs", path)
		}
		return err
	})
	if err != nil || n < 10 {
		t.Fatalf("%d files: %v", n, err)
	}
	truth, err := samples.Truth("clean")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "truth.json")); err != nil || !bytes.Equal(got, truth) {
		t.Errorf("truth.json: %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "README.md")); err != nil || !strings.HasPrefix(string(got), "# ") {
		t.Errorf("README.md: %v", err)
	}
	if err := samples.Extract("clean", dir); err == nil {
		t.Error("files that were there are written over")
	}
	if err := samples.Extract("../clean", dir+"2"); err == nil {
		t.Error("a name outside of the list is extracted")
	}
}

func TestUnknownNamesAreRefused(t *testing.T) {
	for _, name := range []string{"", ".", "no-such", "../samples/handover", "handover/", "handover/../handover", "pack", "handover\x00"} {
		if _, err := samples.Bundle(name); err == nil {
			t.Errorf("Bundle(%q) answered", name)
		}
		if _, err := samples.Truth(name); err == nil {
			t.Errorf("Truth(%q) answered", name)
		}
		if _, err := samples.Readme(name); err == nil {
			t.Errorf("Readme(%q) answered", name)
		}
	}
}
