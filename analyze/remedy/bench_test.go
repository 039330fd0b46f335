package remedy_test

import (
	"context"
	"testing"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

// BenchmarkJudge replays one incident with every remedy. A report of 1,000 incidents takes 1,000 of it.
func BenchmarkJudge(b *testing.B) {
	w := world(b, "out-of-service")
	c := cases.Waits(w)[0]
	m := replay.NewModel(w, cases.Waits(w))
	causes := []model.Cause{{ID: "node-down", Verdict: model.Confirmed}}
	b.ReportAllocs()
	for b.Loop() {
		var l evidence.Ledger
		remedy.Judge(remedy.New(m, c, causes, 0, remedy.Alarm{}), &l)
	}
}

func world(t testing.TB, sample string) *facts.World {
	t.Helper()
	files, err := samples.Bundle(sample)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ingest.Read(context.Background(), ingest.OpenFS(files, sample), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return facts.NewWorld(s)
}
