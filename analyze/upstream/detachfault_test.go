package upstream

import (
	"testing"
)

// wrapped is a detach error as the controller logs it, around the driver's answer.
func wrapped(answer string) string {
	return `DetachVolume.Detach failed for volume "pvc-1" (UniqueName: "kubernetes.io/csi/d^vol-429") on node "n-503" : ` + answer
}

func TestDetachFault(t *testing.T) {
	for answer, want := range map[string]Fault{
		"timed out waiting for external-attacher of unknown CSI driver to detach volume vol-1": FaultTimeout,
		"detachment timeout for volume vol-1":                                                  FaultTimeout,
		`failed to detach: persistentvolume "pvc-1" not found`:                                 FaultNoPV,
		`rpc error: code = NotFound desc = InvalidInstanceID.NotFound: The instance ID 'i-1' does not exist` +
			"\n\tstatus code: 400, request id: x": FaultInstance,
		"not a vmss instance": FaultInstance,
		`googleapi: Error 404: The resource 'projects/p/zones/z/instances/n1' was not found, notFound`: FaultInstance,
		`csinode.storage.k8s.io "n1" not found`:                                                        FaultInstance,
		"rpc error: code = Internal desc = Could not detach volume \"vol-1\": RequestLimitExceeded: Request limit exceeded.\n\t" +
			"status code: 503, request id: 1": FaultCloud,
		"rpc error: code = Internal desc = operation error EC2: DetachVolume, https response error StatusCode: 400, " +
			"RequestID: 1, api error IncorrectState: no": FaultCloud,
		`compute.VirtualMachinesClient#CreateOrUpdate: Failure responding to request: StatusCode=409 -- Original Error: autorest/azure: ` +
			`Service returned an error. Status=409 Code="Conflict"`: FaultCloud,
		`rpc error: code = Internal desc = Code="OperationNotAllowed" Message="The operation is not allowed"`:                   FaultCloud,
		"rpc error: code = Internal desc = googleapi: Error 403: Too many pending operations on a resource., rateLimitExceeded": FaultCloud,
		"Expected HTTP response code [202 204] when accessing [DELETE https://c/v2.1/servers/x/os-volume_attachments/y], " +
			"but got 409 instead": FaultCloud,
		"rpc error: code = Unavailable desc = failed to unpublish volume: server is locked": FaultCloud,
		// Near misses: numbers in names, a driver's own back end, the Kubernetes client's own throttling.
		"rpc error: code = Internal desc = Could not detach volume \"vol-503\" from node \"n-429\": volume is busy": FaultDriver,
		"rpc error: code = Internal desc = Bad response statusCode [500]. Status [500 Internal Server Error]":       FaultDriver,
		"rpc error: code = Internal desc = ControllerpublishVolume failed for pvc-1: 404 Not Found":                 FaultDriver,
		"rpc error: code = Aborted desc = status code was 409 Conflict for request: " +
			"action=PUT path=http://csp-svc:8080/containers/v1": FaultDriver,
		"rpc error: code = DeadlineExceeded desc = context deadline exceeded":   FaultDriver,
		"client rate limiter Wait returned an error: context deadline exceeded": FaultDriver,
		"rpc error: code = NotFound desc = volume vol-1 not found":              FaultDriver,
		"rpc error: code = Internal desc = stage tag of volume does not match":  FaultDriver,
	} {
		for _, text := range []string{answer, wrapped(answer)} {
			if got := DetachFault(text); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
}

func TestInUseElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"rpc error: code = FailedPrecondition desc = volume vol-1 is already published to node i-0aaa": true,
		"rpc error: code = FailedPrecondition desc = The volume v cannot be attached to the node node-b since it is already attached to " +
			"the node node-a": true,
		"GCE 200 - RESOURCE_IN_USE_BY_ANOTHER_RESOURCE: " +
			"The disk resource 'd' is already being used by 'projects/p/zones/z/instances/node-a'": true,
		"VolumeInUse: vol-1 is already attached to an instance":                                                  true,
		"volume is already attached to a server, please detach it first (service_error)":                         true,
		"Invalid volume: volume 'v' status must be 'available'. Currently in 'in-use'":                           true,
		"disk(/s/d) already attached to node(/s/virtualMachines/vmss_62), could not be attached to node(node-b)": true,
		"disk(/s/d) already attached to node(/s/virtualMachines/node-b), could not be attached to node(node-b)":  false,
		"Fault: (*types.ResourceInUse)(0xc000f00500)({":                                                          true,
		"rpc error: code = Internal desc = volume v is attached to another node node-c":                          true,
		"rpc error: code = Internal desc = volume pvc-1 is still mounted on node node-a":                         true,
		"rpc error: code = Unavailable desc = volume 1 is published at another node":                             true,
		"rpc error: code = Internal desc = Non-shared volume is already attached on another node node-a":         true,
		"[400] Volume 7781 is already attached to Linode node-a":                                                 true,
		"open /dev/drbd1000: Device or resource busy":                                                            true,
		"rpc error: code = ResourceExhausted desc = max number of volumes (8) already attached to instance":      false,
		"rpc error: code = Internal desc = volume v must be healthy to be attached to node-b":                    false,
		// Near misses: the wanted node itself, another precondition, a volume that is being detached, throttling.
		"rpc error: code = FailedPrecondition desc = volume v is already attached to node node-b":   false,
		"rpc error: code = FailedPrecondition desc = volume v is not ready for workloads":           false,
		"rpc error: code = Internal desc = RequestLimitExceeded: Request limit exceeded.":           false,
		"timed out waiting for external-attacher of d CSI driver to attach volume already attached": false,
		"rpc error: code = ResourceExhausted desc = Attachment limit exceeded":                      false,
	} {
		if got := InUseElsewhere(text, "node-b"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBugOf(t *testing.T) {
	v := func(s string) Version { x, _ := ParseVersion(s); return x }
	verify := `kubernetes.io/csi: attacher.VolumesAreAttached failed for attach.ID=csi-1: volumeattachments.storage.k8s.io "csi-1" not found`
	hash := "node 'n' cannot get unknown pv /e706dce472d961b5b5ad8c80796434bb34d486f1ec17127a20f92b2084f4e61a"
	for _, c := range []struct{ line, version, want string }{
		{verify, "1.17.0", "verify-not-found"}, {verify, "1.17.2", "verify-not-found"}, {verify, "1.17.3", ""}, {verify, "1.18.0", ""},
		{verify, "1.16.15", ""},
		{hash, "1.27.1", "reconstructed-name"}, {hash, "1.28.0", ""},
		{"node 'n' cannot get unknown pv /pvc-1", "1.27.1", ""},
		{`attacher.VolumesAreAttached failed for attach.ID=csi-1: connection refused`, "1.17.1", ""},
	} {
		b, ok := BugOf(c.line)
		if got := ok && b.Affects(v(c.version)); got != (c.want != "") || got && b.ID != c.want {
			t.Errorf("%s on %s: %v %s", c.line, c.version, got, b.ID)
		}
	}
	for _, b := range knownBugs {
		if b.Affects(Version{}) {
			t.Errorf("%s affects an unknown version", b.ID)
		}
		if b.Component == "" || b.Versions == "" || b.Effect == "" || b.Fixed == "" || b.Reference == "" {
			t.Errorf("%s is not described", b.ID)
		}
	}
}

// A driver that holds back says nothing of a fault; one that is busy with the device does.
func TestHoldsBack(t *testing.T) {
	for text, want := range map[string]bool{
		`rpc error: code = Unavailable desc = ControllerUnpublish not permitted on node "n1" due to backoff condition`: true,
		"rpc error: code = Aborted desc = An operation with the given Volume ID vol-1 already exists":                  true,
		"rpc error: code = Internal desc = device is busy":                                                             false,
		"rpc error: code = AlreadyExists desc = volume already exists":                                                 false,
	} {
		if got := HoldsBack(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
