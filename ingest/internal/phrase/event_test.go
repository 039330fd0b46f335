package phrase

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

func TestEvent(t *testing.T) {
	web := model.PodRef("prod", "web-0", "u-1")
	about := func(kind, namespace, name string) model.Ref {
		return model.Ref{Kind: kind, Namespace: namespace, Name: name}
	}
	const pod = " pod=prod/web-0:u-1"
	const of = " about=Pod:prod/web-0:u-1"
	for _, c := range []struct {
		name string
		in   EventRecord
		want string
	}{
		{"used", EventRecord{Reason: "FailedAttachVolume", Object: web, Component: "attachdetach-controller",
			Message: `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a, b`},
			"multi-attach" + pod + " pods=prod/a,prod/b pv=pvc-1 variant=used-by-pods" + of + " by=attachdetach-controller"},
		{"used, and a console's columns behind it", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a,  2b 1 14 minutes ago`},
			"multi-attach" + pod + " pods=prod/a,prod/2b pv=pvc-1 variant=used-by-pods" + of},
		{"used, and words behind it", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a which stays`},
			"multi-attach" + pod + " pv=pvc-1 variant=used-by-pods" + of},
		{"used, also elsewhere", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a and 2 pod(s) in different namespaces`},
			"multi-attach" + pod + " pods=prod/a pv=pvc-1 variant=used-by-pods" + of},
		{"used only elsewhere", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Multi-Attach error for volume "pvc-1" Volume is already used by 2 pod(s) in different namespaces`},
			"multi-attach" + pod + " pv=pvc-1 variant=used-by-pods" + of},
		{"exclusive", EventRecord{Reason: "FailedAttachVolume", Object: web, Node: "master-0",
			Message: `Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another`},
			"multi-attach" + pod + " pv=pvc-1 variant=exclusively-attached" + of},
		{"new wording, exclusive", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Waiting for detach for volume "pvc-1" Volume is already exclusively attached to one node, waiting on detach before it can ` +
				`be attached to another node`},
			"multi-attach" + pod + " pv=pvc-1 variant=exclusively-attached" + of},
		{"new wording, used", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `Waiting for detach for volume "pvc-1" Volume is already used by pod(s) a`},
			"multi-attach" + pod + " pods=prod/a pv=pvc-1 variant=used-by-pods" + of},
		{"aggregated", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `(combined from similar events): Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a`},
			"multi-attach" + pod + " pods=prod/a pv=pvc-1 variant=used-by-pods" + of},
		{"attach failed", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `AttachVolume.Attach failed for volume "pvc-1" : rpc error: disk is already attached to node a`},
			"attach-failed" + pod + ` pv=pvc-1` + of +
				` detail=AttachVolume.Attach failed for volume "pvc-1" : rpc error: disk is already attached to node a`},
		{"the words inside an error are not the report",
			EventRecord{Reason: "FailedAttachVolume", Object: web,
				Message: `AttachVolume.Attach failed for volume "pvc-1" : Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a`},
			"attach-failed" + pod + ` pv=pvc-1` + of +
				` detail=AttachVolume.Attach failed for volume "pvc-1" : Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a`},
		{"cells of a page before the report",
			EventRecord{Reason: "FailedAttachVolume", Object: web, Message: `app 3 Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) a`},
			"multi-attach" + pod + " pods=prod/a pv=pvc-1 variant=used-by-pods" + of},
		{"the words with another reason", EventRecord{Reason: "FailedMount", Object: web, Message: `Multi-Attach error for volume "pvc-1"`},
			"mount-failed" + pod + of + ` detail=Multi-Attach error for volume "pvc-1"`},
		{"a failed attach as a failed mount ≤1.7", EventRecord{Reason: "FailedMount", Object: web,
			Message: `Failed to attach volume "pvc-1" on node "node-b" with: VolumeInUse: vol-1 is already attached to an instance`},
			"attach-failed node=node-b" + pod + ` pv=pvc-1` + of +
				` detail=Failed to attach volume "pvc-1" on node "node-b" with: VolumeInUse: vol-1 is already attached to an instance`},
		{"a failed attach as a failed mount ≤1.9", EventRecord{Reason: "FailedMount", Object: web,
			Message: `AttachVolume.Attach failed for volume "pvc-1" : Attach volume "d" to instance "Node-B" failed with x`},
			"attach-failed node=node-b" + pod + ` pv=pvc-1` + of +
				` detail=AttachVolume.Attach failed for volume "pvc-1" : Attach volume "d" to instance "Node-B" failed with x`},
		{"the wanted node of Longhorn", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `AttachVolume.Attach failed for volume "pvc-1" : volume pvc-1 failed to attach to node node-b with attachmentID csi-1: x`},
			"attach-failed node=node-b" + pod + ` pv=pvc-1` + of +
				` detail=AttachVolume.Attach failed for volume "pvc-1" : volume pvc-1 failed to attach to node node-b with attachmentID csi-1: x`},
		{"the wanted node of an older Longhorn", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `AttachVolume.Attach failed for volume "pvc-1" : pvc-1 cannot be attached to the node node-b since it is already attached to the node node-a`},
			"attach-failed node=node-b" + pod + ` pv=pvc-1` + of +
				` detail=AttachVolume.Attach failed for volume "pvc-1" : pvc-1 cannot be attached to the node node-b since it is already attached to the node node-a`},
		{"no wanted node", EventRecord{Reason: "FailedAttachVolume", Object: web,
			Message: `AttachVolume.Attach failed for volume "pvc-1" : disk is attached to node node-a`},
			"attach-failed" + pod + ` pv=pvc-1` + of + ` detail=AttachVolume.Attach failed for volume "pvc-1" : disk is attached to node node-a`},
		{"attached", EventRecord{Reason: "SuccessfulAttachVolume", Object: web, Message: `AttachVolume.Attach succeeded for volume "pvc-1" `},
			"attach-succeeded" + pod + " pv=pvc-1" + of},
		{"mount wait", EventRecord{Reason: "FailedMount", Object: web, Component: "kubelet", Node: "node-b",
			Message: `Unable to attach or mount volumes: unmounted volumes=[data]`},
			"mount-failed node=node-b" + pod + of + " by=kubelet detail=Unable to attach or mount volumes: unmounted volumes=[data]"},
		{"mount of a volume without attachment",
			EventRecord{Reason: "FailedMount", Object: web, Node: "node-b",
				Message: `MountVolume.SetUp failed for volume "config" : configmap not found`},
			"mount-failed node=node-b" + pod + of + ` detail=MountVolume.SetUp failed for volume "config" : configmap not found`},
		{"wait for attach", EventRecord{Reason: "FailedMount", Object: web, Node: "node-b",
			Message: `MountVolume.WaitForAttach failed for volume "pvc-1" : timeout`},
			"mount-failed node=node-b" + pod + " pv=pvc-1" + of + ` detail=MountVolume.WaitForAttach failed for volume "pvc-1" : timeout`},
		{"node not ready by the controller",
			EventRecord{Reason: "NodeNotReady", Object: about("Node", "", "node-a"), Component: "node-controller",
				Message: "Node node-a status is now: NodeNotReady"}, "node-not-ready node=node-a about=Node:node-a by=node-controller detail=Unknown"},
		{"node not ready by the kubelet",
			EventRecord{Reason: "NodeNotReady", Object: about("Node", "", "node-a"), Component: "kubelet",
				Message: "Node node-a status is now: NodeNotReady"}, "node-not-ready node=node-a about=Node:node-a by=kubelet detail=False"},
		{"pod of a lost node", EventRecord{Reason: "NodeNotReady", Object: web, Message: "Node is not ready"},
			"pod-not-ready" + pod + of + " detail=node not ready"},
		{"node ready", EventRecord{Reason: "NodeReady", Object: about("Node", "", "node-a")}, "node-ready node=node-a about=Node:node-a"},
		{"node removed", EventRecord{Reason: "RemovingNode", Object: about("Node", "", "node-a")}, "node-deleted node=node-a about=Node:node-a"},
		{"eviction", EventRecord{Reason: "TaintManagerEviction", Object: web, Message: "Marking for deletion Pod prod/web-0"},
			"pod-eviction-decided" + pod + of},
		{"eviction cancelled", EventRecord{Reason: "TaintManagerEviction", Object: web, Message: "Cancelling deletion of Pod prod/web-0"},
			"pod-eviction-cancelled" + pod + of},
		{"cannot kill", EventRecord{Reason: "FailedKillPod", Object: web, Component: "kubelet", Node: "node-a", Message: "error killing pod: it hangs"},
			"pod-kill-failed node=node-a" + pod + of + ` by=kubelet detail=error killing pod: it hangs`},
		{"killing", EventRecord{Reason: "Killing", Object: web, Component: "kubelet", Node: "node-a", Message: "Stopping container app"},
			"pod-killing node=node-a" + pod + of + " by=kubelet"},
		{"Piraeus detaches", EventRecord{Reason: "VolumeWithoutQuorum", Object: about("VolumeAttachment", "", "csi-1"),
			Component: "linstor.linbit.com/HighAvailabilityController", Message: "Volume attachment was force-detached because node lost quorum"},
			"attachment-deletion-requested va=csi-1 about=VolumeAttachment:csi-1 by=linstor.linbit.com/HighAvailabilityController " +
				"agent=piraeus-ha-controller"},
		{"Piraeus evicts", EventRecord{Reason: "VolumeWithoutQuorum", Object: web,
			Message: "Pod was evicted because attached volume lost quorum"}, "pod-deletion-requested" + pod + of + " agent=piraeus-ha-controller"},
		{"no: another volume without quorum", EventRecord{Reason: "VolumeWithoutQuorum", Object: web, Message: "volume lost quorum"},
			"kubernetes-event" + pod + of + " detail=VolumeWithoutQuorum"},
		{"no: Piraeus taints", EventRecord{Reason: "NodeStorageQuorumLost", Object: about("Node", "", "node-a"),
			Message: "Tainted node because some volumes have lost quorum"},
			"kubernetes-event node=node-a about=Node:node-a detail=NodeStorageQuorumLost"},
		{"podmon cleans", EventRecord{Reason: "NodeUnreachable", Object: web, Component: "podmon",
			Message: "podmon cleaning pod [u-1 node-a] with force delete"},
			"pod-deletion-requested" + pod + of + " by=podmon agent=podmon detail=grace 0s"},
		{"no: podmon refuses", EventRecord{Reason: "NodeUnreachable", Object: web, Component: "podmon",
			Message: "podmon aborted pod cleanup [u-1 node-a] array connected or recent I/O"},
			"kubernetes-event" + pod + of + " by=podmon detail=NodeUnreachable"},
		{"no: podmon deletes a crashing pod with grace",
			EventRecord{Reason: "CrashLoopBackOff", Object: web, Component: "podmon", Message: "podmon cleaning pod [u-1 node-a] with delete"},
			"kubernetes-event" + pod + of + " by=podmon detail=CrashLoopBackOff"},
		{"medik8s taints", EventRecord{Reason: "AddOutOfService", Object: about("Node", "", "node-a"), Component: "SelfNodeRemediation",
			Message: "[remediation] Remediation process - add out-of-service taint to unhealthy node"},
			"node-tainted node=node-a about=Node:node-a by=SelfNodeRemediation agent=self-node-remediation " +
				"detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{"medik8s takes the taint away",
			EventRecord{Reason: "RemoveOutOfService", Object: about("Node", "", "node-a"), Component: "SelfNodeRemediation",
				Message: "[remediation] Remediation process - remove out-of-service taint from node"},
			"node-untainted node=node-a about=Node:node-a by=SelfNodeRemediation agent=self-node-remediation " +
				"detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{"no: medik8s waits", EventRecord{Reason: "AddNoSchedule", Object: about("Node", "", "node-a"), Component: "SelfNodeRemediation",
			Message: "[remediation] Remediation process - NoSchedule taint added to the unhealthy node"},
			"kubernetes-event node=node-a about=Node:node-a by=SelfNodeRemediation detail=AddNoSchedule"},
		{"fence agents taint", EventRecord{Reason: "AddOutOfServiceTaint", Object: about("Node", "", "node-a"),
			Component: "FenceAgentsRemediation", Message: "[remediation] The out-of-service taint was added"},
			"node-tainted node=node-a about=Node:node-a by=FenceAgentsRemediation agent=fence-agents-remediation " +
				"detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{"fence agents take the taint away",
			EventRecord{Reason: "RemoveOutOfServiceTaint", Object: about("Node", "", "node-a"), Component: "FenceAgentsRemediation",
				Message: "[remediation] The out-of-service taint was removed"},
			"node-untainted node=node-a about=Node:node-a by=FenceAgentsRemediation agent=fence-agents-remediation " +
				"detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{"no: that reason of another",
			EventRecord{Reason: "AddOutOfServiceTaint", Object: about("Node", "", "node-a"), Message: "will add the taint"},
			"kubernetes-event node=node-a about=Node:node-a detail=AddOutOfServiceTaint"},
		{"Karpenter evicts", EventRecord{Reason: "Evicted", Object: web, Component: "karpenter", Message: "Evicted pod: Underutilized"},
			"pod-deletion-requested" + pod + of + " by=karpenter agent=karpenter detail=eviction"},
		{"no: a kubelet evicts", EventRecord{Reason: "Evicted", Object: web, Component: "kubelet", Node: "node-a",
			Message: "The node was low on resource: memory."}, "kubernetes-event node=node-a" + pod + of + " by=kubelet detail=Evicted"},
		{"no: the autoscaler only announces",
			EventRecord{Reason: "ScaleDown", Object: web, Component: "cluster-autoscaler", Message: "deleting pod for node scale down"},
			"kubernetes-event" + pod + of + " by=cluster-autoscaler detail=ScaleDown"},
		{"scheduled", EventRecord{Reason: "Scheduled", Object: web, Message: "Successfully assigned prod/web-0 to node-b"},
			"pod-scheduled node=node-b" + pod + of},
		{"scheduling failed", EventRecord{Reason: "FailedScheduling", Object: web, Message: "0/3 nodes are available"},
			"pod-scheduling-failed" + pod + of + " detail=0/3 nodes are available"},
		{"replica created", EventRecord{Reason: "SuccessfulCreate", Object: about("ReplicaSet", "prod", "web-7"),
			Message: "Created pod: web-7-x"}, "replica-created pod=prod/web-7-x owner=ReplicaSet:prod/web-7 about=ReplicaSet:prod/web-7"},
		{"replica created ≤1.34", EventRecord{Reason: "SuccessfulCreate", Object: about("StatefulSet", "prod", "web"),
			Message: "create Pod web-0 in StatefulSet web successful"},
			"replica-created pod=prod/web-0 owner=StatefulSet:prod/web about=StatefulSet:prod/web"},
		{"replica created ≥1.35", EventRecord{Reason: "SuccessfulCreate", Object: about("StatefulSet", "prod", "web"),
			Message: "Create Pod web-0 in StatefulSet web successful"},
			"replica-created pod=prod/web-0 owner=StatefulSet:prod/web about=StatefulSet:prod/web"},
		{"provisioning failed", EventRecord{Reason: "ProvisioningFailed", Object: about("PersistentVolumeClaim", "prod", "data"),
			Component: "ebs.csi.aws.com_ebs-csi-controller-0", Message: "failed to provision volume: VolumeLimitExceeded"},
			"provision-failed claim=prod/data about=PersistentVolumeClaim:prod/data by=ebs.csi.aws.com_ebs-csi-controller-0 detail=failed to " +
				"provision volume: VolumeLimitExceeded"},
		{"external provisioning", EventRecord{Reason: "ExternalProvisioning", Object: about("PersistentVolumeClaim", "prod", "data"),
			Message: "Waiting for a volume to be created"},
			"provision-waits claim=prod/data about=PersistentVolumeClaim:prod/data detail=Waiting for a volume to be created"},
		{"resize failed", EventRecord{Reason: "VolumeResizeFailed", Object: about("PersistentVolumeClaim", "prod", "data"),
			Message: "resize volume pvc-1 failed: quota"},
			"resize-failed claim=prod/data about=PersistentVolumeClaim:prod/data detail=resize volume pvc-1 failed: quota"},
		{"file system resize failed", EventRecord{Reason: "FileSystemResizeFailed", Object: web, Component: "kubelet", Node: "node-a",
			Message: "NodeExpandVolume failed"},
			"resize-failed node=node-a" + pod + of + " by=kubelet detail=NodeExpandVolume failed"},
		{"delete failed", EventRecord{Reason: "VolumeFailedDelete", Object: about("PersistentVolume", "", "pvc-1"),
			Message: "volume is attached"},
			"volume-delete-failed pv=pvc-1 about=PersistentVolume:pvc-1 detail=volume is attached"},
		{"provisioning of something else",
			EventRecord{Reason: "ProvisioningFailed", Object: about("Machine", "prod", "m"), Message: "no capacity"},
			"kubernetes-event about=Machine:prod/m detail=ProvisioningFailed"},
		{"a claim is no replica", EventRecord{Reason: "SuccessfulCreate", Object: about("StatefulSet", "prod", "web"),
			Message: "create Claim cache Pod web-0 in StatefulSet web success"},
			"kubernetes-event about=StatefulSet:prod/web detail=SuccessfulCreate"},
		{"replica deleted", EventRecord{Reason: "SuccessfulDelete", Object: about("ReplicaSet", "prod", "web-7"),
			Message: "Deleted pod: web-7-x"}, "replica-deleted pod=prod/web-7-x owner=ReplicaSet:prod/web-7 about=ReplicaSet:prod/web-7"},
		{"scaled", EventRecord{Reason: "ScalingReplicaSet", Object: about("Deployment", "prod", "web"),
			Message: "Scaled up replica set web-7 from 0 to 1"},
			"workload-scaled owner=Deployment:prod/web about=Deployment:prod/web detail=Scaled up replica set web-7 from 0 to 1"},
		{"leader", EventRecord{Reason: "LeaderElection", Object: about("Lease", "kube-system", "kube-controller-manager"),
			Message: "vm_1 became leader"},
			"leader-acquired about=Lease:kube-system/kube-controller-manager by=kube-controller-manager detail=kube-system/kube-controller-manager"},
		{"leader lost", EventRecord{Reason: "LeaderElection", Object: about("Lease", "a", "b"), Message: "vm_1 stopped leading"},
			"leader-lost about=Lease:a/b detail=a/b"},
		{"unknown", EventRecord{Reason: "Pulled", Object: web, Message: "x"}, "kubernetes-event" + pod + of + " detail=Pulled"},
		{"empty", EventRecord{}, "kubernetes-event"},
	} {
		o := Event(c.in)
		if got := show(o); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
		if o.Count != 1 {
			t.Errorf("%s: count %d", c.name, o.Count)
		}
	}
}

func TestEventTimes(t *testing.T) {
	first, last := model.WholeSecond(time.Unix(100, 0)), model.WholeSecond(time.Unix(200, 0))
	o := Event(EventRecord{Reason: "FailedMount", First: first, Last: last, Count: 3, Floating: true})
	if !o.At.At.Equal(first.At) || !o.Last.At.Equal(last.At) || o.Count != 3 || !o.Floating {
		t.Errorf("%+v", o)
	}
	if o = Event(EventRecord{Reason: "FailedMount", First: first}); !o.Last.At.Equal(first.At) {
		t.Errorf("last is %v", o.Last)
	}
}

// What the tables do with a record must not depend on how it is cut or damaged, except in what they say.
func FuzzPhrase(f *testing.F) {
	for _, file := range []string{"reconciler.go", "operation_generator.go", "nestedpendingoperations.go", "csi_attacher.go", "event.go",
		"replica_set.go", "util.go", ""} {
		f.Add(file, `Multi-Attach error for volume "pvc-1" (UniqueName: "u") from node "b" Volume is already used by pods a/b on node c`)
		f.Add(file, `"Multi-Attach error: volume is already used by pods" pods=[{"name":"a"}] attachedTo=[a b] volume={VolumeName:x `+
			`VolumeSpec:0 NodeName:y ScheduledPods:[&Pod{ObjectMeta:{a b c d e f`)
		f.Add(file, `Operation for "{volumeName:u podName: nodeName:}" failed. No retries permitted until x Error: "DetachVolume.Detach failed `+
			`for volume \"p\""`)
		f.Add(file, `Event(v1.ObjectReference{Kind:"Pod", Name:"x", UID:""}): type: 'W' reason: 'FailedAttachVolume' Multi-Attach error for `+
			`volume "x" Volume is already used by pod(s) , and 1`)
		f.Add(file, `"Mark PVC as file system resize required" PVC={"name":"x"}`)
		f.Add(file, `Mark PVC "a/b`)
		f.Add(file, "node x hasn't been updated for 1s. Last ")
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		s := logline.NewScanner(strings.NewReader("I0315 10:22:33.123456       1 " + file + ":1] " + text))
		for range s.Records {
			h := s.Head()
			row, ok := Match(h.File, h.Text)
			if !ok {
				continue
			}
			var rec logline.Record
			s.ReadRecord(&rec)
			for _, o := range row.Read(&rec, nil) {
				if o.Kind == "" || o.Count != 1 || o.Source.Line == 0 {
					t.Fatalf("incomplete: %+v", o)
				}
			}
		}
	})
}
