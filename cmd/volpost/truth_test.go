package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestSamplesAgreeWithTheirTruth compares each embedded recording, field by field.
func TestSamplesAgreeWithTheirTruth(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			text, _ := ofSample(t, s.Name)
			agree(t, text, truthOf(t, s.Name), false)
		})
	}
}

// TestRecordingsAgreeWithTheirTruth does the same with what is no sample: the later collections of those that were taken while the volume
// was stuck, and versions, drivers and forms of logs that no sample has.
func TestRecordingsAgreeWithTheirTruth(t *testing.T) {
	for _, r := range recorded(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			text, _ := r.explained(t)
			agree(t, text, r.truth, false)
			if later := r.later(t); later != nil {
				text, _ := later.explained(t)
				agree(t, text, later.truth, false)
			}
		})
	}
}

// TestOtherShapesAgreeWithTheirTruth reads the same clusters as kubectl get and kubectl cluster-info dump wrote them: less
// was collected, and none of it may contradict the truth.
func TestOtherShapesAgreeWithTheirTruth(t *testing.T) {
	for _, shape := range []string{"flat", "clusterinfo"} {
		for _, c := range withPart(t, shape) {
			t.Run(c.name+"/"+shape, func(t *testing.T) {
				t.Parallel()
				text, r := explained(t, c.part(t, shape), shape)
				agree(t, text, c.truth, true)
				if len(r.Incidents) == 0 {
					t.Error("no incident is found")
				}
			})
		}
	}
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

// TestLessEvidence takes evidence away: what the report still says must be true, no cause becomes surer than with the
// whole bundle, and the report says what is missing.
func TestLessEvidence(t *testing.T) {
	type part struct {
		name string
		keep func(string) bool
	}
	for n, s := range recordings.Sweep(samples.List()) {
		whole := sampleFiles(t, s.Name)
		_, full := ofSample(t, s.Name)
		for _, c := range recordings.Turn(n, []part{
			{"without-logs", func(path string) bool { return !isLog(path) }},
			{"logs-only", isLog},
			{"without-events", func(path string) bool { return filepath.Base(path) != "events.yaml" }},
			{"without-volumeattachments", func(path string) bool { return !strings.Contains(path, "/volumeattachments/") }},
			{"without-nodes", func(path string) bool {
				return !strings.Contains(path, "/core/nodes/") && !strings.Contains(path, "/leases.yaml")
			}},
		}) {
			t.Run(s.Name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				text, less := explained(t, only(whole, c.keep), s.Name)
				agree(t, text, truthOf(t, s.Name), true)
				notSurer(t, full, less)
				missingIsSaid(t, full, less)
			})
		}
	}
}

// noOtherCauses wants of less evidence no first cause that the whole does not have: the same, or that it cannot be told.
func noOtherCauses(t *testing.T, name string, full, less *model.Report) {
	t.Helper()
	var whole []model.Cause
	for _, i := range full.Incidents {
		whole = append(whole, i.Causes...)
	}
	for _, i := range less.Incidents {
		told := func(w model.Cause) bool {
			return w.ID == i.Causes[0].ID && certainty(w.Verdict) >= certainty(i.Causes[0].Verdict)
		}
		if c := i.Causes[0]; c.Verdict != model.Undecidable && !slices.ContainsFunc(whole, told) && !lessRefined(c, whole) {
			t.Errorf("%s: the cause is %s %s, and the whole does not have it", name, c.Verdict, c.ID)
		}
	}
}

