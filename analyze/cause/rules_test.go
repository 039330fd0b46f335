package cause_test

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

const (
	driver  = "ebs.csi.aws.com"
	refused = "rpc_error:_code_=_FailedPrecondition_desc_=_volume_is_already_attached_to_node_node-a"
	silent  = "timed_out_waiting_for_external-attacher"
	broken  = "rpc_error:_code_=_Internal_desc_=_back_end_is_down"
	cloud   = "rpc_error:_RequestLimitExceeded"
	machine = "rpc_error:_instance_not_found"
	limit   = "rpc_error:_code_=_ResourceExhausted_desc_=_too_many_volumes"
	noPV    = "persistentvolume_\"pvc-1\"_not_found"
	busy    = "umount:_/mnt/a:_target_is_busy"
)

func when(seconds float64) metav1.Time {
	return metav1.NewTime(cases.Began.Add(time.Duration(seconds * float64(time.Second))))
}

// both makes one change after the other.
func both(changes ...func(*wait.Case)) func(*wait.Case) {
	return func(c *wait.Case) {
		for _, change := range changes {
			change(c)
		}
	}
}

// died lets a release be known by the end of a container.
func died(c *wait.Case) { c.Released.Witness[0].Kind = model.ContainerDied }

// removedMounted is an object that went under the volume's mount, which the kubelet ended later.
func removedMounted(gone, unmounted float64) func(*wait.Case) {
	return func(c *wait.Case) {
		over(c, func(s *model.Snapshot) {
			s.Observations = append(s.Observations,
				*cases.Seen(gone, model.Observation{Kind: model.PodRemoved, Node: "node-a", Pod: model.Ref{Kind: "Pod", Namespace: "prod", Name: "db-0"}}),
				*cases.Seen(unmounted, model.Observation{Kind: model.UnmountSucceeded, Node: "node-a", Volume: cases.PV}))
		})
	}
}

// counted are failed detaches that metrics count from one time to another.
func counted(n int, from, to float64) func(*wait.Case) {
	return func(c *wait.Case) {
		o := cases.Seen(from, model.Observation{Kind: model.StorageOperationsCounted, Attacher: driver, Detail: "volume_detach fail-unknown",
			Count: n})
		o.Last = model.Exactly(when(to).Time)
		over(c, func(s *model.Snapshot) { s.Observations = append(s.Observations, *o) })
		c.Volume.Driver = driver
	}
}

// cluster puts objects into the world.
func cluster(objects ...any) func(*wait.Case) {
	return func(c *wait.Case) {
		over(c, func(s *model.Snapshot) {
			for _, o := range objects {
				switch o := o.(type) {
				case *corev1.Node:
					s.Nodes = append(s.Nodes, object("Node", o, o.ObjectMeta))
				case *corev1.Pod:
					s.Pods = append(s.Pods, object("Pod", o, o.ObjectMeta))
				case *corev1.PersistentVolume:
					s.PersistentVolumes = append(s.PersistentVolumes, object("PersistentVolume", o, o.ObjectMeta))
				case *corev1.PersistentVolumeClaim:
					s.PersistentVolumeClaims = append(s.PersistentVolumeClaims, object("PersistentVolumeClaim", o, o.ObjectMeta))
				case *appsv1.Deployment:
					s.Deployments = append(s.Deployments, object("Deployment", o, o.ObjectMeta))
				case model.Listed:
					s.Lists = append(s.Lists, o)
				}
			}
		})
		if c.Volume.Claim.Name == "" {
			c.Volume.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: "data"}
		}
	}
}

func object[T metav1.Object](kind string, o T, m metav1.ObjectMeta) model.Object[T] {
	ref := model.Ref{Kind: kind, Namespace: m.Namespace, Name: m.Name, UID: string(m.UID)}
	return model.Object[T]{Ref: ref, Content: model.Whole(o), Input: kind + "/" + m.Name, Cite: quoted}
}

// quoted has every field of an object.
func quoted(field string) (line int, quote model.Quote, ok bool) { return 1, mask.Quote(field), true }

// node is one whose Ready condition has been so since a time.
func node(status corev1.ConditionStatus, since float64, taints ...string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-a"},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, LastTransitionTime: when(since)}}}}
	for _, key := range taints {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key})
	}
	return n
}

// pod is one of a ReplicaSet of a revision; it runs with the claim.
func pod(name, on, hash string, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name, Labels: map[string]string{}},
		Spec: corev1.PodSpec{NodeName: on}}
	if hash != "" {
		p.Labels["pod-template-hash"] = hash
		p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web-" + hash, Controller: new(true)}}
	}
	p.Spec.Volumes = []corev1.Volume{{Name: "data",
		VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
	p.Status.Phase = corev1.PodRunning
	p.Status.ContainerStatuses = []corev1.ContainerStatus{
		{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: when(-3000)}}},
	}
	if change != nil {
		change(p)
	}
	return p
}

func deletedAt(seconds float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.DeletionTimestamp = new(when(seconds)) }
}

func ready(status corev1.ConditionStatus, since float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: when(since)}}
	}
}

func readyUndated(p *corev1.Pod) {
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
}

func readOnly(p *corev1.Pod) { p.Spec.Volumes[0].PersistentVolumeClaim.ReadOnly = true }

func pv(modes ...corev1.PersistentVolumeAccessMode) *corev1.PersistentVolume {
	return &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pvc-1"}, Spec: corev1.PersistentVolumeSpec{AccessModes: modes,
		ClaimRef: &corev1.ObjectReference{Namespace: "prod", Name: "data"}}}
}

func deployment(strategy appsv1.DeploymentStrategy) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "web"}, Spec: appsv1.DeploymentSpec{Strategy: strategy}}
}

func surge(n intstr.IntOrString) appsv1.DeploymentStrategy {
	return appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &n}}
}

func workload(kind, name string) func(*wait.Case) {
	return func(c *wait.Case) { c.Workload = &model.Ref{Kind: kind, Namespace: "prod", Name: name} }
}

// attachment is the blocking object, made and asked to go at these times; the second is zero for never.
func attachment(created, deleted float64) func(*wait.Case) {
	return func(c *wait.Case) {
		va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "csi-1", CreationTimestamp: when(created)}}
		if deleted != 0 {
			va.DeletionTimestamp = new(when(deleted))
		}
		va.Spec.Source.PersistentVolumeName = new("pvc-1")
		c.Attachment.Object = &model.Object[*storagev1.VolumeAttachment]{Ref: model.Ref{Kind: "VolumeAttachment", Name: "csi-1"},
			Content: model.Whole(va), Input: "VolumeAttachment/csi-1", Cite: quoted}
	}
}

var rolling = both(cluster(deployment(surge(intstr.FromString("25%"))), pod("web-66f4d9c58f-bcdfg", "node-a", "66f4d9c58f", nil),
	pod("web-7c9d5b4f6b-hjklm", "node-b", "7c9d5b4f6b", nil)), workload("Deployment", "web"))

const (
	revisions = "old:web-66f4d9c58f-bcdfg new:web-7c9d5b4f6b-hjklm "
	replicas  = "old:web-66f4d9c58f-bcdfg new:web-66f4d9c58f-hjklm "
)

