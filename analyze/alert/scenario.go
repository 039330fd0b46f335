package alert

import (
	"fmt"
	"regexp"
	"strings"
)

// The scenario of the test file, in minutes. Node node-a stops being Ready at 5; the StatefulSet's pod db-0 on it is
// deleted at 6 with 60 s of grace and removed at 25; the new db-0 waits on node-b from 26 for volume pv-db, which node-a
// has until 36 and node-b gets at 45; until 50 it waits for something else. From 50 on pv-twice, which may be on one node only, is on two. A volume is detached by
// force at 40, and by a controller of before Kubernetes 1.28 at 45; detaching fails from 20 to 30.
//
// Beside that, what looks alike: volume pv-shared may be on several nodes and is: web-0 waits for it on node-c from 26
// to 29. The pod off-0 waits for a node, and for none of its volume pv-twice. Of pv-moved the last sample of the old
// VolumeAttachment still counts from 20 to 24, beside the new one, as after a restart of the server; and so does, where pods
// have uids, what kube-state-metrics told of the old db-0. A detach is forced at 40 by the taint out-of-service; a controller
// that was not scraped before 41 has forced one some time; detaching fails once at 40.
const scenarioEnd = 60

// exporter is a release of kube-state-metrics, by what the rules see of it.
type exporter struct {
	name     string
	nodeName bool // what the node of a VolumeAttachment is called
	uid      bool // every metric of pods has it
	reasons  bool // reasons of waiting are there when they do not apply, and PodInitializing never
	modes    bool // volumes have access modes
}

// exporters are the releases that differ.
var exporters = []exporter{
	{name: "1.9", nodeName: true, reasons: true}, {name: "2.0"}, {name: "2.1 to 2.19", uid: true}, {name: "2.20", uid: true, modes: true},
}

// scenario is what a release tells of it in a set-up.
type scenario struct {
	Setup
	exporter
	series strings.Builder // as promtool reads them
}

// span is a value of a series from one minute to another, both included.
type span struct {
	from, to int
	value    float64
}

// always is one value during the whole scenario.
var always = span{0, scenarioEnd, 1}

// Labels that releases and set-ups have or lack.
var (
	uidLabel     = regexp.MustCompile(`,uid="[^"]*"`)
	clashesLabel = regexp.MustCompile(`\b(namespace|pod|node)="[^"]*"`)
)

// ofTarget is the value of the target's labels, which stand where those of the exporter were renamed. An empty one is not renamed.
const ofTarget = `"of-the-target"`

// add writes a series with the labels that the rules see, in the first of two clusters of a store.
func (s *scenario) add(series string, spans ...span) {
	if !s.uid && !strings.HasPrefix(series, "kube_pod_info{") {
		series = uidLabel.ReplaceAllString(series, "")
	}
	if s.TargetLabels {
		series = clashesLabel.ReplaceAllStringFunc(series, func(label string) string {
			name, value, _ := strings.Cut(label, "=")
			switch value {
			case ofTarget:
				return label
			case `""`:
				return name + "=" + ofTarget
			}
			return "exported_" + label + "," + name + "=" + ofTarget
		})
	}
	s.write(s.inCluster(series, "one"), spans...)
}

// inCluster is a series with the label of a cluster, where there are several.
func (s *scenario) inCluster(series, cluster string) string {
	if s.ClusterLabel == "" {
		return series
	}
	return strings.Replace(series, "{", "{"+s.ClusterLabel+`="`+cluster+`",`, 1)
}

// write writes a series, with gaps, and a stale marker where it ends.
func (s *scenario) write(series string, spans ...span) {
	var out []string
	next := 0
	for _, p := range spans {
		if p.from > next && next > 0 {
			out = append(out, "stale")
			next++
		}
		if p.from > next {
			out = append(out, fmt.Sprintf("_x%d", p.from-next))
		}
		out = append(out, fmt.Sprintf("%.0f+0x%d", p.value, p.to-p.from))
		next = p.to + 1
	}
	if next <= scenarioEnd {
		out = append(out, "stale")
	}
	fmt.Fprintf(&s.series, "  - series: '%s'\n    values: '%s'\n", series, strings.Join(out, " "))
}

// play writes the series of the scenario as kube-state-metrics and the controller report them.
func (s *scenario) play() {
	overlap := 25
	if s.uid {
		overlap = 29
	}
	s.add(`kube_node_status_condition{node="node-a",condition="Ready",status="true"}`, span{0, 4, 1}, span{5, scenarioEnd, 0})
	s.add(`kube_node_status_condition{node="node-b",condition="Ready",status="true"}`, always)
	s.add(`kube_node_status_condition{node="node-c",condition="Ready",status="true"}`, always)
	old := s.pod("db-0", "uid-1", "node-a", "data", span{0, overlap, 1})
	if !s.reasons {
		s.add("kube_pod_deletion_timestamp{"+old+"}", span{6, 25, 420})
	}
	s.waits(s.pod("db-0", "uid-2", "node-b", "data", span{26, scenarioEnd, 1}), 26, 50)
	s.waits(s.pod("web-0", "uid-3", "node-c", "shared", span{26, scenarioEnd, 1}), 26, 29)
	s.add("kube_pod_status_phase{"+s.pod("off-0", "uid-4", "", "twice", always)+`,phase="Pending"}`, always)
	s.claim("data", "pv-db", "ReadWriteOnce")
	s.claim("shared", "pv-shared", "ReadWriteMany")
	s.claim("twice", "pv-twice", "ReadWriteOnce")
	s.claim("moved", "pv-moved", "ReadWriteOnce")
	s.attachment("csi-a", "node-a", "pv-db", 0, 0, 36)
	s.attachment("csi-b", "node-b", "pv-db", 36, 45, scenarioEnd)
	s.attachment("csi-s1", "node-b", "pv-shared", 0, 0, scenarioEnd)
	s.attachment("csi-s2", "node-a", "pv-shared", 0, 0, scenarioEnd)
	s.attachment("csi-s3", "node-c", "pv-shared", 30, 30, scenarioEnd)
	s.attachment("csi-t1", "node-b", "pv-twice", 0, 0, scenarioEnd)
	s.attachment("csi-t2", "node-c", "pv-twice", 50, 50, scenarioEnd)
	s.attachment("csi-m1", "node-b", "pv-moved", 0, 0, 24)
	s.attachment("csi-m2", "node-c", "pv-moved", 20, 20, scenarioEnd)
	s.controllers()
	if s.ClusterLabel != "" { // the other cluster has a Ready node-a: without the label, the two would be taken for one
		s.write(s.inCluster(`kube_node_status_condition{node="node-a",condition="Ready",status="true"}`, "two"), always)
	}
}

