package clock_test

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/clock"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// movedAs is a bundle in which all times of one input are later.
func movedAs(s *model.Snapshot, input string, by time.Duration) *model.Snapshot {
	out := *s
	out.Observations = slices.Clone(s.Observations)
	for i := range out.Observations {
		if o := &out.Observations[i]; o.Input == input {
			o.At, o.Last = o.At.Shift(by), o.Last.Shift(by)
		}
	}
	model.SortObservations(out.Observations)
	return &out
}

// found says what becomes of it: all times are within bounds of the truth again, or some of what was not moved is not, or nothing is set.
func found(s *model.Snapshot, input string, by time.Duration) string {
	set, unsure := clock.Set(movedAs(s, input, by))
	type place struct {
		path string
		line int
		kind model.Kind
		text string
	}
	truth := map[place]model.Moment{}
	at := func(o model.Observation) place {
		return place{o.Source.Path, o.Source.Line, o.Kind, o.Quote.Text + o.Source.Field}
	}
	for _, o := range s.Observations {
		truth[at(o)] = o.At
	}
	moved, rest := true, true
	for _, o := range set.Observations {
		t := truth[at(o)]
		holds := !o.At.Earliest.After(t.Latest.Add(2*time.Second)) && !o.At.Latest.Before(t.Earliest.Add(-2*time.Second))
		if o.Input == input {
			moved = moved && holds
		} else {
			rest = rest && holds
		}
	}
	switch {
	case moved && rest:
		return "set right"
	case !rest:
		return "another set"
	case len(unsure) > 0:
		return "unsure"
	}
	return "not seen"
}

// TestWrongClocksOfCases: of some bundles each log, list of Events and list of objects is moved, seven minutes back and an hour on. What is
// found of it is what the pairs of records and the vote are for: = is set right, ? told and not set, ! is another set, - is not seen.
func TestWrongClocksOfCases(t *testing.T) {
	signs := map[string]string{"set right": "=", "unsure": "?", "another set": "!", "not seen": "-"}
	want := wrongClocks
	for _, b := range bundles() {
		if _, ok := want[b.Name]; !ok {
			continue
		}
		s := b.Snapshot
		kinds := map[string]model.SourceKind{}
		for _, o := range s.Observations {
			if clock.Timed(&o) {
				kinds[o.Input] = o.Source.Kind
			}
		}
		var got []string
		for _, input := range slices.Sorted(maps.Keys(kinds)) {
			text := path.Base(input) + " "
			for _, by := range []time.Duration{-7 * time.Minute, time.Hour} {
				text += signs[found(s, input, by)]
			}
			got = append(got, text)
		}
		if got := strings.Join(got, ", "); got != want[b.Name] {
			t.Errorf("%q: %q,", b.Name, got)
		}
		delete(want, b.Name)
	}
	if len(want) > 0 {
		t.Errorf("not among the cases: %v", slices.Sorted(maps.Keys(want)))
	}
}

var wrongClocks = map[string]string{
	"attach-failing/yes-limit-after-loss":                "csi-attacher.log ==, events.yaml ==, kube-apiserver-audit.log ??, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml ??, pods.yaml ==, volumeattachments.yaml -?",
	"attachment-not-finishing/yes-after-a-forced-detach": "csi-attacher.log ==, events.yaml ==, kube-apiserver-audit.log ??, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml ??, pods.yaml ==, volumeattachments.yaml -?",
	"slow-stop/yes-forced-on-a-working-node":             "csi-attacher.log ==, events.yaml ==, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml --, pods.yaml ==, volumeattachments.yaml -?",
	"node-gone/yes-kubelet-works-on":                     "csi-attacher.log ==, events.yaml ==, kube-apiserver-audit.log -?, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml --, pods.yaml ==, volumeattachments.yaml -?",
	"handover/yes-attachment-of-the-attach-deleted":      "csi-attacher.log ==, events.yaml ==, kube-apiserver-audit.log -?, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml --, pods.yaml ==, volumeattachments.yaml -?",
	"handover/yes-real-kubelet":                          "kube-controller-manager.log -?",
	"story/before-multi-attach-statefulset":              "events.yaml ==, kube-controller-manager.log ==, leases.yaml ??, nodes.yaml ??, pods.yaml ??, volumeattachments.yaml -?",
	"story/configured-flags":                             "events.yaml ==, kube-controller-manager.log ==, pods.yaml !=",
	"story/clock-attach-contradicts":                     "csi-attacher.log -=, kube-controller-manager.log =!, nodes.yaml ??, pods.yaml ??, va.yaml ??",
	"story/clock-attacher-contradicts":                   "csi-attacher.log -=, kube-controller-manager.log ?!, va.yaml ??",
	"story/clock-attacher-ahead":                         "csi-attacher.log --, kube-controller-manager.log !!, va.yaml !!",
	"story/drained-apart":                                "events.yaml ==, kube-controller-manager.log =-, nodes.yaml --, pods.yaml !!, volumeattachments.yaml -?",
	"story/cri-offset":                                   "events.yaml ==, kube-controller-manager.log ?=",
	"story/metrics-dump-and-answers":                     "metrics.openmetrics !!, query_range.json ==",
	"node-down/yes-statefulset":                          "events.yaml ==, kube-controller-manager.log ==, pods.yaml !=",
	"remedy/force-delete-pod/yes-statefulset":            "events.yaml ==, kube-controller-manager.log ==, pods.yaml !=",
	"remedy/restart-attacher/yes-timed-out":              "events.yaml ==, kube-controller-manager.log ==, leases.yaml -?, volumeattachments.yaml ??",
	"remedy/out-of-service-taint/yes-new-boot-later":     "events.yaml ==, kube-controller-manager.log ==, leases.yaml --, nodes.yaml ??",
	"remedy/force-delete-pod/yes-inferred":               "events.yaml ==, kube-controller-manager.log ==, leases.yaml --, nodes.yaml ??, pods.yaml -?",
	"remedy/fix-backend-attach/no-soon-over":             "csi-attacher.log ==, events.yaml ==, kube-apiserver-audit.log ??, kube-controller-manager.log ==, leases.yaml -?, nodes.yaml ??, pods.yaml ==, volumeattachments.yaml -?",
	"attachment-lost/yes-erased-while-watched":           "csi-attacher.log -=, kube-controller-manager.log ?=, nodes.yaml --, pods.yaml -?",
	"pv-deleted-first/yes-not-found":                     "csi-attacher.log ==, kube-controller-manager.log ==, volumeattachments.yaml ??",
	"taint-on-live-node/no-lost":                         "kube-controller-manager.log -?, nodes.yaml --, pods.yaml -?",
}
