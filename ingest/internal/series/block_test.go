package series

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunks"

	"github.com/volpost/volpost/model"
)

// perSeries is how many samples each series of a test block has: sample i is i, at i milliseconds.
const perSeries = 200

func blockOf(t testing.TB, dir string, series ...string) string {
	t.Helper()
	var all []storage.Series
	for _, text := range series {
		l, _, err := parseLine(text + " 0")
		if err != nil {
			t.Fatal(err)
		}
		var b labels.ScratchBuilder
		for _, x := range l.labels {
			b.Add(x.Name, x.Value)
		}
		b.Sort()
		all = append(all, storage.NewListSeries(b.Labels(), chunks.GenerateSamples(0, perSeries)))
	}
	made, err := tsdb.CreateBlock(all, dir, 0, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// dump writes all that a source gives for some matchers.
func dump(src model.MetricSource, from, to time.Time, matchers ...model.Matcher) (string, error) {
	var b strings.Builder
	err := src.Select(matchers, from, to, func(l model.Labels, samples model.Samples) error {
		n, last := 0, 0.0
		for s, err := range samples {
			if err != nil {
				fmt.Fprintf(&b, "%s damaged after %d\n", l, n)
				return nil
			}
			n, last = n+1, s.Value
		}
		fmt.Fprintf(&b, "%s %d to %g\n", l, n, last)
		return nil
	})
	return b.String(), err
}

func open(t testing.TB, dirs ...string) *Store {
	t.Helper()
	var blocks []*Block
	for _, dir := range dirs {
		b, err := OpenBlock(t.Context(), dir, filepath.Base(dir))
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	return NewStore(t.Context(), blocks...)
}

func TestBlock(t *testing.T) {
	dir := blockOf(t, t.TempDir(),
		`kube_pod_info{namespace="shop",pod="db-0",node="a"}`,
		`kube_pod_info{exported_namespace="shop",exported_pod="db-1",namespace="monitoring",pod="ksm",node="ksm-node",exported_node="b"}`,
		`kube_volumeattachment_info{volumeattachment="csi-1",nodeName="a",namespace="monitoring",pod="ksm"}`,
		`up{job="x"}`)
	s := open(t, dir)
	for _, c := range []struct {
		matchers []model.Matcher
		from, to time.Time
		want     string
	}{
		{nil, time.Time{}, time.Time{}, `kube_pod_info{namespace="shop",node="a",pod="db-0"} 200 to 199
kube_pod_info{namespace="shop",node="b",pod="db-1"} 200 to 199
kube_volumeattachment_info{node="a",volumeattachment="csi-1"} 200 to 199
up{job="x"} 200 to 199
`},
		{[]model.Matcher{{Name: "pod", Type: model.MatchEqual, Value: "db-1"}}, time.Time{}, time.Time{},
			`kube_pod_info{namespace="shop",node="b",pod="db-1"} 200 to 199` + "\n"},
		{[]model.Matcher{{Name: model.MetricName, Type: model.MatchRegexp, Value: "up|down"}}, instant(10), instant(20),
			`up{job="x"} 11 to 20` + "\n"},
		{[]model.Matcher{{Name: "node", Type: model.MatchNotEqual, Value: ""}, {Name: "pod", Type: model.MatchNotRegexp, Value: "db-.*"}},
			time.Time{}, time.Time{}, `kube_volumeattachment_info{node="a",volumeattachment="csi-1"} 200 to 199` + "\n"},
	} {
		got, err := dump(s.Source("d", "d/index"), c.from, c.to, c.matchers...)
		if err != nil || got != c.want {
			t.Errorf("%v: %v\ngot\n%swant\n%s", c.matchers, err, got, c.want)
		}
	}
	src := s.Source("d", "d/index")
	rules := src
	rules.Select = src.Scraped
	for value, want := range map[string]string{
		"ksm": `kube_pod_info{exported_namespace="shop",exported_node="b",exported_pod="db-1",namespace="monitoring",node="ksm-node",` +
			`pod="ksm"} 200 to 199` + "\n" +
			`kube_volumeattachment_info{namespace="monitoring",nodeName="a",pod="ksm",volumeattachment="csi-1"} 200 to 199` + "\n",
		"db-1": "",
	} {
		got, err := dump(rules, time.Time{}, time.Time{}, model.Matcher{Name: "pod", Type: model.MatchEqual, Value: value})
		if err != nil || got != want {
			t.Errorf("as scraped, pod=%s: %v\ngot\n%swant\n%s", value, err, got, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := dump(src, time.Time{}, time.Time{}); err == nil {
		t.Error("a closed store answers")
	}
}

// The same series in two blocks that overlap is one series, each sample once.
func TestOverlappingBlocks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, blockOf(t, dir, `up{job="x"}`), blockOf(t, dir, `up{job="x"}`, `up{job="y"}`))
	defer func() { _ = s.Close() }() // it was only read
	got, err := dump(s.Source("d", ""), time.Time{}, time.Time{})
	if want := "up{job=\"x\"} 200 to 199\nup{job=\"y\"} 200 to 199\n"; err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestThanos(t *testing.T) {
	dir := blockOf(t, t.TempDir(), `up{job="x"}`)
	name := filepath.Join(dir, "meta.json")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	thanos := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(strings.Replace(string(data), "{", `{"thanos": `+text+`,`, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	thanos(`{"labels": {"cluster": "eu", "prometheus_replica": "1"}}`)
	s := open(t, dir)
	got, err := dump(s.Source("d", ""), time.Time{}, time.Time{}, model.Matcher{Name: "cluster", Type: model.MatchEqual, Value: "eu"})
	if want := `up{cluster="eu",job="x",prometheus_replica="1"} 200 to 199` + "\n"; err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	thanos(`{"downsample": {"resolution": 300000}}`)
	if _, err := OpenBlock(t.Context(), dir, "d"); err == nil || !strings.Contains(err.Error(), "downsampled to 5 min") {
		t.Errorf("got %v", err)
	}
}

// mangled is a block of which one file can be damaged and healed.
type mangled struct {
	dir   string
	want  string // what the whole block says
	whole map[string][]byte
}

// mangledFiles are the files of the block that are damaged.
var mangledFiles = []string{"index", "chunks/000001", "meta.json", "tombstones"}

func newMangled(t testing.TB) *mangled {
	m := &mangled{whole: map[string][]byte{}}
	m.dir = blockOf(t, t.TempDir(), `up{job="x"}`, `kube_pod_info{namespace="shop",pod="db-0"}`,
		`kube_pod_created{namespace="shop",pod="db-0"}`)
	for _, name := range mangledFiles {
		data, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m.whole[name] = data
	}
	var damaged bool
	if m.want, damaged = flippedDump(t.Context(), m.dir); damaged {
		t.Fatal("the whole block is damaged")
	}
	return m
}

// try damages a file: one byte is changed, and what lies behind another is cut off. It reports whether damage was told. What is
// said without that is what the whole block says; with it, each series that counts as complete is one of the whole block.
func (m *mangled) try(t *testing.T, name string, at uint32, xor byte, cut uint32) (told bool) {
	whole := m.whole[name]
	data := append([]byte(nil), whole...)
	data[int(at)%len(data)] ^= xor
	data = data[:len(data)-int(cut)%len(data)]
	file := filepath.Join(m.dir, name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}()
	got, damaged := flippedDump(t.Context(), m.dir)
	if damaged || strings.Contains(got, "damaged") {
		for line := range strings.Lines(got) {
			if !strings.Contains(line, "damaged") && !strings.Contains(m.want, line) {
				t.Fatalf("byte %d of %s, ^%#x, -%d: besides damage\n%s", at, name, xor, cut, line)
			}
		}
		return true
	}
	if got != m.want && !harmless(name, got, m.want) {
		t.Fatalf("byte %d of %s, ^%#x, -%d: silently\n%s", at, name, xor, cut, got)
	}
	return false
}

// harmless reports that a change took only what the file itself says: a meta.json has no checksum, and its times may hide
// samples, but make none.
func harmless(name, got, want string) bool {
	if name != "meta.json" {
		return false
	}
	return got == "" || got == want
}

// TestBitFlips flips one bit at a time anywhere in a block.
func TestBitFlips(t *testing.T) {
	m, random, told := newMangled(t), rand.New(rand.NewSource(1)), 0
	for _, name := range mangledFiles {
		for range 200 {
			if m.try(t, name, random.Uint32(), 1<<random.Intn(8), 0) {
				told++
			}
		}
	}
	if told < 250 {
		t.Errorf("damage was told %d times only", told)
	}
}

// FuzzBlock changes a byte of a block and cuts a file: no panic, and nothing is said that the whole block does not say.
func FuzzBlock(f *testing.F) {
	random := rand.New(rand.NewSource(2))
	for range 60 {
		f.Add(uint8(random.Intn(len(mangledFiles))), random.Uint32(), uint8(1<<random.Intn(8)), random.Uint32()*uint32(random.Intn(2)))
	}
	m := newMangled(f)
	f.Fuzz(func(t *testing.T, file uint8, at uint32, xor uint8, cut uint32) {
		m.try(t, mangledFiles[int(file)%len(mangledFiles)], at, xor, cut)
	})
}

func flippedDump(ctx context.Context, dir string) (text string, damaged bool) {
	b, err := OpenBlock(ctx, dir, "d")
	if err != nil {
		return "", true
	}
	s := NewStore(ctx, b)
	defer func() { _ = s.Close() }() // it was only read
	text, err = dump(s.Source("d", ""), time.Time{}, time.Time{})
	return text, err != nil
}

// A file that is cut while it is mapped faults when it is read, which must not end the program.
func TestCutWhileMapped(t *testing.T) {
	dir := blockOf(t, t.TempDir(), `up{job="x"}`)
	s := open(t, dir)
	defer func() { _ = s.Close() }() // it was only read
	for _, name := range []string{"chunks/000001", "index"} {
		if err := os.Truncate(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
		if got, err := dump(s.Source("d", ""), time.Time{}, time.Time{}); err == nil && !strings.Contains(got, "damaged") {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestFresh: a block of which much was read is opened anew, but not under the hands of one who reads; one that is gone stays open.
func TestFresh(t *testing.T) {
	dir := blockOf(t, t.TempDir(), `up{job="x"}`)
	s := open(t, dir)
	b, src := s.blocks[0], s.Source("d", "d/index")
	was := b.block
	read := func() {
		t.Helper()
		if got, err := dump(src, time.Time{}, time.Time{}); err != nil || got != `up{job="x"} 200 to 199`+"\n" {
			t.Errorf("%s, %v", got, err)
		}
	}
	if read(); b.block != was || b.read != 1 {
		t.Errorf("opened anew for nothing, or not counted: %d read", b.read)
	}
	err := src.Select(nil, time.Time{}, time.Time{}, func(model.Labels, model.Samples) error {
		b.read = maxMapped
		if read(); b.block != was {
			t.Error("opened anew while it was read")
		}
		return nil
	})
	if err != nil || b.block == was || b.read != 0 {
		t.Errorf("%v, not opened anew: %d read", err, b.read)
	}
	read()
	was, b.read = b.block, maxMapped
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if read(); b.block != was {
		t.Error("what is gone was opened anew")
	}
	read()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
