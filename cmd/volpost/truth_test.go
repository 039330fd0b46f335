package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/played"
)

// TestSamplesAgreeWithTheirTruth compares each embedded recording, field by field.
func TestSamplesAgreeWithTheirTruth(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			text, _ := explained(t, sampleFiles(t, s.Name), samplePrefix+s.Name)
			agree(t, text, truthOf(t, s.Name), false)
		})
	}
}

// TestPlayedAgreeWithTheirTruth does the same with the older recordings, which have versions, drivers and forms of logs that no
// sample has.
func TestPlayedAgreeWithTheirTruth(t *testing.T) {
	for _, name := range played.List() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bundle, err := played.Bundle(name)
			if err != nil {
				t.Fatal(err)
			}
			truth, err := played.Truth(name)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := explained(t, bundle, name)
			agree(t, text, truth, false)
		})
	}
}

// TestRecordingsAgreeWithTheirTruth does the same with all recordings of the team's collection, including the bundles
// that were taken while the volume was stuck.
func TestRecordingsAgreeWithTheirTruth(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			truth, err := os.ReadFile(r.truth)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := explained(t, os.DirFS(r.bundle), r.name)
			agree(t, text, truth, false)
		})
	}
}

// TestOtherShapesAgreeWithTheirTruth reads the same clusters as kubectl get and kubectl cluster-info dump wrote them: less
// was collected, and none of it may contradict the truth.
func TestOtherShapesAgreeWithTheirTruth(t *testing.T) {
	for _, shape := range []string{"flat", "clusterinfo"} {
		directories, err := filepath.Glob(filepath.Join(shared(t, "incidents", "recorded"), "*", shape))
		if err != nil || len(directories) == 0 {
			t.Fatalf("no recording as %s (%v)", shape, err)
		}
		for _, dir := range directories {
			name := filepath.Base(filepath.Dir(dir)) + "/" + shape
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				truth, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "truth.json"))
				if err != nil {
					t.Fatal(err)
				}
				text, r := explained(t, os.DirFS(dir), name)
				agree(t, text, truth, true)
				if len(r.Incidents) == 0 {
					t.Error("no incident is found")
				}
			})
		}
	}
}

type recording struct{ name, bundle, truth string }

func recordings(t testing.TB) []recording {
	root := shared(t, "incidents", "recorded")
	dirs, err := filepath.Glob(filepath.Join(root, "*", "bundle*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no recordings in %s (%v)", root, err)
	}
	var out []recording
	for _, dir := range dirs {
		kind := strings.TrimPrefix(filepath.Base(dir), "bundle")
		name := filepath.Base(filepath.Dir(dir)) + kind
		out = append(out, recording{name, dir, filepath.Join(filepath.Dir(dir), "truth"+kind+".json")})
	}
	return out
}

func truthOf(t testing.TB, sample string) []byte {
	t.Helper()
	truth, err := samples.Truth(sample)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func agree(t *testing.T, reportText, truth []byte, partial bool) {
	t.Helper()
	s := scored(t, reportText, truth, partial)
	for _, w := range s.wrong {
		t.Error(w)
	}
	t.Logf("%d of %d fields right", s.right, s.right+len(s.wrong))
	if s.right == 0 {
		t.Error("nothing was compared")
	}
}

// misreadWithout are less evidence of which something is told that is not true, and should not be. See misread.
var misreadWithout = map[string]string{
	"statefulset/first-half":  "a node whose kubelet lived on counts as lost",
	"statefulset/second-half": "a node whose kubelet lived on counts as lost",
}

// TestLessEvidence takes evidence away: what the report still says must be true, no cause becomes surer than with the
// whole bundle, and the report says what is missing.
func TestLessEvidence(t *testing.T) {
	for _, s := range samples.List() {
		whole := sampleFiles(t, s.Name)
		_, full := explained(t, whole, s.Name)
		for _, c := range []struct {
			name string
			keep func(string) bool
		}{
			{"without-logs", func(path string) bool { return !isLog(path) }},
			{"logs-only", isLog},
			{"without-events", func(path string) bool { return filepath.Base(path) != "events.yaml" }},
			{"without-volumeattachments", func(path string) bool { return !strings.Contains(path, "/volumeattachments/") }},
			{"without-nodes", func(path string) bool {
				return !strings.Contains(path, "/core/nodes/") && !strings.Contains(path, "/leases.yaml")
			}},
		} {
			t.Run(s.Name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				if why := misreadWithout[s.Name+"/"+c.name]; why != "" {
					t.Skip(why)
				}
				text, less := explained(t, only(whole, c.keep), s.Name)
				agree(t, text, truthOf(t, s.Name), true)
				notSurer(t, full, less)
				missingIsSaid(t, full, less)
			})
		}
	}
}

