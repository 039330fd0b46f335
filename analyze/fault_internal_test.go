package analyze

import (
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
