//go:build long

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/volpost/volpost/samples"
)

// incidentPlayed is a recorded incident that an exporter plays on: what kube-state-metrics would tell of it, factor times as fast, from the
// measured truth and not from anything that volpost reads.
type incidentPlayed struct {
	truth   playedTruth
	from    time.Time // of the recording: what is told when it begins
	factor  float64
	started atomic.Int64 // Unix nanoseconds; 0 before
	frozen  bool         // it stays as it was in the beginning
	pods    map[string]*playedPod
	order   []string // UIDs
}

// playedTruth is what is played of a truth.json.
type playedTruth struct {
	LostNode string
	Affected []struct {
		affected
		Namespace, OldPodUID, NewPodUID string
	}
	VolumeAttachments []struct {
		Name, PV, Node          string
		Created, Attached, Gone *time.Time
	}
}

// playedPod is a pod with the times of its life; a zero time is never, but for its beginning, where it is long ago.
type playedPod struct {
	namespace, name, uid, node, claim, kind, owner string
	created, scheduled, ready                      time.Time
	deleteRequested, deadline, gone                *time.Time
}

// play makes a played incident of a sample, from before its first wait to after its last.
func play(t *testing.T, sample string, before time.Duration, factor float64) *incidentPlayed {
	t.Helper()
	text, err := samples.Truth(sample)
	if err != nil {
		t.Fatal(err)
	}
	p := &incidentPlayed{factor: factor, pods: map[string]*playedPod{}}
	if err := json.Unmarshal(text, &p.truth); err != nil {
		t.Fatal(err)
	}
	for _, a := range p.truth.Affected {
		old := p.pod(a.OldPodUID, a.OldPod, a.affected, a.Namespace)
		old.node = *a.OldNode
		old.deleteRequested, old.deadline, old.gone = a.Times["oldPodDeleteRequested"], a.Times["oldPodDeletionTimestampValue"], a.Times["oldPodGone"]
		fresh := p.pod(a.NewPodUID, a.NewPod, a.affected, a.Namespace)
		fresh.node = *a.NewNode
		fresh.created, fresh.scheduled = *a.Times["newPodCreated"], *a.Times["newPodScheduled"]
		if at := a.Times["newPodReady"]; at != nil {
			fresh.ready = *at
		}
		first := *a.Times["multiAttachFirstEvent"]
		if at := a.Times["nodeNotReady"]; at != nil && at.Before(first) {
			first = *at
		}
		if at := first.Add(-before); p.from.IsZero() || at.Before(p.from) {
			p.from = at
		}
	}
	return p
}

func (p *incidentPlayed) pod(uid, name string, a affected, namespace string) *playedPod {
	if p.pods[uid] == nil {
		long := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		p.pods[uid] = &playedPod{namespace: namespace, name: name, uid: uid, claim: a.PVC, kind: "ReplicaSet", owner: *a.Workload, created: long,
			scheduled: long, ready: long}
		if *a.WorkloadKind == "StatefulSet" {
			p.pods[uid].kind = "StatefulSet"
		}
		p.order = append(p.order, uid)
	}
	return p.pods[uid]
}

// start begins to play.
func (p *incidentPlayed) start() { p.started.Store(time.Now().UnixNano()) }

// now is the instant of the recording that is played.
func (p *incidentPlayed) now() time.Time {
	started := p.started.Load()
	if p.frozen || started == 0 {
		return p.from
	}
	return p.from.Add(time.Duration(float64(time.Since(time.Unix(0, started))) * p.factor))
}

// real is when an instant of the recording is played.
func (p *incidentPlayed) real(at time.Time) time.Time {
	return time.Unix(0, p.started.Load()).Add(time.Duration(float64(at.Sub(p.from)) / p.factor)).UTC()
}

// seconds is an instant of the recording as the value of a metric.
func (p *incidentPlayed) seconds(at time.Time) float64 { return float64(p.real(at).Unix()) }

// ServeHTTP answers a scrape.
func (p *incidentPlayed) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	e := &exposition{}
	now := p.now()
	has := func(at *time.Time) bool { return at != nil && !at.After(now) }
	p.nodes(e, has)
	claims := map[string]bool{}
	for _, a := range p.truth.Affected {
		if !claims[a.PVC] {
			claims[a.PVC] = true
			e.add("kube_persistentvolumeclaim_info", 1, "namespace", a.Namespace, "persistentvolumeclaim", a.PVC, "volumename", a.PV, "storageclass",
				"fast")
			e.add("kube_persistentvolumeclaim_access_mode", 1, "namespace", a.Namespace, "persistentvolumeclaim", a.PVC, "access_mode",
				"ReadWriteOnce")
			e.add("kube_persistentvolume_info", 1, "persistentvolume", a.PV, "csi_driver", a.Driver, "csi_volume_handle", a.VolumeHandle)
			e.add("kube_persistentvolume_access_mode", 1, "persistentvolume", a.PV, "access_mode", "ReadWriteOnce")
		}
	}
	for _, uid := range p.order {
		p.podSeries(e, p.pods[uid], now, has)
	}
	for _, a := range p.truth.VolumeAttachments {
		if has(a.Created) && !has(a.Gone) {
			e.add("kube_volumeattachment_info", 1, "volumeattachment", a.Name, "node", a.Node, "attacher", p.truth.Affected[0].Driver)
			e.add("kube_volumeattachment_created", p.seconds(*a.Created), "volumeattachment", a.Name)
			e.add("kube_volumeattachment_spec_source_persistentvolume", 1, "volumeattachment", a.Name, "volumename", a.PV)
			e.add("kube_volumeattachment_status_attached", gauge(has(a.Attached)), "volumeattachment", a.Name)
		}
	}
	_, _ = w.Write([]byte(e.text())) // a scrape that goes away is no matter
}

