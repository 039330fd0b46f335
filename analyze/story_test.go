package analyze_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// recorded is an incident of which the truth was measured.
type recorded struct {
	name   string
	bundle fs.FS
	truth  []byte
}

// recordedTruths are the samples and the recordings that are none.
func recordedTruths(t testing.TB) []recorded {
	t.Helper()
	var out []recorded
	for _, s := range recordings.Sweep(samples.List()) {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := samples.Truth(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, recorded{s.Name, bundle, truth})
	}
	for _, name := range recordings.Sweep(slices.Concat(recordings.Names(recordings.Real), recordings.Names(recordings.Played))) {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := recordings.Truth(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, recorded{"recording " + name, bundle, truth})
	}
	return out
}

// views are thinner pictures of a bundle, as people have it who could collect less.
var views = []struct {
	name string
	keep func(path string) bool
}{
	{"full", func(string) bool { return true }},
	{"no-logs", func(path string) bool { return !isLogFile(path) }},
	{"objects-only", func(path string) bool { return !isLogFile(path) && !ofEvents(path) }},
	{"events-only", func(path string) bool { return ofEvents(path) && !isLogFile(path) }},
	{"controller-log-only", func(path string) bool {
		return isLogFile(path) && strings.Contains(path, "controller-manager") && !strings.Contains(path, "audit")
	}},
}

func isLogFile(path string) bool {
	return strings.HasSuffix(path, ".log") || strings.HasSuffix(path, ".log.gz") || strings.Contains(path,
		"/logs/") || strings.Contains(filepath.Base(path), "audit")
}

func ofEvents(path string) bool { return strings.Contains(filepath.Base(path), "event") }

// seen reads and explains what a view leaves of a bundle; nil when it leaves nothing that can be read.
func seen(t testing.TB, r recorded, keep func(string) bool) *model.Report {
	t.Helper()
	part := fstest.MapFS{}
	err := fs.WalkDir(r.bundle, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !keep(path) {
			return err
		}
		data, err := fs.ReadFile(r.bundle, path)
		part[path] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(part) == 0 {
		return nil
	}
	snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(part, r.name), ingest.Options{})
	if err != nil {
		return nil
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{Version: "v0.0.0-test"})
}

// TestRecordingsTellOneStory holds every view of every recording against the rules of one story, and its phases against the
// attachments that the API server saw.
func TestRecordingsTellOneStory(t *testing.T) {
	for n, r := range recordedTruths(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, v := range recordings.Turn(n, views) {
				report := seen(t, r, v.keep)
				if report == nil {
					continue
				}
				for _, text := range contradictions(report) {
					t.Errorf("%s: %s", v.name, text)
				}
				for _, text := range untrueStates(t, report, r.truth) {
					t.Errorf("%s: %s", v.name, text)
				}
			}
		})
	}
}

// truth is what was measured at the API server.
type truth struct {
	SnapshotAt time.Time
	Affected   []struct {
		PV      string
		OldNode *string
	}
	VolumeAttachments []lifetime
}

type lifetime struct {
	PV, Node                          string
	Created, Attached, Deletion, Gone *time.Time
}

func (l lifetime) at(x time.Time) bool {
	return l.Created != nil && !l.Created.After(x) && (l.Gone == nil || l.Gone.After(x))
}

// untrueStates samples the phases every second: each is true of the attachments that existed then. Three seconds at both ends of
// a phase are free, and fifteen seconds of an incident.
func untrueStates(t testing.TB, r *model.Report, text []byte) []string {
	t.Helper()
	var measured truth
	if err := json.Unmarshal(text, &measured); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range measured.Affected {
		for _, i := range r.Incidents {
			if a.OldNode == nil || i.Volume.PersistentVolume != a.PV || i.From.Node != *a.OldNode {
				continue
			}
			wrong := map[model.PhaseID]int{}
			sum := 0
			for _, p := range i.Phases {
				for x := p.From.At.Add(edge); x.Before(p.To.At.Add(-edge)); x = x.Add(time.Second) {
					if !stateFits(p.ID, measured.VolumeAttachments, a.PV, *a.OldNode, x) {
						wrong[p.ID]++
						sum++
					}
				}
			}
			if sum > 15 {
				out = append(out, fmt.Sprintf("%s: seconds that disagree with the API server: %v", a.PV, wrong))
			}
		}
	}
	return out
}

// stateFits reports that a phase may be said of the attachments at a time.
func stateFits(id model.PhaseID, all []lifetime, pv, node string, x time.Time) bool {
	old, going, any, attached := false, false, false, false
	for _, l := range all {
		if l.PV != pv || !l.at(x) {
			continue
		}
		any = true
		if l.Node == node {
			old = true
			going = going || l.Deletion != nil && !l.Deletion.After(x)
		} else {
			attached = attached || l.Attached != nil && !l.Attached.After(x)
		}
	}
	switch id {
	case model.PhaseRelease, model.PhaseUnmountWait:
		return old && !going
	case model.PhaseDetach:
		return going || !any
	case model.PhaseAttach:
		return !old
	case model.PhaseMount:
		return attached
	}
	return true
}

// TestUntrueStatesAreFound: phases that are moved by a minute do not agree with the API server any more.
func TestUntrueStatesAreFound(t *testing.T) {
	bundle, err := samples.Bundle("force-delete")
	if err != nil {
		t.Fatal(err)
	}
	text, err := samples.Truth("force-delete")
	if err != nil {
		t.Fatal(err)
	}
	r := seen(t, recorded{"force-delete", bundle, text}, views[0].keep)
	for n := range r.Incidents[0].Phases {
		p := &r.Incidents[0].Phases[n]
		p.From, p.To = p.From.Shift(time.Minute), p.To.Shift(time.Minute)
	}
	if len(untrueStates(t, r, text)) == 0 {
		t.Error("nothing disagrees")
	}
}
