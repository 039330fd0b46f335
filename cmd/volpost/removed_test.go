package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestEachInputRemoved takes inputs that tell something out of every recording, one at a time, see recordings.Turn: no cause of the rest
// is surer than with the whole, and nothing that the rest says contradicts the truth. Lists stay: a folder of which one
// file is lost still looks like a whole list.
func TestEachInputRemoved(t *testing.T) {
	for at, s := range recordings.Sweep(samples.List()) {
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
			eachInputRemoved(t, at, snapshot, truthOf(t, s.Name))
		})
	}
	for n, r := range recorded(t) {
		if n%6 > 0 {
			continue // each takes a hundred analyses
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(r.bundle, r.name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			eachInputRemoved(t, n/6, snapshot, r.truth)
		})
	}
}

func eachInputRemoved(t *testing.T, at int, snapshot *model.Snapshot, truth []byte) {
	t.Helper()
	full := analyze.Run(t.Context(), snapshot, analyze.Options{Version: testVersion})
	var telling []int
	for n, in := range snapshot.Inputs {
		if in.Used > 0 {
			telling = append(telling, n)
		}
	}
	for _, n := range recordings.Turn(at, telling) {
		in := snapshot.Inputs[n]
		less := analyze.Run(t.Context(), without(snapshot, n), analyze.Options{Version: testVersion})
		failed := t.Failed()
		notSurer(t, full, less)
		coherent(t, less)
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
	if len(telling) == 0 {
		t.Error("no input tells anything")
	}
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
