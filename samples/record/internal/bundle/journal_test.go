package bundle

import "testing"

func TestJournal(t *testing.T) {
	log := "a line before any header\n" +
		"E1122 14:52:03.000001    4711 csi_client.go:1] umount: exit status 32\nOutput: target is busy.\n" +
		"W1122 14:52:04.000002    4711 watcher.go:93] Error while processing event\nits rest\n" +
		"I1122 14:52:05.000003    4711 kubelet.go:1] \"SyncLoop\"\n"
	want := "Nov 22 14:52:03.000001 worker-0 kubelet[4711]: E1122 14:52:03.000001    4711 csi_client.go:1] umount: exit status 32\n" +
		"Nov 22 14:52:03.000001 worker-0 kubelet[4711]: Output: target is busy.\n" +
		"Nov 22 14:52:05.000003 worker-0 kubelet[4711]: I1122 14:52:05.000003    4711 kubelet.go:1] \"SyncLoop\"\n"
	if got := string(journal([]byte(log), "worker-0")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