// TestTruncatedLogs cuts each log in half, as a rotated or torn one is.
func TestTruncatedLogs(t *testing.T) {
	for _, s := range samples.List() {
		whole := sampleFiles(t, s.Name)
		_, full := explained(t, whole, s.Name)
		for _, c := range []struct {
			name string
			cut  func([]byte) []byte
		}{
			{"first-half", func(b []byte) []byte { return b[:len(b)/2] }},
			{"second-half", func(b []byte) []byte { return b[len(b)/2:] }},
		} {
			t.Run(s.Name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				if why := misreadWithout[s.Name+"/"+c.name]; why != "" {
					t.Skip(why)
				}
				torn := fstest.MapFS{}
				for path, file := range whole {
					torn[path] = file
					if isLog(path) {
						torn[path] = &fstest.MapFile{Data: c.cut(file.Data), Mode: file.Mode}
					}
				}
				text, less := explained(t, torn, s.Name)
				agree(t, text, truthOf(t, s.Name), true)
				notSurer(t, full, less)
			})
		}
	}
}

func isLog(path string) bool { return strings.HasSuffix(path, ".log") }

func only(from fstest.MapFS, keep func(string) bool) fstest.MapFS {
	out := fstest.MapFS{}
	for path, file := range from {
		if keep(path) {
			out[path] = file
		}
	}
	return out
}

// notSurer wants no cause confirmed that the whole evidence did not confirm, and no operand of the detach decision to have
// a value that it never had.
func notSurer(t *testing.T, full, less *model.Report) {
	t.Helper()
	for _, i := range less.Incidents {
		whole := sameWait(full.Incidents, i)
		if whole == nil {
			t.Errorf("%s: with less evidence there is an incident that the whole does not have", i.ID)
			continue
		}
		for _, c := range i.Causes {
			surer := func(w model.Cause) bool { return w.ID == c.ID && certainty(w.Verdict) < certainty(c.Verdict) }
			confirmed := func(w model.Cause) bool {
				// That a kubelet works on under a node that the API counts as lost, only its own word tells.
				return w.ID == c.ID && w.Verdict == model.Confirmed || w.ID == "kubelet-down" && c.ID == "node-down"
			}
			if slices.ContainsFunc(whole.Causes, surer) || c.Verdict == model.Confirmed && !slices.ContainsFunc(whole.Causes, confirmed) {
				t.Errorf("%s: %s is %s with less evidence only", i.ID, c.ID, c.Verdict)
			}
		}
		for _, o := range i.WhyNotDetached {
			for _, w := range whole.WhyNotDetached {
				changed := w.Since != nil || w.Until != nil // then it had both values while the wait lasted
				if o.Operand == w.Operand && !changed && o.Value != model.Unknown && w.Value != model.Unknown && o.Value != w.Value {
					t.Errorf("%s: %s is %s, and with the whole evidence %s", i.ID, o.Operand, o.Value, w.Value)
				}
			}
		}
	}
}

func certainty(v model.Verdict) int {
	return slices.Index([]model.Verdict{model.Undecidable, model.Likely, model.Confirmed}, v)
}

// missingIsSaid wants a reason wherever less evidence left a cause less sure, and one for the bundle as a whole.
func missingIsSaid(t *testing.T, full, less *model.Report) {
	t.Helper()
	if len(less.Bundle.NotCollected) == 0 {
		t.Error("nothing is said to be missing in the bundle")
	}
	for _, i := range less.Incidents {
		whole := sameWait(full.Incidents, i)
		if whole == nil {
			continue
		}
		for _, c := range i.Causes {
			wasSurer := slices.ContainsFunc(whole.Causes, func(w model.Cause) bool { return w.ID == c.ID && w.Verdict == model.Confirmed })
			if wasSurer && c.Verdict != model.Confirmed && len(c.Missing)+len(c.Against) == 0 {
				t.Errorf("%s: %s is only %s, and nothing says why", i.ID, c.ID, c.Verdict)
			}
		}
	}
}

// sameWait finds the incident of the same volume that began nearest, whatever names the lesser one has lost.
func sameWait(incidents []model.Incident, i model.Incident) *model.Incident {
	var best *model.Incident
	for n := range incidents {
		c := &incidents[n]
		if !sameVolume(c.Volume, i.Volume) {
			continue
		}
		if best == nil || apart(*c, i) < apart(*best, i) {
			best = c
		}
	}
	return best
}

func sameVolume(a, b model.IncidentVolume) bool {
	return (b.UniqueName != "" && a.UniqueName == b.UniqueName) || (b.PersistentVolume != "" && a.PersistentVolume == b.PersistentVolume)
}

func apart(a, b model.Incident) float64 {
	return a.MultiAttach.Began.At.Sub(b.MultiAttach.Began.At).Abs().Seconds()
}
