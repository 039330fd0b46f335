package upstream

import (
	"strings"
	"testing"
)

// TestRefusals has the wordings of back ends at each stage: attach, map, stage and mount. Of some another machine has the volume, and
// which, where the text says it; the others are near misses.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		text      string
		elsewhere bool
		holder    string
	}{
		// Azure
		{"Disk '/s/disks/d' cannot be attached as the disk is already owned by VM '/s/virtualMachines/pool-1'.", true, "pool-1"},
		{"disk ‘/s/disks/d’ cannot be attached as the disk is already owned by VM ‘/s/virtualMachines/pool-1’.", true, "pool-1"},
		{"disk(/s/d) already attached to node(pool-1), could not be attached to node(node-b)", true, "pool-1"},
		{"Disk d cannot be attached as the disk is already owned by VM '/s/virtualMachines/node-b'", false, "node-b"},
		{`Code="AttachDiskWhileBeingDetached" Cannot attach data disk 'd' to VM 'node-b' because the disk is currently being detached`, false, ""},
		{`Code="AcquireDiskLeaseFailed" Message="Failed to acquire lease while creating disk 'd.vhd'. Blob is already in use."`, true, ""},
		{"Blob https://s/vhds/d.vhd is already in use by another disk belonging to VM 'pool-2'. You can examine", true, "pool-2"},
		{"Blob https://s/vhds/d.vhd was not found", false, ""},
		// Ceph
		{"rpc error: code = Internal desc = rbd image replicapool/csi-vol-7f is still being used", true, ""},
		{"rbd image kube/vol is still being used. rbd output: Watchers:\n\twatcher=10.9.0.7:0/34739158 client.64354 cookie=1", true, "10.9.0.7"},
		{"rbd: image kube/vol is locked by other nodes", true, ""},
		{"rbd image replicapool/csi-vol-7f has been resized", false, ""},
		{"rpc error: code = Internal desc = rbd: map failed with error an error (exit status 110)", false, ""},
		// DRBD, LINSTOR
		{"Output: mount: /var/lib/kubelet/m: /dev/drbd1000 is write-protected but explicit read-write mode requested.", true, ""},
		{"State change failed: (-1) Multiple primaries not allowed by config", true, ""},
		{"mount: /dev/sdb is write-protected but explicit read-write mode requested.", false, ""},
		{`AttachVolume.Attach failed for volume "pv-1" : The resource 'volume' is already in use.`, true, ""},
		{"Unable to access file [ds1] kubevols/pv-1.vmdk since it is locked", true, ""}, {"Failed to attach disk: file is being locked or in use", true, ""},
		{"Failed to add disk 'scsi0:1'.", false, ""}, {"Unable to access file [ds1] kubevols/pv-1.vmdk", false, ""},
		// EC2, Compute Engine, OpenStack, vSphere
		{"api error VolumeInUse: vol-0a is already attached to an instance", true, ""},
		{"Invalid volume: Volume v status must be available or downloading to reserve, but the current status is in-use.", true, ""},
		{"Invalid volume: Volume v status must be available or downloading but current status is in-use", true, ""},
		{"Invalid volume: Volume v status must be available or downloading to reserve, but the current status is detaching.", false, ""},
		{"disk 3f path /dev/vdb is attached to a different instance (7d0c2a1e-11)", true, "7d0c2a1e-11"},
		{"The resource 'volume' is in use.", true, ""},
		{"Failed to lock the file", true, ""},
		{"incorrectState: instance i-0b is not 'running'", false, ""},
		// others
		{"volume \"v\" is attached to the wrong droplet (4711), detach the volume to fix it", true, "4711"},
		{"rpc error: code = FailedPrecondition desc = failed to publish volume: volume is attached", true, ""},
		{"code = FailedPrecondition desc = volume v is not ready for workloads: volume is attached to node node-c, expected node-b", true, "node-c"},
		{"rpc error: code = Aborted desc = The volume v is attached", false, ""},
		{"cannot attach volume to node because it is already attached to a different node ID: 4c-77", true, "4c-77"},
		{"rpc error: code = AlreadyExists desc = Volume is attached on another node", true, ""},
		{"Failed to attach device: Volume: 8812 is attached on: px-node-3", true, "px-node-3"},
		{"failed to attach volume: Volume: 8812 is attached on node: 10.13.1.4 (px-node-3), force detach", true, "10.13.1.4"},
		{"runid=608 Volume has been published to a different host already.", true, ""},
		{"runid=2041 Volume v has not been published to this node node-b.", false, ""},
		{"volume is in use by another VMI", true, ""},
		{"The volume is currently attached to different node node-c", true, "node-c"},
		{"Volume 7 is mapped to another SDC", true, ""},
		{"Instance is already attached to this volume", false, ""},
		{"volume is already attached to the same node", false, ""},
		{"Unable to add volume [pvc-1] because volume with that name already exists", false, ""},
		{"unable to attach volume pvc-1 to node-b: Node to be attached node-b is different from previous spec node-c] from [x]", true, "node-c"},
		{"use of linkage spec is different from previous spec node-c", false, ""},
		// SCSI, NVMe, file systems
		{"blk_update_request: reservation conflict, dev sdc", true, ""},
		{"EXT4-fs warning (device sdb): ext4_multi_mount_protect:328: MMP failure info: last update node: node-c", true, "node-c"},
		{"cannot import 'tank': pool was previously in use from another system", true, ""},
		{"iscsiadm: initiator reported error (15 - session exists)", false, ""},
		{"iscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure)", false, ""},
		{"nvme connect: Operation already in progress", false, ""},
		{"mount.nfs: rpc.statd is not running but is required for remote locking.", false, ""},
		{"mount: /var/lib/m: /dev/sdb already mounted or mount point busy.", false, ""},
		{"umount: /mnt/a: device is busy", false, ""},
		{"/dev/sdb: Device or resource busy", false, ""},
		// limits
		{"the instance has its maximum of 8 disks, all already attached to the instance", false, ""},
		{"The maximum number of data disks allowed to be attached to a VM of this size is 4.", false, ""},
		{"The maximum allowed number of disk devices (16) to attach to a single instance has been exceeded.", false, ""},
		{"PermissionDenied, you can only attach [10] volumes to one instance at most", false, ""},
	} {
		if got := InUseElsewhere(c.text, "node-b"); got != c.elsewhere {
			t.Errorf("%q: elsewhere %v", c.text, got)
		}
		if got := HolderNamed(c.text); got != c.holder && (c.elsewhere || c.holder != "") {
			t.Errorf("%q: holder %q, want %q", c.text, got, c.holder)
		}
	}
}

