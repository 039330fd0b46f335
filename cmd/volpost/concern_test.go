package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

// TestOrdinaryStatementsLeftOut reads every sample as if it were too large for all of its statements: what concerns a wait is kept, so that
// the score is that of the whole.
func TestOrdinaryStatementsLeftOut(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			bundle, err := samples.Bundle(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			opened := ingest.OpenFS(bundle, s.Name)
			defer opened.Close()
			snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{Limits: ingest.Limits{StatementBytes: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if !leftOut(snapshot) {
				t.Fatal("nothing is left out")
			}
			var out bytes.Buffer
			if err := report.Write(&out, "json", analyze.Run(snapshot, analyze.Options{Version: testVersion})); err != nil {
				t.Fatal(err)
			}
			agree(t, out.Bytes(), truthOf(t, s.Name), false)
		})
	}
}

func leftOut(s *model.Snapshot) bool {
	for _, p := range s.Problems {
		if p.Path == "." && p.Severity == model.Info {
			return true
		}
	}
	return false
}
