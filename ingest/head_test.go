package ingest

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
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

// TestDamagedLog: of a write-ahead log that is truncated or damaged what precedes the damage is read, and the damage is told.
func TestDamagedLog(t *testing.T) {
	for _, c := range []struct {
		what   string
		damage func(log string) error
		least  int // samples that are read
	}{
		{"truncated", func(log string) error { return os.Truncate(log, 2001) }, 1},
		{"flipped", func(log string) error { return flipByte(log, 2000) }, 1},
		{"empty", func(log string) error { return os.Truncate(log, 0) }, 0},
	} {
		dir := t.TempDir()
		writeLog(t, dir, 100)
		if err := c.damage(filepath.Join(dir, "wal", "00000000")); err != nil {
			t.Fatal(err)
		}
		s := readUntouched(t, dir)
		told := ""
		for _, p := range s.Problems {
			told += p.Path + ": " + p.Message + "\n"
		}
		if c.least > 0 && (!strings.Contains(told, "wal/") || !strings.Contains(told, "what follows the damage is not")) {
			t.Errorf("%s: told %q", c.what, told)
		}
		seen := 0
		for _, o := range s.Observations {
			if o.Kind == model.NodeDeleted {
				t.Errorf("%s: %s", c.what, o.Quote.Text)
			}
			seen++
		}
		if seen < c.least {
			t.Errorf("%s: %d statements, problems %q", c.what, seen, told)
		}
	}
}

// writeLog makes a data directory with a write-ahead log of some scrapes, one commit for each.
func writeLog(t *testing.T, dir string, scrapes int) {
	t.Helper()
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(scrapes) {
		app := db.Appender(context.Background())
		for _, node := range []string{"a", "b"} {
			for _, l := range []labels.Labels{
				labels.FromStrings("__name__", "kube_node_info", "node", node),
				labels.FromStrings("__name__", "kube_node_status_condition", "node", node, "condition", "Ready", "status", "true"),
			} {
				if _, err := app.Append(0, l, 1_795_241_116_000+i*30_000, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := app.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
