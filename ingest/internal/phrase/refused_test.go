package phrase

import "testing"

func TestRefusedKubelet(t *testing.T) {
	for err, want := range map[string]string{
		`volumeattachments.storage.k8s.io "csi-1" is forbidden: User "system:node:server0" cannot get resource`: "server0",
		`volumeattachments.storage.k8s.io "csi-1" is forbidden: User "alice" cannot get resource`:               "",
		`is forbidden: User "system:node:cut`: "",
		`timed out waiting for the condition`: "",
	} {
		if got := refusedKubelet(err); got != want {
			t.Errorf("refusedKubelet(%q) = %q, want %q", err, got, want)
		}
	}
}
