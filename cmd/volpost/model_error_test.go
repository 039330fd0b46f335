package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// What the model may be wrong by, in seconds: in the median of what people did and of what went by itself, and at most. Ranges
// are as wide as the loops that they hold; the sync of the attach/detach controller comes once a minute, and only the deletion
// of a VolumeAttachment by hand waits for it.
const (
	mostMedian = 5.0
	mostEver   = 15.0
	widest     = 45.0
	syncPeriod = 60.0
	// Many of the samples were recorded at once. On a machine that has no processor left every loop comes late, and a mount takes
	// several times as long: these are measured to the attach, and may be off by that much more.
	busy       = 3.0
	clockSlack = 0.1 // by how much the watch that made the truth and the logs differ
	wholeStep  = 1.0 // objects date what was done by whole seconds
)

// replayed is one line of the measured error: a remedy that was really used, or with an empty remedy an incident in which
// nobody did anything.
type replayed struct {
	recording, remedy  string
	real, lo, best, hi float64 // seconds from the act, or from the beginning of the span, to the end that is measured
	predicted, open    bool
	why                string // why nothing is predicted, or that it never ends
}

func (r replayed) off() float64 { return math.Abs(r.best - r.real) }

// made is who made a recording, and with that to which instant it is measured: with real kubelets to Ready. The kubelets of the
// others were played, with a pause before the mount that real ones do not have, so that these are measured to the attach.
type made struct {
	kind  recordings.Kind
	ready bool
}

var (
	onRealNodes = made{recordings.Real, true}
	byPlayed    = made{recordings.Played, false}
	sampled     = made{"samples", false}
)

// evidence is how much of a bundle is read.
type evidence struct {
	name    string
	explain func(testing.TB, recording) *model.Report
}

var evidences = []evidence{
	{"all", func(t testing.TB, r recording) *model.Report {
		_, report := r.explained(t)
		return report
	}},
	{"no logs", func(t testing.TB, r recording) *model.Report {
		_, report := explained(t, withoutLogs(t, r.bundle), r.name)
		return report
	}},
}

// withoutLogs is a bundle as it comes from a managed cluster: objects and events, and the log of no component.
func withoutLogs(t testing.TB, bundle fs.FS) fs.FS {
	out := files(t, bundle)
	for path := range out {
		if isLogFile(path) {
			delete(out, path)
		}
	}
	return out
}

func isLogFile(path string) bool {
	return strings.HasSuffix(path, ".log") || strings.HasSuffix(path, ".log.gz") || strings.Contains(path, "/logs/") ||
		strings.Contains(filepath.Base(path), "audit")
}

// TestModelError holds the replays of the recordings against what really happened, with the predictions made from the
// evidence before the act. docs/model.md has the tables of those on real nodes; what kubelets do that were played is no measure.
func TestModelError(t *testing.T) {
	t.Parallel()
	var tables []string
	var missed []string
	for _, by := range []made{onRealNodes, byPlayed} {
		if by == byPlayed && !recordings.Long {
			continue // a median is of all of them
		}
		for _, view := range evidences {
			var all []replayed
			for _, name := range recordings.Names(by.kind) {
				last := openRecording(t, name).last(t)
				all = append(all, measure(t, by, name, view.explain(t, last), last.truth)...)
			}
			what := string(by.kind) + ", " + view.name
			acted, left := judgeModel(t, what, all, 0)
			judgeMedian(t, what, acted, left, 0)
			if by == onRealNodes {
				tables = append(tables, table(all, view))
				missed = append(missed, unpredicted(all, view)...)
			}
		}
	}
	compareTable(t, filepath.Join(moduleRoot(t), "docs", "model.md"), "measured", strings.Join(tables, "\n"))
	compareTable(t, filepath.Join(moduleRoot(t), "docs", "model.md"), "not predicted",
		"| evidence | incidents | why |\n|---|---|---|\n"+strings.Join(missed, ""))
}

