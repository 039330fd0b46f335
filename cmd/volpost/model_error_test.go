package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

// What the model may be wrong by, in seconds: over everything that people did in the recordings, and over the recordings
// in which nobody did anything.
const (
	mostMedian   = 20.0
	mostEver     = 75.0
	widest       = 160.0
	mostResidual = 5.0
)

// replayed is one line of the measured error: a remedy that was really used, or with an empty remedy an incident in which
// nobody did anything.
type replayed struct {
	recording, remedy  string
	real, lo, best, hi float64 // seconds from the act, or from the beginning of the span, to Ready
	predicted, open    bool
}

func (r replayed) off() float64 { return math.Abs(r.best - r.real) }

// TestModelError holds the replays of the recordings against what really happened, with the predictions made from the
// evidence before the act. docs/model.md has the table.
func TestModelError(t *testing.T) {
	var all []replayed
	for _, r := range recordings(t) {
		if filepath.Base(r.bundle) != "bundle" {
			continue
		}
		truth, err := os.ReadFile(r.truth)
		if err != nil {
			t.Fatal(err)
		}
		_, report := explained(t, os.DirFS(r.bundle), r.name)
		all = append(all, measure(t, r.name, report, truth)...)
	}
	judgeModel(t, all)
	compareTable(t, filepath.Join(moduleRoot(t), "docs", "model.md"), table(all))
}

// TestModelErrorOfSamples does the same with the embedded recordings, which are always there.
func TestModelErrorOfSamples(t *testing.T) {
	var all []replayed
	for _, s := range samples.List() {
		_, report := explained(t, sampleFiles(t, s.Name), s.Name)
		all = append(all, measure(t, s.Name, report, truthOf(t, s.Name))...)
	}
	judgeModel(t, all)
}

// measure finds, for each incident, when its workload was really Ready again.
func measure(t *testing.T, name string, r *model.Report, truth []byte) []replayed {
	t.Helper()
	var measured struct {
		Affected []struct {
			PV, NewNode string
			Times       struct{ NewPodReady, Recovered *time.Time }
		}
	}
	if err := json.Unmarshal(truth, &measured); err != nil {
		t.Fatal(err)
	}
	var out []replayed
	for _, i := range r.Incidents {
		var ready *time.Time
		for _, a := range measured.Affected {
			if a.PV == i.Volume.PersistentVolume && a.NewNode == i.To.Node {
				if ready = a.Times.NewPodReady; ready == nil {
					ready = a.Times.Recovered
				}
			}
		}
		out = append(out, lines(name, i, ready)...)
	}
	return out
}

func lines(name string, i model.Incident, ready *time.Time) []replayed {
	var out []replayed
	for _, m := range i.Remediations {
		if !m.WasUsed {
			continue
		}
		line := replayed{recording: name, remedy: m.ID, open: ready == nil}
		if m.PredictedEnd != nil {
			p, from := *m.PredictedEnd, m.AppliedAt.At
			line.predicted, line.lo, line.best, line.hi = true, p.Earliest.Sub(from).Seconds(), p.At.Sub(from).Seconds(), p.Latest.Sub(from).Seconds()
		}
		if ready != nil {
			line.real = ready.Sub(m.AppliedAt.At).Seconds()
		}
		out = append(out, line)
	}
	if len(out) > 0 {
		return out
	}
	line := replayed{recording: name, open: ready == nil}
	if i.Model.PredictedSeconds != nil {
		line.predicted, line.best = true, *i.Model.PredictedSeconds
	}
	if ready != nil {
		line.real = ready.Sub(i.Span.From.At).Seconds()
	}
	return []replayed{line}
}

