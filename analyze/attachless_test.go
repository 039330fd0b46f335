package analyze_test

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestNoVolumeAttachment: where there can be no VolumeAttachment none is named, and the report says why and what blocks
// instead.
func TestNoVolumeAttachment(t *testing.T) {
	wanted := map[string]string{
		"story/in-tree-blocked":            "which node-a shows in status.volumesAttached",
		"story/attach-not-required":        "the driver ebs.csi.aws.com asks for no attach",
		"access-mode/yes-inline-disk-1.22": "has no VolumeAttachment",
	}
	for _, c := range cases(t) {
		want, ok := wanted[c.name]
		if !ok {
			continue
		}
		delete(wanted, c.name)
		for _, i := range c.report(t).Incidents {
			if a := i.BlockingAttachment; a.Name != nil || a.NameBasis != model.NameNone {
				t.Errorf("%s: an attachment is named: %+v", c.name, a)
			}
			said := false
			for _, o := range i.WhyNotDetached {
				said = said || o.Operand == "detach-succeeded" && strings.Contains(o.Text, want)
			}
			if !said {
				t.Errorf("%s: nothing says %q: %+v", c.name, want, i.WhyNotDetached)
			}
		}
	}
	for name := range wanted {
		t.Errorf("no case %s", name)
	}
}
