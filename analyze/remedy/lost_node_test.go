package remedy

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestPodGone: where the report of an open wait knew no pod, there is none to delete by force, and the attachment is looked at before it is deleted.
func TestPodGone(t *testing.T) {
	unnamed := of(func(c *wait.Case) { c.OldPods, c.Variant = nil, model.ExclusivelyAttached })
	for _, row := range []struct {
		name    string
		changes []change
		forced  Verdict
		steps   int
	}{
		{"no pod", []change{still(600), unnamed}, Misfit, 3},
		{"the report knew one", []change{still(600), unnamed, of(func(c *wait.Case) { c.Variant = model.UsedByPods })}, Fits, 2},
		{"it is named", []change{still(600), of(func(c *wait.Case) { c.Variant = model.ExclusivelyAttached })}, Fits, 2},
		{"over", []change{unnamed}, Fits, 2},
	} {
		i := made("v1.34.0")
		i.Case.Released = facts.Instant{}
		for _, c := range row.changes {
			c(i)
		}
		if got := forceDeletePodAndVolumeAttachment.Fit(i); got.Verdict != row.forced {
			t.Errorf("%s: %s %s", row.name, tells[got.Verdict], got.Why)
		}
		steps, stays := deleteVolumeAttachment.Steps(i), strings.Contains(deleteVolumeAttachment.SideEffects(i)[0], "pod stays")
		if len(steps) != row.steps || stays == (row.steps == 3) {
			t.Errorf("%s: %+v, the pod stays %v", row.name, steps, stays)
		}
	}
}

// TestStoppedBefore: that the containers of a pod had stopped is shown by the node itself, before the wait, and by nothing later.
func TestStoppedBefore(t *testing.T) {
	for finished, want := range map[float64]model.Truth{-10: model.True, 10: model.Unknown} {
		i := made("v1.34.0")
		i.Case.OldPodFinished = at(finished)
		if got := i.Stopped(0); got != want {
			t.Errorf("finished at %v: %s", finished, got)
		}
	}
}

// TestDriverByRow: the machine of a Node that is gone is asked for at the cloud that a row of the VolumeAttachment names.
func TestDriverByRow(t *testing.T) {
	row := &model.Observation{Kind: model.AttachmentAttached, Attachment: "csi-1", Node: "node-a", Attacher: "ebs.csi.aws.com",
		Volume: model.VolumeID{PersistentVolume: "pvc-1"}, Source: model.Source{Kind: model.SourceText}}
	for attacher, want := range map[string]string{"ebs.csi.aws.com": "aws ec2 describe-instances", "other.csi": "ipmitool"} {
		i := made("v1.34.0")
		row.Attacher = attacher
		saw(row)(i)
		i.Case.Volume.Driver, i.Scenario.NodeGone = "", -40
		if got := machineState(i); !strings.HasPrefix(got.Command, want) {
			t.Errorf("%s: %+v", attacher, got)
		}
	}
}
