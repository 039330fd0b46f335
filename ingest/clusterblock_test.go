package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// clusterBlock writes a block of some hours, scraped every 30 s, of a cluster with some pods, each with a claim of its own, and
// as many series of other exporters as it takes to have total. The chunks are encoded once and used for many series, so that
// two million take half a minute.
type clusterBlock struct {
	pods, total int
	hours       int    // 0 for two
	moves       bool   // in the third hour a pod waits for a volume that the node of the one before it still has
	ulid        string // "" for one
	from        int64  // ms; 0 for a time in 2026
	segment     int64  // bytes of a file of chunks; 0 for Prometheus' own limit

	other   [][]chunkenc.Chunk
	chunks  *chunks.Writer
	index   *index.Writer
	ref     storage.SeriesRef
	samples uint64
}

const (
	blockScrape = 30_000 // ms
	perChunk    = 120
	chunkLength = perChunk * blockScrape // an hour
	blockLength = 2 * chunkLength
)

// family is one metric with its series and what each is worth at every scrape.
type family struct {
	name     string
	series   []labels.Labels
	value    func(i int) float64
	from, to int // the hours in which its series are there; 0, 0 for all
}

// at is a value that never changes.
func at(v float64) func(int) float64 { return func(int) float64 { return v } }

func (c *clusterBlock) families() []family {
	pod := func(i int, more ...string) labels.Labels {
		return labels.FromStrings(append([]string{"namespace", fmt.Sprintf("team-%02d", i%50), "pod", fmt.Sprintf("app-%05d-0", i), "uid",
			fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)}, more...)...)
	}
	claim := func(i int, more ...string) labels.Labels {
		return labels.FromStrings(append([]string{"namespace", fmt.Sprintf("team-%02d", i%50), "persistentvolumeclaim",
			fmt.Sprintf("data-app-%05d-0", i)}, more...)...)
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
			return pod(i, "node", node(i), "created_by_kind", "StatefulSet", "created_by_name", fmt.Sprintf("app-%05d", i), "host_ip", "10.0.0.1",
				"pod_ip", "10.1.2.3")
		}),
		each("kube_pod_created", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_status_scheduled_time", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_status_ready_time", made, func(i int) labels.Labels { return pod(i) }),
		each("kube_pod_spec_volumes_persistentvolumeclaims_info", at(1), func(i int) labels.Labels {
			return pod(i, "volume", "data", "persistentvolumeclaim", fmt.Sprintf("data-app-%05d-0", i))
		}),
		each("kube_persistentvolumeclaim_info", at(1),
			func(i int) labels.Labels { return claim(i, "volumename", volume(i), "storageclass", "fast") }),
		each("kube_persistentvolumeclaim_access_mode", at(1), func(i int) labels.Labels { return claim(i, "access_mode", "ReadWriteOnce") }),
		each("kube_persistentvolume_info", at(1), func(i int) labels.Labels {
			return labels.FromStrings("persistentvolume", volume(i), "csi_driver", "disk.csi.example.com", "csi_volume_handle",
				fmt.Sprintf("vol-%08d", i))
		}),
		each("kube_volumeattachment_info", at(1), func(i int) labels.Labels {
			return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i), "node", node(i), "attacher", "disk.csi.example.com")
		}),
		each("kube_volumeattachment_created", made,
			func(i int) labels.Labels { return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i)) }),
		each("kube_volumeattachment_status_attached", at(1),
			func(i int) labels.Labels { return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i)) }),
		each("kube_volumeattachment_spec_source_persistentvolume", at(1), func(i int) labels.Labels {
			return labels.FromStrings("volumeattachment", fmt.Sprintf("csi-%064d", i), "volumename", volume(i))
		}),
		of("kube_pod_status_phase", 1, []string{"Running", "Failed", "Pending", "Succeeded", "Unknown"}, "phase", pod, c.pods),
		of("kube_pod_status_ready", 1, []string{"true", "false", "unknown"}, "condition", pod, c.pods),
		of("kube_pod_status_reason", 0, []string{"Evicted", "NodeAffinity", "NodeLost", "Shutdown", "UnexpectedAdmissionError"}, "reason", pod,
			c.pods),
		of("kube_node_status_condition", 1, []string{"true", "false", "unknown"}, "status", func(i int, more ...string) labels.Labels {
			return labels.FromStrings(append([]string{"node", node(i), "condition", "Ready"}, more...)...)
		}, c.pods/20+1),
		of("kube_node_info", 1, []string{"v1.34.3"}, "kubelet_version", func(i int, more ...string) labels.Labels {
			return labels.FromStrings(append([]string{"node", node(i)}, more...)...)
		}, c.pods/20+1),
	}
	if c.moves {
		out = append(out, c.move()...)
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

// move is one more pod of a StatefulSet, which goes from the node lost to the node next: it is deleted after two hours, its volume
// is there for one more, and for that hour the pod waits.
func (c *clusterBlock) move() []family {
	end := c.length()
	during := func(name string, from, to int, value func(int) float64, pairs ...string) family {
		return family{name: name, series: []labels.Labels{labels.FromStrings(pairs...)}, value: value, from: from, to: to}
	}
	const claim, volume, attacher = "data-moved-0", "pvc-moved", "disk.csi.example.com"
	out := []family{
		during("kube_persistentvolumeclaim_info", 0, end, at(1), "namespace", "shop", "persistentvolumeclaim", claim, "volumename", volume),
		during("kube_persistentvolumeclaim_access_mode", 0, end, at(1), "namespace", "shop", "persistentvolumeclaim", claim, "access_mode",
			"ReadWriteOnce"),
		during("kube_persistentvolume_info", 0, end, at(1), "persistentvolume", volume, "csi_driver", attacher, "csi_volume_handle", "vol-moved"),
		during("kube_pod_container_status_waiting_reason", 2, 3, at(1), "namespace", "shop", "pod", "moved-0", "uid", "new", "container", "main",
			"reason", "ContainerCreating"),
	}
	for _, p := range []struct {
		uid, node               string
		from, to, held, release int
	}{{"old", "lost", 0, 2, 0, 3}, {"new", "next", 2, end, 3, end}} {
		pod := []string{"namespace", "shop", "pod", "moved-0", "uid", p.uid}
		out = append(out,
			during("kube_pod_info", p.from, p.to, at(1),
				append(slices.Clone(pod), "node", p.node, "created_by_kind", "StatefulSet", "created_by_name", "moved")...),
			during("kube_pod_spec_volumes_persistentvolumeclaims_info", p.from, p.to, at(1),
				append(slices.Clone(pod), "volume", "data", "persistentvolumeclaim", claim)...),
			during("kube_node_status_condition", 0, end, at(1), "node", p.node, "condition", "Ready", "status", "true"),
			during("kube_volumeattachment_info", p.held, p.release, at(1), "volumeattachment", "csi-"+p.node, "node", p.node, "attacher", attacher),
			during("kube_volumeattachment_created", p.held, p.release, at(float64(c.from/1000)+float64(p.held*3600)), "volumeattachment",
				"csi-"+p.node),
			during("kube_volumeattachment_status_attached", p.held, p.release, at(1), "volumeattachment", "csi-"+p.node),
			during("kube_volumeattachment_spec_source_persistentvolume", p.held, p.release, at(1), "volumeattachment", "csi-"+p.node, "volumename",
				volume))
	}
	return out
}

func (c *clusterBlock) length() int { return cmp.Or(c.hours, blockLength/chunkLength) }

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
	c.other = c.noise(t, 32)
	families := c.families()
	slices.SortStableFunc(families, func(a, b family) int { return cmp.Compare(a.name, b.name) })
	c.symbols(t, families)
	for i := 0; i < len(families); {
		same := i + 1
		for same < len(families) && families[same].name == families[i].name {
			same++
		}
		c.add(t, families[i:same])
		i = same
	}
	must(c.index.Close())
	must(c.chunks.Close())
	meta := map[string]any{
		"ulid": c.ulid, "version": 1, "minTime": c.from, "maxTime": c.from + int64(c.length())*chunkLength,
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

// add writes the series of the families of one metric, in the order of their labels.
func (c *clusterBlock) add(t testing.TB, same []family) {
	type one struct {
		labels labels.Labels
		chunks []chunkenc.Chunk
		from   int
	}
	var all []one
	for _, f := range same {
		constant := map[float64][]chunkenc.Chunk{}
		for i, l := range f.series {
			b := labels.NewBuilder(l)
			b.Set(model.MetricName, f.name)
			b.Set("job", "kube-state-metrics")
			b.Set("instance", "10.0.0.9:8080")
			s := one{b.Labels(), c.other[i%len(c.other)], f.from}
			if f.value != nil {
				v := f.value(i)
				if constant[v] == nil {
					constant[v] = c.hourly(t, at(v))
				}
				s.chunks = constant[v]
			}
			s.chunks = s.chunks[f.from:cmp.Or(f.to, c.length())]
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b one) int { return labels.Compare(a.labels, b.labels) })
	for _, s := range all {
		metas := make([]chunks.Meta, len(s.chunks))
		for h := range metas {
			start := c.from + int64(s.from+h)*chunkLength
			metas[h] = chunks.Meta{Chunk: s.chunks[h], MinTime: start, MaxTime: start + chunkLength - blockScrape}
		}
		if err := c.chunks.WriteChunks(metas...); err != nil {
			t.Fatal(err)
		}
		if err := c.index.AddSeries(c.ref, s.labels, metas...); err != nil {
			t.Fatal(err)
		}
		c.ref++
		c.samples += uint64(len(metas)) * perChunk
	}
}

// hourly are the chunks of all hours of the block, one for each.
func (c *clusterBlock) hourly(t testing.TB, value func(int) float64) []chunkenc.Chunk {
	out := make([]chunkenc.Chunk, c.length())
	for hour := range out {
		x := chunkenc.NewXORChunk()
		a, err := x.Appender()
		if err != nil {
			t.Fatal(err)
		}
		for i := range perChunk {
			a.Append(0, c.from+int64(hour)*chunkLength+int64(i)*blockScrape, value(i))
		}
		out[hour] = x
	}
	return out
}

// noise are chunks that compress as badly as counters do: four bytes and a half per sample.
func (c *clusterBlock) noise(t testing.TB, n int) [][]chunkenc.Chunk {
	random := rand.New(rand.NewPCG(1, 2))
	var out [][]chunkenc.Chunk
	for range n {
		v := 0.0
		out = append(out, c.hourly(t, func(int) float64 {
			v += math.Floor(random.Float64() * 1e6)
			return v
		}))
	}
	return out
}

// TestPodsMemory reads the blocks of two clusters, of which one has four times the pods, each by a process of its own that collects
// its garbage at once: what a pod takes while its series are read, and what is allocated for it, stays the same and small.
func TestPodsMemory(t *testing.T) {
	if dir := os.Getenv("VOLPOST_PODS"); dir != "" {
		readPods(t, dir)
		return
	}
	if !recordings.Long {
		t.Skip("writes and reads blocks of many pods")
	}
	const few, factor, perPod = 1000, 4, 28 << 10
	var peak, allocated [2]int64
	for i, pods := range []int{few, factor * few} {
		dir := t.TempDir()
		(&clusterBlock{pods: pods, hours: 1}).write(t, dir)
		child := exec.Command(os.Args[0], "-test.run", "^TestPodsMemory$", "-test.v")
		child.Env = append(os.Environ(), "VOLPOST_PODS="+dir, "GOGC=10")
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var ok bool
		if peak[i], ok = peakMemory(child.ProcessState); !ok {
			t.Skip("this system does not tell the memory of a process")
		}
		_, told, _ := strings.Cut(string(out), "allocated ")
		if _, err := fmt.Sscan(told, &allocated[i]); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	each := (peak[1] - peak[0]) / (factor - 1) / few
	t.Logf("%d and %d MB resident, %d bytes for each pod; %d and %d MB allocated", peak[0]>>20, peak[1]>>20, each, allocated[0]>>20,
		allocated[1]>>20)
	if each > perPod {
		t.Errorf("a pod takes %d bytes, at most %d are wanted", each, perPod)
	}
	if 10*allocated[1] > 46*allocated[0] {
		t.Errorf("%d times the pods allocate %.1f times as much", factor, float64(allocated[1])/float64(allocated[0]))
	}
}

// readPods is the child. It keeps as few statements as of a large cluster.
func readPods(t *testing.T, dir string) {
	b, err := Open(dir)
	must(t, err)
	s, err := Read(context.Background(), b, Options{Limits: Limits{StatementBytes: 1 << 20}})
	must(t, err)
	if len(s.Metrics) != 1 || len(s.Observations) == 0 {
		t.Fatalf("%d sources, %d statements", len(s.Metrics), len(s.Observations))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println("allocated", m.TotalAlloc)
}

// BenchmarkClusterBlock reads the evidence of a block.
func BenchmarkClusterBlock(b *testing.B) {
	dir := b.TempDir()
	(&clusterBlock{pods: 200, total: 20_000}).write(b, dir)
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
