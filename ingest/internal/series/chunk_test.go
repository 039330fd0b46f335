package series

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"

	"github.com/volpost/volpost/model"
)

// chunkBlock writes a block with one series, up{job="x"}, that is one chunk over [0, perSeries).
func chunkBlock(t *testing.T, chunk chunkenc.Chunk) string {
	t.Helper()
	dir := t.TempDir()
	cw, err := chunks.NewWriter(filepath.Join(dir, "chunks"))
	if err != nil {
		t.Fatal(err)
	}
	meta := chunks.Meta{Chunk: chunk, MinTime: 0, MaxTime: perSeries - 1}
	metas := []chunks.Meta{meta}
	iw, err := index.NewWriter(context.Background(), filepath.Join(dir, "index"))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return cw.WriteChunks(metas...) },
		cw.Close,
		func() error { return iw.AddSymbol(model.MetricName) },
		func() error { return iw.AddSymbol("job") },
		func() error { return iw.AddSymbol("up") },
		func() error { return iw.AddSymbol("x") },
		func() error { return iw.AddSeries(0, labels.FromStrings(model.MetricName, "up", "job", "x"), metas...) },
		iw.Close,
		func() error {
			return os.WriteFile(filepath.Join(dir, "meta.json"),
				[]byte(`{"ulid":"01K0Z3Y7Q8R9S0T1V2W3X4Y5Z6","version":1,"minTime":0,"maxTime":200,"stats":{"numSeries":1},"compaction":{"level":1}}`),
				0o600)
		},
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func filled(t *testing.T, chunk chunkenc.Chunk, sample func(a chunkenc.Appender, i int64) error) chunkenc.Chunk {
	t.Helper()
	a, err := chunk.Appender()
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(perSeries) {
		if err := sample(a, i); err != nil {
			t.Fatal(err)
		}
	}
	return chunk
}

func addFloat(a chunkenc.Appender, i int64) error {
	a.Append(0, i, float64(i))
	return nil
}

