package kubestate

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// scraped makes a source of lines "series v v v": one value for each scrape, 15 s apart from 1000 s on, - for none.
func scraped(t *testing.T, text string) model.MetricSource {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(text) {
		end := strings.LastIndex(line, "}") + 1
		if end == 0 {
			continue
		}
		for i, v := range strings.Fields(line[end:]) {
			if v != "-" {
				fmt.Fprintf(&b, "%s %s %d.000\n", strings.TrimSpace(line[:end]), v, 1000+15*i)
			}
		}
	}
	read, err := series.ReadText(strings.NewReader(b.String() + "# EOF\n"))
	if err != nil {
		t.Fatal(err)
	}
	return read.Source("metrics", "metrics")
}

func told(r read) string {
	var out []string
	for _, o := range r.Observations {
		if o.Kind == model.WaitsHidden {
			continue // TestCovers
		}
		at := "-"
		switch m := o.At; {
		case m.IsZero():
		case o.Last.At.After(m.At) && m.Earliest.Equal(m.Latest):
			at = fmt.Sprintf("%d-%d", m.At.Unix(), o.Last.At.Unix())
		case m.Latest.Sub(m.Earliest).Seconds() < 1:
			at = fmt.Sprint(m.At.Unix())
		default:
			at = fmt.Sprintf("%d..%d", m.Earliest.Unix(), m.Latest.Unix())
		}
		subject := strings.TrimSpace(strings.Join([]string{o.Attachment, o.Pod.Name, o.Node, o.Volume.PersistentVolume, o.Detail}, " "))
		if o.Kind == model.ForcedDetachesCounted && o.Count == 1 {
			subject = strings.TrimSpace(subject + " once")
		}
		if o.Kind == model.StorageOperationsCounted && o.Attacher != "d" ||
			o.Kind == model.VolumeUsage && o.Claim.Namespace+"/"+o.Claim.Name != "n/c" {
			subject += " of another"
		}
		if o.Count > 2 || o.Kind == model.StorageOperationsCounted {
			subject += fmt.Sprintf(" x%d", o.Count)
		}
		out = append(out, fmt.Sprintf("%s %s %s", at, o.Kind, strings.Join(strings.Fields(subject), " ")))
	}
	return strings.Join(out, "\n")
}