func judgeModel(t *testing.T, all []replayed) {
	t.Helper()
	var acted, left []float64
	for _, r := range all {
		what := cmp.Or(r.remedy, "nothing done")
		switch {
		case r.open && r.remedy == "":
			if r.predicted {
				t.Errorf("%s: never Ready, and the replay ends after %.0f s", r.recording, r.best)
			}
		case r.open:
		case !r.predicted:
			t.Errorf("%s, %s: Ready after %.0f s, and the replay never ends", r.recording, what, r.real)
		case r.remedy == "":
			left = append(left, r.off())
		default:
			acted = append(acted, r.off())
			if r.real < r.lo || r.real > r.hi {
				t.Errorf("%s, %s: Ready after %.1f s, which is not in %.1f to %.1f s", r.recording, what, r.real, r.lo, r.hi)
			}
			if r.hi-r.lo > widest {
				t.Errorf("%s, %s: the range is %.0f s wide", r.recording, what, r.hi-r.lo)
			}
			if r.off() > mostEver {
				t.Errorf("%s, %s: %.0f s off", r.recording, what, r.off())
			}
		}
	}
	if len(acted) == 0 || len(left) == 0 {
		t.Fatalf("nothing to measure: %d with and %d without an act", len(acted), len(left))
	}
	if m := median(acted); m > mostMedian {
		t.Errorf("with an act: %.1f s off in the median", m)
	}
	if m := median(left); m > mostResidual {
		t.Errorf("without an act: %.1f s off in the median", m)
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// table is the measured error as docs/model.md has it: the incidents of one recording that went alike are one line.
func table(all []replayed) string {
	var b bytes.Buffer
	b.WriteString("| recording | done | real | predicted | off | width |\n|---|---|---|---|---|---|\n")
	for n, r := range all {
		if n > 0 && all[n-1].recording == r.recording && all[n-1].remedy == r.remedy && math.Abs(all[n-1].real-r.real) < 2 {
			continue
		}
		what := cmp.Or(r.remedy, "nothing")
		switch {
		case r.open && !r.predicted:
			fmt.Fprintf(&b, "| %s | %s | never | never | – | – |\n", r.recording, what)
		case r.remedy == "":
			fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s | %.0f s | – |\n", r.recording, what, r.real, r.best, r.off())
		default:
			fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s (%.0f to %.0f) | %.0f s | %.0f s |\n", r.recording, what, r.real, r.best, r.lo, r.hi, r.off(), r.hi-r.lo)
		}
	}
	return b.String()
}

const (
	tableBegins = "<!-- measured: go test ./cmd/volpost -run TestModelError -update -->\n"
	tableEnds   = "<!-- end of measured -->\n"
)

// compareTable holds the table of a document against the measured one.
func compareTable(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	have, after, ok2 := strings.Cut(rest, tableEnds)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", path)
	}
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not what is measured (go test ./cmd/volpost -run TestModelError -update rewrites it):\n%s", path, want)
	}
	if err := os.WriteFile(path, []byte(before+tableBegins+want+tableEnds+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestKnownAnswers replays, from the recording in which nobody did anything, what other recordings of the same fault did,
// and compares the time from the act to Ready with what these measured.
func TestKnownAnswers(t *testing.T) {
	dir := shared(t, "incidents", "recorded", "s01-deployment-node-down", "bundle")
	_, r := explained(t, os.DirFS(dir), "s01")
	for id, measured := range map[string][2]float64{
		"out-of-service-taint":                   {18, 87},
		"force-delete-pod":                       {392, 491},
		"delete-node":                            {439, 491},
		"force-delete-pod-and-volume-attachment": {18, 84},
	} {
		n := slices.IndexFunc(r.Incidents[0].Remediations, func(m model.Remediation) bool { return m.ID == id })
		if n < 0 || r.Incidents[0].Remediations[n].PredictedEnd == nil {
			t.Errorf("%s is not predicted", id)
			continue
		}
		m := r.Incidents[0].Remediations[n]
		lo, hi := m.PredictedEnd.Earliest.Sub(m.AppliedAt.At).Seconds(), m.PredictedEnd.Latest.Sub(m.AppliedAt.At).Seconds()
		if lo > measured[0] || hi < measured[1] {
			t.Errorf("%s: %.0f to %.0f s, and the recordings measured %.0f to %.0f s", id, lo, hi, measured[0], measured[1])
		}
	}
}
