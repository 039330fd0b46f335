package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

// TestEachInputRemoved takes every input that tells something out of every recording, one at a time: no cause of the rest
// is surer than with the whole, and nothing that the rest says contradicts the truth. Lists stay: a folder of which one
// file is lost still looks like a whole list.
func TestEachInputRemoved(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			bundle, err := samples.Bundle(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, s.Name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			eachInputRemoved(t, snapshot, truthOf(t, s.Name))
		})
	}
	if testing.Short() {
		t.Skip("the other recordings take a minute")
	}
	for _, r := range recordings(t) {
		truth, err := os.ReadFile(r.truth)
		if err != nil {
			t.Fatal(err)
		}
		if isSample(t, truth) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(os.DirFS(r.bundle), r.name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			eachInputRemoved(t, snapshot, truth)
		})
	}
}

func eachInputRemoved(t *testing.T, snapshot *model.Snapshot, truth []byte) {
	t.Helper()
	full := analyze.Run(snapshot, analyze.Options{Version: testVersion})
	removed := 0
	for n, in := range snapshot.Inputs {
		if in.Used == 0 {
			continue
		}
		removed++
		less := analyze.Run(without(snapshot, n), analyze.Options{Version: testVersion})
		failed := t.Failed()
		notSurer(t, full, less)
		text, err := json.Marshal(less)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range scored(t, text, truth, true).wrong {
			t.Error(w)
		}
		if t.Failed() && !failed {
			t.Errorf("without %s", in.Path)
		}
	}
	if removed == 0 {
		t.Error("no input tells anything")
	}
}

// isSample reports whether the truth is that of an embedded recording, which had its turn.
func isSample(t *testing.T, truth []byte) bool {
	return slices.ContainsFunc(samples.List(), func(s samples.Sample) bool { return bytes.Equal(truthOf(t, s.Name), truth) })
}

// without is a snapshot that lacks what one of its inputs told.
func without(s *model.Snapshot, n int) *model.Snapshot {
	const kept, lost = "kept", "lost"
	part := *s
	part.Inputs = append([]model.Input(nil), s.Inputs...)
	for i := range part.Inputs {
		part.Inputs[i].Cluster = kept
	}
	part.Inputs[n].Cluster = lost
	rest := part.OfCluster(kept)
	for i := range rest.Inputs {
		rest.Inputs[i].Cluster = ""
	}
	return rest
}
