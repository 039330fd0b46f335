package series

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
)

// headOf makes a data directory whose samples are in the write-ahead log only.
func headOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(perSeries) {
		app := db.Appender(context.Background())
		if _, err := app.Append(0, labels.FromStrings("__name__", "up", "job", "x"), i, float64(i)); err != nil {
			t.Fatal(err)
		}
		if err := app.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestHead(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(log string) error
		want   string
		lost   bool
	}{
		{"whole", func(string) error { return nil }, "up{job=\"x\"} 200 to 199\n", false},
		{"truncated", func(log string) error {
			data, err := os.ReadFile(log)
			if err != nil {
				return err
			}
			for i := 1000; i < len(data); i++ {
				data[i] ^= 0x55
			}
			return os.WriteFile(log, data, 0o600)
		}, "up{job=\"x\"} ", true},
	} {
		dir := headOf(t)
		if err := c.damage(filepath.Join(dir, "wal", "00000000")); err != nil {
			t.Fatal(err)
		}
		b, lost, err := OpenHead(t.Context(), dir, "d")
		if err != nil {
			t.Fatal(c.name, err)
		}
		s := NewStore(t.Context(), b)
		src := s.Source("d", "")
		for range 2 { // one querier serves all
			got, err := dump(src, time.Time{}, time.Time{})
			if err != nil || !strings.HasPrefix(got, c.want) || (lost != "") != c.lost {
				t.Errorf("%s: got %q, lost %q, %v", c.name, got, lost, err)
			}
		}
		if got, _ := dump(src, instant(10), instant(20)); !c.lost && got != "up{job=\"x\"} 11 to 20\n" {
			t.Errorf("%s: of a window %q", c.name, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
