package phrase

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// show renders what an observation tells, without its time and place, one word per field that is set.
func show(o model.Observation) string {
	out := []string{string(o.Kind)}
	add := func(key, value string) {
		if value != "" && value != "/" {
			out = append(out, key+"="+value)
		}
	}
	refs := func(rs []model.Ref) string {
		var s []string
		for _, r := range rs {
			s = append(s, ref(r))
		}
		return strings.Join(s, ",")
	}
	add("node", o.Node)
	add("holders", strings.Join(o.Holders, ","))
	add("pod", ref(o.Pod))
	add("pods", refs(o.Pods))
	add("pv", o.Volume.PersistentVolume)
	if o.Volume.Driver != "" {
		add("csi", o.Volume.Driver+"^"+o.Volume.Handle)
	} else {
		add("unique", o.Volume.UniqueName)
		add("handle", o.Volume.Handle)
	}
	add("claim", ref(o.Claim))
	add("access", strings.Join(o.Access, ","))
	add("va", o.Attachment)
	add("owner", strings.TrimPrefix(o.Owner.Kind+":", ":")+ref(o.Owner))
	add("variant", string(o.Variant))
	add("about", strings.TrimPrefix(o.Object.Kind+":", ":")+ref(o.Object))
	add("by", o.Component)
	add("agent", o.Agent)
	add("detail", o.Detail)
	return strings.Join(out, " ")
}

func ref(r model.Ref) string {
	s := r.String()
	if r.UID != "" {
		s += ":" + r.UID
	}
	return s
}

// read runs one log text, with or without headers' details, through the tables.
func read(text string) []string {
	s := logline.NewScanner(strings.NewReader(text + "\n"))
	var out []string
	for range s.Records {
		h := s.Head()
		row, ok := Match(h.File, h.Text)
		if !ok {
			continue
		}
		var rec logline.Record
		s.ReadRecord(&rec)
		for _, o := range row.Read(&rec, nil) {
			out = append(out, show(o))
		}
	}
	return out
}

const (
	kcm = " by=kube-controller-manager"
	u1  = "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b"
	csi = "csi=ebs.csi.aws.com^vol-0a1b"
	vol = `for volume "pvc-1" (UniqueName: "` + u1 + `") `
)

// klog puts a klog header before a message. The first word is the source file.
func klog(line string) string {
	file, message, _ := strings.Cut(line, " ")
	return "I0315 10:22:33.123456       1 " + file + ".go:420] " + message
}

