package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
	"time"
)

// The truth of a recording, as the API server's audit log and watches have it. What is null or absent was not measured.
type truthFile struct {
	CauseClass string
	Scenario   string
	Components struct{ Kubelet string } // its version, or "fake" where it was played
	Affected   []affected
}

type affected struct {
	PV, VolumeHandle, Driver, PVC string
	WorkloadKind, Workload        *string
	OldNode, NewNode              *string
	OldPod, NewPod                string
	BlockingVA                    *string
	ResolvedAtSnapshot            bool
	Mirror                        bool // reported on the pod of the lost node: not a wait of its own
	Times                         map[string]*time.Time
	CauseClass                    string // of this volume, where a bundle has several: those that are generated
}

// The fields of a report that are scored. Pointers tell what is absent.
type scoredReport struct {
	Verdict   struct{ Status string }
	Incidents []scoredIncident
}

type scoredIncident struct {
	Volume struct {
		PersistentVolume, VolumeHandle, Driver *string
		Claim                                  *scoredRef
	}
	Workload           *scoredRef
	From, To           scoredPlace
	MultiAttach        struct{ Began, Ended *scoredMoment }
	BlockingAttachment struct {
		Name, Node                  *string
		DeletionRequestedAt, GoneAt *scoredMoment
	}
	Resolved bool
	Span     struct{ From, To scoredMoment }
	Phases   []struct {
		ID       string
		From, To scoredMoment
	}
	Causes []struct{ ID, Verdict string }
}

type (
	scoredRef   struct{ Kind, Name *string }
	scoredPlace struct {
		Node *string
		Pods []struct{ Name string }
	}
	scoredMoment struct{ At, Earliest, Latest time.Time }
)

// expectation is what a class of recordings allows: primary causes, causes that must be named at all, verdicts.
type expectation struct {
	primary, needed, status []string
}

var expectations = map[string]expectation{
	"node-down":               {[]string{"node-down", "kubelet-down", "old-pod-not-finished"}, []string{"node-down"}, []string{"incident"}},
	"node-flap":               {[]string{"node-down", "kubelet-down", "old-pod-not-finished"}, nil, []string{"incident"}},
	"rolling-update-deadlock": {[]string{"rollout-surge"}, []string{"rollout-surge"}, []string{"incident"}},
	"shared-rwo":              {[]string{"shared-claim"}, []string{"shared-claim"}, []string{"incident"}},
	"detach-failing":          {[]string{"driver-detach-error", "cloud-detach-failing"}, nil, []string{"incident"}},
	"stuck-unmount":           {[]string{"unmount-stuck", "volumes-in-use-stale", "old-pod-not-finished"}, nil, []string{"incident"}},
	"kcm-failover": {[]string{"node-down", "controller-failover", "old-pod-not-finished", "kubelet-down"},
		[]string{"controller-failover"}, []string{"incident"}},
	"kcm-restart": {[]string{"node-down", "controller-failover", "old-pod-not-finished", "kubelet-down"}, []string{"controller-failover"},
		[]string{"incident"}},
	"mixed":            {nil, nil, []string{"incident"}},
	"attach-failing":   {[]string{"attach-failing"}, []string{"attach-failing"}, []string{"incident"}},
	"attacher-down":    {[]string{"attachment-not-finishing"}, []string{"attachment-not-finishing"}, []string{"incident"}},
	"slow-termination": {[]string{"handover", "old-pod-not-finished", "slow-stop"}, nil, []string{"incident", "handover-only"}},
	"generated":        {nil, nil, []string{"incident"}},
	"none":             {[]string{"handover"}, nil, []string{"clean", "handover-only"}},
	// Nothing waited for a volume that was reported: what was out is told, and no incident.
	"outage-without-report": {nil, nil, []string{"fault"}},
}

// slack is allowed at the bounds of an interval, because many sources have whole seconds.
const slack = 1200 * time.Millisecond

// score compares a report with a truth, field by field. With partial evidence a value may be absent, an incident
// unreported and a cause unknown; whatever is said must still be true.
type score struct {
	partial bool
	right   int
	wrong   []string
}

