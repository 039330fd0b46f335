// Package readme writes the README of a recording: a table of times from the truth, and the scenario's lesson.
package readme

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/samples/record/internal/scenario"
	"github.com/volpost/volpost/samples/record/internal/truth"
)

type row struct {
	at   truth.Time
	text string
	bold bool
}

// Write returns the README.
func Write(s *scenario.Scenario, t *truth.Truth) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", s.Title)
	fmt.Fprintf(&b, "Kubernetes %s on real nodes: kubelets, containerd, the GCE Persistent Disk driver; "+
		"the cloud behind the driver was played, and the nodes share one kernel.\n", t.Version)
	fmt.Fprintf(&b, "Controller at `%s`, tolerations of %d s. Done: %s. All times are UTC on %s.\n\n", verbosity(t), t.Tolerance, s.What,
		t.Begin.Format(time.DateOnly))
	b.WriteString("| when | what was done, or happened |\n|---|---|\n")
	for _, r := range rows(t) {
		text := r.text
		if r.bold {
			text = "**" + text + "**"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.at.Format("15:04:05.0"), text)
	}
	fmt.Fprintf(&b, "\n## What to notice\n\n%s\n\n## What is often believed\n\n", s.Notice)
	for _, x := range s.Believed {
		fmt.Fprintf(&b, "- %s\n", x)
	}
	b.WriteString("\n## What was left out\n\nFrom the kubelets' journals, lines which only the lab brings about: cAdvisor complaining of " +
		"containers of other nodes on the same machine, and kubelets that look for their own cgroup. Nothing else was changed.\n")
	return b.String()
}

func verbosity(t *truth.Truth) string {
	for _, f := range t.ControllerFlags {
		if strings.HasPrefix(f, "--v=") {
			return f[1:]
		}
	}
	return "-v=0"
}

// rows lists the acts and, for the first volume of each pod that waited, its steps: with twenty volumes the others would say the same.
func rows(t *truth.Truth) []row {
	var l []row
	for _, f := range t.Faults {
		text := f.What
		if f.Detail != "" {
			text += ": " + strings.Fields(f.Detail)[0]
		}
		l = append(l, row{f.At, text, true})
	}
	for _, a := range t.OperatorActions {
		l = append(l, row{a.At, "`" + shorten(a.What) + "`", true})
	}
	for i, leader := range t.Leaders {
		if i > 0 { // the first one led before anything happened
			host, _, _ := strings.Cut(leader.Holder, "_")
			l = append(l, row{leader.From, "the kube-controller-manager of " + host + " leads", false})
		}
	}
	listed := map[string]bool{}
	for _, a := range t.Affected {
		if listed[a.NewPodUID] {
			continue
		}
		listed[a.NewPodUID] = true
		l = append(l, steps(a)...)
	}
	for _, p := range t.Terminating {
		l = append(l, row{p.DeleteRequested, p.Pod + " is deleted", false})
	}
	l = slices.DeleteFunc(l, func(r row) bool { return r.at.IsZero() })
	slices.SortStableFunc(l, func(x, y row) int { return x.at.Compare(y.at.Time) })
	l = slices.CompactFunc(l, func(x, y row) bool { return x == y })
	return append(l, row{t.SnapshotAt, end(t), false})
}

func steps(a *truth.Affected) []row {
	t := a.Times
	l := []row{
		{t.LastLease, "last renewal of " + a.OldNode + "'s Lease", false},
		{t.NodeNotReady, a.OldNode + " becomes NotReady", false},
		{t.NodeReadyAgain, a.OldNode + " is Ready again", false},
		{t.NodeGone, "the Node object of " + a.OldNode + " is gone", false},
		{t.OldPodDelete, a.OldPod + " is deleted", false},
		{t.OldPodTerminal, a.OldPod + " has ended", false},
		{t.OldPodGone, "the object of " + a.OldPod + " is gone", false},
		{t.NewPodScheduled, a.NewPod + " is bound to " + a.NewNode, false},
		{t.MultiAttach, report(a.Message) + " is reported on " + a.NewPod + ": " + wording(a.Message), false},
		{t.OldDeletion, "the old VolumeAttachment is deleted: the detach begins", false},
		{t.OldDetachError, "the driver reports that it cannot detach", false},
		{t.OldGone, "the old VolumeAttachment is gone", false},
		{t.NewAttached, "the volume is attached to " + a.NewNode, false},
	}
	if a.RecoveredPod != nil {
		l = append(l, row{t.Recovered, *a.RecoveredPod + " is Ready", false})
	}
	return l
}

// report is the name under which this version of Kubernetes reports that a volume is elsewhere.
func report(message string) string {
	if strings.HasPrefix(message, "Waiting for detach") { // v1.37 and later
		return "\"Waiting for detach\""
	}
	return "Multi-Attach"
}

// wording is the part of a report that says who has the volume.
func wording(message string) string {
	if strings.Contains(message, "exclusively") {
		return `"already exclusively attached"`
	}
	if strings.Contains(message, "already used by pod") {
		return `"already used by pod(s)"`
	}
	_, rest, _ := strings.Cut(message, `" `)
	return `"` + rest + `"`
}

func shorten(command string) string {
	f := strings.Fields(command)
	for i, w := range f {
		if strings.HasPrefix(w, "csi-") && len(w) > 40 {
			f[i] = w[:8] + "…"
		}
	}
	return strings.Join(f, " ")
}

func end(t *truth.Truth) string {
	open := 0
	for _, a := range t.Affected {
		if !a.Resolved {
			open++
		}
	}
	switch {
	case len(t.Affected) == 0:
		return "the bundle is collected; Multi-Attach was never reported"
	case open == 0:
		return "the bundle is collected"
	case open == 1:
		return "the bundle is collected; a pod still waits for its volume"
	}
	return fmt.Sprintf("the bundle is collected; %d waits are not over", open)
}
