package upstream

import (
	"strings"
	"testing"
)

// TestAskStorage: the command names the volume as the driver, or its error, does, and nothing of a text that is no name.
func TestAskStorage(t *testing.T) {
	for _, c := range []struct{ driver, handle, text, want string }{
		{"ebs.csi.aws.com", "vol-0aa11bb22cc33dd44", "", "--volume-ids vol-0aa11bb22cc33dd44 "},
		{"", "", `VolumeInUse: vol-0aa11bb2 is already attached`, "--volume-ids vol-0aa11bb2 "},
		{"pd.csi.storage.gke.io", "projects/p-1/zones/eu-b/disks/pvc-1", "", "disks describe pvc-1 --project p-1 --zone eu-b "},
		{"", "", "'/subscriptions/0a/resourceGroups/MC_a.b/providers/Microsoft.Compute/disks/d_1'", "--ids /subscriptions/0a/resourceGroups/MC_a.b/providers/Microsoft.Compute/disks/d_1 "},
		{"cinder.csi.openstack.org", "5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001", "", "show 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"", "", "failed to attach 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 volume to 2a compute", "show 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"driver.longhorn.io", "pvc-1", "", "longhorn-system pvc-1 "},
		{"", "", "volume pvc-1 cannot be attached to the node a since it is already attached to the node b", "longhorn-system pvc-1 "},
		{"", "", "volume pvc-1 failed to attach to node a with attachmentID csi-1: it is attached to different node b", "longhorn-system pvc-1 "},
		{"", "", "volume pvc-1 failed to attach to node a: it is attached to different node b", ""},
		{"", "", "rbd image pool/csi-vol-9f9f9f9f-0000 is still being used", "rbd status pool/csi-vol-9f9f9f9f-0000"},
		{"csi.hetzner.cloud", "123", "", "describe 123"},
		{"linstor.csi.linbit.com", "pvc-1", "", "--resources pvc-1"},
		{"", "", "NodePublishVolume failed for pvc-4d1e: mount failed: exit status 32\nOutput: mount: /dev/drbd1000 is write-protected", "linstor resource list --resources pvc-4d1e"},
		{"", "", "NodePublishVolume failed for pvc-4d1e: mount failed: exit status 32\nOutput: mount: /dev/sdb is write-protected", ""},
		{"", "", "disk 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 is attached to a different instance (0f8c)", "show 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"", "", "disk 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 path /dev/vdc is attached to a different instance (0f8c)", "show 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"", "", "ControllerPublishVolume failed for pvc-1: Resource 'pvc-1' is still in use on node 'b'", "--resources pvc-1"},
		{"csi.vsphere.vmware.com", "5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001", "", "disk.ls -json 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"", "", `failed to attach cns volume: "5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001" to node vm`, "disk.ls -json 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 "},
		{"csi.vsphere.vmware.com", "pvc-5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001", "", "$(govc volume.ls -i -n pvc-5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001) "},
		{"csi.vsphere.vmware.com", "file:5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001", "", ""},
		{"", "", "Unable to attach volume pvc-1: Volume is attached on another node: 10.0.0.1", "inspect pvc-1"},
		{"csi.hetzner.cloud", "123; reboot", "", ""},
		{"csi.example.com", "pvc-1", "it is busy", ""},
	} {
		got := AskStorage(c.driver, c.handle, c.text)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %s: %q, want %q", c.driver, c.handle, c.text, got, c.want)
		}
	}
}

// TestAskMachine: only an identifier that shows its cloud gives a command.
func TestAskMachine(t *testing.T) {
	const set = "/subscriptions/5a1e/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/pool-vmss/virtualMachines/"
	const vm = "/subscriptions/5a1e/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachines/oak-1"
	for id, want := range map[string]string{"i-0123456789abcdef0": "--instance-ids i-0123456789abcdef0 ", "i-01; reboot": "", "node-1": "", "": "",
		set + "7": "az vmss get-instance-view --subscription 5a1e --resource-group mc_rg --name pool-vmss --instance-id 7 ", set + "oak-7": "",
		"disk(/subscriptions/5a1e/d) already attached to node(" + set + "pool-vmss_62), could not be attached to node(pool-vmss00001o)": "--name pool-vmss --instance-id 62 ",
		"Attach volume \"d\" to instance \"" + set + "3\" failed with x: the disk is already owned by VM '" + vm + "'.":                 "az vm get-instance-view --subscription 5a1e --resource-group mc_rg --name oak-1 ",
		"Attach volume \"d\" to instance \"" + set + "3\" failed with x: the disk is busy":                                              "",
		"'projects/p-1/zones/eu-b/disks/d' is already being used by 'projects/p-1/zones/eu-b/instances/oak-2'":                          "instances describe oak-2 --project p-1 --zone eu-b ",
		"'projects/p-1/zones/eu-b/instances/oak-2' not found":                                                                           "",
		"disk d is attached to a different instance (5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001)":                                             "server show 5f4e3d2c-aaaa-bbbb-cccc-ddddeeee0001 ",
	} {
		if got := AskMachine(id); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", id, got)
		}
	}
}
