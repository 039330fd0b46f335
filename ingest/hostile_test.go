package ingest

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/model"
)

const goodPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: good, namespace: n}\n"

// tarWith makes a tar of headers, each with the content that its size asks for.
func tarWith(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range headers {
		h := headers[i]
		h.Mode = 0o644
		must(t, w.WriteHeader(&h))
		_, err := w.Write([]byte(goodPod)[:h.Size])
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// TestBadInput: whatever one file holds costs that file one problem at most, and nothing beside it.
func TestBadInput(t *testing.T) {
	size := int64(len(goodPod))
	deep := []byte(goodPod)
	for range 40 {
		var zipped bytes.Buffer
		w := tar.NewWriter(&zipped)
		put(t, w, "in", deep)
		must(t, w.Close())
		deep = gzipOf(t, zipped.Bytes())
	}
	bomb := "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	log := "I0314 09:26:53.841223       1 reconciler.go:433] \"Multi-Attach error\" pods=[\"n/a\"] attachedTo=[\"x\"] x=\"\x00\xff\"\n"
	for _, tt := range []struct {
		name, file string
		data       []byte
		pods       int    // in it
		problem    string // that the file gets; "" for none
	}{
		{"leads outside", "x.tar", tarWith(t, tar.Header{Name: "../../etc/p.yaml", Size: size, Typeflag: tar.TypeReg}), 1,
			"leads out of the archive"},
		{"absolute", "x.tar", tarWith(t, tar.Header{Name: "/etc/p.yaml", Size: size, Typeflag: tar.TypeReg}), 1, "absolute name"},
		{"loop of links", "x.tar", tarWith(t, tar.Header{Name: "a", Linkname: "b", Typeflag: tar.TypeSymlink},
			tar.Header{Name: "p.yaml", Size: size, Typeflag: tar.TypeReg}), 1, "is not followed"},
		{"device", "x.tar", tarWith(t, tar.Header{Name: "dev/sda", Devmajor: 8, Typeflag: tar.TypeBlock},
			tar.Header{Name: "p.yaml", Size: size, Typeflag: tar.TypeReg}), 1, "is a device"},
		{"pipe", "x.tar", tarWith(t, tar.Header{Name: "pipe", Typeflag: tar.TypeFifo},
			tar.Header{Name: "p.yaml", Size: size, Typeflag: tar.TypeReg}), 1, "pipe or socket"},
		{"one name twice", "x.tar", tarWith(t, tar.Header{Name: "p.yaml", Size: size, Typeflag: tar.TypeReg},
			tar.Header{Name: "p.yaml", Size: size, Typeflag: tar.TypeReg}), 2, "occurs again"},
		{"cut gzip", "x.yaml.gz", gzipOf(t, bytes.Repeat([]byte(goodPod+"---\n"), 100))[:60], 0, "cut off"},
		{"40 deep", "x.tgz", deep, 0, "archives in one another"},
		{"aliases", "x.yaml", []byte(bomb), 0, "expands to too many values"},
		{"NUL and invalid UTF-8 in a log", "x.log", []byte(log), 0, ""},
		{"NUL in an object", "x.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\x00\n"), 0, "control characters"},
		{"lying name", "x.tar.gz", []byte(goodPod), 1, ""},
		{"the other lie", "x.yaml", gzipOf(t, []byte(goodPod)), 1, ""},
		{"empty", "x.yaml", nil, 0, ""},
		{"error text for a journal", "host_service_logs/masters/kubelet_service.log", []byte("error: journal output not available\n"), 0,
			"error of whoever collected it"},
		{"error text for objects", "volumeattachments.yaml",
			[]byte("Error from server (Forbidden): volumeattachments.storage.k8s.io is forbidden: User \"x\" cannot list\n"), 0,
			"error of whoever collected it"},
		{"an application's own error", "namespaces/n/pods/p/c/c/logs/current.log", []byte("Error from server (x)\n"), 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readFS(t, fstest.MapFS{tt.file: {Data: tt.data}, "good/pod.yaml": {Data: []byte(goodPod)}, "empty/x": {}})
			var told []string
			for _, p := range s.Problems {
				if !strings.Contains(p.Message, "neither zone nor year") {
					told = append(told, p.Message)
				}
			}
			if len(s.Pods) != tt.pods+1 {
				t.Errorf("%d pods", len(s.Pods))
			}
			if all := strings.Join(told, "\n"); tt.problem == "" && all != "" || tt.problem != "" && (len(told) != 1 ||
				!strings.Contains(all, tt.problem)) {
				t.Errorf("problems: %s", all)
			}
			if slicesHas(s.Lists, "VolumeAttachment") {
				t.Error("an error is taken for an empty list")
			}
		})
	}
}

func slicesHas(lists []model.Listed, kind string) bool {
	for _, l := range lists {
		if l.Kind == kind {
			return true
		}
	}
	return false
}

// manyMembers is a tar of any number of empty members that nobody has to write: only the name differs.
type manyMembers struct {
	block  []byte
	n, max int
	same   bool // all have one name
	at     int
}

func newManyMembers(t testing.TB, max int, same bool) *manyMembers {
	return &manyMembers{block: tarWith(t, tar.Header{Name: "d/0000000000", Typeflag: tar.TypeReg})[:512], max: max, same: same, at: 512}
}

func (m *manyMembers) Read(p []byte) (int, error) {
	if m.at == len(m.block) {
		if m.n++; m.n > m.max {
			return 0, fmt.Errorf("the generator ends")
		}
		if !m.same {
			m.rename()
		}
		m.at = 0
	}
	n := copy(p, m.block[m.at:])
	m.at += n
	return n, nil
}

// rename writes the next name and the checksum that it needs.
func (m *manyMembers) rename() {
	copy(m.block[2:], fmt.Sprintf("%010d", m.n))
	copy(m.block[148:156], "        ")
	sum := 0
	for _, c := range m.block {
		sum += int(c)
	}
	copy(m.block[148:], fmt.Sprintf("%06o\x00 ", sum))
}

// TestTenMillionMembers: reading stops at the limit, in time, and says so once.
func TestTenMillionMembers(t *testing.T) {
	limit := 50_000
	if testing.Short() {
		limit = 5_000
	}
	for _, same := range []bool{false, true} {
		stream := newManyMembers(t, 10_000_000, same)
		b, err := OpenSources(Source{Path: "many.tar", Stream: stream}, Source{Path: "good.yaml", Stream: strings.NewReader(goodPod)})
		must(t, err)
		began := time.Now()
		s, err := Read(context.Background(), b, Options{Limits: Limits{Entries: limit}})
		must(t, err)
		told := 0
		for _, p := range s.Problems {
			if strings.Contains(p.Message, "entries is reached") {
				told++
			}
		}
		if took := time.Since(began); took > 30*time.Second || told != 1 || stream.n > 3*limit || len(s.Pods) != 1 {
			t.Errorf("same %t: %v, told %d times, %d members read, %d pods", same, took, told, stream.n, len(s.Pods))
		}
	}
}