// pastedView is kubectl describe of each pod of which an attach failed, a minute after the last event.
func pastedView(t *testing.T, whole fstest.MapFS) fstest.MapFS {
	t.Helper()
	events, waits := map[string][]corev1.Event{}, map[string]bool{}
	var now time.Time
	for path, file := range only(whole, thinner["events"]) {
		var list corev1.EventList
		if !strings.HasSuffix(path, "core/events.yaml") || yaml.Unmarshal(file.Data, &list) != nil {
			continue
		}
		for _, e := range list.Items {
			pod := "-n " + e.InvolvedObject.Namespace + " describe pod " + e.InvolvedObject.Name
			events[pod] = append(events[pod], e)
			waits[pod] = waits[pod] || e.Reason == "FailedAttachVolume"
			now = model.Later(now, lastSeen(e).Add(time.Minute))
		}
	}
	var out strings.Builder
	for _, pod := range slices.Sorted(maps.Keys(events)) {
		if !waits[pod] {
			continue
		}
		name := strings.Fields(pod)
		fmt.Fprintf(&out, "$ kubectl %s\nName:             %s\nNamespace:        %s\nEvents:\n", pod, name[len(name)-1], name[1])
		fmt.Fprintf(&out, "  Type     Reason  Age  From  Message\n  ----     ------  ----  ----  -------\n")
		for _, e := range events[pod] {
			fmt.Fprintf(&out, "  %-8s %-19s %-8s %-24s %s\n", e.Type, e.Reason, now.Sub(lastSeen(e)).Round(time.Second),
				e.Source.Component, strings.Join(strings.Fields(e.Message), " "))
		}
		out.WriteByte('\n')
	}
	if out.Len() == 0 {
		return nil
	}
	return fstest.MapFS{"describe.txt": {Data: []byte(out.String())}}
}

// lastSeen is the time from which kubectl reckons an Event's age.
func lastSeen(e corev1.Event) time.Time {
	if e.LastTimestamp.IsZero() {
		return e.EventTime.Time
	}
	return e.LastTimestamp.Time
}

// TestTruncatedLogs cuts each log in half, as a rotated or torn one is.
func TestTruncatedLogs(t *testing.T) {
	type half struct {
		name string
		cut  func([]byte) []byte
	}
	for n, s := range recordings.Sweep(samples.List()) {
		whole := sampleFiles(t, s.Name)
		_, full := ofSample(t, s.Name)
		for _, c := range recordings.Turn(n, []half{
			{"first-half", func(b []byte) []byte { return b[:len(b)/2] }},
			{"second-half", func(b []byte) []byte { return b[len(b)/2:] }},
		}) {
			t.Run(s.Name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
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
			confirmed := func(w model.Cause) bool { return w.ID == c.ID && w.Verdict == model.Confirmed }
			if !lessRefined(c, whole.Causes) &&
				(slices.ContainsFunc(whole.Causes, surer) || c.Verdict == model.Confirmed && !slices.ContainsFunc(whole.Causes, confirmed)) {
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

// lessRefined reports that a cause is one of the whole evidence with its refinement left open, and says so: whether the machine of a lost
// node went on, only its kubelet tells, without which the loss is likely at most; whether the cloud refuses, only the driver's answer; that the storage keeps a volume is sure, and whether a detach failed before, only the attachments.
func lessRefined(c model.Cause, whole []model.Cause) bool {
	for _, less := range []struct{ id, refined, open string }{
		{"node-down", "kubelet-down", "proof that the machine was off"},
		{"node-down", "kubelet-down", "whether the machine stopped while its node was lost"},
		{"node-down", "kubelet-down", "that the controller's timer ended the wait and that the old node was lost, which is inferred"},
		{"driver-detach-error", "cloud-detach-failing", "what the driver answered"},
		// The Node of a living machine was deleted, and its volume "verified as safe to detach" 47 s after the report: so much the description tells.
		{"handover", "node-gone", "the kube-controller-manager's line that the volume was verified as safe to detach"},
		{"storage-disagrees", "driver-detach-error", "that Kubernetes has let go of the volume, which is inferred"},
	} {
		if less.id == c.ID && (c.Verdict != model.Confirmed || less.id != model.CauseNodeDown) && slices.ContainsFunc(c.Missing, func(m string) bool { return strings.HasPrefix(m, less.open) }) &&
			slices.ContainsFunc(whole, func(w model.Cause) bool { return w.ID == less.refined }) {
			return true
		}
	}
	return false
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
