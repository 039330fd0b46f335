package logfile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// tumult is a log of a controller that repeats itself for several volumes and nodes, with what begins a new run in between:
// successes, silences, and nodes that come back.
func tumult(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	probes := [3]time.Time{now, now, now}
	for range n {
		switch step := r.IntN(200); {
		case step == 0:
			now = now.Add(foldGap + time.Duration(r.IntN(3)-1)*time.Second)
		case step < 150:
			now = now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
		}
		node := r.IntN(len(probes))
		if r.IntN(50) == 0 {
			probes[node] = now
		}
		volume := fmt.Sprintf(`"u%d"`, r.IntN(2))
		jitter := time.Duration(r.IntN(1100)) * time.Millisecond * time.Duration(r.IntN(20)/19)
		line := ""
		switch r.IntN(9) {
		case 0, 1:
			line = fmt.Sprintf(`node_lifecycle_controller.go:1] "Node hasn't been updated" node="n%d" duration="%s" type=%d`, node,
				now.Sub(probes[node])+jitter, r.IntN(2))
		case 2:
			line = fmt.Sprintf("node_lifecycle_controller.go:1] node n%d hasn't been updated for %s. Last Ready is: x", node,
				now.Sub(probes[node])+jitter)
		case 3, 4:
			line = fmt.Sprintf(`reconciler.go:1] "Cannot detach volume because it is still mounted" node="n%d" volumeName=%s`, node, volume)
		case 5:
			line = fmt.Sprintf(`reconciler.go:1] "attacherDetacher.AttachVolume failed to start" err="e%d" node="n%d" volumeName=%s`, r.IntN(2),
				node, volume)
		case 6:
			line = fmt.Sprintf(`nestedpendingoperations.go:1] Operation for "{volumeName:u0 podName: nodeName:n%d}" failed. No retries permitted `+
				`until x. Error: DetachVolume.Detach failed for volume "p" (UniqueName: "u0") on node "n%d" : timed out waiting for `+
				`external-attacher of x`, node, node)
		case 7:
			line = fmt.Sprintf(`kubelet.go:1] "Skipping pod synchronization" err="container runtime is down, %d"`, r.IntN(3))
		case 8:
			if line = fmt.Sprintf(`x.go:1] "dull" n=%d`, r.IntN(3)); r.IntN(10) == 0 {
				line = fmt.Sprintf(`operation_generator.go:1] AttachVolume.Attach succeeded for volume "p" (UniqueName: %s) from node "n%d"`, volume,
					node)
			}
		}
		fmt.Fprintf(&b, "I%s       1 %s\n", now.Format("0102 15:04:05.000000"), line)
		if r.IntN(300) == 0 {
			b.WriteString("\tgoes on\n")
		}
	}
	return b.String()
}

// A repetition that is known by its text counts like one that is parsed.
func TestEchoes(t *testing.T) {
	for seed := range uint64(8) {
		log := tumult(seed, 4000)
		sameUnfiltered(t, log, 0)
		for _, prefix := range []string{"[pod/kcm-%d/c] ", "kcm-%d kube-controller-manager ", "Mar 14 09:26:53 node-%d kubelet[1]: ",
			"Mar 14 09:26:53 cp-%d k3s[1]: "} {
			sameUnfiltered(t, prefixed(log, prefix, 5), 0)
		}
		r := readText(log, Hint{})
		repeated := 0
		for _, o := range r.Observations {
			if o.Kind == model.NodeHeartbeatMissed || o.Kind == model.DetachStillMounted {
				repeated += o.Count - 1
			}
		}
		if repeated < 500 {
			t.Errorf("seed %d: %d repetitions", seed, repeated)
		}
	}
}

// A repetition is none of a run that a success has ended, of a time of another kind, or of a log that is to be sorted.
func TestEchoesEnd(t *testing.T) {
	began := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	mounted := `reconciler.go:1] "Cannot detach volume because it is still mounted" node="n" volumeName="u"`
	success := `operation_generator.go:1] AttachVolume.Attach succeeded for volume "p" (UniqueName: "u") from node "n"`
	line := func(tenths int, text string) string {
		return "I" + began.Add(time.Duration(tenths)*100*time.Millisecond).Format("0102 15:04:05.000000") + "       1 " + text + "\n"
	}
	var mountedFor, after, stamped strings.Builder
	for i := range 400 {
		mountedFor.WriteString(line(100+i, mounted))
		after.WriteString(line(600+i, mounted))
		stamped.WriteString(began.Add(time.Duration(600+i)*100*time.Millisecond).Format("2006-01-02T15:04:05.000000000Z ") + line(600+i, mounted))
	}
	for _, c := range []struct {
		name, log string
		runs      int
	}{
		{"a success", mountedFor.String() + line(550, success) + after.String(), 2},
		{"a year", mountedFor.String() + stamped.String() + after.String(), 3},
		{"a step back", mountedFor.String() + line(0, `x.go:1] "dull"`) + after.String() + line(550, success), 2},
		{"nothing", mountedFor.String() + after.String(), 1},
	} {
		sameUnfiltered(t, c.log, blocks...)
		runs := 0
		for _, o := range readText(c.log, Hint{}).Observations {
			if o.Kind == model.DetachStillMounted {
				runs++
			}
		}
		if runs != c.runs {
			t.Errorf("%s: %d runs, want %d", c.name, runs, c.runs)
		}
	}
}

// prefixed writes a name before each line of a log that has a header. Every so many lines it is the other of two.
func prefixed(log, prefix string, every int) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(log) {
		if line[0] == 'I' {
			n++
			fmt.Fprintf(&b, prefix, n/every%2)
		}
		b.WriteString(line)
	}
	return b.String()
}
