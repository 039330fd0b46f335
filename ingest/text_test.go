package ingest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/volpost/volpost/ingest/internal/table"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

const pastedEvents = `Events:
  Type     Reason              Age    From                     Message
  ----     ------              ----   ----                     -------
  Normal   Scheduled           7m22s  default-scheduler        Successfully assigned shop/db-0 to worker-2
  Warning  FailedAttachVolume  7m20s  attachdetach-controller  Multi-Attach error for volume "pv-1" Volume is already used by pod(s) db-9
`

// blocked is the only Multi-Attach report of a snapshot.
func blocked(t *testing.T, s *model.Snapshot) model.Observation {
	t.Helper()
	var out []model.Observation
	for _, o := range s.Observations {
		if o.Kind == model.MultiAttach {
			out = append(out, o)
		}
	}
	if len(out) != 1 {
		t.Fatalf("%d reports of Multi-Attach: %+v %+v", len(out), s.Inputs, s.Problems)
	}
	return out[0]
}

// Ages become instants within the collection that the text belongs to, and only there.
func TestAgesOfACollection(t *testing.T) {
	const stamp = "2026-03-14 10:00:00 +0000 UTC\n2026-03-14 10:02:00 +0000 UTC\n"
	s := readFS(t, fstest.MapFS{
		"must-gather/timestamp":     {Data: []byte(stamp)},
		"must-gather/oc_output/pod": {Data: []byte(pastedEvents)},
	})
	got := blocked(t, s)
	if want := "2026-03-14T09:52:39Z"; got.At.Earliest.Format("2006-01-02T15:04:05Z") != want || got.At.Basis != model.Derived {
		t.Errorf("placed at %+v, want from %s", got.At, want)
	}
	if width := got.At.Latest.Sub(got.At.Earliest).Seconds(); width != 122 {
		t.Errorf("%g s wide: the collection took 120 s and the age is of 2 s", width)
	}
	s = readFS(t, fstest.MapFS{
		"must-gather/timestamp": {Data: []byte(stamp)},
		"later/describe.txt":    {Data: []byte(pastedEvents)},
	})
	if got := blocked(t, s); !got.At.IsZero() || got.Age == nil || got.Age.Min != 439 {
		t.Errorf("beside the collection: %+v %+v", got.At, got.Age)
	}
}

// PowerShell writes UTF-16; the same text says the same.
func TestTextInUTF16(t *testing.T) {
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(pastedEvents, "\n", "\r\n"))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	s := readFS(t, fstest.MapFS{"events.txt": {Data: wide}})
	got := blocked(t, s)
	if got.Node != "worker-2" || got.Source.Line != 5 || s.Inputs[0].Kind != model.InputText || s.Inputs[0].Bytes != int64(len(wide)) {
		t.Errorf("%+v %+v", got, s.Inputs[0])
	}
}

// What kubectl printed as YAML below its command counts as an object, at its own lines; an example in prose does not.
func TestObjectsInText(t *testing.T) {
	const object = "apiVersion: v1\nkind: PersistentVolume\nmetadata:\n  name: pv-1\nspec:\n  capacity: {storage: 1Gi}\n  csi:\n    driver: " +
		"d\n    volumeHandle: h-1\n"
	const nodes = `{
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "worker-9"}
}
`
	text := "# first\n" + pastedEvents + "$ kubectl get pv pv-1 -o yaml\n" + object + "$ kubectl get node worker-9 -o json\n" + nodes +
		"and then we rebooted it\n"
	s := readFS(t, fstest.MapFS{"case.txt": {Data: []byte(text)}})
	if got := blocked(t, s); got.Source.Line != 6 {
		t.Errorf("line %d", got.Source.Line)
	}
	if len(s.PersistentVolumes) != 1 || len(s.Nodes) != 1 || len(s.Problems) != 1 {
		t.Fatalf("%d volumes, %d nodes, %+v", len(s.PersistentVolumes), len(s.Nodes), s.Problems)
	}
	if src, quote := s.PersistentVolumes[0].SourceOf("spec.csi.volumeHandle"); src.Line != 16 || !strings.Contains(quote.Text, "h-1") {
		t.Errorf("handle at %+v %q", src, quote.Text)
	}
	if in := s.Inputs[0]; in.Kind != model.InputText || in.Records != 4 || in.Used != 4 || in.Bytes != int64(len(text)) {
		t.Errorf("%+v", in)
	}
	s = readFS(t, fstest.MapFS{"notes.md": {Data: []byte("Make a volume so:\n\n" + object)}, "case.txt": {Data: []byte(pastedEvents)}})
	if len(s.PersistentVolumes) != 0 {
		t.Error("an example in prose became an object")
	}
}

// People paste a log and a description into one file.
func TestTextBesideALog(t *testing.T) {
	const log = "I0314 09:26:53.250123       1 reconciler.go:288] attacherDetacher.DetachVolume started for volume \"pv-1\" (UniqueName: " +
		"\"kubernetes.io/csi/d^h\") on node \"worker-1\"\n"
	s := readFS(t, fstest.MapFS{"case.txt": {Data: []byte(log + "\nand of the pod:\n" + pastedEvents)}})
	if got := blocked(t, s); got.Source.Line != 8 || got.Source.Kind != model.SourceText {
		t.Errorf("%+v", got.Source)
	}
	in := s.Inputs[0]
	if !slices.ContainsFunc(s.Observations, func(o model.Observation) bool { return o.Kind == model.DetachStarted }) ||
		!strings.HasPrefix(in.Kind, model.InputLog) || in.Records != 3 || in.Used != 3 || !in.Floating {
		t.Errorf("%+v", in)
	}
}

// No log of the examples or of the recorded incidents looks like pasted text, so that none is read twice.
func TestLogsAreNoText(t *testing.T) {
	forms, err := recordings.Formats()
	must(t, err)
	seen := 0
	err = fs.WalkDir(forms, "logs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(forms, path)
		if seen++; table.Sniff(data, table.Hint{Path: path, Taken: func(line string) bool { return isLog([]byte(line)) }}) {
			t.Errorf("%s is taken for pasted text", path)
		}
		return err
	})
	if err != nil || seen < 10 {
		t.Errorf("%d files, %v", seen, err)
	}
}
