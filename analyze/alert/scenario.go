package alert

import (
	"fmt"
	"strconv"
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
}

// span is a value of a series from one minute to another, both included.
type span struct {
	from, to int
	value    float64
}

// testSeries is one series of the scenario.
type testSeries struct {
	labels string // as the rules see the exporter's labels, in PromQL's form
	spans  []span // ordered, without overlap
}

// values writes the spans as promtool reads them, with gaps, and a stale marker where the series ends.
func (t testSeries) values() string {
	var out []string
	next := 0
	for _, s := range t.spans {
		if s.from > next {
			if next > 0 {
				out = append(out, "stale")
				next++
			}
			if s.from > next {
				out = append(out, fmt.Sprintf("_x%d", s.from-next))
			}
		}
		out = append(out, fmt.Sprintf("%s+0x%d", strconv.FormatFloat(s.value, 'f', -1, 64), s.to-s.from))
		next = s.to + 1
	}
	if next <= scenarioEnd {
		out = append(out, "stale")
	}
	return strings.Join(out, " ")
}

// always has one value during the whole scenario.
func always(labels string) testSeries { return during(labels, 0, scenarioEnd) }

// during is 1 for some minutes, and absent otherwise.
func during(labels string, from, to int) testSeries {
	return testSeries{labels, []span{{from, to, 1}}}
}

// series are those of the scenario as kube-state-metrics and the controller report them.
func (s scenario) series() []testSeries {
	out := s.nodeSeries()
	overlap := 25
	if s.uid {
		overlap = 29
	}
	out = append(out, s.podSeries("db-0", "uid-1", "node-a", "data", 0, overlap)...)
	if !s.reasons {
		out = append(out, testSeries{"kube_pod_deletion_timestamp{" + s.pod("db-0", "uid-1") + "}", []span{{6, 25, 420}}})
	}
	out = append(out, s.podSeries("db-0", "uid-2", "node-b", "data", 26, scenarioEnd)...)
	out = append(out, s.waitSeries("db-0", "uid-2", 26, 50)...)
	out = append(out, s.podSeries("web-0", "uid-3", "node-c", "shared", 26, scenarioEnd)...)
	out = append(out, s.waitSeries("web-0", "uid-3", 26, 29)...)
	out = append(out, s.podSeries("off-0", "uid-4", "", "twice", 0, scenarioEnd)...)
	out = append(out, always("kube_pod_status_phase{"+s.pod("off-0", "uid-4")+`,phase="Pending"}`))
	out = append(out, s.claimSeries("data", "pv-db", "ReadWriteOnce")...)
	out = append(out, s.claimSeries("shared", "pv-shared", "ReadWriteMany")...)
	out = append(out, s.claimSeries("twice", "pv-twice", "ReadWriteOnce")...)
	out = append(out, s.claimSeries("moved", "pv-moved", "ReadWriteOnce")...)
	out = append(out, s.attachmentSeries("csi-a", "node-a", "pv-db", 0, 0, 36)...)
	out = append(out, s.attachmentSeries("csi-b", "node-b", "pv-db", 36, 45, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-s1", "node-b", "pv-shared", 0, 0, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-s2", "node-a", "pv-shared", 0, 0, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-s3", "node-c", "pv-shared", 30, 30, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-t1", "node-b", "pv-twice", 0, 0, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-t2", "node-c", "pv-twice", 50, 50, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-m1", "node-b", "pv-moved", 0, 0, 24)...)
	out = append(out, s.attachmentSeries("csi-m2", "node-c", "pv-moved", 20, 20, scenarioEnd)...)
	return s.inCluster(append(out, controllerSeries()...))
}

// nodeSeries are three nodes, of which one stops being Ready.
func (s scenario) nodeSeries() []testSeries {
	var out []testSeries
	for _, node := range []string{"node-a", "node-b", "node-c"} {
		ready := testSeries{"kube_node_status_condition{" + s.target(`node="`+node+`"`) + `,condition="Ready",status="true"}`, []span{{0, scenarioEnd, 1}}}
		if node == "node-a" {
			ready.spans = []span{{0, 4, 1}, {5, scenarioEnd, 0}}
		}
		out = append(out, ready)
	}
	return out
}

// controllerSeries are those of kube-controller-manager and of the external-attacher.
func controllerSeries() []testSeries {
	const target, forced, failed = `job="kcm",instance="one"`, "attach_detach_controller_attachdetach_controller_forced_detaches{", `operation_name="volume_detach",status="fail-unknown"}`
	const older = `attachdetach_controller_forced_detaches{job="kcm",`
	const plugin = `storage_operation_duration_seconds_count{` + target + `,volume_plugin="kubernetes.io/csi:csi.example.com",`
	failing := testSeries{plugin + failed, []span{{0, 19, 0}}}
	for m := 20; m < 30; m++ {
		failing.spans = append(failing.spans, span{m, m, float64(m - 19)})
	}
	failing.spans = append(failing.spans, span{30, 39, 10}, span{40, scenarioEnd, 11})
	return []testSeries{
		always("up{" + target + "}"), during(`up{job="kcm",instance="two"}`, 41, scenarioEnd),
		during(forced+target+`,reason="timeout"}`, 40, scenarioEnd), during(forced+target+`,reason="out-of-service"}`, 35, scenarioEnd),
		during(older+`instance="two"}`, 41, scenarioEnd), {older + `instance="three"}`, []span{{0, 44, 0}, {45, scenarioEnd, 1}}},
		failing, {plugin + `operation_name="volume_detach",status="success"}`, []span{{0, 24, 1}, {25, scenarioEnd, 2}}},
	}
}

