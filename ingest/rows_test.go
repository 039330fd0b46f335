package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// newTestPart is the part of a file in a reading of its own.
func newTestPart(path string, l Limits) *part {
	return newReading(context.Background(), "x", l.orDefaults()).newPart(path, layout.Of(path))
}

// TestMeasured: the size of a file is what its reader saw to its end, else what its container says; a limit is told once.
func TestMeasured(t *testing.T) {
	limit, boom := &archive.LimitError{}, errors.New("boom")
	for _, c := range []struct {
		name  string
		size  int64
		read  counter
		told  model.Problem
		bytes int64
		count int
	}{
		{"to its end", 9, counter{n: 5, ended: true}, model.Problem{}, 5, 0}, {"in part", 9, counter{n: 5}, model.Problem{}, 9, 0},
		{"longer than it says", 3, counter{n: 5}, model.Problem{}, 5, 0}, {"unknown", -1, counter{n: 5, ended: true}, model.Problem{}, 5, 0},
		{"breaks off", -1, counter{n: 5, err: boom}, model.Problem{}, 5, 1},
		{"breaks off, which is told", -1, counter{n: 5, err: boom}, model.Problem{Severity: model.Failure, Message: "x"}, 5, 1},
		{"a limit beside another", -1, counter{n: 5, err: limit}, model.Problem{Severity: model.Failure, Message: "x"}, 5, 2},
		{"a limit that is told", -1, counter{n: 5, err: limit}, model.Problem{Severity: model.Failure, Message: "for " + limit.Error()}, 5, 1},
	} {
		p := newTestPart("x", Limits{})
		if c.told.Message != "" {
			p.Problems = append(p.Problems, c.told)
		}
		p.measured(archive.Entry{Size: c.size}, &c.read)
		if p.input.Bytes != c.bytes || len(p.Problems) != c.count {
			t.Errorf("%s: %d bytes, %+v", c.name, p.input.Bytes, p.Problems)
		}
	}
}

// TestWhole: a file is read to its end, or to one byte more than it may have; while a large one is in memory, another waits.
func TestWhole(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 300<<10)
	for _, c := range []struct{ limit, size, want int64 }{
		{300 << 10, -1, 300 << 10}, {300 << 10, 300 << 10, 300 << 10}, {300<<10 - 1, -1, 300 << 10}, {100 << 10, -1, 100<<10 + 1}, {1, 300 << 10, 2},
	} {
		p := newTestPart("x", Limits{ManifestBytes: c.limit})
		data, release, err := p.reading.whole(bytes.NewReader(text), c.size)
		if release(); int64(len(data)) != c.want || err != nil {
			t.Errorf("%+v: %d bytes, %v", c, len(data), err)
		}
		read := false
		p.held(bytes.NewReader(text), c.size, func([]byte) { read = true })
		if read != (c.want <= c.limit) || read == p.failed() {
			t.Errorf("%+v: is read %v: %+v", c, read, p.Problems)
		}
	}
	p := newTestPart("x", Limits{})
	_, release, err := p.reading.whole(io.MultiReader(bytes.NewReader(make([]byte, smallFile+1)), failing{}), smallFile+2)
	if p.reading.large.TryLock() || err == nil {
		t.Errorf("a large file is not alone in memory, or its end is missed: %v", err)
	}
	if release(); !p.reading.large.TryLock() {
		t.Error("it stays alone")
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("boom") }