// TestInTreeAnswer: a cloud that the controller itself called, and near misses: the same words through gRPC, from an attacher, or alone.
func TestInTreeAnswer(t *testing.T) {
	const failed = `AttachVolume.Attach failed for volume "pvc-1" : `
	for text, want := range map[string]bool{
		failed + "disk(/subscriptions/s/disks/d) already attached to node(/s/n_1), could not be attached to node(n)": true,
		failed + `Attach volume "d" to instance "n" failed with compute.VirtualMachinesClient`:                       true,
		failed + "azure - cloud provider rate limited(read) for operation:GetDisk":                                   true,
		failed + `Error attaching EBS volume "vol-1" to instance "i-1": "VolumeInUse`:                                true,
		failed + "googleapi: Error 400: The disk resource":                                                           true, failed + "GCE 200 - RESOURCE_IN_USE": true,
		failed + "disk 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 path  is attached to a different instance (x)": true,
		failed + "Failed to add disk 'scsi0:1'.":                                                           true, failed + "Unable to access file [ds1] kubevols/pv-1.vmdk since it is locked": true,
		failed + "rpc error: code = Internal desc = disk(/subscriptions/s/disks/d) already attached to node(/s/n_1)":                  false,
		failed + "rpc error: code = Unknown desc = googleapi: Error 400: The disk resource":                                           false,
		failed + "volume attachment is being deleted":                                                                                 false,
		failed + "timed out waiting for external-attacher of disk.csi.azure.com CSI driver to attach volume /subscriptions/s/disks/d": false,
		"disk(/subscriptions/s/disks/d) already attached to node(/s/n_1), could not be attached to node(n)":                           false,
	} {
		if got := InTreeAnswer(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestAwaitsOne: a kubelet that waits for one volume, and near misses: for several, and an error of another kind. TestThrottled likewise.
func TestAwaitsOne(t *testing.T) {
	for text, want := range map[string]bool{
		"timeout expired waiting for volumes to attach or mount for pod. list of unmounted volumes=[data]. list of unattached volumes=[data x]": true,
		"unmounted volumes=[data], unattached volumes=[x data]: timed out waiting for the condition":                                            true,
		"unmounted volumes=[data x], unattached volumes=[data]: timed out waiting for the condition":                                            false,
		"unmounted volumes=[data], unattached volumes=[data]: no such directory":                                                                false,
	} {
		if got := AwaitsOne(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestThrottled(t *testing.T) {
	for text, want := range map[string]bool{"azure - cloud provider rate limited(read) for operation:GetDisk": true, "RequestLimitExceeded: Request limit exceeded": true,
		"Throttling: Rate exceeded": true, "TooManyRequests": true, "the instance has its maximum of 8 disks": false, "separate limits apply": false} {
		if got := Throttled(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNotHere(t *testing.T) {
	for text, want := range map[string]bool{
		"Volume v has not been published to this node node-b.": true, "volume is not attached to the node": true,
		"Volume v has been published to this node": false, "volume is not attached to another node": false, "volume is not ready": false,
	} {
		if got := NotHere(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAttachLimit(t *testing.T) {
	for text, want := range map[string]bool{
		"the instance has its maximum of 8 disks":                                            true,
		"The maximum number of data disks allowed to be attached to a VM of this size is 4.": true,
		"AttachmentLimitExceeded: Attachment limit exceeded":                                 true, "cannot attach more than 12 disks to instance": true,
		"Exceeded limit 'maximum_persistent_disks' on resource 'node-b'. Limit: 16.0": true, "no available slots": true,
		"The specified VM already has the maximum number of data disks (6) attached.": true,
		"disk size exceeds the maximum of 64 TiB":                                     false, "Request limit exceeded.": false,
		"maximum number of retries reached": false, "volume is already attached to another node": false,
	} {
		if got := AttachLimit(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := "Attach volume d to instance failed with " + strings.Repeat("compute.VirtualMachinesClient ", 12) +
		"the disk is already owned by VM '/s/virtualMachines/pool-1'. Sorry for this."
	got := Excerpt(long, 160)
	if !strings.HasPrefix(got, "Attach volume d to instance") || !strings.Contains(got, "already owned by VM '/s/virtualMachines/pool-1") ||
		len([]rune(got)) > 170 {
		t.Errorf("%q", got)
	}
	far := "Could not detach volume /subscriptions/" + strings.Repeat("providers/Microsoft.Compute/", 12) + " from node pool-1: Retriable: true, "
	for _, decides := range []string{
		`RawError: Code="ZoneOutage" Message="The zone has no power`, "HTTPStatusCode: 409", "googleapi: Error 403", "InvalidInstanceID.NotFound",
	} {
		if got := Excerpt(far+decides+strings.Repeat(" and more", 30), 160); !strings.Contains(got, decides) || len([]rune(got)) > 170 {
			t.Errorf("%s: %q", decides, got)
		}
	}
	layered := `Expected HTTP response code [200] when accessing [POST https://nova/v2/servers/` + strings.Repeat("a", 160) +
		`], but got 400 instead {"badRequest": {"message": "the server is paused", "code": 400}}`
	if got := Excerpt(layered, 160); got != "the server is paused" {
		t.Errorf("without its layers %q", got)
	}
	const azure = "Attach volume /subscriptions/s/disks/d to instance vm-0 failed with Retriable: false, RetryAfter: 0s, HTTPStatusCode: 400, " +
		"RawError: {\\r\n  \"error\": {\\r\n    \"code\": \"BadRequest\",\\r\n    \"message\": \"the disk is in another zone\"\\r\n  }\\r\n}"
	if got := Excerpt(azure, 80); got != "the disk is in another zone" {
		t.Errorf("an error of Azure's: %q", got)
	}
	for text, want := range map[string]string{
		`Could not detach volume "vol-1" from node "i-1": UnauthorizedOperation: no`:                                                                "UnauthorizedOperation: no",
		"Retriable: true, RetryAfter: 0s, HTTPStatusCode: -1, RawError: Code=\"X\" Message=\"it failed\"":                                           "Code=\"X\" Message=\"it failed\"",
		"mount failed: exit status 32 Mounting command: mount Mounting arguments: -t xfs a b Output: mount: /var/lib/x: /dev/d is write-protected.": "/dev/d is write-protected.",
		"Bad response statusCode [500]. Status [500 Internal Server Error]. Body: [message=unable to attach: it is degraded, code=Server Error, detail=] " +
			"from [http://longhorn-backend:9500/v1/volumes/pvc-1?action=attach]": "unable to attach: it is degraded",
		"it is degraded, code=Server Error, detail=": "it is degraded, code=Server Error, detail=",
		`it Could not detach volume at all`:          `it Could not detach volume at all`,
	} {
		if got := Unwrapped(text); got != want {
			t.Errorf("%q without its layers is %q", text, got)
		}
	}
	if got := Excerpt("volume is  busy", 160); got != "volume is busy" {
		t.Errorf("%q", got)
	}
	if got := Excerpt(strings.Repeat("x", 200), 160); got != strings.Repeat("x", 160)+"…" {
		t.Errorf("%q", got)
	}
}

// TestOnlyInUse: a refusal that says that the volume is in use, and near misses that say by what, or something else.
func TestOnlyInUse(t *testing.T) {
	for text, want := range map[string]string{
		`The resource 'volume' is already in use.`:                                   "The resource 'volume' is already in use",
		`fault: ResourceInUse, LocalizedMessage: "The resource 'volume' is in use."`: "The resource 'volume' is in use",
		"infrastructure operation failed with the message: volume r010-1 is in use":  "volume r010-1 is in use",
		"volume r010-1 is in use by another instance":                                "",
		"disk d-1 is in use, it is already attached to node w-2":                     "",
		"the volume was in use":                                                      "",
		"The resource 'volume' is in use on host x":                                  "",
	} {
		if got := OnlyInUse(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestOfAttach: errors of an attach, of its call or of its record, and those of a detach.
func TestOfAttach(t *testing.T) {
	for text, want := range map[string]bool{
		"failed to attach: x": true, "failed to mark as attached: x": true, "failed to detach: x": false, "failed to mark as detached: x": false,
	} {
		if OfAttach(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