// check compares what a table of lines tells.
func check(t *testing.T, rows []struct{ name, line, want string }) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range rows {
		if seen[c.name] {
			t.Errorf("two rows are called %s", c.name)
		}
		seen[c.name] = true
		line := c.line
		if !strings.HasPrefix(line, "{") {
			line = klog(line)
		}
		if got := strings.Join(read(line), " | "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

const (
	// goDump is the volume of 1.24–1.27, jsonDump that of 1.28 and later.
	goDump = `volume={VolumeToAttach:{MultiAttachErrorReported:false VolumeName:` + u1 +
		` VolumeSpec:0xc001a2b3c8 NodeName:node-b ScheduledPods:[&Pod{ObjectMeta:{web-0  prod  11111111-2222-4333-8444-555555555555 1234 0 ` +
		`2024-03-15 10:22:30 +0000 UTC <nil> <nil> map[app:web note:say "}]"] map[] [] [] []},Spec:PodSpec{}}]}}`
	dumpJSON = `volume={"MultiAttachErrorReported":false,"VolumeName":"` + u1 +
		`","VolumeSpec":{"Volume":null,"PersistentVolume":{"metadata":{"name":"pvc-1","annotations":{"a":"}]"}},` +
		`"spec":{"csi":{"driver":"ebs.csi.aws.com","volumeHandle":"vol-0a1b"},"accessModes":["ReadWriteOnce"],` +
		`"claimRef":{"kind":"PersistentVolumeClaim","namespace":"prod","name":"data","uid":"u-1"}}},"ReadOnly":false},"NodeName":"node-b",` +
		`"ScheduledPods":[{"metadata":{"name":"web-0","namespace":"prod","uid":"p-1"},"spec":{"nodeName":"node-b"}}]}`
	fullDump = "pv=pvc-1 " + csi + " claim=prod/data:u-1 access=ReadWriteOnce"
)

func TestMultiAttach(t *testing.T) {
	old := "multi-attach node=node-b holders=node-a pods=prod/web-old pv=pvc-1 " + csi + " variant=used-by-pods" + kcm
	dumped := "multi-attach node=node-b holders=node-a pod=prod/web-0:p-1 pods=prod/web-old " + fullDump + " variant=used-by-pods" + kcm
	structDump := "multi-attach node=node-b holders=node-a pod=prod/web-0:11111111-2222-4333-8444-555555555555 pods=prod/web-old " + csi +
		" variant=used-by-pods" + kcm
	check(t, []struct{ name, line, want string }{
		{"L1 ≤1.23", `reconciler Multi-Attach error ` + vol + `from node "node-b" Volume is already used by pods prod/web-old on node node-a`,
			old},
		{"L1 ≤1.23 several", `reconciler Multi-Attach error ` + vol +
			`from node "node-b" Volume is already used by pods prod/a, prod/b on node n1, n2`,
			"multi-attach node=node-b holders=n1,n2 pods=prod/a,prod/b pv=pvc-1 " + csi + " variant=used-by-pods" + kcm},
		{"L1 1.24", `reconciler "Multi-Attach error: volume is already used by pods" pods=[prod/web-old] attachedTo=[node-a] ` + goDump,
			structDump},
		{"L1 1.26", `reconciler "Multi-Attach error: volume is already used by pods" pods="[prod/web-old]" attachedTo=[node-a] ` + goDump,
			structDump},
		{"L1 1.27 contextual", `reconciler "attachdetach: Multi-Attach error: volume is already used by pods" pods=[prod/web-old] ` +
			`attachedTo=[node-a] ` + goDump, structDump},
		{"L1 1.30", `reconciler "Multi-Attach error: volume is already used by pods" logger="persistentvolume-attach-detach-controller" ` +
			`pods=["prod/web-old"] attachedTo=["node-a"] ` + dumpJSON, dumped},
		{"L1 1.33 uid", `reconciler "Multi-Attach error: volume is already used by pods" pods=["prod/web-old:u-9"] attachedTo=["node-a"] ` +
			dumpJSON, strings.Replace(dumped, "web-old", "web-old:u-9", 1)},
		{"L1 JSON", `{"ts":1773480413841.2231,"logger":"persistentvolume-attach-detach-controller","caller":"reconciler/reconciler.go:437",` +
			`"msg":"Multi-Attach error: volume is already used by ` +
			`pods","v":0,"pods":[{"name":"web-old","namespace":"prod"}],"attachedTo":["node-a"],"` + strings.Replace(dumpJSON, "=", `":`, 1) + `}`,
			dumped},
		{"L1 JSON 1.20 without caller",
			`{"ts":1773480413841.2231,"msg":"Multi-Attach error for volume \"pvc-1\" (UniqueName: \"` + u1 +
				`\") from node \"node-b\" Volume is already used by pods prod/web-old on node node-a\n","v":0}`, old},
		{"L2 ≤1.23", `reconciler Multi-Attach error ` + vol +
			`from node "node-b" Volume is already exclusively attached to node node-a and can't be attached to another`,
			"multi-attach node=node-b holders=node-a pv=pvc-1 " + csi + " variant=exclusively-attached" + kcm},
		{"L2 without a name", `reconciler Multi-Attach error ` + vol +
			`from node "node-b" Volume is already exclusively attached to one node and can't be attached to another`,
			"multi-attach node=node-b pv=pvc-1 " + csi + " variant=exclusively-attached" + kcm},
		{"L2 ≥1.28", `reconciler "Multi-Attach error: volume is already exclusively attached and can't be attached to another node" ` +
			`attachedTo=["node-a"] ` + dumpJSON,
			"multi-attach node=node-b holders=node-a pod=prod/web-0:p-1 " + fullDump + " variant=exclusively-attached" + kcm},
		{"new wording, exclusive", `reconciler "Waiting for detach: volume is already exclusively attached, waiting on detach before it can be ` +
			`attached to another node" attachedTo=["node-a"] ` + dumpJSON,
			"multi-attach node=node-b holders=node-a pod=prod/web-0:p-1 " + fullDump + " variant=exclusively-attached" + kcm},
		{"new wording, used", `reconciler "Waiting for detach: volume is in use by pods" pods=["prod/web-old"] attachedTo=["node-a"] ` + dumpJSON,
			dumped},
		{"in-tree name with blanks and brackets",
			`reconciler Multi-Attach error for volume "pvc-2" (UniqueName: "kubernetes.io/vsphere-volume/[ds one] kubevols/x.vmdk") from node ` +
				`"node-b" Volume is already exclusively attached to node node-a and can't be attached to another`,
			"multi-attach node=node-b holders=node-a pv=pvc-2 unique=kubernetes.io/vsphere-volume/[ds one] kubevols/x.vmdk " +
				"variant=exclusively-attached" + kcm},
		{"cut dump", `reconciler "Multi-Attach error: volume is already used by pods" pods=["prod/web-old"] attachedTo=["node-a"] ` +
			`volume={"MultiAttachErrorReported":false,"VolumeName":"` + u1 + `","VolumeSpec":{"Volume":null`,
			"multi-attach holders=node-a pods=prod/web-old " + csi + " variant=used-by-pods" + kcm},

		{"no: from another file", `mycontroller Multi-Attach error ` + vol +
			`from node "node-b" Volume is already used by pods prod/web-old on node node-a`, ""},
		{"no: torn before the volume", `reconciler Multi-Attach error for volume "pvc-`, ""},
		{"no: nothing named", `reconciler "Multi-Attach error: volume is already used by pods"`, ""},
		{"no: touching", `reconciler "Volume attached--touching" ` + goDump, ""},
	})
}

func TestReconciler(t *testing.T) {
	on := "node=node-a pv=pvc-1 " + csi + kcm
	keyed := "node=node-a " + csi + kcm
	attached := `volume={AttachedVolume:{VolumeName:` + u1 +
		` VolumeSpec:0xc0 NodeName:node-a PluginIsAttachable:true DevicePath: DeviceMountPath:} MountedByNode:true}`
	check(t, []struct{ name, line, want string }{
		{"L3 ≤1.23", `reconciler attacherDetacher.AttachVolume started ` + vol + `from node "node-b" `,
			"attach-started node=node-b pv=pvc-1 " + csi + kcm},
		{"L3 1.24", `reconciler "attacherDetacher.AttachVolume started" ` + goDump,
			"attach-started node=node-b pods=prod/web-0:11111111-2222-4333-8444-555555555555 " + csi + kcm},
		{"L3 ≥1.28", `reconciler "attacherDetacher.AttachVolume started" volumeName="` + u1 + `" nodeName="node-b" scheduledPods=["prod/web-0"]`,
			"attach-started node=node-b pods=prod/web-0 " + csi + kcm},
		{"L3 1.27 unquoted", `reconciler "attacherDetacher.AttachVolume started" volumeName=kubernetes.io/vsphere-volume/[ds] a b.vmdk ` +
			`nodeName="node-b" scheduledPods=[prod/web-0]`,
			"attach-started node=node-b pods=prod/web-0 unique=kubernetes.io/vsphere-volume/[ds] a b.vmdk" + kcm},
		{"L6 ≤1.23", `reconciler attacherDetacher.DetachVolume started ` + vol + `on node "node-a" `, "detach-started " + on},
		{"L6 1.24", `reconciler "attacherDetacher.DetachVolume started" ` + attached, "detach-started " + keyed},
		{"L6 ≥1.28", `reconciler "attacherDetacher.DetachVolume started" node="node-a" volumeName="` + u1 + `"`, "detach-started " + keyed},
		{"L7 ≤1.23", `reconciler attacherDetacher.DetachVolume started ` + vol +
			`on node "node-a" This volume is not safe to detach, but maxWaitForUnmountDuration 6m0s expired, force detaching`,
			"detach-forced-timeout " + on + " detail=6m0s"},
		{"L7 after failover", `reconciler attacherDetacher.DetachVolume started for volume "nil" (UniqueName: "` + u1 +
			`") on node "node-a" This volume is not safe to detach, but maxWaitForUnmountDuration 6m0s expired, force detaching`,
			"detach-forced-timeout " + keyed + " detail=6m0s"},
		{"L7 1.24", `reconciler "attacherDetacher.DetachVolume started: this volume is not safe to detach, but maxWaitForUnmountDuration ` +
			`expired, force detaching" duration="6m0s" ` + attached, "detach-forced-timeout " + keyed + " detail=6m0s"},
		{"L7 JSON", `{"ts":1795239893259.15,"caller":"reconciler/reconciler.go:283","msg":"attacherDetacher.DetachVolume started: this volume ` +
			`is not safe to detach, but maxWaitForUnmountDuration expired, force ` +
			`detaching","v":0,"duration":"6m0s","node":{"name":"node-a"},"volumeName":"` + u1 + `"}`,
			"detach-forced-timeout " + keyed + " detail=6m0s"},
		{"L8", `reconciler "attacherDetacher.DetachVolume started: node has out-of-service taint, force detaching" node="node-a" volumeName="` +
			u1 + `"`, "detach-forced-taint " + keyed},
		{"1.5 attach", `reconciler Started AttachVolume for volume "kubernetes.io/aws-ebs/vol-1" from node "node-b"`,
			"attach-started node=node-b unique=kubernetes.io/aws-ebs/vol-1" + kcm},
		{"1.5 detach", `reconciler Started DetachVolume for volume "kubernetes.io/aws-ebs/vol-1" (spec.Name: "pvc-1") from node "node-a"`,
			"detach-started node=node-a pv=pvc-1 unique=kubernetes.io/aws-ebs/vol-1" + kcm},
		{"L9 1.24", `reconciler node "node-a" has out-of-service taint`, "node-out-of-service node=node-a" + kcm},
		{"L9 ≥1.27", `reconciler "node has out-of-service taint" node="node-a"`, "node-out-of-service node=node-a" + kcm},
		{"L10", `reconciler "Drain timeout expired for volume but disableForceDetachOnTimeout was set" node="node-a" volumeName="` + u1 + `"`,
			"force-detach-disabled " + keyed},
		{"L11 ≤1.23", `reconciler Cannot detach volume because it is still mounted ` + vol + `on node "node-a" `, "detach-still-mounted " + on},
		{"L11 1.24", `reconciler "Cannot detach volume because it is still mounted" ` + attached, "detach-still-mounted " + keyed},
		{"L11 ≥1.28", `reconciler "Cannot detach volume because it is still mounted" node="node-a" volumeName="` + u1 + `"`,
			"detach-still-mounted " + keyed},
		{"L12 ≤1.26", `actual_state_of_world Set detach request time to current time for volume ` + u1 + ` on node "node-a"`,
			"detach-timer-started " + keyed},
		{"L12 ≥1.27", `actual_state_of_world "Set detach request time to current time for volume on node" node="node-a" volumeName="` + u1 + `"`,
			"detach-timer-started " + keyed},
		{"L24 ≤1.26", `attach_detach_controller Marking volume attachment as uncertain as volume:"` + u1 +
			`" ("node-a") is not attached (Detached)`, "volume-uncertain " + keyed + " detail=Detached"},
		{"L24 ≥1.27", `attach_detach_controller "Marking volume attachment as uncertain as volume is not attached" node="node-a" volumeName="` +
			u1 + `" attachState="Detached"`, "volume-uncertain " + keyed + " detail=Detached"},
		{"L25 ≤1.26", `attach_detach_controller error removing node "node-a" from desired-state-of-world: failed to delete node "node-a" from ` +
			`list`, `node-removal-refused node=node-a` + kcm + ` detail=failed to delete node "node-a" from list`},
		{"L25 ≥1.27", `attach_detach_controller "Error removing node from desired-state-of-world" node="node-a" err="failed to delete node ` +
			`\"node-a\" from list"`, `node-removal-refused node=node-a` + kcm + ` detail=failed to delete node "node-a" from list`},
		{"L26 1.24", `reconciler failed to get health of node node-a: node "node-a" not found`,
			`node-health-unknown node=node-a` + kcm + ` detail=node "node-a" not found`},
		{"L26 ≥1.27", `reconciler "Failed to get health of node" err="node \"node-a\" not found" node="node-a"`,
			`node-health-unknown node=node-a` + kcm + ` detail=node "node-a" not found`},
		{"L27 start", `attach_detach_controller "Starting attach detach controller" logger="persistentvolume-attach-detach-controller"`,
			"controller-started" + kcm},
		{"L27 stop", `attach_detach_controller Shutting down attach detach controller`, "controller-stopped" + kcm},
		{"no: start-up noise", `actual_state_of_world "Failed to update statusUpdateNeeded field in actual state of world" err="x"`, ""},
		{"no: taint lookup", `reconciler "Failed to get taint specs for node" err="x" node="node-a"`, ""},
	})
}

func TestOperations(t *testing.T) {
	const until = `failed. No retries permitted until 2024-03-15 10:30:34.500002 +0000 UTC m=+86400.1 (durationBeforeRetry 500ms). Error: `
	const key = `nestedpendingoperations Operation for "{volumeName:` + u1 + ` podName: nodeName:}" ` + until
	detach := `DetachVolume.Detach failed ` + vol + `on node "node-a" : `
	attach := `AttachVolume.Attach failed ` + vol + `from node "node-b" : `
	on := "node=node-a pv=pvc-1 " + csi + kcm
	to := "node=node-b pv=pvc-1 " + csi + kcm
	check(t, []struct{ name, line, want string }{
		{"L4", `operation_generator AttachVolume.Attach succeeded ` + vol + `from node "node-b" `, "attach-succeeded " + to},
		{"L5 detach", key + detach + "rpc error: code = Internal", "detach-failed " + on + " detail=" + detach + "rpc error: code = Internal"},
		{"L5 attach, quoted ≤1.21", key + `"` + strings.ReplaceAll(attach, `"`, `\"`) + `boom"`,
			"attach-failed " + to + " detail=" + attach + "boom"},
		{"L5 old key", `nestedpendingoperations Operation for "\"` + u1 + `\"" ` + until + `"AttachVolume.NewAttacher failed: boom"`,
			"attach-failed " + csi + kcm + " detail=AttachVolume.NewAttacher failed: boom"},
		{"L5 key with node", `nestedpendingoperations Operation for "{volumeName:` + u1 + ` podName: nodeName:node-c}" ` + until +
			"DetachVolume.x failed", "detach-failed node=node-c " + csi + kcm + " detail=DetachVolume.x failed"},
		{"cloud attach rejected", key + attach + `disk is already attached to node "node-a"`,
			"attach-failed " + to + " detail=" + attach + `disk is already attached to node "node-a"`},
		{"L13", `operation_generator Verified volume is safe to detach ` + vol + `on node "node-a" `, "detach-verified-safe " + on},
		{"L14", key + detach + `DetachVolume failed ` + vol + `on node "node-a" : volume is still in use by node, according to Node status`,
			"detach-refused-in-use " + on + " detail=" + detach + `DetachVolume failed ` + vol +
				`on node "node-a" : volume is still in use by node, according to Node status`},
		{"L15", `operation_generator Node not found on API server. DetachVolume will skip safe to detach check ` + vol + `on node "node-a" `,
			"detach-safety-skipped " + on},
		{"L16", `operation_generator DetachVolume.Detach succeeded ` + vol + `on node "node-a" `, "detach-succeeded " + on},
		{"L16 nil", `operation_generator DetachVolume.Detach succeeded for volume "nil" (UniqueName: "` + u1 + `") on node "node-a" `,
			"detach-succeeded node=node-a " + csi + kcm},
		{"L18 1.13 in L5", key + detach + "detachment timeout for volume vol-0a1b",
			"detach-failed " + on + " detail=" + detach + "detachment timeout for volume vol-0a1b | operation-timeout " + on + " detail=detach"},
		{"L18 1.17 in L5", key + attach + "attachdetachment timeout for volume vol-0a1b",
			"attach-failed " + to + " detail=" + attach + "attachdetachment timeout for volume vol-0a1b | operation-timeout " + to +
				" detail=attach"},
		{"L18 1.21 in L5", key + attach + "Attach timeout for volume vol-0a1b",
			"attach-failed " + to + " detail=" + attach + "Attach timeout for volume vol-0a1b | operation-timeout " + to + " detail=attach"},
		{"L18 ≥1.24 in L5", key + detach + "timed out waiting for external-attacher of unknown CSI driver to detach volume vol-0a1b",
			"detach-failed " + on + " detail=" + detach +
				"timed out waiting for external-attacher of unknown CSI driver to detach volume vol-0a1b | operation-timeout " + on + " detail=detach"},
		{"L23", `operation_generator VerifyVolumesAreAttached determined volume "` + u1 +
			`" (spec.Name: "pvc-1") is no longer attached to node "node-a", therefore it was marked as detached.`, "volume-marked-detached " + on},
		{"1.5 error", `nestedpendingoperations Operation for "\"kubernetes.io/aws-ebs/vol-1\"" ` + until +
			`DetachVolume failed fetching node from API server for volume "kubernetes.io/aws-ebs/vol-1" (spec.Name: "pvc-1") from node "node-a" ` +
			`with: not found`,
			"detach-failed node=node-a pv=pvc-1 unique=kubernetes.io/aws-ebs/vol-1" + kcm +
				` detail=DetachVolume failed fetching node from API server for volume "kubernetes.io/aws-ebs/vol-1" (spec.Name: "pvc-1") from node ` +
				`"node-a" with: not found`},
		{"multi-line error", key + "AttachVolume.Attach failed " + vol + `from node "node-b" : status code: 503` + "\n\trequest id: 1",
			"attach-failed " + to + " detail=" + attach + "status code: 503\n\trequest id: 1"},
		{"kubelet waits", `nestedpendingoperations Operation for "{volumeName:` + u1 + ` podName: nodeName:}" ` + until +
			`Volume not attached according to node status for volume "pvc-1" (UniqueName: "` + u1 + `") pod "web-0" (UID: "p-1") `,
			`mount-failed pod=web-0:p-1 pv=pvc-1 ` + csi +
				` by=kubelet detail=Volume not attached according to node status for volume "pvc-1" (UniqueName: "` + u1 +
				`") pod "web-0" (UID: "p-1")`},
		{"kubelet verified", `operation_generator Controller attach succeeded ` + vol + `pod "web-0" (UID: "p-1") device path: ""`,
			"attach-seen pod=web-0:p-1 pv=pvc-1 " + csi + " by=kubelet"},
		{"kubelet unmounts", key + `UnmountVolume.TearDown failed for volume "data" (UniqueName: "` + u1 +
			`") pod "p-1" (UID: "p-1") : device is busy`,
			"unmount-failed pod=p-1:p-1 " + csi + " by=kubelet" + ` detail=UnmountVolume.TearDown failed for volume "data" (UniqueName: "` + u1 +
				`") pod "p-1" (UID: "p-1") : device is busy`},
		{"kubelet unstages", key + "UnmountDevice failed " + vol + `on node "node-a" : device is busy`,
			"unmount-failed node=node-a pv=pvc-1 " + csi + " by=kubelet detail=UnmountDevice failed " + vol + `on node "node-a" : device is busy`},
		{"no: a volume of the node itself",
			`nestedpendingoperations Operation for "{volumeName:kubernetes.io/secret/p-1-x podName:p-1 nodeName:}" ` + until +
				`UnmountVolume.TearDown failed for volume "x" (UniqueName: "kubernetes.io/secret/p-1-x") pod "p-1" (UID: "p-1") : busy`, ""},
		{"no: torn", `operation_generator DetachVolume.Detach succeeded for volume`, ""},
	})
}
