package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"

	"github.com/volpost/volpost/model"
)

// clusterBlock writes a block of two hours, scraped every 30 s, of a cluster with some pods, each with a claim of its own, and
// as many series of other exporters as it takes to have total. The chunks are encoded once and used for many series, so that
// two million take half a minute.
type clusterBlock struct {
	pods, total int
	ulid        string // "" for one
	from        int64  // ms; 0 for a time in 2026
	segment     int64  // bytes of a file of chunks; 0 for Prometheus' own limit

	other   []chunkenc.Chunk
	chunks  *chunks.Writer
	index   *index.Writer
	ref     storage.SeriesRef
	samples uint64
}

const (
	blockScrape = 30_000 // ms
	blockLength = 2 * 3600 * 1000
	perChunk    = 120
)

// family is one metric with its series and what each is worth at every scrape.
type family struct {
	name   string
	series []labels.Labels
	value  func(i int) float64
}

// at is a value that never changes.
func at(v float64) func(int) float64 { return func(int) float64 { return v } }

func (c *clusterBlock) families() []family {
	pod := func(i int, more ...string) labels.Labels {
		return labels.FromStrings(append([]string{"namespace", fmt.Sprintf("team-%02d", i%50), "pod", fmt.Sprintf("app-%05d-0", i), "uid", fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)}, more...)...)
	}
	claim := func(i int, more ...string) labels.Labels {
		return labels.FromStrings(append([]string{"namespace", fmt.Sprintf("team-%02d", i%50), "persistentvolumeclaim", fmt.Sprintf("data-app-%05d-0", i)}, more...)...)
	}
	volume := func(i int) string { return fmt.Sprintf("pvc-%08d-0000-4000-8000-000000000000", i) }
	node := func(i int) string { return fmt.Sprintf("worker-%03d", i%(c.pods/20+1)) }
	each := func(name string, v func(int) float64, of func(i int) labels.Labels) family {
		f := family{name: name, value: v}
		for i := range c.pods {
			f.series = append(f.series, of(i))
		}
		return f
	}
	of := func(name string, v float64, values []string, label string, series func(int, ...string) labels.Labels, n int) family {
		f := family{name: name, value: func(i int) float64 { return b2f(i%len(values) == 0) * v }}
		for i := range n {
			for _, value := range values {
				f.series = append(f.series, series(i, label, value))
			}
		}
		return f
	}
	made := at(1785500000)
	out := []family{
		each("kube_pod_info", at(1), func(i int) labels.Labels {
			return pod(i, "node", node(i), "created_by_kind", "StatefulSet", "created_by_name", fmt.Sprintf("app-%05d", i), "host_ip", "10.0.0.1", "pod_ip", "10.1.2.3")
		}),
		each("kube_pod_created", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_status_scheduled_time", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_status_ready_time", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_spec_volumes_persistentvolumeclaims_info", at(1), func(i int) labels.Labels {
			return pod(i, "volume", "data", "persistentvolumeclaim", fmt.Sprintf("data-app-%05d-0", i))
		}),
		each("kube_persistentvolumeclaim_info", at(1), func(i int) labels.Labels { return claim(i, "volumename", volume(i), "storageclass", "fast") }),
		each("kube_persistentvolumeclaim_access_mode", at(1), func(i int) labels.Labels { return claim(i, "access_mode", "ReadWriteOnce") }),
		each("kube_persistentvolume_info", at(1), func(i int) labels.Labels {
			return labels.FromStrings("persistentvolume", volume(i), "csi_driver", "disk.csi.example.com", "csi_volume_handle", fmt.Sprintf("vol-%08d", i))
		}),
		each("kube_volumeattachment_info", at(1), func(i int) labels.Labels {
			return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i), "node", node(i), "attacher", "disk.csi.example.com")
		}),
		each("kube_volumeattachment_created", made, func(i int) labels.Labels { return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i)) }),
		each("kube_volumeattachment_status_attached", at(1), func(i int) labels.Labels { return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i)) }),
		each("kube_volumeattachment_spec_source_persistentvolume", at(1), func(i int) labels.Labels {
			return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i), "volumename", volume(i))
		}),
		of("kube_pod_status_phase", 1, []string{"Running", "Failed", "Pending", "Succeeded", "Unknown"}, "phase", pod, c.pods),
		of("kube_pod_status_ready", 1, []string{"true", "false", "unknown"}, "condition", pod, c.pods),
		of("kube_pod_status_reason", 0, []string{"Evicted", "NodeAffinity", "NodeLost", "Shutdown", "UnexpectedAdmissionError"}, "reason", pod, c.pods),
		of("kube_node_status_condition", 1, []string{"true", "false", "unknown"}, "status", func(i int, more ...string) labels.Labels {
			return labels.FromStrings(append([]string{"node", node(i), "condition", "Ready"}, more...)...)
		}, c.pods/20+1),
		of("kube_node_info", 1, []string{"v1.34.3"}, "kubelet_version", func(i int, more ...string) labels.Labels {
			return labels.FromStrings(append([]string{"node", node(i)}, more...)...)
		}, c.pods/20+1),
	}
	have := 0
	for i := range out {
		have += len(out[i].series)
	}
	for n := 0; have < c.total; n++ {
		f := family{name: fmt.Sprintf("other_metric_%03d_total", n)}
		for i := range min(4000, c.total-have) {
			f.series = append(f.series, labels.FromStrings("namespace", "other", "pod", fmt.Sprintf("p-%04d", i)))
		}
		have += len(f.series)
		out = append(out, f)
	}
	return out
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// write makes the block in a directory.
func (c *clusterBlock) write(t testing.TB, dir string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c.ulid, c.from = cmp.Or(c.ulid, "01K0Z3Y7Q8R9S0T1V2W3X4Y5Z6"), cmp.Or(c.from, 1785600000000)
	dir = filepath.Join(dir, c.ulid)
	must(os.MkdirAll(dir, 0o700))
	var err error
	c.chunks, err = chunks.NewWriter(filepath.Join(dir, "chunks"), chunks.WithSegmentSize(cmp.Or(c.segment, chunks.DefaultChunkSegmentSize)))
	must(err)
	c.index, err = index.NewWriter(context.Background(), filepath.Join(dir, "index"))
	must(err)
	c.other = c.noise(t, 64)
	families := c.families()
	slices.SortFunc(families, func(a, b family) int { return cmp.Compare(a.name, b.name) })
	c.symbols(t, families)
	for _, f := range families {
		c.add(t, f)
	}
	must(c.index.Close())
	must(c.chunks.Close())
	meta := map[string]any{
		"ulid": c.ulid, "version": 1, "minTime": c.from, "maxTime": c.from + blockLength,
		"stats":      map[string]any{"numSamples": c.samples, "numSeries": int(c.ref), "numChunks": c.samples / perChunk},
		"compaction": map[string]any{"level": 1, "sources": []string{c.ulid}},
	}
	text, err := json.Marshal(meta)
	must(err)
	must(os.WriteFile(filepath.Join(dir, "meta.json"), text, 0o600))
}

