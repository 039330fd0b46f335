package ingest

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/volpost/volpost/model"
)

// TestDataDirectory reads the write-ahead log of a running server's directory, which is read-only, and leaves nothing behind.
func TestDataDirectory(t *testing.T) {
	dir := t.TempDir()
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	app := db.Appender(context.Background())
	for i := range int64(10) {
		if _, err := app.Append(0, labels.FromStrings("__name__", "kube_node_info", "node", "a"), 1_795_241_116_000+i*30_000, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before := contents(t, dir)
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Metrics) != 1 || s.Metrics[0].Form != model.MetricHead || s.Metrics[0].Interval != 30*time.Second {
		t.Fatalf("%+v, problems %v", s.Metrics, s.Problems)
	}
	samples := 0
	err = s.Metrics[0].Select(nil, time.Time{}, time.Time{}, func(_ model.Labels, all model.Samples) error {
		for _, err := range all {
			if err != nil {
				return err
			}
			samples++
		}
		return nil
	})
	if err != nil || samples != 10 {
		t.Errorf("%d samples, %v", samples, err)
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) != 1 {
		t.Errorf("%v in the temporary directory, %v", entries, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if left := contents(t, temp); left != "" {
		t.Errorf("left behind: %s", left)
	}
	if after := contents(t, dir); after != before {
		t.Errorf("the evidence was changed:\n%s\nwas\n%s", after, before)
	}
}