func (p *incidentPlayed) nodes(e *exposition, has func(*time.Time) bool) {
	times := p.truth.Affected[0].Times
	var names []string
	for _, a := range p.truth.VolumeAttachments {
		names = append(names, a.Node)
	}
	for _, a := range p.truth.Affected {
		names = append(names, *a.OldNode, *a.NewNode)
	}
	slices.Sort(names)
	for _, node := range slices.Compact(names) {
		status := "true"
		if node == p.truth.LostNode {
			if has(times["nodeObjectGone"]) {
				continue
			}
			if has(times["nodeNotReady"]) && !has(times["nodeReadyAgain"]) {
				status = "unknown"
				if has(times["nodeUnreachableNoExecuteTaint"]) {
					e.add("kube_node_spec_taint", 1, "node", node, "key", "node.kubernetes.io/unreachable", "value", "", "effect", "NoExecute")
				}
			}
			if has(times["nodeOutOfServiceTaint"]) {
				e.add("kube_node_spec_taint", 1, "node", node, "key", "node.kubernetes.io/out-of-service", "value", "nodeshutdown", "effect",
					"NoExecute")
			}
		}
		e.add("kube_node_info", 1, "node", node, "kubelet_version", "v1.34.3")
		for _, s := range []string{"true", "false", "unknown"} {
			e.add("kube_node_status_condition", gauge(s == status), "node", node, "condition", "Ready", "status", s)
		}
	}
}

func (p *incidentPlayed) podSeries(e *exposition, pod *playedPod, now time.Time, has func(*time.Time) bool) {
	if !has(&pod.created) || has(pod.gone) {
		return
	}
	id := []string{"namespace", pod.namespace, "pod", pod.name, "uid", pod.uid}
	with := func(more ...string) []string { return append(slices.Clone(id), more...) }
	node, host := "", ""
	if has(&pod.scheduled) {
		node, host = pod.node, "10.0.0.1"
		e.add("kube_pod_status_scheduled_time", p.seconds(pod.scheduled), id...)
	}
	ready := !pod.ready.IsZero() && has(&pod.ready)
	e.add("kube_pod_info", 1, with("node", node, "host_ip", host, "created_by_kind", pod.kind, "created_by_name", pod.owner)...)
	e.add("kube_pod_created", p.seconds(pod.created), id...)
	e.add("kube_pod_spec_volumes_persistentvolumeclaims_info", 1, with("volume", "data", "persistentvolumeclaim", pod.claim)...)
	if has(pod.deleteRequested) && pod.deadline != nil {
		e.add("kube_pod_deletion_timestamp", p.seconds(*pod.deadline), id...)
	}
	if node != "" && !ready {
		e.add("kube_pod_container_status_waiting_reason", 1, with("container", "main", "reason", "ContainerCreating")...)
	}
	if ready {
		e.add("kube_pod_status_ready_time", p.seconds(pod.ready), id...)
	}
	lost := pod.node == p.truth.LostNode && has(p.truth.Affected[0].Times["nodeNotReady"])
	e.add("kube_pod_status_ready", gauge(ready && !lost), with("condition", "true")...)
	for _, phase := range []string{"Pending", "Running", "Failed", "Succeeded", "Unknown"} {
		e.add("kube_pod_status_phase", gauge(ready && phase == "Running" || !ready && phase == "Pending"), with("phase", phase)...)
	}
}

// exposition is the answer to a scrape: families in order, as kube-state-metrics writes them.
type exposition struct {
	families []string
	lines    map[string][]string
}

func (e *exposition) add(name string, value float64, pairs ...string) {
	if e.lines == nil {
		e.lines = map[string][]string{}
	}
	if e.lines[name] == nil {
		e.families = append(e.families, name)
	}
	var labels []string
	for i := 0; i+1 < len(pairs); i += 2 {
		labels = append(labels, fmt.Sprintf("%s=%q", pairs[i], pairs[i+1]))
	}
	e.lines[name] = append(e.lines[name], fmt.Sprintf("%s{%s} %.0f\n", name, strings.Join(labels, ","), value))
}

func (e *exposition) text() string {
	var b strings.Builder
	for _, name := range e.families {
		fmt.Fprintf(&b, "# TYPE %s gauge\n%s", name, strings.Join(e.lines[name], ""))
	}
	return b.String()
}

func gauge(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