func (c *clusterBlock) symbols(t testing.TB, families []family) {
	all := map[string]bool{"job": true, "kube-state-metrics": true, "instance": true, "10.0.0.9:8080": true, model.MetricName: true}
	for _, f := range families {
		all[f.name] = true
		for _, l := range f.series {
			l.Range(func(l labels.Label) { all[l.Name], all[l.Value] = true, true })
		}
	}
	list := make([]string, 0, len(all))
	for s := range all {
		list = append(list, s)
	}
	slices.Sort(list)
	for _, s := range list {
		if err := c.index.AddSymbol(s); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *clusterBlock) add(t testing.TB, f family) {
	full := make([]labels.Labels, len(f.series))
	for i, l := range f.series {
		b := labels.NewBuilder(l)
		b.Set(model.MetricName, f.name)
		b.Set("job", "kube-state-metrics")
		b.Set("instance", "10.0.0.9:8080")
		full[i] = b.Labels()
	}
	order := make([]int, len(full))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return labels.Compare(full[a], full[b]) })
	constant := map[float64][]chunkenc.Chunk{}
	for _, i := range order {
		halves := c.other[2*(i%(len(c.other)/2)):][:2]
		if f.value != nil {
			v := f.value(i)
			if constant[v] == nil {
				constant[v] = []chunkenc.Chunk{c.chunk(t, 0, at(v)), c.chunk(t, 1, at(v))}
			}
			halves = constant[v]
		}
		metas := make([]chunks.Meta, 2)
		for h := range metas {
			start := c.from + int64(h)*perChunk*blockScrape
			metas[h] = chunks.Meta{Chunk: halves[h], MinTime: start, MaxTime: start + (perChunk-1)*blockScrape}
		}
		if err := c.chunks.WriteChunks(metas...); err != nil {
			t.Fatal(err)
		}
		if err := c.index.AddSeries(c.ref, full[i], metas...); err != nil {
			t.Fatal(err)
		}
		c.ref++
		c.samples += 2 * perChunk
	}
}

// chunk is one half of the block's time.
func (c *clusterBlock) chunk(t testing.TB, half int, value func(int) float64) chunkenc.Chunk {
	x := chunkenc.NewXORChunk()
	a, err := x.Appender()
	if err != nil {
		t.Fatal(err)
	}
	for i := range perChunk {
		a.Append(0, c.from+int64(half*perChunk+i)*blockScrape, value(i))
	}
	return x
}

// noise are pairs of chunks that compress as badly as counters do: four bytes and a half per sample.
func (c *clusterBlock) noise(t testing.TB, n int) []chunkenc.Chunk {
	random := rand.New(rand.NewPCG(1, 2))
	var out []chunkenc.Chunk
	for i := range n {
		v := 0.0
		out = append(out, c.chunk(t, i%2, func(int) float64 {
			v += math.Floor(random.Float64() * 1e6)
			return v
		}))
	}
	return out
}

// TestWriteClusterBlock writes the large block that measurements are made on, when a directory is named for it:
//
//	VOLPOST_BLOCK_DIR=/var/tmp/block go test ./ingest -run TestWriteClusterBlock
func TestWriteClusterBlock(t *testing.T) {
	dir := os.Getenv("VOLPOST_BLOCK_DIR")
	if dir == "" {
		t.Skip("VOLPOST_BLOCK_DIR names no directory for a block of 2 GB")
	}
	(&clusterBlock{pods: 4000, total: 2_000_000}).write(t, dir)
}

// BenchmarkClusterBlock reads the evidence of a block: by default of one that is small enough to be made for it, or of the
// large one that VOLPOST_BLOCK_DIR names.
func BenchmarkClusterBlock(b *testing.B) {
	dir := os.Getenv("VOLPOST_BLOCK_DIR")
	if dir == "" {
		dir = b.TempDir()
		(&clusterBlock{pods: 200, total: 20_000}).write(b, dir)
	}
	b.ReportAllocs()
	for b.Loop() {
		bundle, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		s, err := Read(context.Background(), bundle, Options{})
		if err != nil || len(s.Problems) > 0 || len(s.Observations) == 0 {
			b.Fatal(err, s.Problems)
		}
		if err := bundle.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
