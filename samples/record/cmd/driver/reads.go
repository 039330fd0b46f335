package main

import (
	"context"

	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/meta"
	compute "google.golang.org/api/compute/v1"
	"google.golang.org/api/googleapi"
	gce "sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/gce-cloud-provider/compute"
)

// The in-memory cloud is not made for concurrent callers: what reads it must not run beside what writes it, and must get copies.

// GetDisk implements gce.GCECompute.
func (c *cloud) GetDisk(ctx context.Context, project string, k *meta.Key) (*gce.CloudDisk, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.FakeCloudProvider.GetDisk(ctx, project, k)
}

// RepairUnderspecifiedVolumeKey implements gce.GCECompute.
func (c *cloud) RepairUnderspecifiedVolumeKey(ctx context.Context, project string, k *meta.Key, fallback string,
) (string, *meta.Key, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.FakeCloudProvider.RepairUnderspecifiedVolumeKey(ctx, project, k, fallback)
}

// GetInstanceOrError implements gce.GCECompute.
func (c *cloud) GetInstanceOrError(ctx context.Context, project, zone, name string) (*compute.Instance, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.FakeCloudProvider.GetInstanceOrError(ctx, project, zone, name)
	if err != nil {
		return nil, err
	}
	cp := *i
	cp.Disks = append([]*compute.AttachedDisk{}, i.Disks...)
	return &cp, nil
}

// ListDisks adds the full address of each disk's user, from which the driver's ListVolumes reports where a volume is.
func (c *cloud) ListDisks(ctx context.Context, fields []googleapi.Field) ([]*compute.Disk, string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	disks, token, err := c.FakeCloudProvider.ListDisks(ctx, fields)
	instances, _, _ := c.ListInstances(ctx, nil)
	users := map[string][]string{}
	for _, i := range instances {
		for _, a := range i.Disks {
			users[a.DeviceName] = append(users[a.DeviceName], gce.BasePath+"projects/"+project+"/zones/"+i.Zone+"/instances/"+i.Name)
		}
	}
	var out []*compute.Disk
	for _, d := range disks {
		cp := *d
		cp.Users = users[d.Name]
		out = append(out, &cp)
	}
	return out, token, err
}
