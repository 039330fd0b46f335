package phrase

import "testing"

// The lines of GCE PD are those of v1.28.1 on real nodes; the others are worded as the drivers' sources word them.
func TestDriverCalls(t *testing.T) {
	const by = " by=csi-driver"
	check(t, []struct{ name, line, want string }{
		{"gce call", `utils /csi.v1.Controller/ControllerUnpublishVolume called with request: volume_id:"projects/p/zones/z/disks/pvc-1" ` +
			`node_id:"projects/p/zones/z/instances/worker-0"`,
			"attacher-detaching node=projects/p/zones/z/instances/worker-0 handle=projects/p/zones/z/disks/pvc-1" + by},
		{"gce attach", `utils /csi.v1.Controller/ControllerPublishVolume called with request: volume_id:"projects/p/zones/z/disks/pvc-1" ` +
			`node_id:"projects/p/zones/z/instances/worker-0" volume_capability:{mount:{fs_type:"ext4"}}`,
			"attacher-attaching node=projects/p/zones/z/instances/worker-0 handle=projects/p/zones/z/disks/pvc-1" + by},
		{"no: another call", `utils /csi.v1.Controller/ControllerGetCapabilities called with request: `, ""},
		{"request of a detach", `utils GRPC request: {"node_id":"i-0abc","volume_id":"vol-0a1b"}`,
			"attacher-detaching node=i-0abc handle=vol-0a1b" + by},
		{"request of an attach", `utils GRPC request: ` +
			`{"node_id":"i-0abc","volume_capability":{"AccessType":{"Mount":{}}},"volume_id":"vol-0a1b"}`,
			"attacher-attaching node=i-0abc handle=vol-0a1b" + by},
		{"no: request of a mount", `utils GRPC request: {"staging_target_path":"/var/lib/kubelet/x","volume_id":"vol-0a1b"}`, ""},
		{"ceph", `log ID: 25 Req-ID: 0001-0009 GRPC request: {"node_id":"node-a","volume_id":"0001-0009"}`,
			"attacher-detaching node=node-a handle=0001-0009" + by},
		{"ebs call", `controller "ControllerUnpublishVolume: called" args="volume_id:\"vol-0a1b\" node_id:\"i-0abc\""`,
			"attacher-detaching node=i-0abc handle=vol-0a1b" + by},
		{"ebs done", `controller "ControllerUnpublishVolume: detached" volumeID="vol-0a1b" nodeID="i-0abc"`,
			"attacher-detached node=i-0abc handle=vol-0a1b" + by},
		{"ebs failed", `driver "GRPC error" err="rpc error: code = Internal desc = Could not detach volume \"vol-0a1b\" from node \"i-0abc\": ` +
			`IncorrectState: busy"`, "attacher-failed node=i-0abc handle=vol-0a1b" + by + " detail=failed to detach: IncorrectState: busy"},
		{"attach failed", `driver GRPC error: rpc error: code = Internal desc = Could not attach volume "vol-0a1b" to node "i-0abc": ` +
			`VolumeInUse: vol-0a1b is already attached`,
			"attacher-failed node=i-0abc handle=vol-0a1b" + by + " detail=failed to attach: VolumeInUse: vol-0a1b is already attached"},
		{"no: an error without a volume", `utils GRPC error: rpc error: code = Aborted desc = An operation already exists`, ""},
		{"azure", `controllerserver Trying to detach volume /subscriptions/s/disks/d from node vm-1`,
			"attacher-detaching node=vm-1 handle=/subscriptions/s/disks/d" + by},
		{"azure done", `controllerserver detach volume /subscriptions/s/disks/d from node vm-1 successfully`,
			"attacher-detached node=vm-1 handle=/subscriptions/s/disks/d" + by},
		{"azure refused", `controllerserver Attach volume /subscriptions/s/disks/d to instance vm-1 failed with disk(/s/disks/d) already attached to node(vm-2)`,
			"attacher-failed node=vm-1 handle=/subscriptions/s/disks/d" + by + " detail=failed to attach: disk(/s/disks/d) already attached to node(vm-2)"},
		{"no: azure will", `controllerserver Attach volume later to whatever failed with it`, ""},
		{"fields of a call that failed", `publisher ControllerPublishVolume failed volumeId="9f1c-2d" ` +
			`error="rpc error: code = Internal desc = disk with node: worker-a is in use, as node vm: vm-1 says"`,
			"attacher-failed node=worker-a handle=9f1c-2d " +
				"detail=failed to attach: rpc error: code = Internal desc = disk with node: worker-a is in use, as node vm: vm-1 says"},
		{"no node of a virtual machine", `publisher ControllerPublishVolume failed volumeId="9f1c-2d" ` +
			`error="rpc error: code = Internal desc = attach to node vm: vm-1"`,
			"attacher-failed handle=9f1c-2d detail=failed to attach: rpc error: code = Internal desc = attach to node vm: vm-1"},
		{"no: a node that was made unreadable", `controllerserver Trying to detach volume d from node <redacted>`,
			"attacher-detaching handle=d" + by},
	})
}
