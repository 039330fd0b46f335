package replay

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

type worldRow struct {
	rule string
	list cases.Things
	want string
}

func askWorlds(t *testing.T, of func(*facts.World) string, rows []worldRow) {
	t.Helper()
	for _, r := range rows {
		if got := of(cases.World(r.list...)); got != r.want {
			t.Errorf("%s:\n%s", r.rule, got)
		}
	}
}

// TestOperations: attaches, detaches and mounts from beginning to end, without a failure between.
func TestOperations(t *testing.T) {
	list := func(ops []operation) string {
		var out []string
		for _, o := range ops {
			out = append(out, fmt.Sprintf("%s@%.4g %.4g s wait %.4g", o.From.Kind, o.From.At.At.Sub(cases.Time(0)).Seconds(), o.Seconds(), o.Wait.Seconds()))
		}
		return strings.Join(out, ", ")
	}
	line := func(kind model.Kind, at float64, node string) *model.Observation {
		return cases.Of(kind, at, node, cases.Volume)
	}
	pod := cases.PodOf(cases.NewPod, "node-b", cases.Using("data"))
	placed, ready := cases.Of(model.PodScheduled, -10, cases.NewPod, "node-b"), cases.Of(model.PodReady, 30, cases.NewPod)
	v := cases.TheVolume("data", corev1.ReadWriteOnce)
	askWorlds(t, func(w *facts.World) string { return list(attachesOf(w)) }, []worldRow{
		{"by the controller", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachSucceeded, 5, "node-b")},
			"attach-started@0 5 s wait 0"},
		{"two minutes long", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachSucceeded, 120, "node-b")}, ""},
		{"less", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachSucceeded, 119, "node-b")}, "attach-started@0 119 s wait 0"},
		{"with a failure", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachFailed, 2, "node-b"),
			line(model.AttachSucceeded, 5, "node-b")}, ""},
		{"that timed out", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.OperationTimeout, 2, "node-b"),
			line(model.AttachSucceeded, 5, "node-b")}, ""},
		{"a failure of another node", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachFailed, 2, "node-c"),
			line(model.AttachSucceeded, 5, "node-b")}, "attach-started@0 5 s wait 0"},
		{"begun twice", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachStarted, 3, "node-b"),
			line(model.AttachSucceeded, 5, "node-b")}, "attach-started@3 2 s wait 0"},
		{"ended twice", cases.Things{line(model.AttachStarted, 0, "node-b"), line(model.AttachSucceeded, 5, "node-b"),
			line(model.AttachSucceeded, 6, "node-b")}, "attach-started@0 5 s wait 0"},
		{"ended only", cases.Things{line(model.AttachSucceeded, 5, "node-b")}, ""},
		{"of no node", cases.Things{cases.Of(model.AttachStarted, 0, cases.Volume), cases.Of(model.AttachSucceeded, 5, cases.Volume)}, ""},
		{"without a time", cases.Things{cases.Timeless(cases.Change(line(model.AttachStarted, 0, "node-b"), func(*model.Observation) {})),
			line(model.AttachSucceeded, 5, "node-b")}, ""},
		{"by the attacher", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnB), cases.Of(model.AttacherAttached, 5, cases.OnB)}, "attacher-attaching@0 5 s wait 0"},
		{"two minutes by it", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnB), cases.Of(model.AttacherAttached, 120, cases.OnB)}, ""},
		{"less by it", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnB), cases.Of(model.AttacherAttached, 119, cases.OnB)}, "attacher-attaching@0 119 s wait 0"},
		{"that failed", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnB), cases.Of(model.AttacherFailed, 2, cases.OnB), cases.Of(model.AttacherAttached, 5, cases.OnB)}, ""},
		{"ended twice by it", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnB), cases.Of(model.AttacherAttached, 5, cases.OnB),
			cases.Of(model.AttachmentAttached, 6, cases.OnB)}, "attacher-attaching@0 5 s wait 0"},
		{"of another attachment", cases.Things{cases.Of(model.AttacherAttaching, 0, cases.OnA), cases.Of(model.AttacherAttached, 5, cases.OnB)}, ""},
	})
	askWorlds(t, func(w *facts.World) string { return list(detachesOf(w)) }, []worldRow{
		{"detached by the controller", cases.Things{line(model.DetachStarted, 0, "node-a"), line(model.DetachSucceeded, 5, "node-a")},
			"detach-started@0 5 s wait 0"},
		{"by force", cases.Things{line(model.DetachForcedTimeout, 0, "node-a"), line(model.DetachSucceeded, 5, "node-a")},
			"detach-forced-timeout@0 5 s wait 0"},
		{"by the taint", cases.Things{line(model.DetachForcedTaint, 0, "node-a"), line(model.DetachSucceeded, 5, "node-a")},
			"detach-forced-taint@0 5 s wait 0"},
		{"refused", cases.Things{line(model.DetachStarted, 0, "node-a"), line(model.DetachRefusedInUse, 1, "node-a"),
			line(model.DetachSucceeded, 5, "node-a")}, ""},
		{"missed by the sync", cases.Things{line(model.DetachStarted, 0, "node-a"), line(model.VolumeMarkedDetached, 5, "node-a")}, ""},
		{"detached by the attacher", cases.Things{cases.Of(model.AttacherDetaching, 0, cases.OnA), cases.Of(model.AttacherDetached, 5, cases.OnA)},
			"attacher-detaching@0 5 s wait 0"},
		{"that failed", cases.Things{cases.Of(model.AttacherDetaching, 0, cases.OnA), cases.Of(model.AttachmentDetachError, 2, cases.OnA), cases.Of(model.AttacherDetached, 5, cases.OnA)},
			""},
	})
	attached := line(model.AttachSucceeded, 20, "node-b")
	askWorlds(t, func(w *facts.World) string { return list(mountsOf(w)) }, []worldRow{
		{"to Ready", cases.Things{v, pod, placed, attached, ready}, "attach-succeeded@20 10 s wait 30"},
		{"by the event of the pod", cases.Things{v, pod, placed, cases.Of(model.AttachSucceeded, 20, cases.NewPod, cases.Volume, model.SourceEvent), ready},
			"attach-succeeded@20 10 s wait 30"},
		{"of another pod", cases.Things{v, pod, placed, cases.Of(model.AttachSucceeded, 20, cases.OldPod, cases.Volume, model.SourceEvent), ready}, ""},
		{"on another node", cases.Things{v, pod, placed, line(model.AttachSucceeded, 20, "node-c"), ready}, ""},
		{"something else on its node", cases.Things{v, pod, placed, line(model.AttachStarted, 20, "node-b"), ready}, ""},
		{"attached before it was scheduled", cases.Things{v, pod, placed, line(model.AttachSucceeded, -11, "node-b"), ready}, ""},
		{"attached after it was Ready", cases.Things{v, pod, placed, line(model.AttachSucceeded, 31, "node-b"), ready}, ""},
		{"of an earlier pod of the name", cases.Things{v, pod, cases.Of(model.PodScheduled, -10, model.PodRef("prod", "db-new", "u-x"), "node-b"), attached,
			ready}, ""},
		{"by name", cases.Things{v, pod, cases.Of(model.PodScheduled, -10, model.PodRef("prod", "db-new", ""), "node-b"), attached, ready},
			"attach-succeeded@20 10 s wait 30"},
		{"an earlier one was Ready", cases.Things{v, pod, placed, attached, cases.Of(model.PodReady, 30, model.PodRef("prod", "db-new", "u-x"))}, ""},
		{"two minutes later", cases.Things{v, pod, placed, attached, cases.Of(model.PodReady, 140, cases.NewPod)}, ""},
		{"sooner", cases.Things{v, pod, placed, attached, cases.Of(model.PodReady, 139, cases.NewPod)}, "attach-succeeded@20 119 s wait 30"},
		{"of another claim", cases.Things{cases.TheVolume("logs"), pod, placed, attached, ready}, ""},
	})
}
