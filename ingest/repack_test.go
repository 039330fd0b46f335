package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/volpost/volpost/model"
)

// walkFiles calls f for each file below dir, with its path relative to it.
func walkFiles(t testing.TB, dir string, f func(name string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		f(filepath.ToSlash(rel), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func tarOf(t testing.TB, dir string, wanted func(name string) bool) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	walkFiles(t, dir, func(name string, data []byte) {
		if wanted(name) {
			put(t, w, name, data)
		}
	})
	must(t, w.Close())
	return b.Bytes()
}

func put(t testing.TB, w *tar.Writer, name string, data []byte) {
	must(t, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644, Typeflag: tar.TypeReg}))
	_, err := w.Write(data)
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func gzipOf(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func zipOf(t testing.TB, dir string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	walkFiles(t, dir, func(name string, data []byte) {
		f, err := w.Create(name)
		must(t, err)
		_, err = f.Write(data)
		must(t, err)
	})
	must(t, w.Close())
	return b.Bytes()
}

// A recorded bundle tells the same in whatever it is packed, up to its paths.
func TestRepacked(t *testing.T) {
	all := func(string) bool { return true }
	bundles := recorded(t, "bundle")[:2]
	if testing.Short() {
		bundles = bundles[:1]
	}
	for _, dir := range bundles {
		want := withoutPaths(describe(readDir(t, dir)))
		work := t.TempDir()
		write := func(name string, data []byte) string {
			p := filepath.Join(work, name)
			must(t, os.WriteFile(p, data, 0o600))
			return p
		}
		var outer bytes.Buffer
		w := tar.NewWriter(&outer)
		put(t, w, "in.zip", zipOf(t, dir))
		must(t, w.Close())
		enc, err := zstd.NewWriter(nil)
		must(t, err)
		plain := tarOf(t, dir, all)
		clusterScoped := func(name string) bool { return strings.Contains(name, "/cluster-scoped-resources/") }
		packed := gzipOf(t, plain)
		for name, paths := range map[string][]string{
			"tar.gz":      {write("mg.tar.gz", packed)},
			"zip":         {write("mg.zip", zipOf(t, dir))},
			"zip in tar":  {write("outer.tar", outer.Bytes())},
			"tar.zst":     {write("mg.tar.zst", enc.EncodeAll(plain, nil))},
			"gz in a dir": {filepath.Dir(write("x", nil)) + "/../" + filepath.Base(work) + "/mg.tar.gz"},
			"several roots": {write("one.tar.gz", gzipOf(t, tarOf(t, dir, clusterScoped))),
				write("two.tgz", gzipOf(t, tarOf(t, dir, func(n string) bool { return !clusterScoped(n) })))},
		} {
			b, err := Open(paths...)
			must(t, err)
			got := withoutPaths(describe(readBundle(t, b)))
			if got != want {
				t.Errorf("%s as %s: %s", dir, name, firstDifference(want, got))
			}
		}
		b, err := OpenSources(Source{Path: "-", Stream: io.MultiReader(bytes.NewReader(packed))})
		must(t, err)
		if got := withoutPaths(describe(readBundle(t, b))); got != want {
			t.Errorf("%s through a pipe: %s", dir, firstDifference(want, got))
		}
	}
}

func readBundle(t testing.TB, b *Bundle) *model.Snapshot {
	t.Helper()
	defer func() { _ = b.Close() }()
	s, err := Read(context.Background(), b, Options{})
	must(t, err)
	return s
}

var packing = regexp.MustCompile(`(mg\.tar\.gz|mg\.zip|outer\.tar!in\.zip|mg\.tar\.zst|one\.tar\.gz|two\.tgz|-)!`)

// withoutPaths is a description whose paths are those of the directory, in an order of its own.
func withoutPaths(s string) string {
	lines := strings.Split(packing.ReplaceAllString(s, ""), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Every byte of every member of every archive is in exactly one input.
func TestLedgerAddsUp(t *testing.T) {
	kcm := []byte(strings.Repeat("I0314 09:26:53.841223       1 reconciler.go:433] \"Multi-Attach error\" pods=[\"n/a\"] attachedTo=[\"x\"]\n",
		1000))
	noise := bytes.Repeat([]byte("\x00\x01"), 70_000)
	var inner bytes.Buffer
	w := tar.NewWriter(&inner)
	total := 0
	for name, data := range map[string][]byte{"kcm.log": kcm, "noise.bin": noise, "app.txt": bytes.Repeat([]byte("x\n"), 90_000), "empty": nil,
		"._kcm.log": []byte("apple"), "pod.yaml": []byte("kind: Pod\nmetadata: {name: a}\n")} {
		put(t, w, name, data)
		total += len(data)
	}
	put(t, w, "packed.log.gz", gzipOf(t, kcm))
	total += len(kcm)
	must(t, w.Close())
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.tar.gz"), gzipOf(t, inner.Bytes()), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b.log"), kcm, 0o600))
	total += len(kcm)
	s := readDir(t, dir)
	var sum int64
	for _, in := range s.Inputs {
		sum += in.Bytes
	}
	if sum != int64(total) || len(s.Inputs) != 8 {
		t.Errorf("%d inputs of %d bytes, want 8 of %d: %s", len(s.Inputs), sum, total, inputs(s))
	}
}

// BenchmarkPackedLog reads a log inside of .tar.gz; the bytes are the unpacked ones. Compare with gzip -dc | grep -c.
func BenchmarkPackedLog(b *testing.B) {
	var log []byte
	for _, dir := range recorded(b, "bundle") {
		walkFiles(b, dir, func(name string, data []byte) {
			if strings.Contains(name, "kube-controller-manager") && strings.HasSuffix(name, "current.log") && len(data) > len(log) {
				log = data
			}
		})
	}
	log = bytes.Repeat(log, 1+(64<<20)/len(log))
	var t bytes.Buffer
	w := tar.NewWriter(&t)
	put(b, w, "mg/namespaces/k/pods/k/k/k/logs/current.log", log)
	must(b, w.Close())
	name := filepath.Join(b.TempDir(), "log.tar.gz")
	must(b, os.WriteFile(name, gzipOf(b, t.Bytes()), 0o600))
	if keep := os.Getenv("VOLPOST_KEEP"); keep != "" {
		must(b, os.WriteFile(keep, gzipOf(b, t.Bytes()), 0o600))
	}
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		bundle, err := Open(name)
		must(b, err)
		readBundle(b, bundle)
	}
}
