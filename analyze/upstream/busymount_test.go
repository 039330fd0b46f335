package upstream

import "testing"

func TestBusyMount(t *testing.T) {
	const mount = "/var/lib/kubelet/pods/fcbb/volumes/kubernetes.io~csi/pvc-1/mount"
	path, words, ok := BusyMount("rpc error: code = Internal desc = Unmount failed: exit status 32\nUnmounting arguments: " + mount +
		"\nOutput: umount: " + mount + ": target is busy.\n")
	if !ok || path != mount || words != "target is busy" {
		t.Errorf("got %q %q %v", path, words, ok)
	}
	if _, _, ok := BusyMount("umount.nfs4: /mnt/a: device is busy"); !ok {
		t.Error("NFS")
	}
	for _, text := range []string{"Output: umount: " + mount + ": not mounted.",
		"rpc error: code = DeadlineExceeded desc = context deadline exceeded", "volume vol-1 is busy"} {
		if path, _, ok := BusyMount(text); ok {
			t.Errorf("%q: %s", text, path)
		}
	}
}
