package analyze

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestFaultSteps: an attachment that is looked for has to be there in the end, and one that is stuck may be gone.
func TestFaultSteps(t *testing.T) {
	va := []model.Ref{{Kind: "PersistentVolume", Name: "pvc-1"}, {Kind: "VolumeAttachment", Name: "csi-7d"}}
	for id, want := range map[string]string{
		"not-multi-attach-attachment-missing": "see that the attachment is there, and ATTACHED is true",
		"attachment-stuck":                    "see that the attachment is gone, or ATTACHED is true",
	} {
		steps := faultSteps(&model.Finding{ID: id, Objects: va})
		if got := steps[0].Command; got != "kubectl describe volumeattachment csi-7d" {
			t.Errorf("%s: first %s", id, got)
		}
		if last := steps[len(steps)-1]; last.Part != model.StepAfter || last.Text != want {
			t.Errorf("%s: %+v, want %s", id, last, want)
		}
	}
}

// TestFirstLook: where only a volume or nothing is named, the first command lists the Events that tell of the fault; a pod is described, and
// what a node decides is looked at there.
func TestFirstLook(t *testing.T) {
	pv, pod := model.Ref{Kind: "PersistentVolume", Name: "pvc-1"}, model.Ref{Kind: "Pod", Namespace: "shop", Name: "db-0"}
	node := model.Ref{Kind: "Node", Name: "node-a"}
	const attach, file = "kubectl get events -A --field-selector reason=FailedAttachVolume", "cat /etc/iscsi/initiatorname.iscsi"
	for _, c := range []struct {
		id            string
		about         []model.Ref
		text, command string
	}{
		{"not-multi-attach-rejected", []model.Ref{pv}, "see", attach}, {"not-multi-attach-rejected", nil, "see", attach},
		{"not-multi-attach-rejected", []model.Ref{pod, pv}, "see", "kubectl describe pod -n shop db-0"},
		{"not-multi-attach-mount", []model.Ref{pv}, "see", "kubectl get events -A --field-selector reason=FailedMount"},
		{"not-multi-attach-node-affinity", []model.Ref{pv}, "see", "kubectl get events -A --field-selector reason=FailedScheduling"},
		{"pod-volume-fails", []model.Ref{pv}, "see", "kubectl get events -A | grep -e NAME -e FailedAttachVolume -e FailedMount"},
		{"failing-detach", []model.Ref{pv}, "see", "kubectl get volumeattachments | grep -e NAME -e pvc-1"},
		{"not-multi-attach-attached-already", []model.Ref{pod, pv}, "see", "kubectl get volumeattachments | grep -e NAME -e pvc-1"},
		{"not-multi-attach-attached-already", nil, "see", "kubectl get volumeattachments"},
		{"failing-detach", []model.Ref{{Kind: "VolumeAttachment", Name: "csi-7d"}, node}, "see", "kubectl describe volumeattachment csi-7d"},
		{"shown-unready-node", []model.Ref{pv, node}, "see", "kubectl describe node node-a"},
		{"volume-no-node", []model.Ref{pv}, "see", "kubectl describe pv pvc-1"}, {"attach-limit", nil, "see", "kubectl get events -A --field-selector type=Warning"},
		{"not-multi-attach-no-initiator", []model.Ref{pod, pv}, "on the node of the pod, see", file},
		{"not-multi-attach-no-initiator", []model.Ref{pod, node}, "on node node-a, see", file},
	} {
		step := faultSteps(&model.Finding{ID: c.id, Objects: c.about})[0]
		if !strings.HasPrefix(step.Command, c.command) || step.Text != c.text+" whether it is still so" {
			t.Errorf("%s of %v: %s: %s", c.id, c.about, step.Text, step.Command)
		}
	}
}

// TestListedByItsNode: whether a node still has a volume attached, or in use, its own status tells.
func TestListedByItsNode(t *testing.T) {
	about := []model.Ref{{Kind: "PersistentVolume", Name: "pvc-1"}, {Kind: "Node", Name: "node-a"}}
	for id, list := range map[string]string{"failing-detach": "volumesAttached", "unmount-fails": "volumesInUse"} {
		steps := faultSteps(&model.Finding{ID: id, Objects: about})
		if want := "kubectl get node node-a -o jsonpath='{.status." + list + `}{"\n"}'`; steps[0].Command != want || steps[2].Command != want {
			t.Errorf("%s: %+v, want %s", id, steps, want)
		}
	}
}
