package logfile

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// blocks are sizes at which a log is cut, beside the usual one.
var blocks = []int{0, 5000}

// sameUnfiltered wants a log to be read as if every record were looked at.
func sameUnfiltered(t *testing.T, text string, blocks ...int) {
	t.Helper()
	want := read(logline.NewScanner(strings.NewReader(text)), "x.log", Hint{}, false)
	for _, block := range blocks {
		s := logline.NewScanner(strings.NewReader(text))
		s.Block = block
		got := read(s, "x.log", Hint{}, true)
		if reflect.DeepEqual(got, want) {
			continue
		}
		t.Errorf("blocks of %d: input %+v, want %+v", block, got.Input, want.Input)
		for i := range min(len(got.Observations), len(want.Observations)) {
			if !reflect.DeepEqual(got.Observations[i], want.Observations[i]) {
				t.Fatalf("statement %d is %+v, want %+v", i, got.Observations[i], want.Observations[i])
			}
		}
		t.Fatalf("%d statements, want %d; problems %v, want %v", len(got.Observations), len(want.Observations), got.Problems, want.Problems)
	}
}

// Whatever is in a log, passing over what tells nothing changes nothing of what it tells.
func TestSkippedInSamples(t *testing.T) {
	for _, s := range samples.List() {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(bundle, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".log") {
				return err
			}
			data, err := fs.ReadFile(bundle, path)
			if err != nil {
				return err
			}
			sameUnfiltered(t, string(data), blocks...)
			sameUnfiltered(t, servedLog(string(data)), blocks...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The same in what is no sample.
func TestSkippedInRecordings(t *testing.T) {
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	roots := []fs.FS{forms}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, bundle)
	}
	n := 0
	for _, root := range roots {
		err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || root != forms && !strings.HasSuffix(path, ".log") {
				return err
			}
			data, err := fs.ReadFile(root, path)
			n++
			sameUnfiltered(t, string(data), blocks[n%len(blocks)])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The same in whatever a log comes.
func TestSkippedInTransports(t *testing.T) {
	log, err := recordings.Bundle("force-delete")
	if err != nil {
		t.Fatal(err)
	}
	paths, _ := fs.Glob(log, "*/namespaces/*/pods/*/kube-controller-manager/kube-controller-manager/logs/current.log")
	if len(paths) == 0 {
		t.Fatal("the recording has no log of a controller")
	}
	data, err := fs.ReadFile(log, paths[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := linesOf(t, servedLog(string(data)))
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) { sameUnfiltered(t, tr.write(lines), blocks...) })
	}
}

// The same in a longer log, in which a thousand lines at a time tell nothing.
func TestSkippedInLongTransports(t *testing.T) {
	lines := stampedLines(t, longLog(t, 2<<20))
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) { sameUnfiltered(t, tr.write(lines), 0) })
	}
}

// quiet are lines before which none is passed over, in the order of time.
func quiet(hour int) (lines []plainLine) {
	for i := range 70 {
		at := time.Date(2026, 3, 14, hour, i/60, i%60, 2000, time.UTC)
		lines = append(lines, plainLine{at, "I" + at.Format("0102 15:04:05.000000") + `       1 garbagecollector.go:1] "x"`})
	}
	return lines
}

// fuzzed are the forms in which FuzzSkipped reads a log.
var fuzzed = []string{"kubectl logs", "cri", "kubectl logs --prefix", "kubectl logs --prefix --timestamps", "stern -t",
	"journalctl",
	"journalctl -o short-iso", "journalctl -o short-precise", "cri with an offset", "cri in pieces"}

// inForm writes a text between quiet lines in one of these, the whole of it or, raw, only the quiet lines.
func inForm(form byte, text string, raw bool) string {
	name := fuzzed[int(form)%len(fuzzed)]
	i := slices.IndexFunc(transports, func(tr transport) bool { return tr.name == name })
	write, between := transports[i].write, []plainLine(nil)
	for i, line := range strings.Split(text, "\n") {
		between = append(between, plainLine{time.Date(2026, 3, 14, 12, 0, 0, i*1000, time.UTC), line})
	}
	if raw {
		return write(quiet(9)) + text + write(quiet(15))
	}
	return write(slices.Concat(quiet(9), between, quiet(15)))
}

func FuzzSkipped(f *testing.F) {
	marked := at(0, `controller_utils.go:1] Update ready status of pods on node [n]`)
	pod := at(0, `controller_utils.go:1] Updating ready status of pod p to false`)
	event, other := at(0, `event.go:1] "x"`), at(0, `pv_controller.go:1] "x"`)
	for _, seed := range []string{
		at(0, `reconciler.go:1] Multi-Attach error for volume "p" (UniqueName: "u") from node "n" Volume is already used by pods a/b on node c`),
		marked + event + pod,
		marked + event + other + pod,
		at(0, `node_lifecycle_controller.go:1] "Node hasn't been updated" node="n" duration="40s"`) + at(-9, `x.go:1] y`) + at(-9, `x.go:1] y`),
		at(0, "taint_eviction.go:1] \"Deleting\n pod\" x") + at(0, "flags.go:1] FLAG: --etcd-servers=\"x\"") + at(0,
			"reconciler.go:1] operationExecutor.") + other,
		`{"ts":1773489600000.1,"caller":"a/pv_controller.go:1","msg":"x","v":4}` + "\n" +
			`{"ts":1773489600000.2,"logger":"l","caller":"nodelifecycle/node_lifecycle_controller.go:1","msg":"Node hasn't been ` +
			`updated","v":2,"node":{"name":"n"},"duration":"40s"}` + "\n",
	} {
		for form := range fuzzed {
			f.Add(seed, uint16(100), byte(form), false)
		}
		f.Add(seed, uint16(1999), byte(1), true)
	}
	f.Fuzz(func(t *testing.T, text string, block uint16, form byte, raw bool) {
		sameUnfiltered(t, inForm(form, text, raw), 0, 1+int(block)%2000)
	})
}