// rules are the cases of each cause.
var rules = map[string][]made{
	"node-down": {
		{"lost before the detach", "NotReady=-100 DetachRequested=60", nil},
		{"lost right before it", "NotReady=59 DetachRequested=60", nil},
		{"lost with it", "NotReady=60 DetachRequested=60", nil},
		{"lost before the attach", "NotReady=59 Attached=60", nil},
		{"lost with the attach", "NotReady=60 Attached=60", nil},
		{"the condition is Unknown", "NotReady=-100 node-not-ready@node-a=-100/Unknown", nil},
		{"long before, and nothing since", "NotReady=-2000", nil},
		{"last heard of before", "NotReady=-100 Heartbeat=-150 node-not-ready@node-a=-100/Unknown", nil},
		{"last heard of with it", "NotReady=-100 Heartbeat=-100 node-not-ready@node-a=-100/Unknown", nil},
		{"lost while the volume waited", "NotReady=200", nil},
		{"the grace period ends with the report", "NotReady=55", nil},
		{"and a second later", "NotReady=56", nil},
		{"the machine is shut down by the cloud", "NotReady=-100 node-tainted@node-a=-50/node.cloudprovider.kubernetes.io/shutdown=:NoSchedule",
			nil},
		{"the kubelet itself went on", "NotReady=-100 node-not-ready@node-a=-100/False node-heartbeat@node-a=200/lease", nil},
		{"the kubelet itself said so and no more", "NotReady=-100 node-not-ready@node-a=-100/False", nil},
		{"the kubelet of a node that is Unknown went on", "NotReady=-100 node-not-ready@node-a=-100/Unknown node-heartbeat@node-a=200/lease",
			nil},
		{"force after a takeover", "NotReady=-100 Released=10 Forced=400 failover=30 detach-still-mounted@node-a=399", nil},
		{"force", "NotReady=-100 Released=10 Forced=370", func(c *wait.Case) {
			c.Forced = cases.At(370, model.Observation{Kind: model.DetachForcedTimeout})
		}},
		{"the taint", "NotReady=-100 OutOfService=50 DetachRequested=51", nil},
		{"the taint, and no detach", "NotReady=-100 OutOfService=50", nil},
		{"the pod stays", "NotReady=-100 old:db-0 captured=500", cluster(pod("db-0", "node-a", "", deletedAt(-200)))},
		{"the pod is gone by the collection", "NotReady=-100 GoneBy=400", nil},
		{"the pod counted", "NotReady=-100 Variant=used-by-pods", nil},
		{"it is released", "NotReady=-100 Released=10 Variant=used-by-pods", nil},
		{"it was attached", "NotReady=-100 Attached=100 Variant=used-by-pods", nil},
		{"a Node that was deleted after an eviction", "NodeGone=100 OutOfService=90 DeletionRequested=30", func(c *wait.Case) {
			c.DeletionRequested.Witness[0].Kind = model.PodEvictionDecided
		}},
		{"and nobody took the volume", "NodeGone=100 DeletionRequested=30", func(c *wait.Case) {
			c.DeletionRequested.Witness[0].Kind = model.PodEvictionDecided
		}},
		{"a Node that was deleted a minute after the pod was asked to end", "NodeGone=100 DeletionRequested=40", force(400)},
		{"and more than a minute after", "NodeGone=101 DeletionRequested=40", force(400)},
		{"a Node that was deleted with it", "NodeGone=40 DeletionRequested=40", force(400)},
		{"a Node that was deleted after the pod was released", "NodeGone=201 DeletionRequested=40 Released=200", force(600)},
		{"a Node that was deleted, said to be not Ready", "NodeGone=100 node-not-ready@node-a=0/Unknown", both(force(400), undated)},
		{"force by a version that asks", "node-not-ready@node-a=0/Unknown", both(force(400), undated, mounted)},
		{"force by one that does not", "version=v1.23.9 DeletionRequested=40", both(force(400), mounted)},
		{"force, and the Node was gone", "detach-safety-skipped@node-a=399", force(400)},
		{"metrics show it lost", "+Sampled node-sampled-not-ready@node-a=-10..900/Unknown", nil},
		{"and after the report", "+Sampled node-sampled-not-ready@node-a=10..900/Unknown", nil},
	},
	"kubelet-down": {
		{"by its own word, and it went on", "NotReady=-100 node-not-ready@node-a=-100/False node-heartbeat@node-a=200/lease", nil},
		{"by its own word alone", "NotReady=-100 node-not-ready@node-a=-100/False", nil},
		{"it went on", "NotReady=-100 node-heartbeat@node-a=200/lease", nil},
		{"it went on for less than a minute", "NotReady=-100 node-heartbeat@node-a=-41/lease", nil},
		{"it went on and is back", "NotReady=-100 BackReady=300 node-heartbeat@node-a=200/lease", nil},
		{"after the detach", "NotReady=-100 DetachRequested=-100 node-heartbeat@node-a=200/lease", nil},
		{"with its reasons", "NotReady=-100 node-not-ready@node-a=-100/False kubelet-unwell@node-a=-99/a kubelet-unwell@node-a=0/b " +
			"kubelet-unwell@node-a=100/c", nil},
		{"one reason", "NotReady=-100 node-not-ready@node-a=-100/False kubelet-unwell@node-a=100/c", nil},
		{"it did not reach the API server",
			"NotReady=-100 kubelet-cut-off@node-a=-100/dial_tcp kubelet-cut-off@node-a=200/no_route node-heartbeat@node-a=300/lease", nil},
		{"its containers ran through", "NotReady=-100 BackReady=300 captured=400", cluster(pod("other", "node-a", "", nil))},
		{"they started after", "NotReady=-100 BackReady=300 captured=400",
			cluster(pod("other", "node-a", "", func(p *corev1.Pod) { p.Status.ContainerStatuses[0].State.Running.StartedAt = when(-50) }))},
		{"they ran through, and what the kubelet saw", "NotReady=-100 BackReady=300 Released=-90 captured=400 kubelet-paused@node-a=-80..200",
			cluster(pod("other", "node-a", "", nil))},
	},
	"node-gone": {
		{"deleted before the detach", "NodeGone=50 DetachRequested=60 node-deleted@node-a=50!audit", nil},
		{"deleted with the detach", "NodeGone=60 DetachRequested=60 node-deleted@node-a=60!audit", nil},
		{"deleted before the attach", "NodeGone=50 Attached=60 node-deleted@node-a=50!audit", nil},
		{"deleted with the attach", "NodeGone=60 Attached=60 node-deleted@node-a=60!audit", nil},
		{"of an unknown node", "From= NodeGone=50 node-deleted@node-a=50!audit", nil},
		{"by its controller", "NodeGone=50 node-deleted@node-a=50!audit", func(c *wait.Case) {
			over(c, func(s *model.Snapshot) {
				for n := range s.Observations {
					if s.Observations[n].Kind == model.NodeDeleted {
						s.Observations[n].Actor = "alice"
					}
				}
			})
		}},
		{"looked up in vain", "detach-safety-skipped@node-a=100", nil},
		{"looked up in vain, and back", "detach-safety-skipped@node-a=100", cluster(node(corev1.ConditionTrue, 200))},
		{"not in the list of Nodes", "", cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes)},
		{"not in it, with the attachment", "",
			both(cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes), attachment(-900, 0))},
		{"in it", "", cluster(node(corev1.ConditionTrue, -100), nodes)},
		{"not in the list, and the wait is over", "Attached=100", cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes)},
		{"the machine is not found", "DetachRequested=10 captured=500 failed=20/" + machine + " failed=400/" + machine, nil},
		{"the machine is not found, once", "DetachRequested=10 Gone=40 failed=20/" + machine, nil},
		{"the machine is not found, and the node is Ready", "DetachRequested=10 captured=500 failed=20/" + machine + " failed=400/" + machine,
			cluster(node(corev1.ConditionTrue, -100))},
		{"deleted, and the machine is not found",
			"NodeGone=5 node-deleted@node-a=5!audit DetachRequested=10 captured=500 failed=20/" + machine + " failed=400/" + machine, nil},
		{"the cloud does not know it", "NodeGone=50 node-deleted@node-a=50", func(c *wait.Case) {
			over(c, func(s *model.Snapshot) {
				for n := range s.Observations {
					if s.Observations[n].Kind == model.NodeDeleted {
						s.Observations[n].Quote.Text = "deleting node since it is no longer present in cloud provider"
					}
				}
			})
		}},
	},
	"node-reclaimed": {
		{"announced before the deletion", "NodeGone=50 node-deleted@node-a=50!audit kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"announced half a minute later", "NodeGone=50 node-deleted@node-a=50!audit kubernetes-event@node-a=79/SpotInterrupted", nil},
		{"announced more than half a minute later", "NodeGone=50 node-deleted@node-a=50!audit kubernetes-event@node-a=80/SpotInterrupted", nil},
		{"deleted with the detach", "NodeGone=60 DetachRequested=60 node-deleted@node-a=60!audit kubernetes-event@node-a=20/SpotInterrupted",
			nil},
		{"announced before the loss", "NotReady=50 kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"announced after the loss", "NotReady=50 kubernetes-event@node-a=80/SpotInterrupted", nil},
		{"lost after the detach", "NotReady=50 DetachRequested=40 kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"lost with the detach, and deleted before",
			"NotReady=40 DetachRequested=40 NodeGone=30 node-deleted@node-a=30!audit kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"lost and deleted", "NotReady=40 NodeGone=60 Heartbeat=10 node-deleted@node-a=60!audit kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"lost with the deletion", "NotReady=60 NodeGone=60 Heartbeat=10 node-deleted@node-a=60!audit kubernetes-event@node-a=20/SpotInterrupted",
			nil},
		{"absent, announced before", "kubernetes-event@node-a=0/SpotInterrupted",
			cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes)},
		{"absent, announced after the report", "kubernetes-event@node-a=1/SpotInterrupted",
			cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes)},
		{"absent, and the wait is over", "Attached=100 kubernetes-event@node-a=0/SpotInterrupted",
			cluster(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-b"}}, nodes)},
		{"tainted at the collection", "NotReady=50", cluster(node(corev1.ConditionUnknown, 50, "ToBeDeletedByClusterAutoscaler"))},
		{"tainted at a collection after the wait", "NotReady=50 Attached=100",
			cluster(node(corev1.ConditionUnknown, 50, "ToBeDeletedByClusterAutoscaler"))},
		{"announced after the deletion, and before the report",
			"NodeGone=-100 node-deleted@node-a=-100!audit kubernetes-event@node-a=-20/SpotInterrupted", nil},
		{"announced after the loss, and before the report", "NotReady=-100 kubernetes-event@node-a=-20/SpotInterrupted", nil},
		{"nothing announced", "NodeGone=50 node-deleted@node-a=50!audit", nil},
		{"Ready", "kubernetes-event@node-a=20/SpotInterrupted", nil},
		{"and the machine is not found",
			"NodeGone=5 node-deleted@node-a=5!audit kubernetes-event@node-a=0/SpotInterrupted DetachRequested=10 failed=20/" + machine, nil},
	},
	"rollout-surge": {
		{"two revisions, the old one runs", revisions, rolling},
		{"the old one is deleted in the wait", revisions + "DeletionRequested=1", rolling},
		{"the old one was deleted with the report", revisions + "DeletionRequested=0", rolling},
		{"metrics leave open whether the old one was deleted before", revisions + "DeletionRequested=-20..40 +Sampled", rolling},
		{"another source dates it after the report", revisions + "DeletionRequested=-20..40", rolling},
		{"metrics leave the order open", revisions + "+Sampled DeletionRequested=1 Began=0..2", rolling},
		{"metrics do not", revisions + "+Sampled DeletionRequested=3 Began=0..2", rolling},
		{"exclusively attached", revisions + "Variant=exclusively-attached", rolling},
		{"another workload", revisions, both(rolling, workload("StatefulSet", "web"))},
		{"no workload", revisions, func(c *wait.Case) { rolling(c); c.Workload = nil }},
		{"it gave way", revisions + "Released=59", rolling},
		{"it gave way a minute later", revisions + "Released=60", rolling},
		{"one revision", replicas, rolling},
		{"no name of a revision", "old:web-0 new:web-7c9d5b4f6b-hjklm", workload("Deployment", "web")},
		{"nor of the new one", "old:web-66f4d9c58f-bcdfg new:web-0", workload("Deployment", "web")},
		{"Recreate", revisions,
			both(cluster(deployment(appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})), workload("Deployment", "web"))},
		{"Recreate, and the old one was deleted a minute after the report", revisions + "DeletionRequested=60",
			both(cluster(deployment(appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})), workload("Deployment", "web"))},
		{"Recreate, and it was deleted sooner", revisions + "DeletionRequested=59",
			both(cluster(deployment(appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})), workload("Deployment", "web"))},
		{"no surge", revisions, both(cluster(deployment(surge(intstr.FromInt32(0)))), workload("Deployment", "web"))},
		{"a surge of one", revisions, both(cluster(deployment(surge(intstr.FromInt32(1)))), workload("Deployment", "web"))},
		{"a surge of nothing readable", revisions, both(cluster(deployment(surge(intstr.FromString("x")))), workload("Deployment", "web"))},
		{"a surge by default", revisions, both(cluster(deployment(appsv1.DeploymentStrategy{})), workload("Deployment", "web"))},
		{"a rolling update by default", revisions,
			both(cluster(deployment(appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{}})), workload("Deployment", "web"))},
		{"without the Deployment", revisions, workload("Deployment", "web")},
	},
	"shared-claim": {
		{"two replicas", replicas, two("66f4d9c58f", nil)},
		{"one of them Ready", replicas, two("66f4d9c58f", ready(corev1.ConditionTrue, -60))},
		{"Ready since another day", replicas, two("66f4d9c58f", ready(corev1.ConditionTrue, -90000))},
		{"Ready since an unknown time", replicas, two("66f4d9c58f", readyUndated)},
		{"not Ready", replicas, two("66f4d9c58f", ready(corev1.ConditionFalse, -60))},
		{"deleted before", replicas + "DeletionRequested=0", two("66f4d9c58f", nil)},
		{"deleted since", replicas + "DeletionRequested=1", two("66f4d9c58f", nil)},
		{"exclusively attached", replicas + "Variant=exclusively-attached", two("66f4d9c58f", nil)},
		{"no pod waits", "old:web-66f4d9c58f-bcdfg", two("66f4d9c58f", nil)},
		{"no pod holds", "new:web-66f4d9c58f-hjklm", two("66f4d9c58f", nil)},
		{"two revisions", revisions, rolling},
		{"names alone", replicas, nil},
		{"names of two revisions alone", revisions, nil},
		{"names of two owners alone", "old:db-0 new:cache-0", nil},
		{"lost before the report", replicas + "NotReady=-1", nil},
		{"lost with the report", replicas + "NotReady=0", nil},
		{"it gave way", replicas + "Released=59", nil},
		{"it did not", replicas + "Released=60", nil},
		{"a volume for many", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteMany)))},
		{"a volume for one", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce)))},
		{"two owners, and other claims", "old:db-0 new:cache-0",
			cluster(pod("db-0", "node-a", "", other), pod("cache-0", "node-b", "5f4d9c58f6", nil))},
		{"two pods that nobody owns", "old:db-0 new:cache-0", cluster(pod("db-0", "node-a", "", other), pod("cache-0", "node-b", "", nil))},
		{"two pods, one of them owned", "old:db-0 new:cache-0",
			cluster(pod("db-0", "node-a", "", nil), pod("cache-0", "node-b", "5f4d9c58f6", nil))},
		{"two pods of two workloads", "old:web-66f4d9c58f-bcdfg new:api-5f4d9c58f6-hjklm",
			cluster(pod("web-66f4d9c58f-bcdfg", "node-a", "66f4d9c58f", nil), pod("api-5f4d9c58f6-hjklm", "node-b", "", func(p *corev1.Pod) {
				p.OwnerReferences = []metav1.OwnerReference{{Kind: "StatefulSet", Name: "api", Controller: new(true)}}
			}))},
		{"two old ones", "old:web-66f4d9c58f-bcdfg old:web-66f4d9c58f-npqrs new:web-66f4d9c58f-hjklm", nil},
	},
	"access-mode": {
		{"readers", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce)), readers)},
		{"readers, one of which is being deleted", replicas,
			both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce)), readers, func(c *wait.Case) {
				p, _ := c.World.Pod(c.OldPods[0])
				p.Value().DeletionTimestamp = new(when(5))
			})},
		{"readers of a volume of which nothing tells", replicas, both(two("66f4d9c58f", nil), readers)},
		{"readers exclusively", replicas + "Variant=exclusively-attached",
			both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce)), readers)},
		{"writers", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce)))},
		{"a claim for many", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce), claim(corev1.ReadWriteMany)))},
		{"a claim for one", replicas, both(two("66f4d9c58f", nil), cluster(pv(corev1.ReadWriteOnce), claim(corev1.ReadWriteOnce)))},
		{"a claim for many, of an unknown volume", replicas, cluster(claim(corev1.ReadWriteMany))},
		{"deleted before", replicas + "DeletionRequested=0", cluster(pv(corev1.ReadWriteMany))},
		{"lost before", replicas + "NotReady=-10", cluster(pv(corev1.ReadWriteMany))},
		{"lost after the detach", replicas + "NotReady=20 DetachRequested=10", cluster(pv(corev1.ReadWriteMany))},
		{"its node was deleted", replicas + "NodeGone=10 node-deleted@node-a=10!audit", cluster(pv(corev1.ReadWriteMany))},
		{"it gave way", replicas + "Released=59", cluster(pv(corev1.ReadWriteMany))},
		{"it did not", replicas + "Released=60", cluster(pv(corev1.ReadWriteMany))},
		{"promised, and refused", "attach-failed@node-b=20/" + refused, cluster(pv(corev1.ReadWriteMany))},
		{"promised, and another error", "attach-failed@node-b=20/" + broken, cluster(pv(corev1.ReadWriteMany))},
		{"promised, refused, and the detach failed", "attach-failed@node-b=20/" + refused + " failed=10/" + broken,
			cluster(pv(corev1.ReadWriteMany))},
	},
	"attachment-lost": {
		{"removed by a person, and refused", "Gone=60 attachment-gone@csi-1=60/~!audit attach-failed@node-b=80/" + refused, by("alice")},
		{"removed by a person, and open", "Gone=60 attachment-gone@csi-1=60!audit", by("alice")},
		{"removed by a person, and attached a minute later", "Gone=60 Attached=120 attachment-gone@csi-1=60!audit", by("alice")},
		{"removed by a person, and attached within a minute", "Gone=60 Attached=119 attachment-gone@csi-1=60!audit", by("alice")},
		{"deleted by a person", "Gone=60 attachment-gone@csi-1=60!audit", both(by("alice"), quote(model.AttachmentGone, `{"verb":"delete"}`))},
		{"removed by a program", "Gone=60 attachment-gone@csi-1=60!audit", by("system:serviceaccount:longhorn-system:longhorn-manager")},
		{"removed by a user of a client", "Gone=60 attachment-gone@csi-1=60!audit", by("Longhorn (user x)")},
		{"removed by the attacher", "Gone=60 attachment-gone@csi-1=60!audit attach-failed@node-b=80/" + refused,
			by("system:serviceaccount:kube-system:csi-attacher")},
		{"detached", "Gone=60 attachment-gone@csi-1=60!audit attacher-detached@csi-1=50!log", by("alice")},
		{"tried", "Gone=60 attachment-gone@csi-1=60!audit attacher-detaching@csi-1=50!log", by("alice")},
		{"it is there", "attachment-gone@csi-1=60!audit", by("alice")},
		{"it failed with an error, and not to the end", "Gone=60 attacher-failed@csi-1=50/x!log attach-failed@node-b=80/" + refused,
			quote(model.AttacherFailed, `[csi-1] failed to detach with error y`)},
		{"it says that it tries", "Gone=60 attacher-detaching@csi-1=50/x!log attach-failed@node-b=80/" + refused,
			quote(model.AttacherDetaching, `[csi-1] Detached "x" with error y`)},
		{"it failed, and names no error", "Gone=60 attacher-failed@csi-1=50/x!log attach-failed@node-b=80/" + refused,
			quote(model.AttacherFailed, `[csi-1] Detached "x"`)},
		{"it failed and said no more", "Gone=60 attacher-failed@csi-1=50/x!log attach-failed@node-b=80/" + refused, nil},
		{"deleted by somebody, and open", "Gone=60 attachment-deletion-requested@csi-1=50/x!audit", by("alice")},
		{"deleted by a third program", "Gone=60 attachment-deletion-requested@csi-1=50/x~longhorn-manager!log", nil},
		{"deleted by somebody, attached a minute later", "Gone=60 Attached=120 attachment-deletion-requested@csi-1=50/x!audit", by("alice")},
		{"deleted by somebody, attached soon", "Gone=60 Attached=119 attachment-deletion-requested@csi-1=50/x!audit", by("alice")},
		{"deleted by the controller", "Gone=60 attachment-deletion-requested@csi-1=50/x!audit",
			by("system:serviceaccount:kube-system:attachdetach-controller")},
		{"deleted by kube-controller-manager", "Gone=60 attachment-deletion-requested@csi-1=50/x!audit",
			both(by("system:kube-controller-manager"),
				observed(func(_ int, o *model.Observation) { o.Agent = "kube-controller-manager/v1.34.0" }, model.AttachmentDeletionRequested))},
		{"every call failed, and then it was gone", "Gone=60 attacher-failed@csi-1=50/x!log", toTheEnd},
		{"every call failed, it was gone, and the volume attached", "Gone=60 Attached=70 attacher-failed@csi-1=50/x!log", toTheEnd},
		{"every call failed, it was gone, and the attach refused", "Gone=60 attacher-failed@csi-1=50/x!log attach-failed@node-b=80/" + refused, toTheEnd},
		{"every call failed, the attach refused, and it came in the end",
			"Gone=60 Attached=170 attacher-failed@csi-1=50/x!log attach-failed@node-b=80/" + refused, toTheEnd},
		{"deleted by somebody, and refused", "Gone=60 attachment-deletion-requested@csi-1=50/x!audit attach-failed@node-b=80/" + refused,
			by("alice")},
	},
	"attachment-not-finishing": {
		{"nothing for a minute", "DetachRequested=10 phase:detach=10..70", nil},
		{"nothing for less", "DetachRequested=10 phase:detach=10..69", nil},
		{"no phase", "DetachRequested=10", nil},
		{"answered", "DetachRequested=10 phase:detach=10..70 failed=20/" + broken, nil},
		{"timed out", "DetachRequested=10 phase:detach=10..170 failed=130/" + silent, nil},
		{"timed out, of a version of which nothing tells", "version=x DetachRequested=10 phase:detach=10..170 failed=130/" + silent, nil},
		{"tried late", "DetachRequested=10 phase:detach=10..170 attacher-detaching@csi-1=71!log", nil},
		{"tried after a minute", "DetachRequested=10 phase:detach=10..170 attacher-detaching@csi-1=70!log", nil},
		{"tried late, and timed out", "DetachRequested=10 phase:detach=10..170 attacher-detaching@csi-1=71!log failed=130/" + silent, nil},
		{"tried late, as it started", "DetachRequested=10 phase:detach=10..170 attacher-started@csi-1=60!log attacher-detaching@csi-1=71!log",
			nil},
		{"tried late, as another one started",
			"DetachRequested=10 phase:detach=10..170 attacher-started@csi-1=60!log attacher-detaching@csi-1=71!log",
			observed(func(_ int, o *model.Observation) { o.Input = "other.log" }, model.AttacherStarted)},
		{"just started", "DetachRequested=10..71 phase:detach=10..170 attacher-started@csi-1=40!log", nil},
		{"just started, of a request that is known", "DetachRequested=10..70 phase:detach=10..170 attacher-started@csi-1=40!log", nil},
		{"the attach timed out", "phase:release/detach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"and the old attachment was gone", "Gone=100 phase:release/detach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"and a new leader came", "failover=20 phase:release/detach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"in a version that does not attach then", "version=v1.25.0 phase:release/detach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"in a version of which nothing tells", "version=x phase:release/detach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"and nothing was to be detached", "phase:attach=0..200 attach-failed@node-b=130/" + silent, nil},
		{"the attach failed", "phase:release/detach=0..200 attach-failed@node-b=130/" + broken, nil},
		{"metrics count two in silence", "+Sampled NewAttachment=20", counted(2, 10, 110)},
		{"not two that came sooner", "+Sampled NewAttachment=20", counted(2, 10, 109)},
		{"nor one", "+Sampled NewAttachment=20", counted(1, 10, 300)},
	},
	"driver-detach-error": {
		{"metrics count three", "+Sampled NewAttachment=20", counted(3, 10, 130)},
		{"not two", "+Sampled NewAttachment=20", counted(2, 10, 70)},
		{"nor three that lie further apart", "+Sampled NewAttachment=20", counted(3, 10, 132)},
		{"three within a second", "+Sampled NewAttachment=20", counted(3, 10, 10.5)},
		{"three, and more later", "+Sampled NewAttachment=20", both(counted(3, 10, 130), counted(4, 200, 260))},
		{"three, and more before", "+Sampled NewAttachment=20", both(counted(4, 10, 130), counted(3, 200, 260))},
		{"nothing but metrics shows them", "NewAttachment=20", counted(3, 10, 130)},
		{"the request is known", "+Sampled NewAttachment=20 DetachRequested=5", counted(3, 10, 130)},
		{"no second attachment", "+Sampled", counted(3, 10, 130)},
		{"it failed for a minute", "DetachRequested=10 Gone=80 failed=20/" + broken, nil},
		{"it failed until then", "DetachRequested=10 Gone=70 failed=10/" + broken + "!log failed=70/" + broken, nil},
		{"for less", "DetachRequested=10 Gone=69 failed=10/" + broken + "!log failed=69/" + broken, nil},
		{"it was gone within bounds", "DetachRequested=10 Gone=60..90 failed=20/" + broken + "!log", nil},
		{"it was gone much later", "DetachRequested=10 Gone=900 failed=20/" + broken + "!log", nil},
		{"it was not asked for", "failed=20/" + broken + " failed=90/" + broken, nil},
		{"it fails still", "DetachRequested=10 captured=300 failed=20/" + broken, attachment(-900, 10)},
		{"it failed, and the log ends", "DetachRequested=10 captured=319 failed=20/" + broken + "!log", nil},
		{"it failed five minutes before", "DetachRequested=10 captured=320 failed=20/" + broken + "!log", nil},
		{"it failed long before", "DetachRequested=10 captured=321 failed=20/" + broken + "!log", nil},
		{"it was attached then", "DetachRequested=10 Attached=100 failed=20/" + broken + "!log", nil},
		{"it was attached soon", "DetachRequested=10 Attached=79 failed=20/" + broken + "!log", nil},
		{"it was attached a minute later", "DetachRequested=10 Attached=80 failed=20/" + broken + "!log", nil},
		{"a second attachment", "DetachRequested=10 NewAttachment=50 Gone=200 failed=20/" + broken, nil},
		{"in a version that makes none", "version=v1.25.0 DetachRequested=10 NewAttachment=50 Gone=200 failed=20/" + broken, nil},
		{"a next attachment", "DetachRequested=10 NewAttachment=200 Gone=200 failed=20/" + broken, nil},
		{"a next attachment, and bounds", "DetachRequested=10 NewAttachment=300 Gone=139..200 failed=20/" + broken, nil},
		{"a next attachment, and narrow bounds", "DetachRequested=10 NewAttachment=300 Gone=140..200 failed=20/" + broken, nil},
		{"the attach failed too", "DetachRequested=10 NewAttachment=300 Gone=200 attach-failed@node-b=250/" + broken + " failed=20/" + broken,
			nil},
		{"held back after a failure",
			"DetachRequested=10 Gone=200 failed=20/" + broken + " failed=90/rpc_error:_not_permitted_due_to_backoff_condition", nil},
		{"held back, after the cloud's",
			"DetachRequested=10 Gone=200 failed=20/" + cloud + " failed=90/rpc_error:_not_permitted_due_to_backoff_condition", nil},
		{"without its words", "DetachRequested=10 Gone=200 failed=20", nil},
		{"with them in another line", "DetachRequested=10 Gone=200 failed=20 failed=21/" + broken, nil},
		{"with a full stop", "DetachRequested=10 Gone=200 failed=20/back_end._", nil},
		{"of the cloud", "DetachRequested=10 Gone=200 failed=20/" + cloud, nil},
		{"the machine is not found, and Ready", "DetachRequested=10 Gone=200 failed=20/" + machine, cluster(node(corev1.ConditionTrue, -100))},
		{"the machine is not found, nor the node", "DetachRequested=10 Gone=200 failed=20/" + machine, nil},
		{"the attach is refused", "attach-failed@node-b=50/" + refused, nil},
		{"the attach timed out as well", "attach-failed@node-b=50/" + refused + " attach-failed@node-b=90/" + silent, nil},
		{"refused after a takeover", "failover=20 attach-failed@node-b=50/" + refused, nil},
		{"refused, and gone", "Gone=20 attach-failed@node-b=50/" + refused, nil},
		{"refused, and begun", "DetachRequested=20 attach-failed@node-b=50/" + refused, nil},
		{"refused, and begun some time", "DetachRequested=20..100 attach-failed@node-b=50/" + refused, nil},
		{"refused by a version that does not try", "version=v1.25.0 attach-failed@node-b=50/" + refused, nil},
		{"many", "DetachRequested=10 Gone=200 failed=20/" + broken + " failed=30/" + broken + " failed=40/" + broken + " failed=50/" + broken +
			" failed=60/" + broken, nil},
		{"four", "DetachRequested=10 Gone=200 failed=20/" + broken + " failed=30/" + broken + " failed=40/" + broken + " failed=50/" + broken,
			nil},
	},
	"cloud-detach-failing": {
		{"throttled for a minute", "DetachRequested=10 Gone=80 failed=20/" + cloud, nil},
		{"throttled once", "DetachRequested=10 Gone=69 failed=20/" + cloud, nil},
		{"another error", "DetachRequested=10 Gone=80 failed=20/" + broken, nil},
	},
	"controller-failover": {
		{"after the release, and six minutes before the detach", "Released=10 failover=30 Forced=390", nil},
		{"almost", "Released=10 failover=30 Forced=389", nil},
		{"half a minute later", "Released=10 failover=30 Forced=419", nil},
		{"and more", "Released=10 failover=30 Forced=420", nil},
		{"after a release within bounds", "Released=10..30 failover=30 Forced=400", nil},
		{"after one before it", "Released=10..29 failover=30 Forced=400", nil},
		{"before the release", "Released=40 failover=30 Forced=400", nil},
		{"with the release", "Released=30 failover=30 Forced=400", nil},
		{"with the detach", "Released=10 failover=30 DetachRequested=30", nil},
		{"before the detach", "Released=10 failover=30 DetachRequested=31", nil},
		{"with the attach", "Released=10 failover=30 Attached=30", nil},
		{"before the attach", "Released=10 failover=30 Attached=31", nil},
		{"no release, no force", "failover=30", nil},
		{"no release, and force", "failover=30 Forced=390", nil},
		{"no release, and the pod runs", replicas + "failover=30", two("66f4d9c58f", nil)},
		{"beside the wait, in a phase", "failover=30 phase:release=0..30 phase:unmount-wait=30..60", nil},
		{"the second of two", "Released=40 failover=30 failover=50 Forced=410", nil},
		{"it forgot the attachment", "captured=100 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 0)},
		{"it counts it as uncertain",
			"captured=100 failover=10 volume-uncertain@node-a=12 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 0)},
		{"refused for less than a minute", "captured=79 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=79/" + refused,
			attachment(-900, 0)},
		{"tried before", "captured=100 NewAttachment=9 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 0)},
		{"tried with it", "captured=100 NewAttachment=10 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 0)},
		{"the old one is being deleted", "captured=100 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 50)},
		{"the old one is a later one", "captured=100 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(1, 0)},
		{"its detach was asked for",
			"captured=100 DetachRequested=15 failover=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			attachment(-900, 0)},
	},
	"handover": {
		{"in half a minute", "Attached=30", nil},
		{"in a minute and a half, of which little is known", "Attached=60", nil},
		{"in more than a minute, of which little is known", "Attached=61", nil},
		{"in more than a minute and a half", "+Sampled Attached=91", nil},
		{"in a minute and a half", "+Sampled Attached=90", nil},
		{"in almost six minutes", "+Sampled Attached=359", nil},
		{"in six", "+Sampled Attached=360", nil},
		{"in more than 10 s, for another of its ReplicaSet of which nothing tells", replicas + "Attached=11", nil},
		{"in 10 s", replicas + "Attached=10", nil},
		{"in more, of a rollout", revisions + "Attached=11", nil},
		{"in more, and the old pod stopped", replicas + "Attached=11 pod-killing@prod/web-66f4d9c58f-bcdfg=1", nil},
		{"its pod evicted for a taint", replicas + "Attached=11 pod-eviction-decided@prod/web-66f4d9c58f-bcdfg=-1", nil},
		{"evicted by a drain", replicas + "Attached=11 pod-eviction-decided@prod/web-66f4d9c58f-bcdfg=-1/EvictionByEvictionAPI", nil},
		{"evicted for a taint, and verified as safe",
			replicas + "Attached=11 DetachRequested=9 detach-verified-safe@node-a=9 pod-eviction-decided@prod/web-66f4d9c58f-bcdfg=-1", nil},
		{"not at all", "", nil},
		{"by force", "Attached=30 Forced=20", nil},
		{"by the taint", "Attached=30 OutOfService=20", nil},
		{"from a lost node", "Attached=30 NotReady=-100", nil},
		{"from one that was lost after the detach", "Attached=30 DetachRequested=20 NotReady=20", nil},
		{"from one that was lost long before", "Attached=30 NotReady=-2000", nil},
		{"from a deleted one", "Attached=30 NodeGone=29", nil},
		{"from one that was deleted then", "Attached=30 NodeGone=30", nil},
		{"from one that metrics show lost", "+Sampled Attached=30 node-sampled-not-ready@node-a=-10..30/Unknown", nil},
		{"refused for a minute", "Attached=100 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, nil},
		{"refused for less", "Attached=100 attach-failed@node-b=20/" + refused + " attach-failed@node-b=79/" + refused, nil},
		{"removed by pod GC", "Attached=30 old:db-0 pod-force-deleting@prod/db-0=10", nil},
		{"the unmount failed for a minute", "Released=0 Attached=100 unmount-failed@node-a=10 unmount-failed@node-a=70", nil},
		{"and for less", "Released=0 Attached=100 unmount-failed@node-a=10 unmount-failed@node-a=69", nil},
		{"from an unknown node", "From= To= Attached=30 DetachRequested=20 detach-verified-safe@node-a=20", nil},
		{"from an unknown node, by a line that names none", "From= To= Attached=30 DetachRequested=20 detach-verified-safe@pvc-1=20", nil},
		{"verified as safe", "Attached=30 DetachRequested=20 detach-verified-safe@node-a=20", nil},
		{"started without force", "Attached=30 DetachRequested=20 detach-started@node-a=20", nil},
		{"started, in a version where that may be by force", "version=v1.25.0 Attached=30 DetachRequested=20 detach-started@node-a=20", nil},
		{"slow in the detach", "+Sampled Attached=80 phase:detach=10..71 phase:attach=71..80", nil},
		{"as slow as they are", "+Sampled Attached=80 phase:detach=10..70 phase:attach=70..80", nil},
		{"slow in the attach", "+Sampled Attached=80 phase:detach=10..12 phase:attach=12..80", nil},
		{"slow in the release", "+Sampled Attached=80 phase:release=0..78 phase:detach=78..79", nil},
		{"the detach failed once", "Attached=30 DetachRequested=5 Gone=20 failed=10/" + broken, nil},
		{"it failed for a minute", "Attached=90 DetachRequested=5 Gone=65 failed=10/" + broken, nil},
		{"it failed for less", "+Sampled Attached=70 DetachRequested=5 Gone=64 failed=10/" + broken, nil},
		{"it failed for another reason", "Attached=30 DetachRequested=5 Gone=20 failed=10/" + machine, nil},
		{"released late", "+Sampled Released=100 Attached=150", nil},
		{"asked for late, and sure", "Attached=150 DetachRequested=91 detach-verified-safe@node-a=91", nil},
		{"asked for after more than a minute, and sure", "Attached=80 DetachRequested=61 detach-verified-safe@node-a=61", nil},
		{"asked for within a minute, and sure", "Attached=80 DetachRequested=60 detach-verified-safe@node-a=60", nil},
		{"asked for in time, and sure", "Attached=150 DetachRequested=90 detach-verified-safe@node-a=90", nil},
		{"asked for in time, and not sure", "+Sampled Attached=150 DetachRequested=90", nil},
		{"asked for late, and not sure", "+Sampled Attached=150 DetachRequested=91", nil},
	},
	"old-pod-not-finished": {
		{"overdue", "old:db-0 DeletionRequested=-60 captured=41", cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"not yet", "old:db-0 DeletionRequested=-60 captured=40", cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"of no known time", "old:db-0 DeletionRequested=-60", cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"not being deleted", "old:db-0 DeletionRequested=-60 captured=41", cluster(pod("db-0", "node-a", "", nil))},
		{"stopped", "old:db-0 DeletionRequested=-60 captured=41",
			cluster(pod("db-0", "node-a", "", func(p *corev1.Pod) { deletedAt(30)(p); p.Status.ContainerStatuses[0].State.Running = nil }))},
		{"before an attach was asked for", "+Before old:db-0 DeletionRequested=-60 captured=41",
			cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"exclusively attached", "Variant=exclusively-attached old:db-0 DeletionRequested=-60 captured=41",
			cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"not asked to", "old:db-0 captured=41", cluster(pod("db-0", "node-a", "", deletedAt(30)))},
		{"released late on a lost node", "NotReady=-100 DeletionRequested=-60 Released=11 phase:release=0..11", nil},
		{"released in time", "NotReady=-100 DeletionRequested=-60 Released=10 phase:release=0..10", nil},
		{"on a node that is Ready", "DeletionRequested=-60 Released=11 phase:release=0..11", nil},
		{"not released", "NotReady=-100 DeletionRequested=-60 phase:release=0..11", nil},
		{"on one that was lost later", "NotReady=20 DetachRequested=20 DeletionRequested=-60 Released=11 phase:release=0..11", nil},
		{"released within bounds", "NotReady=-100 DeletionRequested=-60 Released=10..21 phase:release=0..11", nil},
		{"released within narrow bounds", "NotReady=-100 DeletionRequested=-60 Released=10..20 phase:release=0..11", nil},
	},
	"pv-deleted-first": {
		{"not found for a minute", "DetachRequested=10 Gone=80 failed=20/" + noPV, attachment(-900, 10)},
		{"not found once", "DetachRequested=10 Gone=69 failed=20/" + noPV, attachment(-900, 10)},
		{"not found, and the log ends", "DetachRequested=10 Attached=100 failed=20/" + noPV, attachment(-900, 10)},
		{"not found, and it is there", "DetachRequested=10 Gone=80 failed=20/" + noPV, both(cluster(aged(-900)), attachment(-900, 10))},
		{"not found, and made since", "DetachRequested=10 Gone=80 failed=20/" + noPV, both(cluster(aged(20)), attachment(-900, 10))},
		{"not in the list", "DetachRequested=10 captured=70", both(cluster(volumes), attachment(-900, 10))},
		{"not in the list, for less than a minute", "DetachRequested=10 captured=69", both(cluster(volumes), attachment(-900, 10))},
		{"in the list", "DetachRequested=10 captured=70", both(cluster(volumes, pv(corev1.ReadWriteOnce)), attachment(-900, 10))},
		{"not in the list, and answered", "DetachRequested=10 captured=70 failed=20/" + broken, both(cluster(volumes), attachment(-900, 10))},
		{"not in the list, and not being deleted", "DetachRequested=10 captured=70", both(cluster(volumes), attachment(-900, 0))},
		{"no list", "DetachRequested=10 captured=70", attachment(-900, 10)},
		{"another name", "DetachRequested=10 captured=70",
			both(attachment(-900, 10), func(c *wait.Case) { c.Attachment.Object.Value().Spec.Source.PersistentVolumeName = new("pvc-9") })},
		{"no name", "DetachRequested=10 captured=70",
			both(cluster(volumes), attachment(-900, 10),
				func(c *wait.Case) { c.Attachment.Object.Value().Spec.Source.PersistentVolumeName = nil })},
	},
	"attach-failing": {
		{"refused after the volume had gone", "Gone=60 attach-failed@node-b=70..300/" + broken, nil},
		{"and attached then", "Gone=60 Attached=310 attach-failed@node-b=70..300/" + broken, nil},
		{"for half a minute", "Gone=60 attach-failed@node-b=70..100/" + broken, nil},
		{"before it had gone", "Gone=310 attach-failed@node-b=70..300/" + broken, nil},
		{"of a limit, and nothing says when it went", "attach-failed@node-b=70..300/" + limit, nil},
		{"of another fault, and nothing says it", "attach-failed@node-b=70..300/" + broken, nil},
		{"as another machine has it", "Gone=60 attach-failed@node-b=70..300/" + refused, nil},
		{"as another machine has it, too", "Gone=60 attach-failed@node-b=70..300/" + broken + " attach-failed@node-b=80..90/" + refused, nil},
		{"its own attachment was being deleted", "Gone=60 attach-failed@node-b=70..300/volume_attachment_is_being_deleted", nil},
		{"the attacher was silent", "Gone=60 attach-failed@node-b=70..300/" + silent, nil},
	},
	"slow-stop": {
		{"forced, and slow", "old:db-0", removedMounted(0, 46)},
		{"forced, and within the usual time", "old:db-0", removedMounted(0, 45)},
		{"and the volume was taken by force", "old:db-0 Forced=10", removedMounted(0, 60)},
		{"slow by the container's end", "old:db-0 DeletionRequested=0 Released=46", died},
		{"as slow as one may be", "old:db-0 DeletionRequested=0 Released=45", died},
		{"slow by the pod's end", "old:db-0 DeletionRequested=0 Released=46", nil},
		{"slow, and its Node was deleted", "old:db-0 DeletionRequested=0 Released=46 NodeGone=20 node-deleted@node-a=20!audit", died},
		{"slow, and its node was lost before", "old:db-0 DeletionRequested=0 Released=46 NotReady=-100", died},
	},
	"storage-disagrees": {
		{"refused for a minute after the end", "Gone=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=70/" + refused,
			endBy(model.AttachmentGone)},
		{"refused for less", "Gone=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=69/" + refused, endBy(model.AttachmentGone)},
		{"the end is not told", "Gone=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=70/" + refused, nil},
		{"the end is assumed", "Gone=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=70/" + refused,
			both(endBy(model.AttachmentGone), func(c *wait.Case) { c.Gone.Basis = model.Assumed })},
		{"refused until the collection", "Gone=10 captured=192 attach-failed@node-b=50/" + refused, endBy(model.DetachSucceeded)},
		{"not until then", "Gone=10 captured=293 attach-failed@node-b=50/" + refused, endBy(model.DetachSucceeded)},
		{"and longer", "Gone=10 captured=294.1 attach-failed@node-b=50/" + refused, endBy(model.DetachSucceeded)},
		{"of no known collection", "Gone=10 attach-failed@node-b=50/" + refused, both(endBy(model.DetachSucceeded), uncollected)},
		{"collected within a minute", "Gone=10 captured=69 attach-failed@node-b=50/" + refused, endBy(model.DetachSucceeded)},
		{"refused, and attached", "Gone=10 captured=192 Attached=60 attach-failed@node-b=50/" + refused, endBy(model.DetachSucceeded)},
		{"by another error", "Gone=10 attach-failed@node-b=20/" + broken + " attach-failed@node-b=70/" + broken, endBy(model.AttachmentGone)},
		{"an in-tree volume", "Gone=10 attach-failed@node-b=20/" + refused + " attach-failed@node-b=70/" + refused,
			both(endBy(model.AttachmentGone), func(c *wait.Case) { c.Volume.UniqueName = "kubernetes.io/aws-ebs/vol-1" })},
		{"no trace of the detach", "version=x attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, nil},
		{"for less than a minute", "version=x attach-failed@node-b=20/" + refused + " attach-failed@node-b=79/" + refused, nil},
		{"by a version that waits", "version=v1.25.0 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, nil},
		{"by one that does not", "attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, nil},
		{"with a list of attachments", "attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, cluster(attachments)},
		{"with a list of later ones", "Attached=100 attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused,
			cluster(attachments)},
		{"and the detach failed", "version=x attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused + " failed=10/" + broken,
			nil},
		{"and it is there", "version=x attach-failed@node-b=20/" + refused + " attach-failed@node-b=80/" + refused, attachment(-900, 0)},
		{"refused alone", "+Refused attach-failed@node-b=20/" + refused, reported},
		{"refused alone, to an unknown node", "+Refused To= attach-failed@node-b=20/" + refused, reported},
		{"refused alone, with a list", "+Refused attach-failed@node-b=20/" + refused, both(cluster(attachments), reported)},
		{"refused alone, because of nobody", "+Refused attach-failed@node-b=20/volume_is_already_attached_to_an_instance", reported},
	},
	"unmount-stuck": {
		{"still mounted for a minute", "Released=10 phase:unmount-wait=10..70 detach-still-mounted@node-a=20",
			cluster(node(corev1.ConditionTrue, -100))},
		{"for less", "Released=10 phase:unmount-wait=10..69 detach-still-mounted@node-a=20", cluster(node(corev1.ConditionTrue, -100))},
		{"nothing shows it mounted", "Released=10 phase:unmount-wait=10..70", cluster(node(corev1.ConditionTrue, -100))},
		{"not known to be Ready", "Released=10 phase:unmount-wait=10..70 detach-still-mounted@node-a=20", nil},
		{"no phase", "Released=10 detach-still-mounted@node-a=20", cluster(node(corev1.ConditionTrue, -100))},
		{"not released", "phase:unmount-wait=10..70 detach-still-mounted@node-a=20", cluster(node(corev1.ConditionTrue, -100))},
		{"the Node was deleted", "Released=10 NodeGone=30 node-deleted@node-a=30!audit phase:unmount-wait=10..70 detach-still-mounted@node-a=20",
			nil},
		{"listed in use", "Released=10 phase:unmount-wait=10..70 node-volumes-in-use@node-a=20", cluster(node(corev1.ConditionTrue, -100))},
		{"listed in use at a later collection", "Released=10 Attached=100 phase:unmount-wait=10..70 node-volumes-in-use@node-a=20",
			cluster(node(corev1.ConditionTrue, -100))},
		{"the unmount fails", "Released=10 phase:unmount-wait=10..70 unmount-failed@node-a=20/" + busy,
			cluster(node(corev1.ConditionTrue, -100))},
		{"it failed", "Released=10 Attached=100 phase:unmount-wait=10..70 unmount-failed@node-a=20/" + busy,
			cluster(node(corev1.ConditionTrue, -100))},
		{"it failed until it was unmounted", "Released=10 Unmounted=60 phase:unmount-wait=10..70 unmount-failed@node-a=20/" + busy,
			cluster(node(corev1.ConditionTrue, -100))},
		{"of a version that does not ask", "version=v1.23.9 Released=10 phase:unmount-wait=10..70 detach-still-mounted@node-a=20",
			cluster(node(corev1.ConditionTrue, -100))},
		{"by force in such a version", "version=v1.23.9 Released=10 phase:unmount-wait=10..370",
			both(cluster(node(corev1.ConditionTrue, -100)), force(370), mounted)},
		{"by force in one that asks", "Released=10 phase:unmount-wait=10..370", both(force(370), mounted)},
		{"by force in one that asks, and Ready", "Released=10 phase:unmount-wait=10..370",
			both(cluster(node(corev1.ConditionTrue, -100)), force(370), mounted)},
		{"by force of what was not mounted", "Released=10 phase:unmount-wait=10..370",
			both(cluster(node(corev1.ConditionTrue, -100)), force(400))},
		{"another pod uses it", "Released=10 phase:unmount-wait=10..70 detach-still-mounted@node-a=20",
			cluster(node(corev1.ConditionTrue, -100), pv(corev1.ReadWriteOnce), pod("cache-0", "node-a", "", nil))},
		{"another pod used it", "Released=10 Attached=100 phase:unmount-wait=10..70 detach-still-mounted@node-a=20",
			cluster(node(corev1.ConditionTrue, -100), pv(corev1.ReadWriteOnce), pod("cache-0", "node-a", "", nil))},
		{"lost after it had hung", "Released=10 NotReady=300 Heartbeat=290 detach-still-mounted@node-a=70..200", nil},
		{"lost before", "Released=10 NotReady=300 Heartbeat=290 detach-still-mounted@node-a=20..60", nil},
		{"lost after the detach", "Released=10 NotReady=300 DetachRequested=300 phase:unmount-wait=10..70 detach-still-mounted@node-a=70..200",
			cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer", "version=v1.23.9 Released=10 Attached=370", cluster(node(corev1.ConditionTrue, -100))},
		{"before the timer", "version=v1.23.9 Released=10 Attached=369", cluster(node(corev1.ConditionTrue, -100))},
		{"as late as by the timer", "version=v1.23.9 Released=10 Attached=415", cluster(node(corev1.ConditionTrue, -100))},
		{"later than by the timer", "version=v1.23.9 Released=10 Attached=416", cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer of a report", "version=v1.23.9 Variant=exclusively-attached Attached=360", cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer of a deletion", "version=v1.23.9 DeletionRequested=10 Released=10..200 Attached=370",
			cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer of nothing", "version=v1.23.9 Attached=370", cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer of a version that asks", "Released=10 Attached=370", cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer of an unknown version", "version=x Released=10 Attached=370", cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer, with the detach", "version=v1.23.9 Released=10 DetachRequested=369 Attached=370",
			cluster(node(corev1.ConditionTrue, -100))},
		{"by the timer, on a node of which nothing tells", "version=v1.23.9 Released=10 Attached=370", nil},
		{"metrics alone", "+Sampled Released=10 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900", nil},
		{"metrics, and more", "Released=10 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900", nil},
		{"metrics alone, for less", "+Sampled Released=10 phase:unmount-wait=10..189 node-sampled-ready@node-a=-10..900", nil},
		{"metrics alone, with a forced detach",
			"+Sampled Released=10 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900 forced-detaches-counted@x=180", nil},
		{"metrics alone, with a failed detach", "+Sampled Released=10 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900",
			counted(2, 20, 180)},
		{"metrics alone, with a second attachment",
			"+Sampled Released=10 NewAttachment=50 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900", nil},
		{"metrics alone, with one after the first",
			"+Sampled Released=10 NewAttachment=200 Gone=195 phase:unmount-wait=10..190 node-sampled-ready@node-a=-10..900", nil},
		{"a mount table alone", "Released=10 phase:unmount-wait=10..70", mounts(1)},
		{"a mount table with a pod twice", "Released=10 phase:unmount-wait=10..70", both(mounts(1), mounts(1))},
		{"a mount table of two pods", "Released=10 phase:unmount-wait=10..70", mounts(2)},
		{"a mount table of five pods", "Released=10 phase:unmount-wait=10..70", mounts(5)},
		{"a mount table and the Node", "Released=10 phase:unmount-wait=10..70", both(mounts(1), cluster(node(corev1.ConditionTrue, -100)))},
	},
	"volumes-in-use-stale": {
		{"nothing fails", stale, both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"no log of the kubelet", stale, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce))},
		{"no list of pods", stale, both(logged, cluster(node(corev1.ConditionTrue, -100), pv(corev1.ReadWriteOnce)))},
		{"a node of which nothing tells", stale, both(logged, cluster(listed, pv(corev1.ReadWriteOnce)))},
		{"a pod uses it", stale,
			both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce), pod("cache-0", "node-a", "", nil)))},
		{"the unmount fails", stale + " unmount-failed@node-a=20",
			both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"lost", stale + " NotReady=-10", both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"lost after the detach", stale + " NotReady=50 DetachRequested=40",
			both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"not released", stale + " Released=-", both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"attached", stale + " Attached=100", both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"for less than a minute", "Released=10 phase:unmount-wait=10..69 node-volumes-in-use@node-a=20",
			both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
		{"its Node was deleted", stale + " NodeGone=30 node-deleted@node-a=30!audit",
			both(logged, cluster(node(corev1.ConditionTrue, -100), listed, pv(corev1.ReadWriteOnce)))},
	},
}

const stale = "Released=10 phase:unmount-wait=10..70 node-volumes-in-use@node-a=20"

var (
	nodes       = model.Listed{Kind: "Node"}
	volumes     = model.Listed{Kind: "PersistentVolume"}
	attachments = model.Listed{Kind: "VolumeAttachment"}
	listed      = model.Listed{Kind: "Pod"}
)

// aged is the PersistentVolume, made at a time.
func aged(at float64) *corev1.PersistentVolume {
	v := pv(corev1.ReadWriteOnce)
	v.CreationTimestamp = when(at)
	return v
}

// observed changes the observations of some kinds.
func observed(change func(n int, o *model.Observation), kinds ...model.Kind) func(*wait.Case) {
	return func(c *wait.Case) {
		over(c, func(s *model.Snapshot) {
			n := 0
			for i := range s.Observations {
				if slices.Contains(kinds, s.Observations[i].Kind) {
					change(n, &s.Observations[i])
					n++
				}
			}
		})
	}
}

// by says who sent the requests on the attachment.
func by(user string) func(*wait.Case) {
	return observed(func(_ int, o *model.Observation) { o.Actor = user }, model.AttachmentGone, model.AttachmentDeletionRequested)
}

// quote sets the text of the observations of a kind.
func quote(kind model.Kind, text string) func(*wait.Case) {
	return observed(func(_ int, o *model.Observation) { o.Quote.Text = text }, kind)
}

// toTheEnd has the attacher's failures in a log that goes on past the end of the attachment.
func toTheEnd(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		s.Observations = slices.Clone(s.Observations)
		for n := range s.Observations {
			if s.Observations[n].Kind == model.AttacherFailed {
				s.Observations[n].Input = "attacher.log"
			}
		}
		from, to := when(-900).Time, when(900).Time
		s.Inputs = append(s.Inputs, model.Input{Path: "attacher.log", Kind: "log/external-attacher", Component: "external-attacher", From: &from, To: &to})
	})
}

// endBy sets the kind of record by which the end of the attachment is known.
func endBy(kind model.Kind) func(*wait.Case) {
	return func(c *wait.Case) { c.Gone.Witness[0].Kind = kind }
}

// uncollected takes the time of the collection from a case.
func uncollected(c *wait.Case) { c.World.Axis.CapturedAt = nil }

// reported makes the refusals the reports.
func reported(c *wait.Case) { c.Reports = c.RefusedElsewhere(facts.Instant{}) }

// mounts are the rows of a mount table, each of another pod.
func mounts(n int) func(*wait.Case) {
	return func(c *wait.Case) {
		over(c, func(s *model.Snapshot) {
			for i := range n {
				o := cases.Seen(0, model.Observation{Kind: model.VolumeMounted, Volume: cases.PV, Pod: model.Ref{UID: fmt.Sprint("uid-", i)}})
				o.At, o.Input = model.Moment{}, "node-a/mounts"
				s.Observations = append(s.Observations, *o)
			}
		})
	}
}

// logged is a log of the old node's kubelet over the wait.
func logged(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		s.Inputs = append(s.Inputs,
			model.Input{Path: "node-a/kubelet.log", Component: "kubelet", Records: 9, From: new(when(-100).Time), To: new(when(900).Time)})
	})
}

func claim(mode corev1.PersistentVolumeAccessMode) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "data"},
		Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{mode}, VolumeName: "pvc-1"}}
}

// other is a pod of another claim.
func other(p *corev1.Pod) { p.Spec.Volumes[0].PersistentVolumeClaim.ClaimName = "other" }

// two are the pods of one revision on both nodes; the first is changed.
func two(hash string, change func(*corev1.Pod)) func(*wait.Case) {
	return cluster(pod("web-"+hash+"-bcdfg", "node-a", hash, change), pod("web-"+hash+"-hjklm", "node-b", hash, nil))
}

func readers(c *wait.Case) {
	for _, p := range c.World.Pods {
		readOnly(p.Value())
	}
}

// force is a detach by the timer.
func force(at float64) func(*wait.Case) {
	return func(c *wait.Case) { c.Forced = cases.At(at, model.Observation{Kind: model.DetachForcedTimeout}) }
}

// mounted lets the controller find the volume mounted until the forced detach.
func mounted(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		o := cases.Seen(c.Forced.At.Sub(cases.Began).Seconds()-1,
			model.Observation{Kind: model.DetachStillMounted, Volume: cases.PV, Node: "node-a"})
		o.Last = o.At
		s.Observations = append(s.Observations, *o)
	})
}

// undated removes the time of the records of the node's condition.
func undated(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		for n := range s.Observations {
			if s.Observations[n].Kind == model.NodeNotReady {
				s.Observations[n].At, s.Observations[n].Last = model.Moment{}, model.Moment{}
			}
		}
	})
}