func (s *score) check(ok bool, format string, args ...any) {
	if ok {
		s.right++
		return
	}
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

func (s *score) same(where string, got, want *string) {
	if s.partial && (got == nil || *got == "") {
		return
	}
	s.check(show(got) == show(want), "%s: got %s, want %s", where, show(got), show(want))
}

func show(s *string) string {
	if s == nil {
		return "nothing"
	}
	return fmt.Sprintf("%q", *s)
}

// moment checks an instant: its best estimate lies within the tolerance of the truth, its interval holds it.
func (s *score) moment(where string, got *scoredMoment, want *time.Time, tolerance time.Duration) {
	switch {
	case want == nil:
		return
	case got == nil:
		s.check(s.partial, "%s: missing", where)
		return
	}
	if off := got.At.Sub(*want); !s.partial {
		s.check(off.Abs() <= tolerance, "%s: off by %+.2f s", where, off.Seconds())
	}
	inside := !want.Before(got.Earliest.Add(-slack)) && !want.After(got.Latest.Add(slack))
	s.check(inside, "%s: the truth %s lies outside of %s to %s", where, want.Format(time.TimeOnly+".000"),
		got.Earliest.Format(time.TimeOnly+".000"), got.Latest.Format(time.TimeOnly+".000"))
}

// scored compares a JSON report with a truth.
func scored(t *testing.T, reportText, truthText []byte, partial bool) *score {
	t.Helper()
	var r scoredReport
	var truth truthFile
	if err := json.Unmarshal(reportText, &r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(truthText, &truth); err != nil {
		t.Fatal(err)
	}
	s := &score{partial: partial}
	s.report(r, truth)
	return s
}

func (s *score) report(r scoredReport, truth truthFile) {
	want := expectations[truth.CauseClass]
	frozen := truth.CauseClass == "node-down" && truth.Components.Kubelet != "fake"
	if frozen || truth.Scenario == "runtime-down" { // the machine lives, or the kubelet and only its runtime is down: either name fits
		want.needed = nil
	}
	if s.partial && truth.Scenario == "node-delete" { // that the Node was deleted is true, and may be all that is confirmed
		want.primary = append(slices.Clone(want.primary), "node-gone")
	}
	if want.status != nil && !(s.partial && r.Verdict.Status == "insufficient-evidence") {
		s.check(slices.Contains(want.status, r.Verdict.Status), "verdict: got %q, want one of %q", r.Verdict.Status, want.status)
	}
	for _, i := range r.Incidents {
		known := i.Volume.PersistentVolume != nil && slices.ContainsFunc(truth.Affected,
			func(a affected) bool { return a.PV == *i.Volume.PersistentVolume })
		if !known && !(s.partial && i.Volume.PersistentVolume == nil) {
			s.check(false, "%s: an incident that did not happen", show(i.Volume.PersistentVolume))
		}
	}
	for _, a := range truth.Affected {
		if a.Mirror {
			continue
		}
		if a.CauseClass != "" {
			want = expectations[a.CauseClass]
		}
		i, found := closest(r.Incidents, a)
		if !found {
			s.check(s.partial, "%s: no incident reported", a.PV)
			continue
		}
		s.identity(a, i)
		s.instants(a, i)
		s.causes(a, i, want)
		s.tiling(a, i)
		s.phases(a, i)
	}
}

// closest is the incident of the volume that began nearest to the truth.
func closest(incidents []scoredIncident, a affected) (scoredIncident, bool) {
	began := a.Times["multiAttachFirstEvent"]
	var own []scoredIncident
	for _, i := range incidents {
		if i.Volume.PersistentVolume != nil && *i.Volume.PersistentVolume == a.PV && i.MultiAttach.Began != nil {
			own = append(own, i)
		}
	}
	if len(own) == 0 || began == nil {
		return scoredIncident{}, false
	}
	sort.SliceStable(own, func(x, y int) bool {
		return own[x].MultiAttach.Began.At.Sub(*began).Abs() < own[y].MultiAttach.Began.At.Sub(*began).Abs()
	})
	return own[0], true
}

func (s *score) identity(a affected, i scoredIncident) {
	at := func(field string) string { return fmt.Sprintf("%.12s %s", a.PV, field) }
	s.same(at("volumeHandle"), i.Volume.VolumeHandle, &a.VolumeHandle)
	s.same(at("driver"), i.Volume.Driver, &a.Driver)
	var claim, workload *string
	if i.Volume.Claim != nil {
		claim = i.Volume.Claim.Name
	}
	s.same(at("claim"), claim, &a.PVC)
	s.same(at("from.node"), i.From.Node, a.OldNode)
	s.same(at("to.node"), i.To.Node, a.NewNode)
	s.pod(at("from.pods"), i.From, a.OldPod)
	s.pod(at("to.pods"), i.To, a.NewPod)
	if i.Workload != nil {
		workload = join(i.Workload.Kind, i.Workload.Name)
	}
	s.same(at("workload"), workload, join(a.WorkloadKind, a.Workload))
	s.same(at("blockingAttachment.name"), i.BlockingAttachment.Name, a.BlockingVA)
	s.same(at("blockingAttachment.node"), i.BlockingAttachment.Node, a.OldNode)
}

func join(kind, name *string) *string {
	if kind == nil || name == nil {
		return nil
	}
	both := *kind + " " + *name
	return &both
}

func (s *score) pod(where string, place scoredPlace, want string) {
	if want == "" || (s.partial && len(place.Pods) == 0) {
		return
	}
	named := slices.ContainsFunc(place.Pods, func(p struct{ Name string }) bool { return p.Name == want })
	s.check(named, "%s: %s is missing in %v", where, want, place.Pods)
}

func (s *score) instants(a affected, i scoredIncident) {
	at := func(field string) string { return fmt.Sprintf("%.12s %s", a.PV, field) }
	s.moment(at("multiAttach.began"), i.MultiAttach.Began, a.Times["multiAttachFirstEvent"], time.Second)
	s.moment(at("blockingAttachment.deletionRequestedAt"), i.BlockingAttachment.DeletionRequestedAt, a.Times["oldVADeletionTimestamp"],
		1500*time.Millisecond)
	s.moment(at("blockingAttachment.goneAt"), i.BlockingAttachment.GoneAt, a.Times["oldVAGone"], 5*time.Second)
	s.moment(at("multiAttach.ended"), i.MultiAttach.Ended, a.Times["newVAAttached"], 5*time.Second)
	// Resolved says that an end is proven; with partial evidence the proof may be what is missing.
	if !s.partial || i.Resolved {
		s.check(i.Resolved == a.ResolvedAtSnapshot, "%s: got %v, want %v", at("resolved"), i.Resolved, a.ResolvedAtSnapshot)
	}
}

func (s *score) causes(a affected, i scoredIncident, want expectation) {
	var ids []string
	for _, c := range i.Causes {
		// With partial evidence only what is said to be so is a claim.
		if !s.partial || (c.Verdict != "undecidable" && c.ID != "unknown") {
			ids = append(ids, c.ID)
		}
	}
	if s.partial {
		if want.primary != nil && len(ids) > 0 && i.Causes[0].ID == ids[0] && i.Causes[0].Verdict == "confirmed" {
			s.check(slices.Contains(want.primary, ids[0]), "%.12s primary cause: confirmed %q, want one of %q", a.PV, ids[0], want.primary)
		}
		return
	}
	if want.primary != nil {
		s.check(len(ids) > 0 && slices.Contains(want.primary, ids[0]), "%.12s primary cause: got %q, want the first to be one of %q", a.PV, ids,
			want.primary)
	}
	for _, n := range want.needed {
		s.check(slices.Contains(ids, n), "%.12s causes: %q is not named in %q", a.PV, n, ids)
	}
}

func (s *score) tiling(a affected, i scoredIncident) {
	if len(i.Phases) == 0 {
		return
	}
	near := func(x, y scoredMoment) bool { return x.At.Sub(y.At).Abs() < 10*time.Millisecond }
	tiled := near(i.Phases[0].From, i.Span.From) && near(i.Phases[len(i.Phases)-1].To, i.Span.To)
	for n := 1; n < len(i.Phases); n++ {
		tiled = tiled && near(i.Phases[n-1].To, i.Phases[n].From)
	}
	s.check(tiled, "%.12s phases do not tile the span", a.PV)
}

func (s *score) phases(a affected, i scoredIncident) {
	evictedFirst := seconds(a.Times["oldPodDeleteRequested"], math.Inf(1)) <= seconds(a.Times["multiAttachFirstEvent"], math.Inf(-1))
	// The old and the new attachment overlapped: then detach and attach are no stretches of one wait.
	overlapped := a.Times["newVACreated"] != nil && a.Times["oldVAGone"] != nil && a.Times["newVACreated"].Before(*a.Times["oldVAGone"])
	for _, edge := range []struct {
		phase     string
		end       bool
		truth     string
		tolerance time.Duration
	}{
		{"detection", true, "nodeNotReady", 2 * time.Second},
		{"eviction", true, "oldPodDeleteRequested", 2 * time.Second},
		{"detach", false, "oldVADeletionTimestamp", 2 * time.Second},
		{"attach", false, "newVACreated", 2 * time.Second},
		{"attach", true, "newVAAttached", 5 * time.Second},
		{"mount", true, "newPodReady", 2 * time.Second},
	} {
		if (edge.phase == "eviction" && !evictedFirst) || (overlapped && (edge.phase == "detach" || edge.phase == "attach")) {
			continue
		}
		// Of a phase that comes twice the last one is scored.
		for n := len(i.Phases) - 1; n >= 0; n-- {
			if p := i.Phases[n]; p.ID == edge.phase {
				bound, side := p.From, "from"
				if edge.end {
					bound, side = p.To, "to"
				}
				s.moment(fmt.Sprintf("%.12s phase %s.%s", a.PV, edge.phase, side), &bound, a.Times[edge.truth], edge.tolerance)
				break
			}
		}
	}
}

func seconds(t *time.Time, absent float64) float64 {
	if t == nil {
		return absent
	}
	return float64(t.UnixNano()) / 1e9
}