// inCluster puts the scenario into one of two clusters of a store.
func (s scenario) inCluster(list []testSeries) []testSeries {
	if s.ClusterLabel == "" {
		return list
	}
	for i := range list {
		list[i].labels = strings.Replace(list[i].labels, "{", "{"+s.ClusterLabel+`="one",`, 1)
	}
	// The other cluster has a Ready node-a: without the label, the two would be taken for one.
	return append(list, always(`kube_node_status_condition{`+s.ClusterLabel+`="two",node="node-a",condition="Ready",status="true"}`))
}

// own is a label of the exporter. Where those of the target win, it is renamed, and the target's stands in its place.
func (s scenario) own(name, value string) string {
	switch {
	case !s.TargetLabels:
		return fmt.Sprintf("%s=%q", name, value)
	case value == "":
		return name + `="of-the-target"` // Prometheus renames no empty label
	}
	return fmt.Sprintf("exported_%s=%q,%s=%q", name, value, name, "of-the-target")
}

// target is the label node, which targets have only in some configurations.
func (s scenario) target(label string) string {
	if !s.TargetLabels {
		return label
	}
	return "exported_" + label + `,node="of-the-target"`
}

func (s scenario) pod(name, uid string) string {
	labels := s.own("namespace", "shop") + "," + s.own("pod", name)
	if s.uid {
		labels += fmt.Sprintf(",uid=%q", uid)
	}
	return labels
}

// podSeries is a pod, whose kube_pod_info has the uid in every release.
func (s scenario) podSeries(name, uid, node, claim string, from, to int) []testSeries {
	ip := "192.0.2.1"
	if node == "" {
		ip = ""
	}
	info := scenario{s.Setup, exporter{uid: true}}.pod(name, uid) + "," + s.own("node", node) + fmt.Sprintf(`,host_ip=%q,created_by_kind="StatefulSet"`, ip)
	return []testSeries{
		during("kube_pod_info{"+info+"}", from, to),
		during(fmt.Sprintf("kube_pod_spec_volumes_persistentvolumeclaims_info{%s,volume=\"data\",persistentvolumeclaim=%q}", s.pod(name, uid), claim), from, to),
	}
}

// waitSeries is a pod that waits in two containers, then runs.
func (s scenario) waitSeries(name, uid string, from, to int) []testSeries {
	pod := s.pod(name, uid)
	phase := testSeries{"kube_pod_status_phase{" + pod + `,phase="Pending"}`, []span{{from, to, 1}, {to + 1, scenarioEnd, 0}}}
	reason := func(container, reason string) testSeries {
		return during("kube_pod_container_status_waiting_reason{"+pod+fmt.Sprintf(",container=%q,reason=%q}", container, reason), from, to)
	}
	if !s.reasons {
		return []testSeries{phase, reason("main", "PodInitializing"), reason("sidecar", "PodInitializing")}
	}
	creating, pull := reason("main", "ContainerCreating"), reason("main", "ErrImagePull")
	creating.spans = []span{{from, from + 2, 0}, {from + 3, to, 1}, {to + 1, scenarioEnd, 0}} // it does not know the reason before
	pull.spans = []span{{from, scenarioEnd, 0}}
	return []testSeries{phase, creating, pull}
}

func (s scenario) claimSeries(claim, volume, mode string) []testSeries {
	labels := s.own("namespace", "shop") + fmt.Sprintf(",persistentvolumeclaim=%q", claim)
	out := []testSeries{
		always(fmt.Sprintf("kube_persistentvolumeclaim_info{%s,volumename=%q}", labels, volume)),
		always(fmt.Sprintf("kube_persistentvolumeclaim_access_mode{%s,access_mode=%q}", labels, mode)),
	}
	if s.modes {
		out = append(out, always(fmt.Sprintf("kube_persistentvolume_access_mode{persistentvolume=%q,access_mode=%q}", volume, mode)))
	}
	return out
}

// attachmentSeries is a VolumeAttachment from its creation on, attached from a minute on.
func (s scenario) attachmentSeries(name, node, volume string, created, attached, to int) []testSeries {
	label := fmt.Sprintf("volumeattachment=%q", name)
	place := s.own("node", node)
	if s.nodeName {
		place = fmt.Sprintf(`nodeName=%q,node="of-the-target"`, node) // some charts add the label
	}
	status := testSeries{"kube_volumeattachment_status_attached{" + label + "}", []span{{attached, to, 1}}}
	if attached > created {
		status.spans = []span{{created, attached - 1, 0}, {attached, to, 1}}
	}
	return []testSeries{
		during("kube_volumeattachment_info{"+label+","+place+`,attacher="csi.example.com"}`, created, to),
		during("kube_volumeattachment_spec_source_persistentvolume{"+label+fmt.Sprintf(",volumename=%q}", volume), created, to),
		status,
	}
}
