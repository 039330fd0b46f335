package main

import (
	"io/fs"
	"slices"
	"sync"
	"testing"

	"github.com/volpost/volpost/samples/recordings"
)

// recording is a recorded incident that is no sample.
type recording struct {
	name   string
	bundle fs.FS
	truth  []byte
	whole  fs.FS
}

// unpacked are the recordings that tests have opened, by name: all of them have 435 MB, and a copy for each test would keep the collector
// of garbage at its limit.
var unpacked sync.Map // of func() (fs.FS, error)

func wholeOf(name string) (fs.FS, error) {
	open, _ := unpacked.LoadOrStore(name, sync.OnceValues(func() (fs.FS, error) { return recordings.Open(name) }))
	return open.(func() (fs.FS, error))()
}

func openRecording(t testing.TB, name string) recording {
	t.Helper()
	whole, err := wholeOf(name)
	if err != nil {
		t.Fatal(err)
	}
	r := recording{name: name, whole: whole}
	r.bundle, r.truth = r.part(t, "bundle"), r.file(t, "truth.json")
	return r
}

// recorded are all of them; see recordings.Sweep.
func recorded(t testing.TB) []recording {
	return ofNames(t, recordings.Sweep(slices.Concat(recordings.Names(recordings.Played), recordings.Names(recordings.Real))))
}

func ofNames(t testing.TB, names []string) []recording {
	var out []recording
	for _, name := range names {
		out = append(out, openRecording(t, name))
	}
	return out
}

// withPart are those that have something beside the bundle.
func withPart(t testing.TB, part string) []recording {
	parts, err := partsOfPlayed()
	if err != nil {
		t.Fatal(err)
	}
	return ofNames(t, recordings.Sweep(parts[part]))
}

// partsOfPlayed are the names of the recordings that have a part.
var partsOfPlayed = sync.OnceValues(func() (map[string][]string, error) {
	out := map[string][]string{}
	for _, name := range recordings.Names(recordings.Played) {
		whole, err := wholeOf(name)
		if err != nil {
			return nil, err
		}
		parts, err := fs.ReadDir(whole, ".")
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			out[part.Name()] = append(out[part.Name()], name)
		}
	}
	return out, nil
})

// sampleRecording is a sample in the form of a recording.
func sampleRecording(t testing.TB, name string) recording {
	t.Helper()
	return recording{name: samplePrefix + name, bundle: sampleFiles(t, name), truth: truthOf(t, name)}
}

func (r recording) part(t testing.TB, name string) fs.FS {
	t.Helper()
	if _, err := fs.Stat(r.whole, name); err != nil {
		t.Fatal(err)
	}
	part, err := fs.Sub(r.whole, name)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func (r recording) file(t testing.TB, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(r.whole, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// later is the second collection of the same incident, nil where there is none.
func (r recording) later(t testing.TB) *recording {
	t.Helper()
	if _, err := fs.Stat(r.whole, "bundle-later"); err != nil {
		return nil
	}
	return &recording{r.name + "-later", r.part(t, "bundle-later"), r.file(t, "truth-later.json"), r.whole}
}

// last is the later collection where there is one, up to which metrics and audit log go.
func (r recording) last(t testing.TB) recording {
	t.Helper()
	if later := r.later(t); later != nil {
		return *later
	}
	return r
}
