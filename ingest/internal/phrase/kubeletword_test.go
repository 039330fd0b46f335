package phrase

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// The lines are those of kubelets v1.34.3 on real nodes at verbosity 2; the older wordings are from the sources.
func TestKubeletWord(t *testing.T) {
	const u = "kubernetes.io/csi/pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1"
	check(t, []struct{ name, line, want string }{
		{"torn down", `operation_generator UnmountVolume.TearDown succeeded for volume "` + u +
			`" (OuterVolumeSpecName: "data") pod "fcbb" (UID: "fcbb"). InnerVolumeSpecName "pvc-1". PluginName "kubernetes.io/csi", ` +
			`VolumeGIDValue ""`, `unmount-succeeded pod=:fcbb csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 ` +
			`by=kubelet`},
		{"no: a token", `operation_generator UnmountVolume.TearDown succeeded for volume "kubernetes.io/projected/fcbb-kube-api-access" ` +
			`(OuterVolumeSpecName: "t") pod "fcbb" (UID: "fcbb"). InnerVolumeSpecName "t". PluginName "kubernetes.io/projected"`, ""},
		{"device", `operation_generator UnmountDevice succeeded for volume "pvc-1" (UniqueName: "` + u + `") on node "worker-0" `,
			`unmount-succeeded node=worker-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet ` +
				`detail=device`},
		{"device mounted", `operation_generator "MountVolume.MountDevice succeeded for volume \"pvc-1\" (UniqueName: \"` + u +
			`\") pod \"web-0\" (UID: \"36b4\") device mount path \"/var/lib/kubelet/plugins/x/globalmount\"" pod="shop/web-0"`,
			`mount-succeeded pod=shop/web-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet ` +
				`detail=device`},
		{"set up", `operation_generator "MountVolume.SetUp succeeded for volume \"pvc-1\" (UniqueName: \"` + u +
			`\") pod \"web-0\" (UID: \"36b4\") " pod="shop/web-0"`,
			`mount-succeeded pod=shop/web-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet`},
		{"no: set up of a secret", `operation_generator "MountVolume.SetUp succeeded for volume \"s\" (UniqueName: ` +
			`\"kubernetes.io/secret/36b4-s\") pod \"web-0\" (UID: \"36b4\") " pod="shop/web-0"`, ""},
		{"attach seen", `operation_generator "Controller attach succeeded for volume \"pvc-1\" (UniqueName: \"` + u +
			`\") pod \"web-0\" (UID: \"36b4\") device path: \"\"" pod="shop/web-0"`,
			`attach-seen pod=shop/web-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet`},
		{"forgotten by the kubelet", `reconciler_common "Volume detached for volume \"pvc-1\" (UniqueName: \"` + u +
			`\") on node \"worker-0\" DevicePath \"csi-5258\""`,
			`unmount-succeeded node=worker-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet ` +
				`detail=device`},
		{"forgotten ≤1.24", `reconciler "Volume detached for volume \"pvc-1\" (UniqueName: \"` + u +
			`\") on node \"worker-0\" DevicePath \"csi-5258\""`,
			`unmount-succeeded node=worker-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet ` +
				`detail=device`},
		{"no: a token forgotten", `reconciler_common "Volume detached for volume \"t\" (UniqueName: \"kubernetes.io/projected/36b4-t\") on ` +
			`node \"worker-0\" DevicePath \"\""`, ""},
		{"reconstructed", `reconstruct "Volume reconstruction finished"`, `kubelet-started by=kubelet`},
		{"runs", `pod_startup_latency_tracker "Observed pod startup duration" pod="shop/web-0" podStartSLOduration=64.150044897 ` +
			`podStartE2EDuration="1m4.150044897s" podCreationTimestamp="2026-11-22 09:21:26 +0000 UTC" firstStartedPulling="0001-01-01 00:00:00 ` +
			`+0000 UTC" lastFinishedPulling="0001-01-01 00:00:00 +0000 UTC" observedRunningTime="2026-11-22 09:21:39.06182434 +0000 UTC ` +
			`m=+70.474813356" watchObservedRunningTime="2026-11-22 09:22:30.150044897 +0000 UTC m=+121.5"`, `pod-running pod=shop/web-0 by=kubelet`},
		{"no: never ran", `pod_startup_latency_tracker "Observed pod startup duration" pod="shop/web-0" podStartE2EDuration="1m4s" ` +
			`observedRunningTime="0001-01-01 00:00:00 +0000 UTC" watchObservedRunningTime="2026-11-22 09:22:30.15 +0000 UTC m=+1.5"`, ""},
		{"killing", `kuberuntime_container "Killing container with a grace period" pod="shop/web-0" podUID="2314ce4d" containerName="app" ` +
			`containerID="containerd://b15f" gracePeriod=30`, `pod-killing pod=shop/web-0:2314ce4d by=kubelet`},
		{"died", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"fcbbf171-c5bc","Type":"ContainerDied","Data":"7547"}`,
			`container-died pod=shop/web-0:fcbbf171-c5bc by=kubelet`},
		{"died ≤1.26", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" event=&{ID:fcbbf171-c5bc Type:ContainerDied Data:7547}`,
			`container-died pod=shop/web-0:fcbbf171-c5bc by=kubelet`},
		{"no: started", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" ` +
			`event={"ID":"fcbbf171-c5bc","Type":"ContainerStarted","Data":"7547"}`, ""},
		{"removed", `kubelet "SyncLoop REMOVE" source="api" pods=["shop/web-0"]`, `pod-removed pod=shop/web-0 by=kubelet`},
		{"removed 1.33", `kubelet "SyncLoop REMOVE" source="api" pods=["shop/web-0:fcbbf171-c5bc"]`,
			`pod-removed pod=shop/web-0:fcbbf171-c5bc by=kubelet`},
		{"no: several", `kubelet "SyncLoop REMOVE" source="api" pods=["shop/web-0","shop/web-1"]`, ""},
		{"no: asked to stop", `kubelet "SyncLoop DELETE" source="api" pods=["shop/web-0"]`, ""},
		{"cut off from its lease", `controller "Failed to ensure lease exists, will retry" err="Get ` +
			`\"https://10.0.128.2:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1?timeout=10s\": dial tcp ` +
			`10.0.128.2:6443: i/o timeout" interval="7s"`,
			`kubelet-cut-off node=worker-1 by=kubelet detail=Get ` +
				`"https://10.0.128.2:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1?timeout=10s": dial tcp ` +
				`10.0.128.2:6443: i/o timeout`},
		{"no: the API server's own lease",
			`controller "Failed to ensure lease exists, will retry" err="namespaces \"kube-system\" not found" interval="200ms"`, ""},
		{"no: refused by the API server",
			`controller "Failed to update lease" err="Operation cannot be fulfilled on leases.coordination.k8s.io \"worker-1\": the object has ` +
				`been modified"`, ""},
		{"cut off from its status", `kubelet_node_status "Error updating node status, will retry" err="error getting node \"worker-1\": Get ` +
			`\"https://10.0.128.2:6443/api/v1/nodes/worker-1?timeout=10s\": context deadline exceeded"`,
			`kubelet-cut-off node=worker-1 by=kubelet detail=error getting node "worker-1": Get ` +
				`"https://10.0.128.2:6443/api/v1/nodes/worker-1?timeout=10s": context deadline exceeded`},
		{"no: a conflict", `kubelet_node_status "Error updating node status, will retry" err="error getting node \"worker-1\": nodes ` +
			`\"worker-1\" not found"`, ""},
	})
}

// A pod runs from the status that the kubelet sent on, not from the line, which comes when the status has come back.
func TestRunsFrom(t *testing.T) {
	r := logline.Record{}
	s := logline.NewScanner(strings.NewReader(klog(`pod_startup_latency_tracker "Observed pod startup duration" pod="shop/web-0" `+
		`observedRunningTime="2026-11-22 09:21:39.06182434 +0000 UTC m=+70.4" watchObservedRunningTime="2026-11-22 09:22:30.06182434 +0000 UTC `+
		`m=+121.5"`) + "\n"))
	for range s.Records {
		s.ReadRecord(&r)
	}
	var o model.Observation
	o.At = model.Exactly(time.Date(2026, 11, 22, 9, 22, 30, 0, time.UTC))
	if !readStartup(&r, &o) || o.At.At.Format(time.TimeOnly) != "09:21:39" || !o.Last.At.Equal(o.At.At) {
		t.Errorf("%+v", o)
	}
}
