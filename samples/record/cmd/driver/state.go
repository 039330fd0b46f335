package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/meta"
	"k8s.io/klog/v2"
	gce "sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/gce-cloud-provider/compute"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/parameters"
)

// state is what the cloud must still know after the driver's controller was restarted.
type state struct {
	Disks       map[string]disk
	Attachments map[string]attachment // by "<disk>/<instance>"
}

type disk struct {
	Zone  string
	Bytes int64
}

type attachment struct{ Device, Zone string }

func (c *cloud) file() string { return filepath.Join(c.dir, "state.json") }

func (c *cloud) save() {
	b, err := json.MarshalIndent(c.state, "", " ")
	if err == nil {
		err = os.WriteFile(c.file(), b, 0o644)
	}
	if err != nil {
		klog.Error(err)
	}
}

// restore makes the in-memory cloud what it was.
func (c *cloud) restore() error {
	c.state = state{Disks: map[string]disk{}, Attachments: map[string]attachment{}}
	b, err := os.ReadFile(c.file())
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &c.state); err != nil {
		return err
	}
	ctx := context.Background()
	p := parameters.DiskParameters{DiskType: "pd-balanced"}
	for name, d := range c.state.Disks {
		if err := c.FakeCloudProvider.InsertDisk(ctx, project, meta.ZonalKey(name, d.Zone), p, d.Bytes, nil, nil, "", "", false, ""); err != nil {
			return err
		}
	}
	return c.restoreAttachments(ctx)
}

func (c *cloud) restoreAttachments(ctx context.Context) error {
	for key, a := range c.state.Attachments {
		name, inst := filepath.Split(key)
		name = filepath.Clean(name)
		k := meta.ZonalKey(name, c.state.Disks[name].Zone)
		if err := c.FakeCloudProvider.AttachDisk(ctx, project, k, "READ_WRITE", "PERSISTENT", a.Zone, inst, false); err != nil {
			return err
		}
	}
	return nil
}

var _ gce.GCECompute = (*cloud)(nil)
