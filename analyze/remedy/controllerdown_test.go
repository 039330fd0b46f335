package remedy

import (
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// TestControllerFirst: where a row shows that the driver's controller does not run, bringing it back comes before an act that ends in a detach.
func TestControllerFirst(t *testing.T) {
	row := func(kind model.Kind, detail string, how func(*model.Observation)) *model.Observation {
		o := &model.Observation{Kind: kind, Detail: detail, Count: 1, Input: "get.txt", Source: model.Source{Kind: model.SourceText, Path: "get.txt", Line: 3}}
		how(o)
		return o
	}
	pod := func(namespace, name string) *model.Observation {
		return row(model.PodNotReady, "CrashLoopBackOff", func(o *model.Observation) { o.Pod = model.PodRef(namespace, name, "") })
	}
	workload := func(detail string) *model.Observation {
		return row(model.ObjectShown, detail, func(o *model.Observation) {
			o.Object = model.Ref{Kind: "Deployment", Namespace: "kube-system", Name: "ebs-csi-controller"}
		})
	}
	nowhere := workload(model.ShownReady + "0/2")
	nowhere.Object.Namespace = ""
	const first = "bring the driver's controller back first: "
	const without = ", and without it nothing is detached or attached"
	for _, c := range []struct {
		name, text, command string
		down                *model.Observation
		change              func(*Incident, *Remedy)
	}{
		{"a pod", first + "pod kube-system/ebs-csi-controller-0 is in CrashLoopBackOff" + without,
			"kubectl logs -n kube-system ebs-csi-controller-0 --all-containers --previous --tail=50", pod("kube-system", "ebs-csi-controller-0"), nil},
		{"a pod whose namespace the row lacks", first + "pod ebs-csi-controller-0 is in CrashLoopBackOff" + without, "", pod("", "ebs-csi-controller-0"), nil},
		{"a workload scaled to 0", first + "Deployment kube-system/ebs-csi-controller is scaled to 0" + without,
			"kubectl scale -n kube-system deployment/ebs-csi-controller --replicas=1", workload(model.ShownReady + "0/0"), nil},
		{"one without a Ready pod", first + "Deployment kube-system/ebs-csi-controller has no Ready pod" + without,
			"kubectl describe -n kube-system deployment/ebs-csi-controller", workload(model.ShownReady + "0/2"), nil},
		{"one whose namespace the row lacks", first + "Deployment ebs-csi-controller has no Ready pod" + without, "", nowhere, nil},
		{"one with a Ready pod", "", "", workload(model.ShownReady + "1/2"), nil},
		{"another driver's", "", "", pod("kube-system", "efs-csi-controller-0"), nil},
		{"an act that ends in no detach", "", "", pod("kube-system", "ebs-csi-controller-0"), func(_ *Incident, r *Remedy) { r.Forces = false }},
		{"a wait that is over", "", "", pod("kube-system", "ebs-csi-controller-0"), func(i *Incident, _ *Remedy) { i.Case.Attached = at(490) }},
	} {
		i, r := made("v1.34.0", c.down), &Remedy{Forces: true}
		i.Case.Volume.Driver, i.Case.Attached, i.Case.Ready = "ebs.csi.aws.com", facts.Instant{}, facts.Instant{}
		if c.change != nil {
			c.change(i, r)
		}
		var text, command string
		for _, s := range controllerFirst(i, r) {
			text, command = s.Text, s.Command
		}
		if text != c.text || command != c.command {
			t.Errorf("%s: %q, %q", c.name, text, command)
		}
	}
}