// controllers writes what kube-controller-manager reports.
func (s *scenario) controllers() {
	const target, forced, failed = `job="kcm",instance="one"`, "attach_detach_controller_attachdetach_controller_forced_detaches{", `operation_name="volume_detach",status="fail-unknown"}`
	const older = `attachdetach_controller_forced_detaches{job="kcm",`
	const plugin = `storage_operation_duration_seconds_count{` + target + `,volume_plugin="kubernetes.io/csi:csi.example.com",`
	failing := []span{{0, 19, 0}}
	for m := 20; m < 30; m++ {
		failing = append(failing, span{m, m, float64(m - 19)})
	}
	s.add("up{"+target+"}", always)
	s.add(`up{job="kcm",instance="two"}`, span{41, scenarioEnd, 1})
	s.add(forced+target+`,reason="timeout"}`, span{40, scenarioEnd, 1})
	s.add(forced+target+`,reason="out-of-service"}`, span{35, scenarioEnd, 1})
	s.add(older+`instance="two"}`, span{41, scenarioEnd, 1})
	s.add(older+`instance="three"}`, span{0, 44, 0}, span{45, scenarioEnd, 1})
	s.add(plugin+failed, append(failing, span{30, 39, 10}, span{40, scenarioEnd, 11})...)
	s.add(plugin+`operation_name="volume_detach",status="success"}`, span{0, 24, 1}, span{25, scenarioEnd, 2})
}

// pod writes a pod, whose kube_pod_info has the uid in every release. It answers the labels of its other series.
func (s *scenario) pod(name, uid, node, claim string, there span) string {
	ip := "192.0.2.1"
	if node == "" {
		ip = ""
	}
	labels := fmt.Sprintf(`namespace="shop",pod=%q,uid=%q`, name, uid)
	s.add(fmt.Sprintf(`kube_pod_info{%s,node=%q,host_ip=%q,created_by_kind="StatefulSet"}`, labels, node, ip), there)
	s.add(fmt.Sprintf(`kube_pod_spec_volumes_persistentvolumeclaims_info{%s,volume="data",persistentvolumeclaim=%q}`, labels, claim), there)
	return labels
}

// waits writes of a pod that it waits in two containers, then runs.
func (s *scenario) waits(pod string, from, to int) {
	reason := func(container, reason string, spans ...span) {
		s.add(fmt.Sprintf("kube_pod_container_status_waiting_reason{%s,container=%q,reason=%q}", pod, container, reason), spans...)
	}
	s.add("kube_pod_status_phase{"+pod+`,phase="Pending"}`, span{from, to, 1}, span{to + 1, scenarioEnd, 0})
	if s.reasons { // it does not know the reason before
		reason("main", "ContainerCreating", span{from, from + 2, 0}, span{from + 3, to, 1}, span{to + 1, scenarioEnd, 0})
		reason("main", "ErrImagePull", span{from, scenarioEnd, 0})
		return
	}
	reason("main", "PodInitializing", span{from, to, 1})
	reason("sidecar", "PodInitializing", span{from, to, 1})
}

func (s *scenario) claim(claim, volume, mode string) {
	s.add(fmt.Sprintf(`kube_persistentvolumeclaim_info{namespace="shop",persistentvolumeclaim=%q,volumename=%q}`, claim, volume), always)
	s.add(fmt.Sprintf(`kube_persistentvolumeclaim_access_mode{namespace="shop",persistentvolumeclaim=%q,access_mode=%q}`, claim, mode), always)
	if s.modes {
		s.add(fmt.Sprintf("kube_persistentvolume_access_mode{persistentvolume=%q,access_mode=%q}", volume, mode), always)
	}
}

// attachment writes a VolumeAttachment from its creation on, attached from a minute on.
func (s *scenario) attachment(name, node, volume string, created, attached, to int) {
	label, place := fmt.Sprintf("{volumeattachment=%q", name), fmt.Sprintf("node=%q", node)
	if s.nodeName {
		place = fmt.Sprintf("nodeName=%q,node=%s", node, ofTarget) // some charts add the label
	}
	status := []span{{attached, to, 1}}
	if attached > created {
		status = []span{{created, attached - 1, 0}, {attached, to, 1}}
	}
	s.add("kube_volumeattachment_info"+label+","+place+`,attacher="csi.example.com"}`, span{created, to, 1})
	s.add(fmt.Sprintf("kube_volumeattachment_spec_source_persistentvolume%s,volumename=%q}", label, volume), span{created, to, 1})
	s.add("kube_volumeattachment_status_attached"+label+"}", status...)
}
