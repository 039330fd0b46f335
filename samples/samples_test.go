package samples_test

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/samples"
)

func TestEverySampleIsComplete(t *testing.T) {
	list := samples.List()
	if len(list) < 4 {
		t.Fatalf("%d samples, want at least four", len(list))
	}
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			if s.Title == "" || strings.HasPrefix(s.Title, "#") {
				t.Errorf("title is %q", s.Title)
			}
			checkBundle(t, s.Name)
			checkTruth(t, s.Name)
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
	if truth.CauseClass == "" || len(truth.Affected) == 0 || truth.Affected[0].PV == "" {
		t.Errorf("truth.json names no class or no volume: %+v", truth)
	}
	readme, err := samples.Readme(name)
	if err != nil || !strings.Contains(readme, "What a reader should see:") {
		t.Errorf("the README does not say what a reader should see (%v)", err)
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
