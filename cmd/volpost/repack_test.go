package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// TestPackingChangesNothing packs each recording in the ways in which people send it. What the report says of the
// incidents, apart from where the evidence stands, stays the same.
func TestPackingChangesNothing(t *testing.T) {
	for n, r := range recorded(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			plain := files(t, r.bundle)
			_, whole := r.explained(t)
			want := told(t, whole)
			for _, p := range recordings.Turn(n, packings) {
				_, packed := explained(t, p.pack(t, plain), r.name)
				if got := told(t, packed); got != want {
					t.Errorf("%s: %s", p.name, firstChange(got, want))
				}
			}
		})
	}
}

// TestTransportsChangeNothing writes the controllers' logs of each sample again, as other collectors wrap the same lines.
func TestTransportsChangeNothing(t *testing.T) {
	for n, r := range recorded(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			plain := files(t, r.bundle)
			_, whole := r.explained(t)
			want := told(t, whole)
			for _, w := range recordings.Turn(n, wrappings) {
				_, wrapped := explained(t, rewrap(plain, w.wrap), r.name)
				if got := told(t, wrapped); got != want {
					t.Errorf("%s: %s", w.name, firstChange(got, want))
				}
			}
		})
	}
}

// told is what a report says of its incidents, without the places of the evidence.
func told(t *testing.T, r *model.Report) string {
	t.Helper()
	var incidents []any
	text, err := json.Marshal(r.Incidents)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &incidents); err != nil {
		t.Fatal(err)
	}
	for _, i := range incidents {
		dropEvidence(i)
	}
	out, err := json.MarshalIndent(map[string]any{"verdict": r.Verdict, "incidents": incidents}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// dropEvidence removes identifiers of quotes, which are made of their place.
func dropEvidence(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "evidence")
		delete(v, "for")
		delete(v, "against")
		for _, k := range slices.Sorted(maps.Keys(v)) {
			dropEvidence(v[k])
		}
	case []any:
		for _, e := range v {
			dropEvidence(e)
		}
	}
}

func firstChange(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got " + strings.TrimSpace(g[i]) + ", want " + strings.TrimSpace(w[i])
		}
	}
	return "one is shorter"
}

type packing struct {
	name string
	pack func(*testing.T, fstest.MapFS) fstest.MapFS
}

var packings = []packing{
	{"tar.gz", func(t *testing.T, f fstest.MapFS) fstest.MapFS {
		return one("must-gather.tar.gz", gzipped(t, tarred(t, f)))
	}},
	{"zip in tar", func(t *testing.T, f fstest.MapFS) fstest.MapFS {
		return one("case.tar", tarred(t, one("must-gather.zip", zipped(t, f))))
	}},
	{"tar.zst", func(t *testing.T, f fstest.MapFS) fstest.MapFS {
		encoder, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return one("must-gather.tar.zst", encoder.EncodeAll(tarred(t, f), nil))
	}},
	{"split roots", func(_ *testing.T, f fstest.MapFS) fstest.MapFS {
		out := fstest.MapFS{}
		for path, file := range f {
			root := "inspect.local.1/"
			if strings.Contains(path, "cluster-scoped-resources/") {
				root = "inspect.local.2/"
			}
			out[root+path] = file
		}
		return out
	}},
}

func one(name string, data []byte) fstest.MapFS {
	return fstest.MapFS{name: &fstest.MapFile{Data: data, Mode: 0o644}}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarred(t *testing.T, f fstest.MapFS) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, path := range slices.Sorted(maps.Keys(f)) {
		if err := w.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(f[path].Data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f[path].Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(t *testing.T, f fstest.MapFS) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, path := range slices.Sorted(maps.Keys(f)) {
		entry, err := w.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(entry, bytes.NewReader(f[path].Data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type wrapping struct {
	name string
	wrap func(time, line string) string
}

var wrappings = []wrapping{
	{"CRI", func(time, line string) string { return time + " stderr F " + line }},
	{"Docker", func(time, line string) string { return object("log", line+"\n", "stream", "stderr", "time", time) }},
	{"logcli", func(time, line string) string { return object("line", line, "timestamp", time) }},
	{"fluentd", func(time, line string) string {
		return time + "\tkube.kcm\t" + object("log", line+"\n", "stream", "stderr", "time", time)
	}},
	{"kubectl logs --prefix --timestamps",
		func(time, line string) string { return "[pod/kcm-0/kube-controller-manager] " + time + " " + line }},
	{"CRLF", func(time, line string) string { return time + " " + line + "\r" }},
}

// object is a JSON object of strings, in the order given.
func object(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		value, _ := json.Marshal(pairs[i+1])
		b.WriteString(`,"` + pairs[i] + `":` + string(value))
	}
	return "{" + b.String()[1:] + "}"
}

// rewrap writes the lines of controllers' logs in another wrapping. must-gather prefixes each line with its time.
func rewrap(f fstest.MapFS, wrap func(time, line string) string) fstest.MapFS {
	out := maps.Clone(f)
	for path, file := range f {
		if !strings.HasSuffix(path, ".log") || !strings.Contains(path, "/kube-controller-manager/") && !strings.Contains(path, "/csi-attacher/") {
			continue
		}
		var lines []string
		for _, line := range strings.Split(strings.TrimSuffix(string(file.Data), "\n"), "\n") {
			time, rest, ok := strings.Cut(line, " ")
			if !ok {
				continue
			}
			lines = append(lines, wrap(time, strings.TrimPrefix(rest, "stderr F ")))
		}
		out[path] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n"), Mode: 0o644}
	}
	return out
}