// TestCollected: what is read of metrics is what volpost gather asks a server for, and what the report says how to collect.
func TestCollected(t *testing.T) {
	script, err := os.ReadFile("../../../cmd/volpost/gather.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(script), "queries='")
	list, _, _ = strings.Cut(list, "'")
	asked := strings.Fields(list)
	expr := strings.TrimSuffix(strings.TrimPrefix(Selector, `{__name__=~"`), `"}`)
	selected := regexp.MustCompile("^(?:" + expr + ")$")
	want := []string{"ALERTS"}
	for _, f := range families {
		query := f.name
		if f.label != "" && f.name != waiting { // a wait of another kind shows that the metric is there
			query += "{" + f.label + `=~"` + f.values + `"}`
		}
		want = append(want, query)
		if !selected.MatchString(f.name) {
			t.Errorf("%s is not selected", f.name)
		}
	}
	slices.Sort(want)
	slices.Sort(asked)
	if !slices.Equal(asked, want) {
		t.Errorf("gather asks for\n%s\nread is\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
	for _, not := range []string{"kube_pod_status_phases", "up", "kube_pod_labels", "kube_node_created"} {
		if selected.MatchString(not) {
			t.Errorf("%s is selected", not)
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, metrics, want string }{
		{"a node is lost", `
kube_node_status_condition{node="a",condition="Ready",status="true"} 1 1 0 0
kube_node_status_condition{node="a",condition="Ready",status="unknown"} 0 0 1 1
kube_node_status_condition{node="a",condition="DiskPressure",status="unknown"} 0 0 1 1
kube_node_spec_taint{node="a",key="k",effect="NoExecute"} - - 1 1`,
			"1000-1015 node-sampled-ready a\n1015..1030 node-not-ready a Unknown\n1015..1030 node-tainted a k=:NoExecute\n1030-1045 " +
				"node-sampled-taints a k"},
		{"a node is lost, of which a query asked for status true alone", `
kube_node_status_condition{node="a",condition="Ready",status="true"} 1 1 0 0
kube_node_status_condition{node="b",condition="Ready",status="true"} 0 0 - -
kube_node_status_condition{node="c",condition="Ready",status="true"} 0 0 0 0
kube_node_status_condition{node="c",condition="Ready",status="unknown"} 0 0 0 0
kube_node_status_condition{node="d",condition="Ready",status="false"} 0 0 0 0`,
			"1000-1015 node-sampled-not-ready b\n1000-1015 node-sampled-ready a\n1015..1030 node-not-ready a"},
		{"which taints a node had while it had any", `
kube_node_info{node="a"} 1 1 1 1 1 1
kube_node_spec_taint{node="a",key="l",effect="NoSchedule"} 1 1 1 - - 1
kube_node_spec_taint{node="a",key="l",effect="NoExecute"} 1 1 1 - - 1
kube_node_spec_taint{node="a",key="k",effect="NoSchedule"} - 1 - - - -
kube_node_spec_taint{node="b",key="m",effect="NoSchedule"} 1 1 1 1 1 1`, `1000-1030 node-sampled-taints a k, l
1000-1075 node-sampled-taints b m
1000..1015 node-tainted a k=:NoSchedule
1015..1030 node-untainted a k=:NoSchedule
1030..1045 node-untainted a l=:NoExecute
1030..1045 node-untainted a l=:NoSchedule
1060..1075 node-tainted a l=:NoExecute
1060..1075 node-tainted a l=:NoSchedule
1075 node-sampled-taints a l`},
		{"another exporter was scraped later: that is no end; and between: that is no gap", `
kube_node_info{node="a",kubelet_version="1",instance="x",job="j"} 1 - 1 - - - - -
kube_node_info{node="a",kubelet_version="2",instance="x",job="j"} - - - - 1 - 1 -
kube_node_info{node="b",instance="y",job="j"} - 1 - 1 - 1 - 1`, "- process-version a 1\n- process-version a 2"},
		{"an exporter that came in place of another one does not have the node any more", `
kube_node_info{node="a",instance="x",job="j"} 1 1 - - -
kube_node_info{node="b",instance="x",job="j"} 1 1 - - -
kube_node_info{node="b",instance="y",job="j"} - - - 1 1`, "1015..1045 node-deleted a"},
		{"one failed scrape: all series of the exporter are marked at once", `
kube_node_info{node="a",instance="x",job="j"} 1 1 NaN 1 1
kube_node_info{node="b",instance="x",job="j"} 1 1 NaN 1 1
kube_volumeattachment_info{volumeattachment="v",node="a",instance="x",job="j"} 1 1 NaN 1 1
kube_volumeattachment_status_attached{volumeattachment="v",instance="x",job="j"} 1 1 NaN 1 1`, "1000-1060 attachment-sampled v a"},
		{"failed scrapes, and one node did not come back", `
kube_node_info{node="a",instance="x",job="j"} 1 1 NaN - -
kube_node_info{node="b",instance="x",job="j"} 1 1 NaN - 1`, "1015..1060 node-deleted a"},
		{"one series was marked: the node was deleted", `
kube_node_info{node="a",instance="x",job="j"} 1 1 NaN - -
kube_node_info{node="b",instance="x",job="j"} 1 1 1 1 1`, "1015..1030 node-deleted a"},
		{"the exporter moved: what there was goes on", `
kube_node_info{node="a",instance="x",job="j"} 1 1 NaN - -
kube_node_info{node="a",instance="y",job="j"} - - - 1 1
kube_node_spec_taint{node="a",key="k",effect="NoExecute",instance="x",job="j"} 1 1 NaN - -
kube_node_spec_taint{node="a",key="k",effect="NoExecute",instance="y",job="j"} - - - 1 1
kube_volumeattachment_status_attached{volumeattachment="v",instance="x",job="j"} 1 1 NaN - -
kube_volumeattachment_status_attached{volumeattachment="v",instance="y",job="j"} - - - 1 1`,
			"1000-1060 attachment-sampled v\n1000-1060 node-sampled-taints a k"},
		{"the exporter moved off a node that was lost meanwhile", `
kube_node_status_condition{node="a",condition="Ready",status="true",instance="x",job="j"} 1 1 NaN - -
kube_node_status_condition{node="a",condition="Ready",status="true",instance="y",job="j"} - - - 0 0
kube_node_status_condition{node="a",condition="Ready",status="unknown",instance="x",job="j"} 0 0 NaN - -
kube_node_status_condition{node="a",condition="Ready",status="unknown",instance="y",job="j"} - - - 1 1
kube_node_spec_taint{node="a",key="k",effect="NoExecute",instance="y",job="j"} - - - 1 1`,
			"1000-1015 node-sampled-ready a\n1015..1045 node-not-ready a Unknown\n1015..1045 node-tainted a k=:NoExecute\n1045-1060 " +
				"node-sampled-taints a k"},
		{"the old and the new one overlap", `
kube_node_info{node="a",instance="x",job="j"} 1 1 1 NaN - - -
kube_node_info{node="a",instance="y",job="j"} - - 1 1 1 1 1
kube_node_info{node="b",instance="x",job="j"} 1 1 1 NaN - - -
kube_node_info{node="b",instance="y",job="j"} - - 1 1 1 - -`, "1060..1075 node-deleted b"},
		{"two exporters share the work, and one that moves says nothing of what the other has", `
kube_node_info{node="a",instance="x",job="j"} 1 1 NaN - - -
kube_node_info{node="b",instance="y",job="j"} 1 1 1 NaN - -
kube_node_info{node="b",instance="z",job="j"} - - - - 1 1`, ""},
		{"two exporters share the work, and a node goes from one to the other", `
kube_node_info{node="a",instance="x",job="j"} 1 - 1 - - - - -
kube_node_info{node="a",instance="y",job="j"} - - - 1 - 1 - 1
kube_node_info{node="b",instance="x",job="j"} 1 - 1 - 1 - 1 -
kube_node_info{node="c",instance="y",job="j"} - 1 - 1 - 1 - 1`, ""},
		{"a node goes from one to the other, which was not scraped meanwhile", `
kube_node_info{node="a",instance="x",job="j"} 1 - 1 - - - - -
kube_node_info{node="a",instance="y",job="j"} - - - - - 1 - 1
kube_node_info{node="b",instance="x",job="j"} 1 - 1 - 1 - 1 -
kube_node_info{node="c",instance="y",job="j"} - 1 - - - 1 - 1`, ""},
		{"a node that both replicas lack for some scrapes was deleted", `
kube_node_info{node="a",prometheus_replica="0"} 1 - - - - - 1 - 1 -
kube_node_info{node="a",prometheus_replica="1"} - 1 - - - - - 1 - 1
kube_node_info{node="b",prometheus_replica="0"} 1 - 1 - 1 - 1 - 1 -
kube_node_info{node="b",prometheus_replica="1"} - 1 - 1 - 1 - 1 - 1`, "1015..1045 node-deleted a"},
		{"a node that came back", `
kube_node_info{node="a"} 1 1 - 1 1
kube_node_info{node="b"} 1 1 1 1 1`, "1015..1030 node-deleted a"},
		{"the replica that saw it last has ended: the other one says when it was gone", `
kube_node_info{node="a",prometheus_replica="0"} 1 - 1 - 1 - - -
kube_node_info{node="a",prometheus_replica="1"} - 1 - 1 - - - -
kube_node_info{node="b",prometheus_replica="0"} 1 - 1 - 1 - - -
kube_node_info{node="b",prometheus_replica="1"} - 1 - 1 - 1 - 1`, "1060..1075 node-deleted a"},
		{"replicas in one store: a hole of one is none of the other, and the end is when both say so", `
kube_node_info{node="a",prometheus_replica="0"} 1 - 1 - NaN - - - 1 - - -
kube_node_info{node="a",prometheus_replica="1"} - 1 - 1 - 1 - 1 - 1 - -
kube_node_info{node="b",prometheus_replica="0"} 1 - 1 - NaN - - - 1 - 1 -
kube_node_info{node="b",prometheus_replica="1"} - 1 - 1 - 1 - 1 - 1 - 1
kube_node_status_condition{node="b",condition="Ready",status="false",prometheus_replica="0"} 0 - 1 - NaN - - - 1 - 1 -
kube_node_status_condition{node="b",condition="Ready",status="false",prometheus_replica="1"} - 0 - 1 - 1 - 1 - 1 - 1`,
			"1015..1030 node-not-ready b False\n1135..1165 node-deleted a"},
		{"forced detaches are counted, by reason since 1.28", `
up{instance="k",job="kcm"} 1 1 1 1 1
attachdetach_controller_total_volumes{instance="k",job="kcm"} 1 1 1 1 1
attach_detach_controller_attachdetach_controller_forced_detaches{instance="k",job="kcm",reason="timeout"} 0 0 2 2 3
attachdetach_controller_forced_detaches{instance="old",job="kcm"} 4 4 4 4 5`,
			"1015..1030 forced-detaches-counted timeout x3\n1045..1060 forced-detaches-counted once"},
		{"failed detaches are counted; one that was there before is not", `
storage_operation_duration_seconds_count{instance="k",job="kcm",operation_name="volume_detach",status="fail-unknown",volume_plugin="kubernetes.io/csi:d"} 7 7 9 10 10
storage_operation_duration_seconds_sum{instance="k",job="kcm",operation_name="volume_detach",status="fail-unknown",volume_plugin="kubernetes.io/csi:d"} 7 7 247 367 367
storage_operation_duration_seconds_count{instance="k",job="kcm",operation_name="volume_attach",status="fail-unknown",volume_plugin="kubernetes.io/nfs"} 7 8 9 10 10`,
			"1015..1030 storage-operations-counted volume_detach fail-unknown, mean 2 min x3"},
		{"a counter that begins anew has risen from zero", `
storage_operation_duration_seconds_count{instance="k",job="kcm",operation_name="volume_detach",volume_plugin="kubernetes.io/csi:d"} 7 2 2 2`,
			"1000..1015 storage-operations-counted volume_detach success x2"},
		{"a controller started again; others are not asked", `
process_start_time_seconds{instance="k",job="kube-controller-manager"} 900.3 900.3 1020.5
process_start_time_seconds{instance="k",job="node-exporter"} 900.3 900.3 1020.5`,
			"900 process-started k\n1020 process-started k"},
		{"a volume fills up, and its kubelet falls silent", `
kubelet_volume_stats_used_bytes{exported_namespace="n",namespace="kube-system",persistentvolumeclaim="c",node="a"} 10 91 -
kubelet_volume_stats_capacity_bytes{exported_namespace="n",namespace="kube-system",persistentvolumeclaim="c",node="a"} 100 100 -`,
			"1015 volume-usage a 91% of its bytes"},
		{"a capacity of nothing", `
kubelet_volume_stats_used_bytes{namespace="n",persistentvolumeclaim="c",node="a"} 0
kubelet_volume_stats_capacity_bytes{namespace="n",persistentvolumeclaim="c",node="a"} 0`, ""},
		{"a Lease is not renewed any more; those of others are none of nodes", `
kube_node_info{node="a"} 1 1 1 1 1
kube_lease_renew_time{lease="a",namespace="kube-node-lease"} 995 1012 1012 1012 1012
kube_lease_renew_time{lease="a",namespace="election"} 995 995 995 995 995`, "1012 node-heartbeat a"},
		{"before 2.9.0 the namespace of a Lease is the exporter's", `
kube_node_info{node="a"} 1 1 1 1 1
kube_lease_renew_time{lease="kube-scheduler",namespace="monitoring"} 995 995 995 995 995
kube_lease_renew_time{lease="a",namespace="monitoring"} 995 1012 1012 1012 1012`, "1012 node-heartbeat a"},
		{"the exporter was away: a gap is no change", `
kube_node_info{node="a"} 1 1 - - 1 1
kube_node_status_condition{node="a",condition="Ready",status="true"} 1 1 - - 1 1`, "1000-1075 node-sampled-ready a"},
		{"the pod of a StatefulSet is Ready until it is asked to go", `
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 1 1
kube_pod_status_ready{namespace="n",pod="db-0",uid="1",condition="true"} 1 1 1 1
kube_pod_deletion_timestamp{namespace="n",pod="db-0",uid="1"} - - 1060 1060`,
			"1000-1045 pod-sampled db-0 a\n1000-1015 pod-sampled-ready db-0 a\n1015..1030 pod-deletion-requested db-0 a"},
		{"a pod stops serving, and serves again", `
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 1 1 1
kube_pod_status_ready{namespace="n",pod="db-0",uid="1",condition="true"} 1 1 0 0 1`,
			"1000-1060 pod-sampled db-0 a\n1015..1030 pod-not-ready db-0 a\n1045..1060 pod-ready db-0 a"},
		{"a shorter grace period moves the time of a deletion, not of the request", `
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 1 1
kube_pod_deletion_timestamp{namespace="n",pod="db-0",uid="1"} - 1060 1040 1040`,
			"1000-1045 pod-sampled db-0 a\n1000..1015 pod-deletion-requested db-0 a"},
		{"with two series of its deletion a pod served until the first", `
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 1 1
kube_pod_status_ready{namespace="n",pod="db-0",uid="1",condition="true"} 1 1 1 1
kube_pod_deletion_timestamp{namespace="n",pod="db-0",uid="1",x="1"} - - - 1060
kube_pod_deletion_timestamp{namespace="n",pod="db-0",uid="1",x="2"} - - 1060 1060`,
			"1000-1045 pod-sampled db-0 a\n1000-1015 pod-sampled-ready db-0 a\n1015..1030 pod-deletion-requested db-0 a\n" +
				"1030..1045 pod-deletion-requested db-0 a"},
		{"an exporter that cannot show a deletion", `
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1
kube_pod_status_ready{namespace="n",pod="db-0",condition="true"} 1 1`, "1000-1015 pod-sampled db-0 a"},
		{"a node was deleted while others stay", `
kube_node_info{node="a"} 1 1 - -
kube_node_info{node="b"} 1 1 1 1`, "1015..1030 node-deleted a"},
		{"a change across a gap is as wide as the gap", `
kube_node_status_condition{node="a",condition="Ready",status="unknown"} 0 - - 1`, "1000..1045 node-not-ready a Unknown"},
		{"an attachment comes, is attached, and goes", `
kube_node_info{node="a"} 1 1 1 1 1
kube_volumeattachment_info{volumeattachment="csi-1",node="a",attacher="d"} - 1 1 1 -
kube_volumeattachment_spec_source_persistentvolume{volumeattachment="csi-1",volumename="pv"} - 1 1 1 -
kube_volumeattachment_created{volumeattachment="csi-1"} - 1011 1011 1011 -
kube_volumeattachment_status_attached{volumeattachment="csi-1"} - 0 1 1 -`,
			"1011 attachment-created csi-1 a pv\n1015..1030 attachment-attached csi-1 a pv\n1045..1060 attachment-gone csi-1 a pv"},
		{"attached between creation and the first sample", `
kube_volumeattachment_info{volumeattachment="csi-1",node="a",attacher="d"} - 1
kube_volumeattachment_created{volumeattachment="csi-1"} - 1003
kube_node_info{node="a"} 1 1
kube_volumeattachment_status_attached{volumeattachment="csi-1"} - 1`,
			"1003 attachment-created csi-1 a\n1003..1015 attachment-attached csi-1 a"},
		{"OpenShift drops _created", `
kube_node_info{node="a"} 1 1
kube_volumeattachment_info{volumeattachment="csi-1",node="a",attacher="d"} - 1`, "1000..1015 attachment-created csi-1 a"},
		{"attached at the first sample is attached, since nobody knows when; with the creation it is known", `
kube_node_info{node="a"} 1 1 1
kube_volumeattachment_info{volumeattachment="csi-1",node="a",attacher="d"} 1 1 -
kube_volumeattachment_status_attached{volumeattachment="csi-1"} 1 1 -
kube_volumeattachment_created{volumeattachment="csi-2"} 990 990 990
kube_volumeattachment_status_attached{volumeattachment="csi-2"} 1 1 1`,
			"990 attachment-created csi-2\n990..1000 attachment-attached csi-2\n1000-1015 attachment-sampled csi-1 a\n1015..1030 attachment-gone " +
				"csi-1 a"},
		{"a node is not Ready at the first sample: since when is not known; one that comes later is new", `
kube_node_info{node="a"} 1 1 1
kube_node_status_condition{node="a",condition="Ready",status="unknown"} 1 1 0
kube_node_status_condition{node="b",condition="Ready",status="false"} - 1 1`,
			"1000-1015 node-sampled-not-ready a Unknown"},
		{"a pod of a StatefulSet comes again under its name", `
kube_node_info{node="a"} 1 1 1 1
kube_pod_info{namespace="n",pod="db-0",uid="1",node="a"} 1 1 - -
kube_pod_info{namespace="n",pod="db-0",uid="2",node="b"} - - - 1
kube_pod_created{namespace="n",pod="db-0",uid="1"} 900 900 - -
kube_pod_created{namespace="n",pod="db-0",uid="2"} - - - 1040
kube_pod_deletion_timestamp{namespace="n",pod="db-0",uid="1"} - 1040 - -
kube_pod_container_status_waiting_reason{namespace="n",pod="db-0",uid="2",reason="ContainerCreating"} - - - 1
kube_pod_container_status_waiting_reason{namespace="n",pod="db-0",uid="2",reason="CrashLoopBackOff"} - - - 1`,
			"900 pod-created db-0\n1000-1015 pod-sampled db-0 a\n1000..1015 pod-deletion-requested db-0 a\n1015..1030 pod-gone db-0\n1030..1045 " +
				"pod-scheduled db-0 b\n1040 pod-created db-0\n1045 pod-waiting db-0 b ContainerCreating"},
		{"a claim, its volume and its pod", `
kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename="pv"} 1
kube_persistentvolumeclaim_access_mode{namespace="n",persistentvolumeclaim="c",access_mode="ReadWriteOnce"} 1
kube_pod_spec_volumes_persistentvolumeclaims_info{namespace="n",pod="db-0",persistentvolumeclaim="c",volume="v"} 1
kube_persistentvolume_info{persistentvolume="pv",csi_driver="d",csi_volume_handle="h"} 1`,
			"- volume-bound pv\n- volume-bound pv"},
	} {
		if got := told(readOne(scraped(t, c.metrics))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A quote is the series with the two samples that the statement lies between.
func TestQuote(t *testing.T) {
	r := readOne(scraped(t, `kube_node_status_condition{node="a",condition="Ready",status="unknown"} 0 1`))
	if len(r.Observations) != 1 {
		t.Fatal(told(r))
	}
	o := r.Observations[0]
	if want := `kube_node_status_condition{condition="Ready",node="a",status="unknown"} 0 @1000.000, 1 @1015.000`; o.Quote.Text != want {
		t.Errorf("got %s", o.Quote.Text)
	}
	if o.Source.Kind != model.SourceMetric || !strings.HasPrefix(o.Quote.Text, o.Source.Series) || r.Interval.Seconds() != 15 {
		t.Errorf("%+v, interval %s", o.Source, r.Interval)
	}
}

// TestCovers cuts what shows a wait, metric by metric: each that is missing is named.
func TestCovers(t *testing.T) {
	lines := []string{
		`kube_node_info{node="a"} 1 1`,
		`kube_pod_info{namespace="n",pod="p",uid="1",node="a"} 1 1`,
		`kube_pod_spec_volumes_persistentvolumeclaims_info{namespace="n",pod="p",uid="1",persistentvolumeclaim="c",volume="v"} 1 1`,
		`kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename="pv"} 1 1`,
		`kube_volumeattachment_info{volumeattachment="csi-1",node="a"} 1 1`,
		`kube_volumeattachment_status_attached{volumeattachment="csi-1"} 1 1`,
		`kube_volumeattachment_spec_source_persistentvolume{volumeattachment="csi-1",volumename="pv"} 1 1`,
		`kube_pod_container_status_waiting_reason{namespace="n",pod="q",uid="2",reason="ImagePullBackOff"} 1 1`,
	}
	for i, line := range lines {
		name, _, _ := strings.Cut(line, "{")
		want := "waits-hidden " + name
		if i == 0 {
			want = "waits-sampled "
		}
		var got string
		for _, o := range readOne(scraped(t, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n"))).Observations {
			if o.Kind == model.WaitsSampled || o.Kind == model.WaitsHidden {
				got += string(o.Kind) + " " + o.Detail
			}
		}
		if got != want {
			t.Errorf("without %s: got %q, want %q", name, got, want)
		}
	}
}

// TestAnswers reads the answers of a query of which the step is finer than the scrapes, as fine, and coarser: a change lies as far
// back as the distance of two scrapes, which the changes of other series tell.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name          string
		step          int
		node, another string // samples of a condition and of a Lease
		want          string
	}{
		{"the Lease is seen renewed every fourth step", 5, "0 0 0 0 0 1 1 1 1", "1 2 2 2 2 3 3 3 3", "995..1025 node-not-ready a"},
		{"at every step", 15, "0 0 0 1 1", "1 2 3 4 5", "1015..1045 node-not-ready a"},
		{"nothing else changes", 15, "0 0 0 1 1", "1 1 1 1 1", "730..1045 node-not-ready a"},
		{"a step coarser than any scrape", 600, "0 0 1", "1 2 3", "1300..2200 node-not-ready a"},
	} {
		m := series.NewMemory(model.MetricAPI)
		for labels, values := range map[string]string{`"condition":"Ready","node":"a","status":"unknown"`: c.node,
			`"lease":"a","namespace":"kube-node-lease"`: c.another} {
			name := "kube_node_status_condition"
			if values == c.another {
				name = "kube_lease_renew_time"
			}
			var points []string
			for i, v := range strings.Fields(values) {
				points = append(points, fmt.Sprintf(`[%d,"%s"]`, 1000+c.step*i, v))
			}
			one, err := series.ReadAPI(fmt.Appendf(nil,
				`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":%q,%s},"values":[%s]}]}}`, name, labels,
				strings.Join(points, ",")))
			if err != nil || !m.Join(one.Memory) {
				t.Fatal(err)
			}
		}
		got := told(readOne(m.Source("metrics", "metrics")))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// read is a source of one cluster with its statements.
type read struct {
	Result
	Observations []model.Observation
}

func readOne(src model.MetricSource) read {
	out := read{Result: Read(src)[0]}
	out.Statements(func(o model.Observation) { out.Observations = append(out.Observations, o) })
	model.SortObservations(out.Observations)
	return out
}
