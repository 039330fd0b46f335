package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/meta"
	"github.com/container-storage-interface/spec/lib/go/csi"
	compute "google.golang.org/api/compute/v1"
	"google.golang.org/api/googleapi"
	"k8s.io/klog/v2"
	gce "sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/gce-cloud-provider/compute"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/parameters"
)

// cloud is the in-memory Compute Engine of the driver's tests, with time, one writer per disk, block devices and a memory that outlives the
// process. Two attachments of a disk are two loop devices on one file: as with most storage, nothing fences the older one.
type cloud struct {
	*gce.FakeCloudProvider
	mu    sync.Mutex
	dir   string
	state state
}

// What a call takes.
const (
	attachTakes = 1200 * time.Millisecond
	detachTakes = 1500 * time.Millisecond
)

func newCloud(dir string, instances map[string]string) (*cloud, error) {
	zone := instances["master-0"]
	f, err := gce.CreateFakeCloudProvider(project, zone, nil)
	if err != nil {
		return nil, err
	}
	for name, zone := range instances {
		f.InsertInstance(&compute.Instance{Name: name, Zone: zone, MachineType: "zones/" + zone + "/machineTypes/n2-standard-4",
			Disks: []*compute.AttachedDisk{}}, zone, name)
	}
	c := &cloud{FakeCloudProvider: f, dir: dir}
	return c, c.restore()
}

// InsertDisk creates a disk and the sparse file that is its content.
func (c *cloud) InsertDisk(ctx context.Context, project string, k *meta.Key, p parameters.DiskParameters, bytes int64,
	r *csi.CapacityRange, zones []string, snapshot, source string, multiWriter bool, access string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := tool("truncate", "-s", "256M", c.image(k.Name)); err != nil {
		return err
	}
	c.state.Disks[k.Name] = disk{Zone: k.Zone, Bytes: bytes}
	c.save()
	return c.FakeCloudProvider.InsertDisk(ctx, project, k, p, bytes, r, zones, snapshot, source, multiWriter, access)
}

// AttachDisk refuses a second writer, as the real API does, and everyone when a scenario says so.
func (c *cloud) AttachDisk(ctx context.Context, project string, k *meta.Key, rw, kind, zone, inst string, force bool) error {
	klog.V(5).Infof("Attaching disk %v to %s", k, inst)
	time.Sleep(attachTakes)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.past(ctx); err != nil {
		return err
	}
	if text := c.setting("refuse-attach"); text != "" {
		return &googleapi.Error{Code: http.StatusForbidden, Message: text, Errors: []googleapi.ErrorItem{{Reason: "forbidden"}}}
	}
	if other := c.user(ctx, k.Name, inst); other != "" && rw != "READ_ONLY" {
		return inUse(project, zone, k.Name, other)
	}
	dev, err := attachLoop(c.image(k.Name))
	if err != nil {
		return err
	}
	if err := link(dev, k.Name); err != nil {
		return err
	}
	c.state.Attachments[k.Name+"/"+inst] = attachment{Device: dev, Zone: zone}
	c.save()
	return c.FakeCloudProvider.AttachDisk(ctx, project, k, rw, kind, zone, inst, force)
}

// DetachDisk is where a scenario makes the cloud slow or unwilling.
func (c *cloud) DetachDisk(ctx context.Context, project, name, zone, inst string) error {
	klog.V(5).Infof("Detaching disk %v from %v", name, inst)
	time.Sleep(c.detachTakes())
	if text := c.setting("refuse-detach"); text != "" {
		return &googleapi.Error{Code: http.StatusServiceUnavailable, Message: text, Errors: []googleapi.ErrorItem{{Reason: "backendError"}}}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.detach(ctx, name, zone, inst)
}

func (c *cloud) detach(ctx context.Context, name, zone, inst string) error {
	key := name + "/" + inst
	detachLoop(c.state.Attachments[key].Device, name)
	delete(c.state.Attachments, key)
	c.save()
	return c.FakeCloudProvider.DetachDisk(ctx, project, name, zone, inst)
}

// past does what somebody does at the cloud past Kubernetes.
func (c *cloud) past(ctx context.Context) error {
	name, inst, ok := strings.Cut(c.setting("detach"), " ")
	if !ok {
		return nil
	}
	os.Remove(filepath.Join(c.dir, "detach"))
	return c.detach(ctx, name, c.state.Attachments[name+"/"+inst].Zone, inst)
}

func (c *cloud) detachTakes() time.Duration {
	if d, err := time.ParseDuration(c.setting("slow-detach")); err == nil {
		return d
	}
	return detachTakes
}

// setting reads one of the switches that a scenario sets.
func (c *cloud) setting(name string) string {
	b, _ := os.ReadFile(filepath.Join(c.dir, name))
	return strings.TrimSpace(string(b))
}

func (c *cloud) image(disk string) string { return filepath.Join(c.dir, disk+".img") }

func (c *cloud) user(ctx context.Context, disk, not string) string {
	all, _, _ := c.ListInstances(ctx, nil)
	for _, i := range all {
		for _, d := range i.Disks {
			if d.DeviceName == disk && i.Name != not {
				return i.Name
			}
		}
	}
	return ""
}

func inUse(project, zone, disk, inst string) error {
	text := fmt.Sprintf("RESOURCE_IN_USE_BY_ANOTHER_RESOURCE - The disk resource 'projects/%[1]s/zones/%[2]s/disks/%[3]s' is already being "+
		"used by 'projects/%[1]s/zones/%[2]s/instances/%[4]s'", project, zone, disk, inst)
	return &googleapi.Error{Code: http.StatusBadRequest, Message: text,
		Errors: []googleapi.ErrorItem{{Reason: "resourceInUseByAnotherResource"}}}
}

func tool(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}