// TestModelErrorOfSamples does the same with the embedded recordings, which are always there.
func TestModelErrorOfSamples(t *testing.T) {
	t.Parallel()
	for _, view := range evidences {
		var all []replayed
		for _, s := range samples.List() {
			r := sampleRecording(t, s.Name)
			all = append(all, measure(t, sampled, s.Name, view.explain(t, r), r.truth)...)
		}
		acted, left := judgeModel(t, "samples, "+view.name, all, busy)
		judgeMedian(t, "samples, "+view.name, acted, left, busy)
	}
}

// measure finds, for each incident, when its volume was attached and its workload was really Ready again.
func measure(t testing.TB, by made, name string, r *model.Report, truth []byte) []replayed {
	t.Helper()
	var measured struct {
		Affected []struct {
			PV, NewNode string
			Times       struct{ NewVAAttached, RecoveredVAAttached, NewPodReady, Recovered *time.Time }
		}
	}
	if err := json.Unmarshal(truth, &measured); err != nil {
		t.Fatal(err)
	}
	var out []replayed
	for _, i := range r.Incidents {
		var end *time.Time
		for _, a := range measured.Affected {
			if a.PV != i.Volume.PersistentVolume || a.NewNode != i.To.Node {
				continue
			}
			if by.ready {
				end = cmp.Or(a.Times.NewPodReady, a.Times.Recovered)
			} else {
				end = cmp.Or(a.Times.NewVAAttached, a.Times.RecoveredVAAttached)
			}
		}
		out = append(out, lines(by, name, i, end)...)
	}
	return out
}

func lines(by made, name string, i model.Incident, end *time.Time) []replayed {
	var out []replayed
	for _, m := range i.Remediations {
		if !m.WasUsed {
			continue
		}
		line := replayed{recording: name, remedy: m.ID, open: end == nil, why: m.Why}
		p := m.PredictedEnd
		if !by.ready {
			p = m.PredictedAttach
		}
		if p != nil {
			from := m.AppliedAt.At
			line.predicted, line.lo, line.best, line.hi = true, p.Earliest.Sub(from).Seconds(), p.At.Sub(from).Seconds(), p.Latest.Sub(from).Seconds()
		}
		if end != nil && m.AppliedAt != nil {
			line.real = end.Sub(m.AppliedAt.At).Seconds()
		}
		out = append(out, line)
	}
	if len(out) > 0 {
		return out
	}
	line := replayed{recording: name, open: end == nil, why: cmp.Or(i.Model.Withheld, i.Model.Given, i.Model.Outlook)}
	p := i.Model.PredictedSeconds
	if !by.ready {
		p = i.Model.PredictedAttachSeconds
	}
	if p != nil && i.Model.Withheld == "" && i.Model.Given == "" {
		line.predicted, line.best = true, *p
	}
	if end != nil {
		line.real = end.Sub(i.Span.From.At).Seconds()
	}
	return []replayed{line}
}

// judgeModel judges each replay, and returns by how much those with and without an act are off.
func judgeModel(t *testing.T, what string, all []replayed, late float64) (acted, left []float64) {
	t.Helper()
	for n, r := range all {
		if n > 0 && all[n-1].same(r) {
			continue // volumes that waited together are one measurement
		}
		name := what + ": " + r.recording + ", " + cmp.Or(r.remedy, "nothing done")
		switch {
		case r.open && r.predicted && r.remedy == "":
			t.Errorf("%s: never ended, and the replay ends after %.0f s", name, r.best)
		case r.open:
		case !r.predicted && r.why == "":
			t.Errorf("%s: ended after %.0f s; nothing is predicted, and nothing says why", name, r.real)
		case !r.predicted && strings.Contains(r.why, "never ends"):
			t.Errorf("%s: ended after %.0f s, and the replay never does: %s", name, r.real, r.why)
		case !r.predicted:
		case r.remedy == "":
			left = append(left, r.off())
		default:
			acted = append(acted, r.off())
			judgeRange(t, name, r, late)
		}
	}
	if len(acted) == 0 || len(left) == 0 {
		t.Fatalf("%s: nothing to measure: %d with and %d without an act", what, len(acted), len(left))
	}
	return acted, left
}

func judgeMedian(t *testing.T, what string, acted, left []float64, late float64) {
	t.Helper()
	if m := median(acted); m > mostMedian+late {
		t.Errorf("%s: with an act: %.1f s off in the median", what, m)
	}
	if m := median(left); m > mostMedian+late {
		t.Errorf("%s: without an act: %.1f s off in the median", what, m)
	}
}

