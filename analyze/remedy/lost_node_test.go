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

// TestDriverByRow: the machine of a Node that no list shows is asked for at the cloud that a row of the VolumeAttachment names, else by its
// Node, if that may still be there: in a paste, of which no clock is known, nothing has deleted it.
func TestDriverByRow(t *testing.T) {
	row := &model.Observation{Kind: model.AttachmentAttached, Attachment: "csi-1", Node: "node-a", Attacher: "ebs.csi.aws.com",
		Volume: model.VolumeID{PersistentVolume: "pvc-1"}, Source: model.Source{Kind: model.SourceText}}
	for _, c := range []struct {
		attacher   string
		gone, lost float64
		want       string
	}{
		{"ebs.csi.aws.com", -40, -60, "aws ec2 describe-instances"}, {"other.csi", -40, -60, "ipmitool"},
		{"ebs.csi.aws.com", never.Best, never.Best, "aws ec2 describe-instances"}, {"other.csi", never.Best, never.Best, "kubectl describe node node-a"},
	} {
		i := made("v1.34.0")
		row.Attacher = c.attacher
		saw(row)(i)
		i.Case.Volume.Driver, i.Scenario.NodeGone, i.Scenario.NotReady.Best = "", c.gone, c.lost
		if got := machineState(i); !strings.HasPrefix(got.Command, c.want) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	for _, c := range []struct{ node, attacher, want string }{
		{"ip-10-0-1-2", "", "aws ec2 describe-instances --filters Name=private-ip-address,Values=10.0.1.2 "},
		{"ip-10-0-1-2.eu-west-1.compute.internal", "ebs.csi.aws.com", "aws ec2 describe-instances --filters Name=private-ip-address,Values=10.0.1.2 "},
		{"i-0aa1.eu-west-1.compute.internal", "ebs.csi.aws.com", "aws ec2 describe-instances --filters Name=private-dns-name"},
		{"ip-10-0-1-2", "other.csi", "kubectl describe node"}, {"ip-10-0-1", "", "kubectl describe node"}, {"ip-10-0-1-2-3", "", "kubectl describe node"},
	} {
		i := made("v1.34.0")
		row.Attacher = c.attacher
		saw(row)(i)
		i.Case.Volume.Driver, i.Case.From, i.Scenario.NodeGone, i.Scenario.NotReady.Best = "", c.node, never.Best, never.Best
		if got := machineState(i); !strings.HasPrefix(got.Command, c.want) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
