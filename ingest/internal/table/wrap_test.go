package table

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// wrapAt breaks a text at a width, between words or in the middle of one, as terminals do.
func wrapAt(text string, width int, words bool) string {
	var out []string
	for len(text) > width {
		at, skip := width, 0
		if i := strings.LastIndexByte(text[:width+1], ' '); words && i > 0 && strings.TrimSpace(text[:i]) != "" {
			at, skip = i, 1
		}
		out, text = append(out, strings.TrimRight(text[:at], " ")), text[at+skip:]
	}
	return strings.Join(append(out, text), "\n")
}

// TestWrapped: a describer's events that were broken at any width give what they give whole.
func TestWrapped(t *testing.T) {
	const volume = "pvc-f00dcafe-4321-4abc-9def-0123456789ab"
	rows := []string{
		"Events:",
		"  Type     Reason              Age    From                     Message",
		"  ----     ------              ----   ----                     -------",
		"  Normal   Scheduled           7m31s  default-scheduler        Successfully assigned shop/mysql-0 to prod-wk-3",
		`  Warning  FailedAttachVolume  7m31s  attachdetach-controller  Multi-Attach error for volume "` + volume +
			`" Volume is already exclusively attached to one node and can't be attached to another`,
		"  Warning  FailedMount         10s (x3 over 5m)  kubelet        Unable to attach or mount volumes: timed out",
	}
	for _, words := range []bool{true, false} {
		for width := wrapWidth; width < 200; width++ {
			text := ""
			for _, row := range rows {
				text += wrapAt(row, width, words) + "\n"
			}
			node, found := "", ""
			for _, o := range Read(strings.NewReader(text), "a.txt", Hint{}).Observations {
				if o.Kind == model.PodScheduled {
					node = o.Pod.String() + " " + o.Node
				}
				if o.Kind == model.MultiAttach {
					found = o.Volume.PersistentVolume + " " + o.Pod.String()
				}
			}
			if node != "shop/mysql-0 prod-wk-3" || found != volume+" shop/mysql-0" {
				t.Errorf("width %d, at words %t: scheduled %q, report %q\n%s", width, words, node, found, text)
			}
		}
	}
}
