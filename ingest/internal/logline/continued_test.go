package logline

import (
	"strings"
	"testing"
)

// An error of a real driver has newlines, also two in a row; the kubelet prints it into a printf line, so that only the first
// physical line has a header, and journald begins every one with its own prefix. (Recorded on a real node, Kubernetes v1.34.3.)
const journal = `Nov 22 09:14:24.309845 worker-0 kubelet[61]: E1122 09:14:24.309845      61 nestedpendingoperations.go:348] Operation for "{volumeName:u podName:19fe nodeName:}" failed. Error: UnmountVolume.TearDown failed : rpc error: code = Internal desc = Unmount failed: exit status 32
Nov 22 09:14:24.309845 worker-0 kubelet[61]: Unmounting arguments: /var/lib/kubelet/pods/19fe/mount
Nov 22 09:14:24.309845 worker-0 kubelet[61]: Output: umount: /var/lib/kubelet/pods/19fe/mount: target is busy.
Nov 22 09:14:24.309845 worker-0 kubelet[61]: 
Nov 22 09:14:24.309845 worker-0 kubelet[61]: Output again: umount: /var/lib/kubelet/pods/19fe/mount: target is busy.
Nov 22 09:14:24.371000 worker-0 kubelet[61]: I1122 09:14:24.371000      61 reconciler_common.go:1] next
`

func messages(text string) []string {
	s := NewScanner(strings.NewReader(text))
	var out []string
	for range s.Records {
		r := s.record()
		out = append(out, r.Message)
	}
	return out
}

func TestContinuationInJournal(t *testing.T) {
	whole := []string{"target is busy.\n\nOutput again: umount: "}
	got := messages(journal)
	if len(got) != 2 || !strings.Contains(got[0], whole[0]) || got[1] != "next" {
		t.Errorf("%d records: %q", len(got), got)
	}
	// CRI's wrapper, and lines of another program in the same journal, which are no continuation.
	cri := strings.ReplaceAll(strings.ReplaceAll(journal, "Nov 22 09:14:24.309845 worker-0 kubelet[61]: ",
		"2026-11-22T09:14:24.309845Z stderr F "),
		"Nov 22 09:14:24.371000 worker-0 kubelet[61]: ", "2026-11-22T09:14:24.371Z stderr F ")
	if got := messages(cri); len(got) != 2 || !strings.Contains(got[0], whole[0]) {
		t.Errorf("CRI, %d records: %q", len(got), got)
	}
	other := strings.Replace(journal, "worker-0 kubelet[61]: Unmounting", "worker-0 containerd[33]: Unmounting", 1)
	if got := messages(other); strings.Contains(got[0], "Unmounting") || !strings.Contains(got[0], "target is busy") {
		t.Errorf("another program's line: %q", got)
	}
}

// A line that the container wrote to its other stream belongs to no record of klog.
func TestOtherStreamIsNoContinuation(t *testing.T) {
	const head = "2026-11-22T09:14:24.309845Z stderr F E1122 09:14:24.309845      61 x.go:1] failed: rpc error:\n"
	for line, want := range map[string]string{
		"2026-11-22T09:14:24.4Z stderr F target is busy.\n":      "failed: rpc error:\ntarget is busy.",
		"2026-11-22T09:14:24.4Z stdout F listening on port 10\n": "failed: rpc error:",
	} {
		if got := messages(head + line); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
