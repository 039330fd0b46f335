package main

import (
	"bytes"
	"context"
	"io/fs"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestOrdinaryStatementsLeftOut reads every sample as if it were too large for all of its statements: what concerns a wait is kept, so that
// the score is that of the whole.
func TestOrdinaryStatementsLeftOut(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			bundle, err := samples.Bundle(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			ordinaryLeftOut(t, s.Name, bundle, truthOf(t, s.Name))
		})
	}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		t.Run("played "+name, func(t *testing.T) {
			t.Parallel()
			bundle, err := recordings.Bundle(name)
			if err != nil {
				t.Fatal(err)
			}
			truth, err := recordings.Truth(name)
			if err != nil {
				t.Fatal(err)
			}
			if !ordinaryLeftOut(t, name, bundle, truth) {
				t.Error("nothing is left out")
			}
		})
	}
}

// ordinaryLeftOut reports whether anything was left out. Of a cluster that runs little beside the incident nothing is.
func ordinaryLeftOut(t *testing.T, name string, bundle fs.FS, truth []byte) bool {
	t.Helper()
	opened := ingest.OpenFS(bundle, name)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{Limits: ingest.Limits{StatementBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out, "json", analyze.Run(t.Context(), snapshot, analyze.Options{Version: testVersion})); err != nil {
		t.Fatal(err)
	}
	agree(t, out.Bytes(), truth, false)
	return leftOut(snapshot)
}

func leftOut(s *model.Snapshot) bool {
	for _, p := range s.Problems {
		if p.Path == "." && p.Severity == model.Info {
			return true
		}
	}
	return false
}