// TestEncodings: chunks of the encoding that is new in Prometheus 3 are read; native histograms are no samples, and the series
// says so instead of ending without a word.
func TestEncodings(t *testing.T) {
	histograms := filled(t, chunkenc.NewHistogramChunk(), func(a chunkenc.Appender, i int64) error {
		h := &histogram.Histogram{Count: uint64(i), ZeroCount: uint64(i), ZeroThreshold: 0.001, Sum: 1}
		_, _, _, err := a.AppendHistogram(nil, 0, i, h, true)
		return err
	})
	for _, c := range []struct {
		what  string
		chunk chunkenc.Chunk
		want  string
	}{
		{"XOR", filled(t, chunkenc.NewXORChunk(), addFloat), `up{job="x"} 200 to 199`},
		{"XOR2", filled(t, chunkenc.NewXOR2Chunk(), addFloat), `up{job="x"} 200 to 199`},
		{"native histograms", histograms, `up{job="x"} damaged after 0`},
	} {
		s := open(t, chunkBlock(t, c.chunk))
		got, err := dump(s.Source("d", ""), time.Time{}, time.Time{})
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s: got %q, %v", c.what, got, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTombstones: what was deleted stays deleted. Without the file that says so it comes back, which nothing can tell.
func TestTombstones(t *testing.T) {
	dir := blockOf(t, t.TempDir(), `up{job="x"}`, `up{job="y"}`)
	b, err := tsdb.OpenBlock(slog.New(slog.DiscardHandler), dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(context.Background(), 0, 99, labels.MustNewMatcher(labels.MatchEqual, "job", "x")); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"up{job=\"x\"} 100 to 199\nup{job=\"y\"} 200 to 199\n",
		"up{job=\"x\"} 200 to 199\nup{job=\"y\"} 200 to 199\n"} {
		s := open(t, dir)
		if got, err := dump(s.Source("d", ""), time.Time{}, time.Time{}); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := os.Remove(filepath.Join(dir, "tombstones")); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// TestDamageInOneBlock: what is damaged in one block takes nothing of the same series in another.
func TestDamageInOneBlock(t *testing.T) {
	dir := t.TempDir()
	whole, bad := blockOf(t, dir, `up{job="x"}`), blockOf(t, dir, `up{job="x"}`)
	data, err := os.ReadFile(filepath.Join(bad, "chunks", "000001"))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] ^= 1
	if err := os.WriteFile(filepath.Join(bad, "chunks", "000001"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, bad, whole)
	defer func() { _ = s.Close() }() // it was only read
	n := 0
	err = s.Select(nil, time.Time{}, time.Time{}, func(_ model.Labels, samples model.Samples) error {
		for s, err := range samples {
			switch {
			case err != nil && !strings.Contains(err.Error(), filepath.Base(bad)):
				t.Errorf("told of another block: %v", err)
			case err == nil && s.Value != float64(n):
				t.Errorf("sample %d is %g", n, s.Value)
			}
			n++
		}
		return nil
	})
	if err != nil || n != perSeries+1 {
		t.Errorf("%d samples and errors, %v", n, err)
	}
}

// indexAgain writes an index for a block in which each of some series names one chunk again and again.
func indexAgain(t *testing.T, dir string, series, times int, ref chunks.ChunkRef) {
	t.Helper()
	var metas []chunks.Meta
	for i := range int64(times) {
		metas = append(metas, chunks.Meta{Ref: ref, MinTime: 2 * i, MaxTime: 2*i + 1})
	}
	iw, err := index.NewWriter(t.Context(), filepath.Join(dir, "index"))
	must(t, err)
	for _, s := range []string{model.MetricName, "job", "up"} {
		must(t, iw.AddSymbol(s))
	}
	for n := range series {
		must(t, iw.AddSymbol(fmt.Sprintf("x%06d", n)))
	}
	for n := range series {
		must(t, iw.AddSeries(storage.SeriesRef(n), labels.FromStrings(model.MetricName, "up", "job", fmt.Sprintf("x%06d", n)), metas...))
	}
	must(t, iw.Close())
}

// TestChunkAgain: an index that names one chunk again and again gives its samples once, and says so. Its times in the index are made up.
func TestChunkAgain(t *testing.T) {
	for _, tt := range []struct {
		series, chunks int
		want           string
	}{{1, 50_000, "go back in time"}, {50_000, 1, "more samples than its chunks have room for"}} {
		chunk := filled(t, chunkenc.NewXORChunk(), addFloat)
		dir := chunkBlock(t, chunk)
		indexAgain(t, dir, tt.series, tt.chunks, 8)
		b, err := OpenBlock(t.Context(), dir, "b")
		must(t, err)
		store := NewStore(t.Context(), b)
		defer store.Close()
		samples, said := 0, ""
		err = store.Select(nil, time.Time{}, time.Time{}, func(_ model.Labels, of model.Samples) error {
			for _, err := range of {
				if err != nil {
					said = err.Error()
				} else {
					samples++
				}
			}
			return nil
		})
		if most := 4 * 4096; err != nil || samples > most || !strings.Contains(said, tt.want) {
			t.Errorf("%d series of %d chunks: %d samples, said %q, %v", tt.series, tt.chunks, samples, said, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestCostlyBlocks: what a block merely states is refused before memory is taken for it.
func TestCostlyBlocks(t *testing.T) {
	stated := map[string]string{}
	for n := range maxExternal + 1 {
		stated[fmt.Sprintf("l%d", n)] = "x"
	}
	external, err := json.Marshal(map[string]any{"ulid": "x", "thanos": map[string]any{"labels": stated}})
	must(t, err)
	for _, tt := range []struct {
		want  string
		spoil func(dir string) error
	}{
		{"201 external labels", func(dir string) error { return os.WriteFile(filepath.Join(dir, "meta.json"), external, 0o600) }},
		{"states 4294967280 symbols", func(dir string) error {
			name := filepath.Join(dir, "index")
			data, err := os.ReadFile(name)
			must(t, err)
			at := binary.BigEndian.Uint64(data[len(data)-contents:])
			binary.BigEndian.PutUint32(data[at+4:], 0xfffffff0)
			return os.WriteFile(name, data, 0o600)
		}},
	} {
		dir := chunkBlock(t, filled(t, chunkenc.NewXORChunk(), addFloat))
		must(t, tt.spoil(dir))
		if b, err := OpenBlock(t.Context(), dir, "b"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v and %v, want %s", b, err, tt.want)
		}
	}
}
