package phrase

import "testing"

// The lines are those of kubelets v1.34.3 on real nodes at verbosity 2; the older wordings are from the sources.
func TestKubeletWord(t *testing.T) {
	const u = "kubernetes.io/csi/pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1"
	check(t, []struct{ name, line, want string }{
		{"torn down", `operation_generator UnmountVolume.TearDown succeeded for volume "` + u + `" (OuterVolumeSpecName: "data") pod "fcbb" (UID: "fcbb"). InnerVolumeSpecName "pvc-1". PluginName "kubernetes.io/csi", VolumeGIDValue ""`, `unmount-succeeded pod=:fcbb csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet`},
		{"no: a token", `operation_generator UnmountVolume.TearDown succeeded for volume "kubernetes.io/projected/fcbb-kube-api-access" (OuterVolumeSpecName: "t") pod "fcbb" (UID: "fcbb"). InnerVolumeSpecName "t". PluginName "kubernetes.io/projected"`, ""},
		{"device", `operation_generator UnmountDevice succeeded for volume "pvc-1" (UniqueName: "` + u + `") on node "worker-0" `, `unmount-succeeded node=worker-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet detail=device`},
		{"device mounted", `operation_generator "MountVolume.MountDevice succeeded for volume \"pvc-1\" (UniqueName: \"` + u + `\") pod \"web-0\" (UID: \"36b4\") device mount path \"/var/lib/kubelet/plugins/x/globalmount\"" pod="shop/web-0"`, `mount-succeeded pod=shop/web-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet detail=device`},
		{"set up", `operation_generator "MountVolume.SetUp succeeded for volume \"pvc-1\" (UniqueName: \"` + u + `\") pod \"web-0\" (UID: \"36b4\") " pod="shop/web-0"`, `mount-succeeded pod=shop/web-0 pv=pvc-1 csi=pd.csi.storage.gke.io^projects/lab-project/zones/europe-west1-b/disks/pvc-1 by=kubelet`},
		{"no: set up of a secret", `operation_generator "MountVolume.SetUp succeeded for volume \"s\" (UniqueName: \"kubernetes.io/secret/36b4-s\") pod \"web-0\" (UID: \"36b4\") " pod="shop/web-0"`, ""},
		{"killing", `kuberuntime_container "Killing container with a grace period" pod="shop/web-0" podUID="2314ce4d" containerName="app" containerID="containerd://b15f" gracePeriod=30`, `pod-killing pod=shop/web-0:2314ce4d by=kubelet`},
		{"died", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"fcbbf171-c5bc","Type":"ContainerDied","Data":"7547"}`, `container-died pod=shop/web-0:fcbbf171-c5bc by=kubelet`},
		{"died ≤1.26", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" event=&{ID:fcbbf171-c5bc Type:ContainerDied Data:7547}`, `container-died pod=shop/web-0:fcbbf171-c5bc by=kubelet`},
		{"no: started", `kubelet "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"fcbbf171-c5bc","Type":"ContainerStarted","Data":"7547"}`, ""},
		{"cut off from its lease", `controller "Failed to ensure lease exists, will retry" err="Get \"https://10.0.128.2:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1?timeout=10s\": dial tcp 10.0.128.2:6443: i/o timeout" interval="7s"`, `kubelet-cut-off node=worker-1 by=kubelet detail=Get "https://10.0.128.2:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1?timeout=10s": dial tcp 10.0.128.2:6443: i/o timeout`},
		{"no: the API server's own lease", `controller "Failed to ensure lease exists, will retry" err="namespaces \"kube-system\" not found" interval="200ms"`, ""},
		{"no: refused by the API server", `controller "Failed to update lease" err="Operation cannot be fulfilled on leases.coordination.k8s.io \"worker-1\": the object has been modified"`, ""},
		{"cut off from its status", `kubelet_node_status "Error updating node status, will retry" err="error getting node \"worker-1\": Get \"https://10.0.128.2:6443/api/v1/nodes/worker-1?timeout=10s\": context deadline exceeded"`, `kubelet-cut-off node=worker-1 by=kubelet detail=error getting node "worker-1": Get "https://10.0.128.2:6443/api/v1/nodes/worker-1?timeout=10s": context deadline exceeded`},
		{"no: a conflict", `kubelet_node_status "Error updating node status, will retry" err="error getting node \"worker-1\": nodes \"worker-1\" not found"`, ""},
	})
}
