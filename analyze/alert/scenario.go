package alert

import (
	"fmt"
	"strconv"
	"strings"
)

// The scenario of the test file, in minutes. Node node-a stops being Ready at 5; the StatefulSet's pod db-0 on it is
// deleted at 6 with 60 s of grace and removed at 25; the new db-0 waits on node-b from 26 for volume pv-db, which node-a
// has until 36 and node-b gets at 45. Volume pv-shared may be on several nodes and is: web-0 waits for it on node-c from 26
// to 29. From 50 on pv-twice, which may be on one node only, is on two. The claim data is 75 % full, from 30 on 95 %.
const scenarioEnd = 60

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

// values writes the spans as promtool reads them: runs of one value, and gaps. A series that ends is marked stale, as
// Prometheus does when its target no longer reports it.
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

// series are those of the scenario as kube-state-metrics and a kubelet report them in a set-up.
func (s Setup) series() []testSeries {
	var out []testSeries
	for _, node := range []string{"node-a", "node-b", "node-c"} {
		ready := testSeries{"kube_node_status_condition{" + s.target(`node="`+node+`"`) + `,condition="Ready",status="true"}`, []span{{0, scenarioEnd, 1}}}
		if node == "node-a" {
			ready.spans = []span{{0, 4, 1}, {5, scenarioEnd, 0}}
		}
		out = append(out, ready)
	}
	out = append(out, s.podSeries("db-0", "uid-1", "node-a", "data", 0, 25)...)
	if !s.Release.Before(second) {
		out = append(out, testSeries{"kube_pod_deletion_timestamp{" + s.pod("db-0", "uid-1") + "}", []span{{6, 25, 420}}})
	}
	out = append(out, s.podSeries("db-0", "uid-2", "node-b", "data", 26, scenarioEnd)...)
	out = append(out, s.waitSeries("db-0", "uid-2", 26, 46)...)
	out = append(out, s.podSeries("web-0", "uid-3", "node-c", "shared", 26, scenarioEnd)...)
	out = append(out, s.waitSeries("web-0", "uid-3", 26, 29)...)
	out = append(out, s.claimSeries("data", "pv-db", "ReadWriteOnce")...)
	out = append(out, s.claimSeries("shared", "pv-shared", "ReadWriteMany")...)
	out = append(out, s.claimSeries("twice", "pv-twice", "ReadWriteOnce")...)
	out = append(out, s.attachmentSeries("csi-a", "node-a", "pv-db", 0, 0, 36)...)
	out = append(out, s.attachmentSeries("csi-b", "node-b", "pv-db", 36, 45, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-s1", "node-b", "pv-shared", 0, 0, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-s2", "node-a", "pv-shared", 0, 0, 4)...)
	out = append(out, s.attachmentSeries("csi-s3", "node-c", "pv-shared", 30, 30, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-t1", "node-b", "pv-twice", 0, 0, scenarioEnd)...)
	out = append(out, s.attachmentSeries("csi-t2", "node-c", "pv-twice", 50, 50, scenarioEnd)...)
	claim := s.own("namespace", "shop") + `,persistentvolumeclaim="data"`
	out = append(out,
		testSeries{"kubelet_volume_stats_used_bytes{" + claim + "}", []span{{0, 29, 75}, {30, scenarioEnd, 95}}},
		testSeries{"kubelet_volume_stats_capacity_bytes{" + claim + "}", []span{{0, scenarioEnd, 100}}})
	return s.inCluster(out)
}

// inCluster puts the scenario into one of two clusters of a store.
func (s Setup) inCluster(list []testSeries) []testSeries {
	if !s.MultiCluster {
		return list
	}
	for i := range list {
		list[i].labels = strings.Replace(list[i].labels, "{", `{cluster="one",`, 1)
	}
	// The other cluster has a Ready node-a: without the label cluster, the two would be taken for one.
	return append(list, always(`kube_node_status_condition{cluster="two",node="node-a",condition="Ready",status="true"}`))
}

// own is a label of the exporter. Where those of the target win, it is renamed, and the target's stands in its place.
func (s Setup) own(name, value string) string {
	if !s.TargetLabels {
		return fmt.Sprintf("%s=%q", name, value)
	}
	return fmt.Sprintf("exported_%s=%q,%s=%q", name, value, name, "of-the-target")
}

// target is the label node, which targets have only in some configurations.
func (s Setup) target(label string) string {
	if !s.TargetLabels {
		return label
	}
	return "exported_" + label + `,node="of-the-target"`
}

func (s Setup) pod(name, uid string) string {
	labels := s.own("namespace", "shop") + "," + s.own("pod", name)
	if !s.Release.Before(withUID) {
		labels += fmt.Sprintf(",uid=%q", uid)
	}
	return labels
}

func (s Setup) podSeries(name, uid, node, claim string, from, to int) []testSeries {
	pod := s.pod(name, uid)
	info := pod + "," + s.own("node", node) + `,host_ip="192.0.2.1",created_by_kind="StatefulSet"`
	return []testSeries{
		during("kube_pod_info{"+info+"}", from, to),
		during(fmt.Sprintf("kube_pod_spec_volumes_persistentvolumeclaims_info{%s,volume=\"data\",persistentvolumeclaim=%q}", pod, claim), from, to),
	}
}

func (s Setup) waitSeries(name, uid string, from, to int) []testSeries {
	pod := s.pod(name, uid)
	if s.Release.Before(second) {
		return []testSeries{
			during("kube_pod_container_status_waiting{"+pod+`,container="main"}`, from, to),
			during("kube_pod_status_phase{"+pod+`,phase="Pending"}`, from, to),
		}
	}
	return []testSeries{
		during("kube_pod_container_status_waiting_reason{"+pod+`,container="main",reason="PodInitializing"}`, from, to),
		during("kube_pod_container_status_waiting_reason{"+pod+`,container="sidecar",reason="PodInitializing"}`, from, to),
	}
}

func (s Setup) claimSeries(claim, volume, mode string) []testSeries {
	labels := s.own("namespace", "shop") + fmt.Sprintf(",persistentvolumeclaim=%q", claim)
	out := []testSeries{
		always(fmt.Sprintf("kube_persistentvolumeclaim_info{%s,volumename=%q}", labels, volume)),
		always(fmt.Sprintf("kube_persistentvolumeclaim_access_mode{%s,access_mode=%q}", labels, mode)),
	}
	if !s.Release.Before(withPVModes) {
		out = append(out, always(fmt.Sprintf("kube_persistentvolume_access_mode{persistentvolume=%q,access_mode=%q}", volume, mode)))
	}
	return out
}

// attachmentSeries is a VolumeAttachment from its creation on, attached from a minute on.
func (s Setup) attachmentSeries(name, node, volume string, created, attached, to int) []testSeries {
	label := fmt.Sprintf("volumeattachment=%q", name)
	place := s.own("node", node)
	if s.Release.Before(second) {
		place = fmt.Sprintf("nodeName=%q", node)
	}
	status := testSeries{"kube_volumeattachment_status_attached{" + label + "}", []span{{attached, to, 1}}}
	if attached > created {
		status.spans = []span{{created, attached - 1, 0}, {attached, to, 1}}
	}
	out := []testSeries{
		during("kube_volumeattachment_info{"+label+","+place+`,attacher="csi.example.com"}`, created, to),
		during("kube_volumeattachment_spec_source_persistentvolume{"+label+fmt.Sprintf(",volumename=%q}", volume), created, to),
		status,
	}
	if !s.dropsCreated() {
		out = append(out, testSeries{"kube_volumeattachment_created{" + label + "}", []span{{created, to, float64(60 * created)}}})
	}
	return out
}