// judgeRange holds the prediction of something that was done against what came of it.
func judgeRange(t *testing.T, name string, r replayed, late float64) {
	t.Helper()
	loops := 0.0
	if strings.HasSuffix(r.remedy, "volume-attachment") {
		loops = syncPeriod
	}
	if r.real < r.lo-clockSlack-wholeStep || r.real > r.hi+clockSlack+late {
		t.Errorf("%s: ended after %.1f s, which is not in %.1f to %.1f s", name, r.real, r.lo, r.hi)
	}
	if r.hi-r.lo > widest+loops {
		t.Errorf("%s: the range is %.0f s wide", name, r.hi-r.lo)
	}
	if r.off() > mostEver+loops/2 {
		t.Errorf("%s: %.0f s off", name, r.off())
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}

// same reports that two lines of the table tell the same: incidents of one recording that went alike are one line.
func (r replayed) same(o replayed) bool {
	return o.recording == r.recording && o.remedy == r.remedy && o.predicted == r.predicted &&
		(r.open && o.open || math.Abs(o.real-r.real) < 10)
}

// table is the measured error as docs/model.md has it.
func table(all []replayed, view evidence) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n\n| recording | done | real | predicted | off | width |\n|---|---|---|---|---|---|\n",
		map[string]string{"all": "With all of the bundle", "no logs": "Without any log"}[view.name])
	for n, r := range all {
		if n > 0 && all[n-1].same(r) {
			continue
		}
		done := cmp.Or(r.remedy, "nothing")
		switch {
		case r.open:
			fmt.Fprintf(&b, "| %s | %s | never | %s | – | – |\n", r.recording, done, map[bool]string{true: "an end", false: "never"}[r.predicted])
		case !r.predicted:
			fmt.Fprintf(&b, "| %s | %s | %.0f s | not predicted | – | – |\n", r.recording, done, r.real)
		case r.remedy == "":
			fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s | %.0f s | – |\n", r.recording, done, r.real, r.best, r.off())
		default:
			fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s (%.0f to %.0f) | %.0f s | %.0f s |\n", r.recording, done, r.real, r.best, r.lo, r.hi,
				r.off(), r.hi-r.lo)
		}
	}
	return b.String()
}

// unpredicted are the incidents that ended and of which no end is predicted, one row for each reason.
func unpredicted(all []replayed, view evidence) []string {
	count := map[string]int{}
	for _, r := range all {
		if !r.open && !r.predicted {
			count[reason(r.why)]++
		}
	}
	rows := make([]string, 0, len(count))
	for why, n := range count {
		rows = append(rows, fmt.Sprintf("| %s | %d of %d | %s |\n", view.name, n, len(all), why))
	}
	slices.Sort(rows)
	if len(rows) == 0 {
		rows = append(rows, fmt.Sprintf("| %s | 0 of %d | – |\n", view.name, len(all)))
	}
	return rows
}

// reason is the kind of a reason, without the names and times of the incident.
func reason(why string) string {
	switch {
	case strings.Contains(why, "What freed the volume"):
		return "what freed the volume is not in the bundle"
	case strings.Contains(why, "What held the volume"):
		return "what held the volume is not in the bundle"
	case strings.Contains(why, "turns on the state of the old node"):
		return "nothing tells whether the old node was Ready"
	}
	return "the replay does not fit"
}

