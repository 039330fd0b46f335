package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
)

const zoneKey = "topology.gke.io/zone"

// provision plays external-provisioner: for each claim with a selected node it calls CreateVolume and creates the PersistentVolume.
func (c *Cluster) provision() {
	api, err := kubernetes.NewForConfig(c.config("csi", "csi-provisioner"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "provisioner:", err)
		return
	}
	conn, err := grpc.NewClient("unix:"+filepath.Join(c.Dir, "csi/csi.sock"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Fprintln(os.Stderr, "provisioner:", err)
		return
	}
	claims := c.Watch.Core().V1().PersistentVolumeClaims().Lister()
	done := map[string]bool{}
	for ; ; time.Sleep(500 * time.Millisecond) {
		l, _ := claims.List(labels.Everything())
		for _, p := range l {
			node := c.Node(p.Annotations["volume.kubernetes.io/selected-node"])
			if p.Spec.VolumeName != "" || node == nil || done[string(p.UID)] {
				continue
			}
			if err := create(api, csi.NewControllerClient(conn), p, node.Zone); err != nil {
				fmt.Fprintln(os.Stderr, "provisioner:", err)
				time.Sleep(2 * time.Second)
				continue
			}
			done[string(p.UID)] = true
		}
	}
}

func create(api kubernetes.Interface, driver csi.ControllerClient, p *v1.PersistentVolumeClaim, zone string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	size := p.Spec.Resources.Requests["storage"]
	there := &csi.Topology{Segments: map[string]string{zoneKey: zone}}
	r, err := driver.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: "pvc-" + string(p.UID), CapacityRange: &csi.CapacityRange{RequiredBytes: size.Value()},
		Parameters: map[string]string{"type": "pd-balanced"},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: "ext4"}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}}},
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{there}, Preferred: []*csi.Topology{there}},
	})
	if err != nil {
		return err
	}
	_, err = api.CoreV1().PersistentVolumes().Create(ctx, volume(p, r.Volume.VolumeId, zone), metav1.CreateOptions{})
	return err
}

func volume(p *v1.PersistentVolumeClaim, handle, zone string) *v1.PersistentVolume {
	mode := v1.PersistentVolumeFilesystem
	return &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: "pvc-" + string(p.UID),
			Annotations: map[string]string{"pv.kubernetes.io/provisioned-by": DriverName}},
		Spec: v1.PersistentVolumeSpec{
			Capacity: v1.ResourceList{"storage": p.Spec.Resources.Requests["storage"]}, AccessModes: p.Spec.AccessModes, VolumeMode: &mode,
			PersistentVolumeReclaimPolicy: v1.PersistentVolumeReclaimDelete, StorageClassName: *p.Spec.StorageClassName,
			ClaimRef: &v1.ObjectReference{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: p.Namespace, Name: p.Name,
				UID: p.UID, ResourceVersion: p.ResourceVersion},
			PersistentVolumeSource: v1.PersistentVolumeSource{CSI: &v1.CSIPersistentVolumeSource{Driver: DriverName,
				VolumeHandle: handle, FSType: "ext4"}},
			NodeAffinity: &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{
				{MatchExpressions: []v1.NodeSelectorRequirement{{Key: zoneKey, Operator: v1.NodeSelectorOpIn, Values: []string{zone}}}}}}},
		},
	}
}