// TestUTF16: by the mark, or by the zeros beside the first printable characters.
func TestUTF16(t *testing.T) {
	wide := func(text string, at int) (out []byte) {
		for _, c := range []byte(text) {
			pair := [2]byte{}
			pair[1-at] = c
			out = append(out, pair[:]...)
		}
		return out
	}
	for name, c := range map[string]struct {
		head []byte
		want bool
	}{
		"little mark": {[]byte{0xff, 0xfe, 'a', 0}, true}, "big mark": {[]byte{0xfe, 0xff, 0, 'a'}, true}, "neither": {[]byte{0xff, 0xff}, false},
		"little": {wide("NAME\tREADY\r\n~ ab", 1), true}, "big": {wide("NAME\tREADY\r\n~ ab", 0), true}, "short": {wide("NAME\tREADY\r\n~ a", 1), false},
		"a control character": {wide("NAME\tREADY\r\n~ a\x7f", 1), false}, "another": {wide("NAME\tREADY\r\n~ a\x1f", 1), false},
		"plain": {bytes.Repeat([]byte("a"), 2*sampled), false},
	} {
		if got := utf16Of(c.head); (got != nil) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for in, want := range map[string]string{"\xff\xfea\x00": "a", "\xfe\xff\x00a": "a", "ab": "ab"} {
		r, is := decoded(bufio.NewReader(strings.NewReader(in)))
		if text, err := io.ReadAll(r); err != nil || strings.TrimPrefix(string(text), "\ufeff") != want || is != (want == "a") {
			t.Errorf("%q: %q, %v", in, text, err)
		}
	}
}

// TestEach: every file is shown as it is read, and the error of whoever looks is a problem.
func TestEach(t *testing.T) {
	b := OpenFS(fstest.MapFS{"a.txt": {Data: []byte("one")}, "b.txt": {Data: []byte("\xff\xfet\x00w\x00o\x00")}}, "x")
	defer b.Close()
	seen := make(chan string, 9)
	problems, err := Each(context.Background(), b, Limits{}, func(f File) error {
		text, err := io.ReadAll(f.Content)
		seen <- fmt.Sprintf("%s %s %v", f.Path, bytes.TrimPrefix(text, []byte("\ufeff")), f.Decoded)
		if f.Decoded {
			return errors.New("boom")
		}
		return err
	})
	close(seen)
	got := []string{}
	for s := range seen {
		got = append(got, s)
	}
	if slices.Sort(got); err != nil || !slices.Equal(got, []string{"a.txt one false", "b.txt two true"}) || len(problems) != 1 ||
		problems[0].Path != "b.txt" || !strings.Contains(problems[0].Message, "boom") {
		t.Errorf("%q %+v %v", got, problems, err)
	}
	late, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	if problems, err := Each(late, b, Limits{}, func(File) error { return nil }); err != nil || len(problems) != 1 ||
		!strings.Contains(problems[0].Message, "--max-time") {
		t.Errorf("%+v %v", problems, err)
	}
}

// TestFewProblems: of too many problems the gravest stay, in the order of their places.
func TestFewProblems(t *testing.T) {
	var all []model.Problem
	for i := range maxProblems - 1 {
		all = append(all, model.Problem{Severity: model.Info, Path: fmt.Sprintf("b%05d", i)})
	}
	all = append(all, model.Problem{Severity: model.Warning, Path: "c"})
	if got := fewProblems(slices.Clone(all)); len(got) != maxProblems {
		t.Errorf("%d problems", len(got))
	}
	got := fewProblems(append(slices.Clone(all), model.Problem{Severity: model.Failure, Path: "d"}))
	if n := len(got); n != maxProblems+1 || got[0].Path != "." || got[0].Message != "1 more problems, the least grave, are not listed" ||
		got[n-2].Path != "c" || got[n-1].Path != "d" || got[n-3].Path != fmt.Sprintf("b%05d", maxProblems-3) {
		t.Errorf("%d problems, %+v", len(got), got[0])
	}
}

// TestSectionsCount: each log of a dump has its own lines' bytes and the lines of the file; blank lines between two belong to the first.
func TestSectionsCount(t *testing.T) {
	const log = startMark + "c of pod ns/p ====\nI0314 12:00:00.000000       1 x.go:1] y\n" + endMark + "c of pod ns/p ====\n"
	s := readFS(t, fstest.MapFS{"dump.txt": {Data: []byte(log + "\n\n" + strings.ReplaceAll(log, "p ====", "q ====") + startMark + "c of pod ns/r ====")}})
	got := []string{}
	for _, in := range s.Inputs {
		got = append(got, fmt.Sprintf("%s %s %d", in.Path, in.Pod, in.Bytes))
	}
	want := []string{fmt.Sprintf("dump.txt!c p %d", len(log)+2), fmt.Sprintf("dump.txt!c#2 q %d", len(log)),
		fmt.Sprintf("dump.txt!c#3 r %d", len(startMark+"c of pod ns/r ===="))}
	for i := range want {
		if i >= len(got) || got[i] != want[i] && got[i] != strings.Replace(want[i], " r ", "  ", 1) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p := newTestPart("x", Limits{})
	p.Observations = []model.Observation{{Source: model.Source{Line: 2}}}
	p.Problems = []model.Problem{{Line: 0}, {Line: 1}}
	if p.moved(10); p.Observations[0].Source.Line != 12 || p.Problems[0].Line != 0 || p.Problems[1].Line != 11 {
		t.Errorf("%+v %+v", p.Observations, p.Problems)
	}
}

// TestEachUID: an Event's object has a UID, and not the name that a kubelet gives for it.
func TestEachUID(t *testing.T) {
	event := func(uid string, kind model.SourceKind) model.Observation {
		return model.Observation{Input: "i", Object: model.Ref{UID: uid}, Source: model.Source{Kind: kind}}
	}
	var got []string
	eachUID(&model.Snapshot{Observations: []model.Observation{event(aUID(1), model.SourceEvent), event("node-1", model.SourceEvent),
		event(aUID(2), model.SourceLog)}}, func(uid, input string) { got = append(got, uid+" "+input) })
	if !slices.Equal(got, []string{aUID(1) + " i"}) {
		t.Error(got)
	}
}

// TestPromisedByPath: what something unreadable would have held, by the most telling part of its path.
func TestPromisedByPath(t *testing.T) {
	for path, want := range map[string]string{
		"a/pods.yaml": "Pod", "a/Kube-Controller-Manager-x.log": "kube-controller-manager", "a/csi-attacher.log": "external-attacher",
		"a/external-attacher-0.txt": "external-attacher", "a/audit.log": model.HoldsAudit, "a/prometheus-x": model.HoldsMetrics, "a/metrics-x": model.HoldsMetrics,
		"a/kubelet-audit": model.HoldsAudit, "a/x": "",
	} {
		if got := promised(path, layout.Of(path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestWholeNames: statements, volumes and attachments name volumes in full; what is shortened names none.
func TestWholeNames(t *testing.T) {
	pv, short := "pvc-a", "pvc-b"+elision
	attachment := func(name *string) model.Object[*storagev1.VolumeAttachment] {
		return model.Object[*storagev1.VolumeAttachment]{Content: model.Whole(&storagev1.VolumeAttachment{
			Spec: storagev1.VolumeAttachmentSpec{Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: name}}})}
	}
	got := wholeNames(&model.Snapshot{
		Observations:      []model.Observation{{}, {Volume: model.VolumeID{PersistentVolume: "pvc-c"}}},
		PersistentVolumes: []model.Object[*corev1.PersistentVolume]{{Ref: model.Ref{Name: "pvc-d"}}},
		VolumeAttachments: []model.Object[*storagev1.VolumeAttachment]{attachment(nil), attachment(&pv), attachment(&short)},
	})
	if len(got) != 3 || !got["pvc-a"] || !got["pvc-c"] || !got["pvc-d"] {
		t.Errorf("%v", got)
	}
	for left, want := range map[string]string{"pvc-a": "pvc-a", "pvc-": "", "": "", "x": ""} {
		if got := completed(left, got); got != want {
			t.Errorf("%q is completed to %q", left, got)
		}
	}
}

// TestSamples: what an answer of Prometheus lacks is told, and without any series nothing was read.
func TestSamples(t *testing.T) {
	p := newTestPart("m.json", Limits{})
	p.samples(series.Text{Warnings: []string{"w"}, Skipped: 1}, errors.New("boom"))
	if got := fmt.Sprint(p.Problems); p.input.Kind != model.InputUnread || len(p.Problems) != 3 || !strings.Contains(got, "boom") ||
		!strings.Contains(got, "1 lines are no sample") || p.memory != nil {
		t.Errorf("%s %+v", got, p.input)
	}
	p = newTestPart("m.json", Limits{})
	if p.samples(series.Text{Memory: series.NewMemory(model.MetricAPI)}, nil); p.input.Kind != model.InputMetrics || p.input.From != nil || len(p.Problems) != 0 {
		t.Errorf("%+v %+v", p.input, p.Problems)
	}
	r := p.reading
	if r.parts = []*part{p}; r.partOf("m.json") != p || r.partOf("x") != nil {
		t.Error("the part of an input")
	}
}

// TestLinkedBlocks: a link where a file of a block would be is noted for its block, and no other link.
func TestLinkedBlocks(t *testing.T) {
	for path, want := range map[string]string{
		"b/index": "index", "b/meta.json": "meta.json", "b/chunks": "chunks", "b/chunks/000001": "chunks/000001", "b/chunks/x": "", "b/x/000001": "",
	} {
		m := &metricBlocks{}
		if m.link(path); want == "" && len(m.found) != 0 || want != "" && (len(m.found) != 1 || m.at(blockAt{dir: "b"}).linked != want) {
			t.Errorf("%s: %+v", path, m.found)
		}
	}
	const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	m := &metricBlocks{}
	m.at(blockAt{dir: "two"}).has = blockIndex | blockMeta
	m.at(blockAt{dir: "one"}).has = blockIndex
	m.at(blockAt{dir: "x/" + id}).has = blockIndex
	m.at(blockAt{dir: "y/" + id})
	if got := m.dirs(); !slices.Equal(got, []string{"two", "x/" + id}) {
		t.Error(got)
	}
}

// TestRecognised: files by what they hold, each with its near miss.
func TestRecognised(t *testing.T) {
	for _, c := range []struct{ name, text, kind string }{
		{"r.yaml", "groups:\n- name: g\n  rules:\n  - alert: A\n    expr: up == 0\n", model.InputManifests},
		{"x.txt", "", model.InputEmpty},
	} {
		s := readFS(t, fstest.MapFS{c.name: {Data: []byte(c.text)}, "pods.yaml": {Data: []byte("apiVersion: v1\nkind: PodList\nitems: []\n")}})
		if i := slices.IndexFunc(s.Inputs, func(in model.Input) bool { return in.Path == c.name }); i < 0 || s.Inputs[i].Kind != c.kind {
			t.Errorf("%s: %+v", c.name, s.Inputs)
		}
	}
}