// compareTable holds a table of a document against the measured one.
func compareTable(t *testing.T, path, name, want string) {
	t.Helper()
	begins, ends := "<!-- "+name+": go test ./cmd/volpost -run TestModelError -update -->\n", "<!-- end of "+name+" -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begins)
	have, after, ok2 := strings.Cut(rest, ends)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table %q", path, name)
	}
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("the table %q of %s is not what is measured (go test -tags long ./cmd/volpost -run TestModelError -update rewrites it):\n%s", name, path,
			want)
	}
	if err := os.WriteFile(path, []byte(before+begins+want+ends+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measuredOn are the recordings on real nodes in which somebody did something about a lost node, by what was done.
var measuredOn = map[string]string{
	"out-of-service-taint": "kubelet-stopped-oos", "force-delete-pod": "kubelet-stopped-forcedel", "delete-node": "node-delete",
}

// TestModelErrorCrosswise asks every recording of a lost node for what was done in the others: each prediction holds what the
// recording measured that did it.
func TestModelErrorCrosswise(t *testing.T) {
	t.Parallel()
	measured := map[string]float64{}
	for remedy, name := range measuredOn {
		recording := openRecording(t, name)
		_, report := recording.explained(t)
		for _, r := range measure(t, onRealNodes, name, report, recording.truth) {
			if r.remedy == remedy {
				measured[remedy] = r.real
			}
		}
	}
	var b strings.Builder
	b.WriteString("| base | remedy | measured | predicted | off | width |\n|---|---|---|---|---|---|\n")
	var off []float64
	for _, base := range []string{"kubelet-stopped", "kubelet-stopped-forcedel", "kubelet-stopped-oos", "node-delete"} {
		for _, remedy := range []string{"out-of-service-taint", "force-delete-pod", "delete-node"} {
			lo, best, hi := asked(t, openRecording(t, base), remedy)
			real := measured[remedy]
			fmt.Fprintf(&b, "| %s | %s | %.0f s | %.0f s (%.0f to %.0f) | %.0f s | %.0f s |\n", base, remedy, real, best, lo, hi,
				math.Abs(best-real), hi-lo)
			if real < lo-clockSlack || real > hi+clockSlack || hi-lo > widest {
				t.Errorf("%s, %s: measured %.1f s, predicted %.1f to %.1f s", base, remedy, real, lo, hi)
			}
			off = append(off, math.Abs(best-real))
		}
	}
	if m := median(off); m > mostMedian {
		t.Errorf("%.1f s off in the median", m)
	}
	compareTable(t, filepath.Join(moduleRoot(t), "docs", "model.md"), "crosswise", b.String())
}

// asked is what a bundle's incident is predicted to come to when a remedy is applied half a minute after the report.
func asked(t testing.TB, r recording, remedy string) (lo, best, hi float64) {
	t.Helper()
	opened := ingest.OpenFS(r.bundle, r.name)
	defer func() { _ = opened.Close() }()
	snapshot, err := ingest.Read(t.Context(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := analyze.WhatIf(t.Context(), snapshot,
		analyze.Question{Applied: analyze.Applied{Remedy: remedy, When: analyze.When{Kind: analyze.AfterReport, Offset: 30 * time.Second}}},
		analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	end, from := answer.Answer.PredictedEnd, answer.Answer.AppliedAt
	if end == nil {
		t.Fatalf("%s, %s: %s", r.name, remedy, answer.Answer.Why)
	}
	return end.Earliest.Sub(from.At).Seconds(), end.At.Sub(from.At).Seconds(), end.Latest.Sub(from.At).Seconds()
}

// TestKnownAnswers replays, from the recording in which nobody did anything, what other recordings of the same fault did,
// and compares the time from the act to the attach with what these measured.
func TestKnownAnswers(t *testing.T) {
	_, r := explained(t, playedFiles(t, "node-lost-nobody-acts"), "played")
	for id, measured := range map[string][2]float64{
		"out-of-service-taint":                   {15, 26},
		"force-delete-pod":                       {366, 369},
		"delete-node":                            {418, 422},
		"force-delete-pod-and-volume-attachment": {53, 55},
	} {
		n := slices.IndexFunc(r.Incidents[0].Remediations, func(m model.Remediation) bool { return m.ID == id })
		if n < 0 || r.Incidents[0].Remediations[n].PredictedAttach == nil {
			t.Errorf("%s is not predicted", id)
			continue
		}
		m := r.Incidents[0].Remediations[n]
		lo, hi := m.PredictedAttach.Earliest.Sub(m.AppliedAt.At).Seconds(), m.PredictedAttach.Latest.Sub(m.AppliedAt.At).Seconds()
		if lo > measured[0] || hi < measured[1] {
			t.Errorf("%s: %.0f to %.0f s, and the recordings measured %.0f to %.0f s", id, lo, hi, measured[0], measured[1])
		}
	}
}
