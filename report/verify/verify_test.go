package verify_test

import (
	"archive/tar"
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/verify"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

func reportOf(t *testing.T, bundle fs.FS) *model.Report {
	t.Helper()
	opened := ingest.OpenFS(bundle, "bundle")
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{})
}

func check(t *testing.T, r *model.Report, bundle fs.FS) []verify.Difference {
	t.Helper()
	opened := ingest.OpenFS(bundle, "bundle")
	defer opened.Close()
	c := verify.New(r)
	if _, err := ingest.Each(context.Background(), opened, ingest.Limits{}, func(f ingest.File) error {
		return c.File(f.Path, f.Content, !f.Decoded)
	}); err != nil {
		t.Fatal(err)
	}
	if c.Sampled() {
		snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.Samples(snapshot.Observations, analyze.Run(t.Context(), snapshot, analyze.Options{}))
	}
	return c.Differences()
}

const multiAttach = `I1121 06:12:40.084000       1 reconciler.go:276] "Multi-Attach error: volume is already used by pods" ` +
	`pods=["shop/web-0"] attachedTo=["n1"] volume={"VolumeName":"kubernetes.io/csi/d^h","NodeName":"n2"} --password=hunter2`

// small is a bundle whose log tells of one incident.
func small() fstest.MapFS {
	return fstest.MapFS{
		"kcm.log": {Data: []byte("I1121 06:12:39.000000       1 x.go:1] \"Starting\"\n" + multiAttach + "\n")},
		"pod.yaml": {Data: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-0\n  namespace: shop\n  uid: u1\n" +
			"  creationTimestamp: \"2026-11-21T06:00:00Z\"\nspec:\n  nodeName: n1\n  volumes:\n  - name: d\n    persistentVolumeClaim:\n      " +
			"claimName: c\n")},
	}
}

// changed is the small bundle with a file written anew.
func changed(path string, change func(string) string) fstest.MapFS {
	b := small()
	b[path] = &fstest.MapFile{Data: []byte(change(string(b[path].Data)))}
	return b
}

