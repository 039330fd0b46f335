package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/volpost/volpost/model"
)

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: n, uid: u, resourceVersion: \"%d\"}\n"

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	packed := filepath.Join(dir, "mg.tar.gz")
	blank := filepath.Join(dir, "blank")
	for _, err := range []error{
		os.Mkdir(empty, 0o755), os.WriteFile(packed, []byte("\x1f\x8b\x08\x00"), 0o600),
		os.Mkdir(blank, 0o755), os.WriteFile(filepath.Join(blank, "x.log"), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "nowhere"): "does not exist",
		"/dev/null":                   "neither a directory nor a regular file",
		empty:                         "holds no files",
		blank:                         "every file",
		packed:                        "the gzip data is cut off",
	} {
		b, err := Open(path)
		if err == nil {
			_, err = Read(context.Background(), b, Options{})
		}
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, want) || e.Hint == "" {
			t.Errorf("%s: got %v, want an Error saying %q with a hint", path, err, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fsys := fstest.MapFS{"a.yaml": {Data: []byte("x")}, "b.yaml": {Data: []byte("x")}}
	_, err := Read(ctx, OpenFS(fsys, "x"), Options{Progress: func(done, total int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	fsys := fstest.MapFS{"a.txt": {Data: []byte("12345")}, "b.txt": {Data: []byte("123")}}
	var last int64
	_, err := Read(context.Background(), OpenFS(fsys, "x"), Options{Progress: func(done, total int64) {
		if done < last || total != 8 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if err != nil || last != 8 {
		t.Errorf("ended at %d, %v", last, err)
	}
}

// inputs describes what became of each file.
func inputs(s *model.Snapshot) string {
	var out []string
	for _, in := range s.Inputs {
		out = append(out, in.Path+"="+in.Kind)
	}
	return strings.Join(out, " ")
}

func TestRecognition(t *testing.T) {
	var wide strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + fmt.Sprintf(pod, 1) + "# 😀\r\n")) {
		wide.WriteByte(byte(u))
		wide.WriteByte(byte(u >> 8))
	}
	fsys := fstest.MapFS{
		"audit.log":       {Data: []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"delete"}` + "\n")},
		"block/index":     {Data: []byte("\x00")},
		"block/meta.json": {Data: []byte(`{"ulid":"x"}`)},
		"block/chunks/1":  {Data: []byte("\x00")},
		"wal/00000":       {Data: []byte("\x00")},
		"empty.yaml":      {},
		"noise.bin":       {Data: []byte("\x00\x01\x02")},
		"notes.txt":       {Data: []byte("we restarted it\n")},
		"packed.gz":       {Data: []byte("\x1f\x8b\x08")},
		"pod.json":        {Data: []byte(`{"kind":"Pod","metadata":{"name":"b","namespace":"n"}}`)},
		"truncated.json":  {Data: []byte(`{"kind":"Pod","metadata":{"name`)},
		"wide.yaml":       {Data: []byte(wide.String())},
	}
	s := readFS(t, fsys)
	want := "audit.log=audit block/chunks/1=metrics block/index=metrics block/meta.json=metrics empty.yaml=empty " +
		"noise.bin=unread notes.txt=ignored packed.gz=unread pod.json=manifests truncated.json=unread wal/00000=unread wide.yaml=manifests"
	if got := inputs(s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(s.Pods) != 2 {
		t.Errorf("%d pods", len(s.Pods))
	}
	var problems []string
	for _, p := range s.Problems {
		problems = append(problems, p.Path+":"+string(p.Severity))
	}
	got, want := strings.Join(problems, " "), "block/index:error noise.bin:error packed.gz:error truncated.json:warning wal/00000:error"
	if got != want {
		t.Errorf("problems %s, want %s", got, want)
	}
	for _, n := range s.NotCollected {
		if n.What == "no audit log" || n.What == "no metrics" {
			t.Errorf("%s, though it is there", n.What)
		}
	}
}

func TestCopiesAreOrdered(t *testing.T) {
	s := readFS(t, fstest.MapFS{
		"a.yaml": {Data: []byte(fmt.Sprintf(pod, 100))},
		"b.yaml": {Data: []byte(fmt.Sprintf(pod, 9))},
		"c.yaml": {Data: []byte(strings.Replace(fmt.Sprintf(pod, 1), "uid: u", "uid: a", 1))},
	})
	var got []string
	for _, p := range s.Pods {
		got = append(got, fmt.Sprint(p.Ref.UID, p.ResourceVersion))
	}
	if want := "a1 u9 u100"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// One event, written as core/v1 and as events.k8s.io/v1, is told once, by its newest copy.
func TestEventsOfOneUID(t *testing.T) {
	const core = "apiVersion: v1\nkind: Event\nmetadata: {name: e.1, namespace: n, uid: %s, resourceVersion: \"%d\"}\nreason: R\nmessage: " +
		"m\nfirstTimestamp: \"2026-03-14T09:26:53Z\"\n"
	const events = "apiVersion: events.k8s.io/v1\nkind: Event\nmetadata: {name: e.1, namespace: n, uid: %s, resourceVersion: " +
		"\"%d\"}\nreason: R\nnote: m\n"
	s := readFS(t, fstest.MapFS{
		"a.yaml": {Data: []byte(fmt.Sprintf(core, "u", 5))},
		"b.yaml": {Data: []byte(fmt.Sprintf(events, "u", 7))},
		"c.yaml": {Data: []byte(fmt.Sprintf(core, "u", 7))},
		"d.yaml": {Data: []byte(fmt.Sprintf(core, "v", 1))},
	})
	var from []string
	for _, o := range s.Observations {
		from = append(from, o.Source.Path+":"+o.Source.Field)
	}
	slices.Sort(from)
	if got := strings.Join(from, " "); got != "b.yaml:note d.yaml:message" {
		t.Errorf("got %s", got)
	}
	if in := s.Inputs[0]; in.Used != 0 || in.Skipped != 1 {
		t.Errorf("the older copy counts as used: %+v", in)
	}
}

func TestCaptured(t *testing.T) {
	s := readFS(t, bundleOf(`
-- mg/img/timestamp --
2026-03-14 10:01:00.5 +0000 UTC m=+1
2026-03-14 10:05:00 +0000 UTC m=+2
-- mg/img/version --
openshift/must-gather
4.18
-- mg/timestamp --
2026-03-14 11:00:00 +0100 CET m=+0.1
2026-03-14 11:06:00 +0100 CET m=+360
-- older/timestamp --
2026-03-13 11:00:00 +0000 UTC
-- broken/timestamp --
yesterday
`))
	at := s.CapturedAt
	if at == nil || at.Basis != model.Observed || at.Earliest.Format(time.RFC3339) != "2026-03-14T10:00:00Z" ||
		at.Latest.Format(time.RFC3339) != "2026-03-14T10:06:00Z" {
		t.Errorf("captured at %+v", at)
	}
	if e := s.CapturedFrom; e.Source.Path != "mg/timestamp" || e.Source.Line != 2 || e.Text != "2026-03-14 11:06:00 +0100 CET m=+360" {
		t.Errorf("captured from %+v", e)
	}
	if got := fmt.Sprint(s.Layouts, len(s.Problems)); got != "[must-gather] 2" {
		t.Errorf("got %s: %v", got, s.Problems)
	}
	if len(s.Collections) != 2 || s.Collections[0].Root != "older" || s.Collections[1].Root != "mg" ||
		s.Collections[0].CapturedAt.At.Day() != 13 {
		t.Errorf("collections %v, want the newest last", s.Collections)
	}
}
