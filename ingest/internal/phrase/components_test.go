package phrase

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/ingest/internal/logline"
)

// TestDriverAnswers reads what interceptors of gocsi log; an answer without the volume may be of any call.
func TestDriverAnswers(t *testing.T) {
	const answer = "rpc error: code = Aborted desc =  runid=41 Volume p2-31a62a3fff has not been published to this node wkr1."
	for message, want := range map[string]string{
		"/csi.v1.Node/NodeStageVolume: REP 0041: " + answer:                                              "mount-failed node=wkr1 pv=p2-31a62a3fff detail=" + answer,
		"/csi.v1.Controller/ControllerPublishVolume: REP 0008: rpc error: code = Aborted desc = pending": "",
		"/csi.v1.Node/NodeStageVolume: REQ 0041: VolumeId=p2-31a62a3fff":                                 "",
	} {
		s := logline.NewScanner(strings.NewReader(`time="2026-03-14T10:00:48Z" level=info msg="` + message + "\"\n"))
		s.Known = func(_ *envelope.Origin, _, text []byte) bool { return Known(text) }
		got := ""
		for range s.Records {
			var rec logline.Record
			s.ReadRecord(&rec)
			row, _ := Match(nil, s.Head().Text)
			for _, o := range row.Read(&rec, nil) {
				got += show(o)
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", message, got, want)
		}
	}
}

// TestInTree reads the clouds' attachers inside of the controller, which name disks and machines as their cloud does.
func TestInTree(t *testing.T) {
	const disk = "/subscriptions/s/disks/c-dynamic-pvc-7f3a9c10-1b2c-4d5e-8f90-a1b2c3d4e5f6"
	const of = " pv=pvc-7f3a9c10-1b2c-4d5e-8f90-a1b2c3d4e5f6 unique=kubernetes.io/azure-disk/" + disk + " by=kube-controller-manager"
	check(t, []struct{ name, line, want string }{
		{"Azure", `attacher Attach volume "` + disk + `" to instance "/subscriptions/s/virtualMachines/Pool-1" failed with x: y`,
			"attach-failed node=pool-1" + of + " detail=x: y"},
		{"Azure detach", `attacher failed to detach azure disk "` + disk + `", err x`, "detach-failed" + of + " detail=x"},
		{"EBS", `attacher Error attaching volume "vol-0a": Error attaching EBS volume: VolumeInUse`,
			"attach-failed unique=kubernetes.io/aws-ebs/vol-0a by=kube-controller-manager detail=Error attaching EBS volume: VolumeInUse"},
		{"a disk that a person made has no volume", `attacher Error detaching PD "disk-1" from node "node-a": x`,
			"detach-failed node=node-a unique=kubernetes.io/gce-pd/disk-1 by=kube-controller-manager detail=x"},
		{"no: a check", `attacher azureDisk - VolumesAreAttached: check volume "d" (specName: "pvc-1") is no longer attached`, ""},
	})
}

// TestHetzner reads the log of the driver of Hetzner Cloud.
func TestHetzner(t *testing.T) {
	for in, want := range map[string]string{
		`msg="failed to attach volume" volume-id=5 server-id=7 err="Power off the server"`: "attacher-failed node=7 handle=5 detail=failed to attach: Power off the server",
		`msg="failed to detach volume" volume-id=5 err="locked"`:                           "attacher-failed handle=5 detail=failed to detach: locked",
		`msg="attaching volume" volume-id=5 server-id=7`:                                   "",
	} {
		s := logline.NewScanner(strings.NewReader("level=info ts=2026-03-14T09:26:53Z component=api " + in + "\n"))
		got := ""
		for range s.Records {
			var rec logline.Record
			s.ReadRecord(&rec)
			if row, ok := Match(nil, s.Head().Text); ok {
				for _, o := range row.Read(&rec, nil) {
					got += show(o)
				}
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestCSI(t *testing.T) {
	const va = "csi-faf54a99660988fced4952b3867dd338e8e8dfd4911246906988e46f79632045"
	check(t, []struct{ name, line, want string }{
		{"L17 1.13", "csi_attacher kubernetes.io/csi: attacher.WaitForAttach timeout after 2m0s [volume=vol-0a1b; attachment.ID=" + va + "]",
			"operation-timeout handle=vol-0a1b va=" + va + kcm + " detail=attach"},
		{"L17 1.13 detach", "csi_attacher kubernetes.io/csi: detacher.WaitForDetach timeout after 2m0s [volume=vol-0a1b; attachment.ID=" + va +
			"]", "operation-timeout handle=vol-0a1b va=" + va + kcm + " detail=detach"},
		{"L17 1.17, either", "csi_attacher kubernetes.io/csi: attachdetacher.WaitForDetach timeout after 2m0s [volume=vol-0a1b; attachment.ID=" +
			va + "]", "operation-timeout handle=vol-0a1b va=" + va + kcm},
		{"L17 ≥1.21", "csi_attacher kubernetes.io/csi: Attach timeout after 2m0s [volume=vol-0a1b; attachment.ID=" + va + "]",
			"operation-timeout handle=vol-0a1b va=" + va + kcm + " detail=attach"},
		{"L17 ≥1.21 detach", "csi_attacher kubernetes.io/csi: Detach timeout after 2m0s [volume=vol-0a1b; attachment.ID=" + va + "]",
			"operation-timeout handle=vol-0a1b va=" + va + kcm + " detail=detach"},
		{"L19", "csi_attacher kubernetes.io/csi: attachment [" + va + "] for volume [vol-0a1b] created successfully",
			"attachment-created handle=vol-0a1b va=" + va + kcm},
		{"L20", "csi_attacher kubernetes.io/csi: detacher deleted ok VolumeAttachment.ID=" + va, "attachment-deletion-requested va=" + va + kcm},
		{"L20 gone", "csi_attacher kubernetes.io/csi: VolumeAttachment object [" + va + "] for volume [vol-0a1b] not found, object deleted",
			"attachment-gone handle=vol-0a1b va=" + va + kcm},
		{"L20 gone by watch", "csi_attacher kubernetes.io/csi: VolumeAttachment object [" + va + "] for volume [vol-0a1b] has been deleted",
			"attachment-gone handle=vol-0a1b va=" + va + kcm},
		{"L21", "csi_attacher kubernetes.io/csi: VolumeAttachment [" + va + "] has deletion timestamp, will not continue to wait for attachment",
			"attachment-deleting va=" + va + kcm},
		{"L22 attach", "csi_attacher kubernetes.io/csi: attachment for vol-0a1b failed: rpc error: failed: x",
			"attachment-attach-error handle=vol-0a1b" + kcm + " detail=rpc error: failed: x"},
		{"L22 detach 1.13", "csi_attacher kubernetes.io/csi: detachment for VolumeAttachment [" + va + "] for volume [vol-0a1b] failed: boom",
			"attachment-detach-error handle=vol-0a1b va=" + va + kcm + " detail=boom"},
		{"L22 detach ≥1.17", "csi_attacher kubernetes.io/csi: detachment for VolumeAttachment for volume [vol-0a1b] failed: boom",
			"attachment-detach-error handle=vol-0a1b" + kcm + " detail=boom"},
		{"the sync's check", "csi_attacher kubernetes.io/csi: attacher.VolumesAreAttached failed for attach.ID=" + va +
			`: volumeattachments.storage.k8s.io "x" not found`,
			"attachment-check-failed va=" + va + kcm + " detail=attacher.VolumesAreAttached failed for attach.ID=" + va +
				`: volumeattachments.storage.k8s.io "x" not found`},
		{"no: a check of the list only",
			"csi_attacher kubernetes.io/csi: attacher.VolumesAreAttached failed in AttachmentLister for attach.ID=" + va +
				": x. Probing the API server.", ""},
		{"no: reused", "csi_attacher kubernetes.io/csi: attachment [" + va + "] for volume [vol-0a1b] already exists (will not be recreated)",
			""},
		{"no: probing", "csi_attacher kubernetes.io/csi: probing VolumeAttachment [id=" + va + "]", ""},
	})
}

func TestNodeAuthorizer(t *testing.T) {
	check(t, []struct{ name, line, want string }{
		{"refused PersistentVolume", `node_authorizer "NODE DENY" err="node 'node-a' cannot get unknown pv /e706dce4"`,
			"node-denied node=node-a by=kube-apiserver detail=node 'node-a' cannot get unknown pv /e706dce4"},
		{"no: another kind", `node_authorizer "NODE DENY" err="node 'node-a' cannot get unknown secret prod/x"`, ""},
		{"no: no node", `node_authorizer "NODE DENY" err="x pv /y"`, ""},
	})
}

func TestNodeLifecycle(t *testing.T) {
	check(t, []struct{ name, line, want string }{
		{"L29 ≤1.26", "node_lifecycle_controller Node node-a is unresponsive as of 2024-03-15 10:22:33.1 +0000 UTC m=+139.8. Adding it to the " +
			"Taint queue.", "node-not-ready node=node-a" + kcm + " detail=Unknown"},
		{"L29 ≤1.26 NotReady", "node_lifecycle_controller Node node-a is NotReady as of 2024-03-15 10:22:33.1 +0000 UTC m=+139.8. Adding it to " +
			"the Taint queue.", "node-not-ready node=node-a" + kcm + " detail=False"},
		{"L29 ≥1.27", `node_lifecycle_controller "Node is unresponsive. Adding it to the Taint queue" logger="node-lifecycle-controller" ` +
			`node="node-a" timeStamp="2026-11-21 06:07:31.9 +0000 UTC m=+130.4"`, "node-not-ready node=node-a" + kcm + " detail=Unknown"},
		{"L29 ≥1.27 NotReady", `node_lifecycle_controller "Node is NotReady. Adding it to the Taint queue" node="node-a" timeStamp="x"`,
			"node-not-ready node=node-a" + kcm + " detail=False"},
		{"L30 ≤1.26", "node_lifecycle_controller node node-a hasn't been updated for 40.007988623s. Last Ready is: " +
			"&NodeCondition{Type:Ready,Status:True,}", "node-heartbeat-missed node=node-a" + kcm + " detail=40.007988623s"},
		{"L30 ≥1.27", `node_lifecycle_controller "Node hasn't been updated" node="node-a" duration="40.007565955s" nodeConditionType="Ready" ` +
			`currentCondition="&NodeCondition{Type:Ready,}"`, "node-heartbeat-missed node=node-a" + kcm + " detail=40.007565955s"},
		{"L31 ≤1.26", "node_lifecycle_controller Node node-a is healthy again, removing all taints", "node-ready node=node-a" + kcm},
		{"L31 1.27", `node_lifecycle_controller "Node is healthy again, removing all taints" node="node-a"`, "node-ready node=node-a" + kcm},
		{"L31 ≥1.32", `node_lifecycle_controller "Node is healthy again, removed all taints" node="node-a"`, "node-ready node=node-a" + kcm},
		{"L32 ≤1.26 with a NUL", "node_lifecycle_controller Controller detected that zone eu:\x00:eu-1a is now in state FullDisruption.",
			"zone-state" + kcm + " detail=FullDisruption"},
		{"L32 ≥1.27", `node_lifecycle_controller "Controller detected that zone is now in new state" zone="eu:\x00:eu-1a" ` +
			`newState="PartialDisruption"`, "zone-state" + kcm + " detail=PartialDisruption"},
		{"L32 JSON", `{"ts":1795241158882.0037,"caller":"nodelifecycle/node_lifecycle_controller.go:1067","msg":"Controller detected that zone ` +
			`is now in new state","v":0,"zone":"eu:\u0000:eu-1a","newState":"Normal"}`, "zone-state" + kcm + " detail=Normal"},
		{"L33", "node_lifecycle_controller Controller detected that all Nodes are not-Ready. Entering master disruption mode.",
			"zone-state" + kcm + " detail=master disruption"},
		{"L33 end", `node_lifecycle_controller "Controller detected that some Nodes are Ready. Exiting master disruption mode"`,
			"zone-state" + kcm + " detail=master disruption ended"},
		{"condition posted by the kubelet",
			`node_lifecycle_controller ReadyCondition for Node node-a transitioned from ` +
				`&NodeCondition{Type:Ready,Status:True,Reason:KubeletReady,} to &NodeCondition{Type:Ready,Status:False,Reason:KubeletNotReady,}`,
			"node-not-ready node=node-a" + kcm + " detail=False"},
		{"condition ≥1.27", `node_lifecycle_controller "ReadyCondition for Node transitioned from savedCondition to currentReadyCondition" ` +
			`node="node-a" savedCondition="&NodeCondition{Type:Ready,Status:Unknown,}" ` +
			`currentReadyCondition="&NodeCondition{Type:Ready,Status:True,}"`, "node-ready node=node-a" + kcm},
		{"status change ≤1.22", "controller_utils Recording status change NodeNotReady event message for node node-a",
			"node-not-ready node=node-a" + kcm + " detail=Unknown"},
		{"status change", `controller_utils "Recording status change event message for node" status="NodeNotReady" node="node-a"`,
			"node-not-ready node=node-a" + kcm + " detail=Unknown"},
		{"taint", `controller_utils "Added taint to node" ` +
			`taint=[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-11-21T06:07:32Z"}] node="node-a"`,
			"node-tainted node=node-a" + kcm + " detail=node.kubernetes.io/unreachable=:NoExecute"},
		{"new node", `node_lifecycle_controller Controller observed a new Node: "node-a"`, "node-registered node=node-a" + kcm},
		{"node deleted", `node_lifecycle_controller "Controller observed a Node deletion" node="node-a"`, "node-deleted node=node-a" + kcm},
		{"node deleted ≤1.26", `node_lifecycle_controller Controller observed a Node deletion: node-a`, "node-deleted node=node-a" + kcm},
		{"pod not ready", `controller_utils "Updating ready status of pod to false" pod="prod/web-0"`, "pod-not-ready pod=prod/web-0" + kcm},
		{"pod not ready ≤1.22", `controller_utils Updating ready status of pod web-0 to false`, "pod-not-ready pod=web-0" + kcm},
		{"no: the node before it", `controller_utils Update ready status of pods on node [node-a]`, ""},
		{"no: taint removed", `controller_utils "Made sure that node has no taint" node="node-a" taint=[{"key":"k","effect":"NoSchedule"}]`, ""},
		{"no: no taint", `controller_utils "Added taint to node" taint=null node="node-a"`, ""},
		{"no: event message", `controller_utils "Recording event message for node" event="Registered Node node-a in Controller" node="node-a"`,
			""},
		{"no: never updated", `node_lifecycle_controller "Condition of node was never updated by kubelet" nodeConditionType="Ready" ` +
			`node="node-a"`, ""},
	})
}

func TestEvictionAndGC(t *testing.T) {
	check(t, []struct{ name, line, want string }{
		{"L28 1.13", "taint_manager NoExecuteTaintManager is deleting Pod: prod/web-old", "pod-eviction-decided pod=prod/web-old" + kcm},
		{"L28 1.21", `taint_manager "NoExecuteTaintManager is deleting pod" pod="prod/web-old"`, "pod-eviction-decided pod=prod/web-old" + kcm},
		{"L28 ≥1.29", `taint_eviction "Deleting pod" logger="taint-eviction-controller" controller="taint-eviction-controller" ` +
			`pod="prod/web-old"`, "pod-eviction-decided pod=prod/web-old" + kcm},
		{"L28 JSON", `{"ts":1795241158882.0037,"caller":"tainteviction/taint_eviction.go:111","msg":"Deleting ` +
			`pod","v":0,"controller":"taint-eviction-controller","pod":{"name":"web-old","namespace":"prod"}}`,
			"pod-eviction-decided pod=prod/web-old" + kcm},
		{"a ReplicaSet deletes", `controller_utils "Deleting pod" logger="replicaset-controller" controller="web-7658" pod="prod/web-old"`,
			"replica-deleted pod=prod/web-old owner=ReplicaSet:prod/web-7658" + kcm},
		{"a controller deletes ≤1.18", `controller_utils Controller web-7658 deleting pod prod/web-old`,
			"replica-deleted pod=prod/web-old owner=prod/web-7658" + kcm},
		{"L34 ≤1.22", "gc_controller PodGC is force deleting Pod: prod/web-old", "pod-force-deleting pod=prod/web-old" + kcm},
		{"L34 ≥1.23", `gc_controller "PodGC is force deleting Pod" pod="prod/web-old"`, "pod-force-deleting pod=prod/web-old" + kcm},
		{"L34 done ≤1.22", "gc_controller Forced deletion of orphaned Pod prod/web-old succeeded",
			"pod-force-deleted pod=prod/web-old" + kcm + " detail=orphaned"},
		{"L34 done", `gc_controller "Forced deletion of orphaned Pod succeeded" pod="prod/web-old"`,
			"pod-force-deleted pod=prod/web-old" + kcm + " detail=orphaned"},
		{"L34 found ≤1.22", "gc_controller Found orphaned Pod prod/web-old assigned to the Node node.a. Deleting.",
			"pod-orphaned node=node.a pod=prod/web-old" + kcm},
		{"L34 found", `gc_controller "Found orphaned Pod assigned to the Node, deleting" pod="prod/web-old" node="node-a"`,
			"pod-orphaned node=node-a pod=prod/web-old" + kcm},
		{"L35 1.24", "gc_controller garbage collecting pod web-old that is terminating. Phase [Running]",
			"pod-force-deleting pod=web-old" + kcm + " detail=out-of-service"},
		{"L35 ≥1.28", `gc_controller "Garbage collecting pod that is terminating" pod="prod/web-old" phase="Running"`,
			"pod-force-deleting pod=prod/web-old" + kcm + " detail=out-of-service"},
		{"deletion noticed", `taint_eviction "Noticed pod deletion" pod="prod/web-old"`, "pod-gone pod=prod/web-old" + kcm},
		{"no: other controller in that file", `taint_eviction "Starting" controller="taint-eviction-controller"`, ""},
		{"no: count only", `gc_controller "Garbage collecting pods" numPods=3`, ""},
	})
}

func TestProcess(t *testing.T) {
	const lock = "kube-system/kube-controller-manager"
	check(t, []struct{ name, line, want string }{
		{"L36 ≤1.19", "leaderelection attempting to acquire leader lease  " + lock + "...", "leader-waiting" + kcm + " detail=" + lock},
		{"L36 1.20", "leaderelection attempting to acquire leader lease " + lock + "...", "leader-waiting" + kcm + " detail=" + lock},
		{"L36 ≥1.35", `leaderelection "Attempting to acquire leader lease..." lock="` + lock + `"`, "leader-waiting" + kcm + " detail=" + lock},
		{"L36 acquired", "leaderelection successfully acquired lease " + lock, "leader-acquired" + kcm + " detail=" + lock},
		{"L36 acquired ≥1.35", `leaderelection "Successfully acquired lease" lock="` + lock + `"`, "leader-acquired" + kcm + " detail=" + lock},
		{"L36 lost", "leaderelection failed to renew lease " + lock + ": timed out waiting for the condition",
			"leader-lost" + kcm + " detail=" + lock},
		{"L36 the attacher's lock", "leaderelection successfully acquired lease storage/external-attacher-leader-ebs-csi-aws-com",
			"leader-acquired by=external-attacher detail=storage/external-attacher-leader-ebs-csi-aws-com"},
		{"L36 another lock", "leaderelection successfully acquired lease a/b", "leader-acquired detail=a/b"},
		{"L37 ≤1.23", "controllermanager leaderelection lost", "leader-lost" + kcm + " detail=" + lock},
		{"L37 1.36", `controllermanager "leaderelection lost/stopped" err=null`, "leader-lost" + kcm + " detail=" + lock},
		{"L38 ≤1.26", `controllermanager Started "attachdetach"`, "controller-started" + kcm},
		{"L38 1.27", `controllermanager "Started controller" controller="attachdetach"`, "controller-started" + kcm},
		{"L38 ≥1.35", `controllermanager "Controller starting..." controller="persistentvolume-attach-detach-controller"`,
			"controller-started" + kcm},
		{"L39 ≤1.26", "controllermanager Version: v1.23.17", "process-version" + kcm + " detail=v1.23.17"},
		{"L39 struct", `controllermanager Version: version.Info{Major:"1", GitVersion:"v1.19.4", GitCommit:"x"}`,
			"process-version" + kcm + " detail=v1.19.4"},
		{"L39 ≥1.27", `controllermanager "Starting" version="v1.36.3"`, "process-version" + kcm + " detail=v1.36.3"},
		{"attacher's version", `main "Version" version="v4.12.0"`, "process-version detail=v4.12.0"},
		{"L40", `flags FLAG: --node-monitor-grace-period="40s"`, "process-flag detail=--node-monitor-grace-period=40s"},
		{"no: other flag", `flags FLAG: --cluster-name="lab"`, ""},
		{"no: lock held", "leaderelection lock is held by x and has not yet expired", ""},
		{"no: other controller", `controllermanager "Started controller" controller="podgc"`, ""},
		{"no: text", `controllermanager "Starting leader migration"`, ""},
	})
}

func TestRecorder(t *testing.T) {
	const multi = `multi-attach pod=prod/web-0 pods=prod/web-old pv=pvc-1 variant=used-by-pods about=Pod:prod/web-0`
	check(t, []struct{ name, line, want string }{
		{"L41 ≤1.18", `event Event(v1.ObjectReference{Kind:"Pod", Namespace:"prod", Name:"web-0", UID:"u-1", APIVersion:"v1", ` +
			`ResourceVersion:"12", FieldPath:""}): type: 'Warning' reason: 'FailedAttachVolume' Multi-Attach error for volume "pvc-1" Volume is ` +
			`already used by pod(s) web-old`,
			`multi-attach pod=prod/web-0:u-1 pods=prod/web-old pv=pvc-1 variant=used-by-pods about=Pod:prod/web-0:u-1`},
		{"L41 1.19", `event "Event occurred" object="prod/web-0" kind="Pod" apiVersion="v1" type="Warning" reason="FailedAttachVolume" ` +
			`message="Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) web-old"`, multi},
		{"L41 ≥1.30", `event "Event occurred" logger="persistentvolume-attach-detach-controller" object="prod/web-0" fieldPath="" kind="Pod" ` +
			`apiVersion="v1" type="Warning" reason="FailedAttachVolume" message="Multi-Attach error for volume \"pvc-1\" Volume is already used ` +
			`by pod(s) web-old"`, multi + " by=attachdetach-controller"},
		{"L41 JSON", `{"ts":1795241158882.0037,"caller":"record/event.go:389","msg":"Event ` +
			`occurred","v":0,"object":{"name":"web-0","namespace":"prod"},"kind":"Pod","type":"Warning","reason":"FailedAttachVolume",` +
			`"message":"Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) web-old"}`, multi},
		{"a node's event", `event "Event occurred" object="node-a" kind="Node" apiVersion="v1" type="Normal" reason="RegisteredNode" ` +
			`message="Node node-a event: Registered Node node-a in Controller"`, "node-registered node=node-a about=Node:node-a"},
		{"no: torn", `event "Event occurred" object="prod/web-0" kind="Pod"`, ""},
		{"no: dropped", `event "Unable to write event (may retry after sleeping)" err="x" event="&Event{}"`, ""},
	})
}

func TestAttacher(t *testing.T) {
	const by = " by=external-attacher"
	check(t, []struct{ name, line, want string }{
		{"attaching ≤4.5", `csi_handler Attaching "csi-1"`, "attacher-attaching va=csi-1" + by},
		{"attaching ≥4.6", `csi_handler "Attaching" VolumeAttachment="csi-1"`, "attacher-attaching va=csi-1" + by},
		{"attached", `csi_handler "Attached" VolumeAttachment="csi-1"`, "attacher-attached va=csi-1" + by},
		{"fully attached", `csi_handler Fully attached "csi-1"`, "attachment-attached va=csi-1" + by},
		{"detaching", `csi_handler Detaching "csi-1"`, "attacher-detaching va=csi-1" + by},
		{"detached ≤4.5", `csi_handler Detached "csi-1"`, "attacher-detached va=csi-1" + by},
		{"detached with an error is not detached", `csi_handler Detached "csi-1" with error: rpc error: code = Internal`,
			"attacher-failed va=csi-1" + by + " detail=rpc error: code = Internal"},
		{"detached ≥4.6 JSON", `{"ts":1795241158882.0037,"caller":"controller/csi_handler.go:594","msg":"Detached","v":2,` +
			`"VolumeAttachment":{"name":"csi-1"}}`, "attacher-detached va=csi-1" + by},
		{"finalizer removed", `util "Finalizer removed" VolumeAttachment="csi-1"`, "attachment-gone va=csi-1" + by},
		{"failure ≤4.5", `csi_handler Error processing "csi-1": failed to detach: rpc error: "x"`,
			`attacher-failed va=csi-1` + by + ` detail=failed to detach: rpc error: "x"`},
		{"no volume to look up", `csi_handler Error processing "csi-1": failed to detach: persistentvolume "pvc-1" not found`,
			`attacher-failed pv=pvc-1 va=csi-1 by=external-attacher detail=failed to detach: persistentvolume "pvc-1" not found`},
		{"failure ≥4.6", `csi_handler "Error processing" VolumeAttachment="csi-1" err="failed to attach: boom"`,
			"attacher-failed va=csi-1" + by + " detail=failed to attach: boom"},
		{"drift ≤4.5", `csi_handler VA csi-1 for volume vol-1 has attached status true but actual state false. Adding back to VA queue for ` +
			`forced reprocessing`, "attachment-drift handle=vol-1 va=csi-1" + by + " detail=status.attached=true, back end false"},
		{"drift ≥4.6", `csi_handler "VolumeAttachment attached status and actual state do not match. Adding back to VolumeAttachment queue for ` +
			`forced reprocessing" err=null VolumeAttachment="csi-1" volumeHandle="vol-1" attachedStatus=true found=false`,
			"attachment-drift handle=vol-1 va=csi-1" + by + " detail=status.attached=true, back end false"},
		{"start", `controller "Starting CSI attacher"`, "attacher-started" + by},
		{"look ≤4.5", `controller Started PV processing "pvc-1"`, "attacher-looked-at-volume pv=pvc-1" + by},
		{"look ≥4.6", `controller "Started PersistentVolume processing" PersistentVolume="pvc-1"`, "attacher-looked-at-volume pv=pvc-1" + by},
		{"no: at an attachment", `controller "Started VolumeAttachment processing" VolumeAttachment="csi-1"`, ""},
		{"no: gone since when", `controller "VolumeAttachment was deleted, ignoring" VolumeAttachment="csi-1"`, ""},
		{"no: already", `csi_handler "csi-1" is already attached`, ""},
		{"no: starting", `csi_handler "Starting detach operation" VolumeAttachment="csi-1"`, ""},
		{"no: nothing named", `csi_handler Detached`, ""},
	})
}

func TestWorkloadsAndScheduler(t *testing.T) {
	const by = " by=kube-scheduler"
	check(t, []struct{ name, line, want string }{
		{"force delete, r3 v1.34.3", `{"ts":1795338999537.2,"caller":"replicaset/replica_set.go:493","msg":"Pod ` +
			`deleted","v":4,"delete_by":"k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).updatePod",` +
			`"deletion_timestamp":"2026-11-22 09:16:39 +0000 UTC","pod":{"name":"web-old","namespace":"prod"}}`,
			"pod-deletion-requested pod=prod/web-old" + kcm + " detail=grace 0s"},
		{"no: grace of 30 s", `{"ts":1795338999537.2,"caller":"replicaset/replica_set.go:493","msg":"Pod ` +
			`deleted","v":4,"delete_by":"k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).updatePod",` +
			`"deletion_timestamp":"2026-11-22 09:17:09 +0000 UTC","pod":{"name":"web-old","namespace":"prod"}}`,
			"pod-deletion-requested pod=prod/web-old" + kcm + " detail=deletionTimestamp 2026-11-22 09:17:09 +0000 UTC"},
		{"deletion requested", `replica_set "Pod deleted" ` +
			`delete_by="k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).updatePod" deletion_timestamp="2026-11-21 06:13:02 ` +
			`+0000 UTC" pod="prod/web-old"`,
			"pod-deletion-requested pod=prod/web-old" + kcm + " detail=deletionTimestamp 2026-11-21 06:13:02 +0000 UTC"},
		{"gone", `replica_set "Pod deleted" delete_by="k8s.io/kubernetes/pkg/controller/replicaset.NewBaseController.func7" ` +
			`deletion_timestamp="2026-11-21 06:13:32 +0000 UTC" pod="prod/web-old"`, "pod-gone pod=prod/web-old" + kcm},
		{"gone ≤1.27", `replica_set Pod prod/web-old deleted through ` +
			`k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).deletePod-fm, timestamp 2026-11-21 06:13:32 +0000 UTC: ` +
			`&v1.Pod{TypeMeta:v1.TypeMeta{}}.`, "pod-gone pod=prod/web-old" + kcm},
		{"created", `controller_utils "Controller created pod" logger="replicaset-controller" controller="web-7658" pod="prod/web-0"`,
			"replica-created pod=prod/web-0 owner=ReplicaSet:prod/web-7658" + kcm},
		{"bound", `schedule_one "Successfully bound pod to node" pod="prod/web-0" node="node-b" evaluatedNodes=6 feasibleNodes=2`,
			"pod-scheduled node=node-b pod=prod/web-0" + by},
		{"bound ≤1.18", `scheduler pod prod/web-0 is bound successfully on node "node-b", 6 nodes evaluated, 2 nodes were found feasible.`,
			"pod-scheduled node=node-b pod=prod/web-0" + by},
		{"no fit", `schedule_one "Unable to schedule pod; no fit; waiting" pod="prod/web-0" err="0/6 nodes are available"`,
			"pod-scheduling-failed pod=prod/web-0" + by + " detail=0/6 nodes are available"},
		{"no fit ≤1.18", `factory Unable to schedule prod/web-0: no fit: 0/6 nodes are available; waiting`,
			"pod-scheduling-failed pod=prod/web-0" + by + " detail=0/6 nodes are available"},
		{"kubelet's wait ≤1.19", `kubelet Unable to attach or mount volumes for pod "web-0_prod(u-1)": unmounted volumes=[data], unattached ` +
			`volumes=[data]: timed out waiting for the condition; skipping pod`, "mount-failed pod=prod/web-0:u-1 by=kubelet detail=" +
			"unmounted volumes=[data], unattached volumes=[data]: timed out waiting for the condition"},
		{"kubelet's wait", `kubelet "Unable to attach or mount volumes for pod; skipping pod" err="unmounted volumes=[data], unattached ` +
			`volumes=[], failed to process volumes=[]: context deadline exceeded" pod="prod/web-0"`,
			"mount-failed pod=prod/web-0 by=kubelet detail=unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context " +
				"deadline exceeded"},
		{"no: found terminating at start",
			`replica_set "Pod deleted" delete_by="k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).addPod" ` +
				`deletion_timestamp="2026-11-21 06:13:02 +0000 UTC" pod="prod/web-old"`, ""},
		{"no: relabelled", `replica_set "Pod deleted" ` +
			`delete_by="k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).updatePod" deletion_timestamp=null pod="prod/web-old"`,
			""},
		{"no: seen at start", `replica_set "Pod created" pod="prod/web-old" detail="&Pod{}"`, ""},
		{"no: other sync error", `pod_workers "Error syncing pod, skipping" err="failed to \"StartContainer\"" pod="prod/web-0"`, ""},
	})
}

func TestOtherWriters(t *testing.T) {
	const u = "kubernetes.io/aws-ebs/aws://us-west-2a/vol-1"
	check(t, []struct{ name, line, want string }{
		{"status of a node", `node_status_updater Updating status for node "node-a" succeeded. patchBytes: "{\"status\":{}}" VolumesAttached: ` +
			`[{` + u + ` /dev/xvdbb}]`, "node-volumes-attached node=node-a unique=" + u + kcm},
		{"no: two volumes", `node_status_updater Updating status for node "node-a" succeeded. patchBytes: "{}" VolumesAttached: [{a /dev/x} {b ` +
			`/dev/y}]`, ""},
		{"no: none left", `node_status_updater Updating status for node "node-a" succeeded. patchBytes: "{}" VolumesAttached: []`, ""},
		{"longhorn deletes", "kubernetes_pod_controller longhorn-kubernetes-pod-controller: deleted volume attachment csi-1 for pod web-0 on " +
			"downed node node-a", "attachment-deletion-requested node=node-a pod=web-0 va=csi-1 by=longhorn-manager agent=longhorn-manager"},
		{"no: longhorn waits", "kubernetes_pod_controller longhorn-kubernetes-pod-controller: wait for volume attachment csi-1 for pod web-0 " +
			"on downed node node-a to be deleted", ""},
		{"a driver detaches", "controllerserver Trying to detach volume /subscriptions/s/disks/pvc-1 from node node-a",
			"attacher-detaching node=node-a handle=/subscriptions/s/disks/pvc-1 by=csi-driver"},
		{"a driver detaches from somewhere", "controllerserver Trying to detach volume vol-1 from node <redacted>",
			"attacher-detaching handle=vol-1 by=csi-driver"},
		{"no: a sentence", "controllerserver Trying to detach volume from its old place from node a", ""},
		{"no CSINode", `csi_handler Can't get CSINode node-a: csinode.storage.k8s.io "node-a" not found`,
			`node-health-unknown node=node-a by=external-attacher detail=csinode.storage.k8s.io "node-a" not found`},
		{"not cleaned up", `kubelet "Pod is terminated, but some volumes have not been cleaned up" pod="a/b" podUID="u"`,
			"unmount-failed pod=a/b:u by=kubelet detail=" + notCleaned},
		{"not cleaned up ≤1.19", `kubelet_pods Pod "b_a(u)" is terminated, but some volumes have not been cleaned up`,
			"unmount-failed pod=a/b:u by=kubelet detail=" + notCleaned},
		{"runtime down", `kubelet "Skipping pod synchronization" err="[container runtime is down, PLEG is not healthy: pleg was last seen ` +
			`active 4m3s ago; threshold is 3m0s]"`, "kubelet-unwell by=kubelet detail=container runtime is down | kubelet-paused by=kubelet"},
		{"PLEG ≤1.19", `kubelet skipping pod synchronization - PLEG is not healthy: pleg was last seen active 3m0.5s ago; threshold is 3m0s`,
			"kubelet-unwell by=kubelet detail=PLEG is not healthy | kubelet-paused by=kubelet"},
		{"no: just started", `kubelet "Skipping pod synchronization" err="[container runtime status check may not have completed yet, PLEG is ` +
			`not healthy: pleg has yet to be successful]"`, ""},
		{"the kubelet's own word", `setters "Node became not ready" node="node-a" ` +
			`condition={"type":"Ready","status":"False","lastTransitionTime":"2026-03-14T10:00:42Z","reason":"KubeletNotReady",` +
			`"message":"container runtime is down"}`, "node-not-ready node=node-a by=kubelet detail=False"},
		{"the kubelet's own word 1.27",
			`setters "Node became not ready" node="node-a" condition={Type:Ready Status:False LastHeartbeatTime:2026-03-14 10:00:42 +0000 UTC ` +
				`Reason:KubeletNotReady Message:container runtime is down}`, "node-not-ready node=node-a by=kubelet detail=False"},
		{"no: running", `kubelet "Pod is terminated, but some containers are still running" pod="a/b"`, ""},
		{"the end of a line is lost", `nestedpendingoperations Operation for "{volumeName:u podName: nodeName:}" failed. No retries permitted ` +
			`until 2020-07-14 01:14:24.0 +0000 UTC m=+1.0 (durationBeforeRetry 500ms). Error: "AttachVolume.Attach failed for volume \"pvc-1\" ` +
			`(UniqueName: \"u\") from node \"`,
			`attach-failed pv=pvc-1 unique=u` + kcm + ` detail=AttachVolume.Attach failed for volume "pvc-1" (UniqueName: "u") from node "`},
	})
}

// Without a header only wordings count that no other program has.
func TestKnown(t *testing.T) {
	for text, want := range map[string]bool{
		`attacherDetacher.AttachVolume started for volume "p" (UniqueName: "u") from node "n"`:                                true,
		`"Multi-Attach error: volume is already exclusively attached and can't be attached to another node" attachedTo=["a"]`: true,
		`Operation for "u" failed. No retries permitted until x. Error: y`:                                                    true,
		`Attaching the volume`: false,
		`Version: v1.2.3`:      false,
		`Deleting pod`:         false,
		``:                     false,
	} {
		if Known([]byte(text)) != want {
			t.Errorf("%q is known: %v", text, !want)
		}
	}
}

// A failure whose line has lost its header is placed by the time of the next try.
func TestFailedAt(t *testing.T) {
	for text, want := range map[string]string{
		"No retries permitted until 2021-07-22 07:16:58.794970979 +0200 CEST m=+681756.5 (durationBeforeRetry 2m2s). Error: " +
			"x": "2021-07-22T05:14:56.79497Z",
		"No retries permitted until 2021-07-22 07:16:58.794970979 +0200 CEST m=+681756.5. Error: x": "0001-01-01T00:00:00Z",
		"No retries permitted until soon m=+1 (durationBeforeRetry 2m2s). Error: x":                 "0001-01-01T00:00:00Z",
	} {
		if got := failedAt(text).At.Format(time.RFC3339Nano); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