func TestDifferences(t *testing.T) {
	good := reportOf(t, small())
	if len(good.Evidence) < 2 {
		t.Fatalf("only %d quotes", len(good.Evidence))
	}
	removed := small()
	delete(removed, "kcm.log")
	for _, c := range []struct {
		name   string
		bundle fstest.MapFS
		want   []string // what differs, with the path
	}{
		{"nothing", small(), nil},
		{"a byte of a quote", changed("kcm.log", func(s string) string { return strings.Replace(s, "web-0", "web-1", 1) }),
			[]string{"changed kcm.log"}},
		{"a secret, which is not in the report", changed("kcm.log", func(s string) string { return strings.Replace(s, "hunter2", "hunter3", 1) }),
			nil},
		{"a line before", changed("kcm.log", func(s string) string { return "I1121 06:12:38.000000       1 x.go:1] x\n" + s }),
			[]string{"changed kcm.log", "size kcm.log"}},
		{"a line that is no quote", changed("kcm.log", func(s string) string { return strings.Replace(s, "Starting", "Beginning", 1) }),
			[]string{"size kcm.log"}},
		{"a file", removed, []string{"missing kcm.log"}},
		{"the end of a file", changed("kcm.log", func(s string) string { return s[:60] }), []string{"changed kcm.log", "size kcm.log"}},
		{"another bundle", fstest.MapFS{"other.log": {Data: []byte(multiAttach + "\n")}}, []string{"missing kcm.log", "missing pod.yaml"}},
	} {
		got := map[string]bool{}
		for _, d := range check(t, good, c.bundle) {
			got[string(d.What)+" "+d.Source.Path] = true
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, want := range c.want {
			if !got[want] {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

// TestForgedReports changes the report instead of the bundle.
func TestForgedReports(t *testing.T) {
	forgeries := []struct {
		name  string
		forge func(*model.Evidence)
		want  verify.What
	}{
		{"text", func(e *model.Evidence) { e.Text = strings.Replace(e.Text, "06:12:40", "06:12:41", 1) }, verify.Forged},
		{"hash", func(e *model.Evidence) { e.SHA256 = strings.Repeat("0", 64) }, verify.Tail},
		{"both", func(e *model.Evidence) { e.Text, e.SHA256 = "something else", strings.Repeat("0", 64) }, verify.Changed},
		{"cut short, of another record", func(e *model.Evidence) { e.Text, e.Truncated, e.SHA256 = e.Text[:20], true, strings.Repeat("0", 64) },
			verify.Tail},
		{"nothing quoted", func(e *model.Evidence) { e.Text, e.SHA256, e.Truncated = "", "", true }, verify.Changed},
		{"another file", func(e *model.Evidence) { e.Source.Path = "pod.yaml" }, verify.Changed},
		{"a file outside", func(e *model.Evidence) { e.Source.Path = "../../etc/passwd" }, verify.Missing},
		{"an absolute file", func(e *model.Evidence) { e.Source.Path = "/etc/passwd" }, verify.Missing},
		{"a line far away", func(e *model.Evidence) { e.Source.Line = 1 << 40 }, verify.Changed},
		{"no line", func(e *model.Evidence) { e.Source.Line = 0 }, verify.Changed},
		{"no series", func(e *model.Evidence) { e.Source.Line, e.Source.Kind = 0, model.SourceMetric }, verify.Changed},
	}
	t.Logf("%d tried", len(forgeries))
	for _, c := range forgeries {
		r := reportOf(t, small())
		at := -1
		for i, e := range r.Evidence {
			if e.Source.Path == "kcm.log" {
				at = i
			}
		}
		c.forge(&r.Evidence[at])
		differences := check(t, r, small())
		if len(differences) != 1 || differences[0].What != c.want {
			t.Errorf("%s: %+v, want one, %s", c.name, differences, c.want)
		}
	}
}

// TestSamplesHold wants every quote of every sample to be borne out.
func TestSamplesHold(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		r := reportOf(t, bundle)
		for _, d := range check(t, r, bundle) {
			t.Errorf("%s: %+v", s.Name, d)
		}
	}
}

// TestPackedBundles wants the same of archives in one another, also through a pipe.
func TestPackedBundles(t *testing.T) {
	inner := packed(t, small())
	outer := packed(t, fstest.MapFS{"dir/inner.tar": {Data: inner}})
	opened, err := ingest.OpenSources(ingest.Source{Path: "-", Stream: bytes.NewReader(outer)})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := analyze.Run(t.Context(), snapshot, analyze.Options{})
	for _, again := range []struct {
		bytes []byte
		want  int
	}{{outer, 0}, {packed(t, fstest.MapFS{"dir/inner.tar": {Data: packed(t,
		changed("pod.yaml", func(s string) string { return strings.Replace(s, "06:00:00", "06:00:01", 1) }))}}), 1}} {
		c := verify.New(r)
		opened, err := ingest.OpenSources(ingest.Source{Path: "-", Stream: bytes.NewReader(again.bytes)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ingest.Each(context.Background(), opened, ingest.Limits{}, func(f ingest.File) error { return c.File(f.Path, f.Content, true) })
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Differences(); len(got) != again.want || c.Quotes() == 0 {
			t.Errorf("%d quotes, %d differences, want %d: %+v", c.Quotes(), len(got), again.want, got)
		}
	}
}

func packed(t *testing.T, files fstest.MapFS) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for path, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(f.Data)), Format: tar.FormatPAX}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestFormatsHold compares the quotes of every form in which logs, objects and metrics come.
func TestFormatsHold(t *testing.T) {
	bundle, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	r := reportOf(t, bundle)
	if len(r.Evidence) < 30 {
		t.Fatalf("only %d quotes", len(r.Evidence))
	}
	for _, d := range check(t, r, bundle) {
		t.Errorf("%+v", d)
	}
}
