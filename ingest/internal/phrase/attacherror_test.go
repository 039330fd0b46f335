package phrase

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

func TestHolderOfAttachError(t *testing.T) {
	const lead = `AttachVolume.Attach failed for volume "pv" : `
	for _, c := range []struct {
		message string
		want    []string
	}{
		{lead + "GCE 200 - RESOURCE_IN_USE_BY_ANOTHER_RESOURCE: The disk resource 'projects/p/zones/z/disks/d' is already being used by " +
			"'projects/p/zones/z/instances/node-1'", []string{"node-1"}},
		{lead + "The disk resource 'projects/p/zones/z/disks/d' is already being used by 'projects/p/zones/z/instanceTemplates/t'", nil},
		{lead + "The disk resource 'projects/p/zones/z/disks/d' is already being used by 'projects/p/zones/z/instances/nod", nil},
		{lead + "rpc error: code = Internal desc = the volume is already being used by 'somebody'", nil},
	} {
		o := Event(EventRecord{Reason: "FailedAttachVolume", Message: c.message, Object: model.PodRef("shop", "db-0", "")})
		if o.Kind != model.AttachFailed || !slices.Equal(o.Holders, c.want) {
			t.Errorf("%s: %s, held by %v", c.message, o.Kind, o.Holders)
		}
	}
}

// TestWantedOfAttachError: a line of an attach that failed names the machine to attach to as an Event does, and what names no node is none.
func TestWantedOfAttachError(t *testing.T) {
	const lead = `AttachVolume.Attach failed for volume "pv" : rpc error: code = Internal desc = failed to attach disk: "d-1" `
	for message, want := range map[string]string{
		lead + `with node: "Elm-2" err failed to attach cns volume: "d-1" to node vm: "VirtualMachine:vm-5"`: "elm-2",
		lead + `err failed to attach cns volume: "d-1" to node vm: "VirtualMachine:vm-5"`:                    "",
		`DetachVolume.Detach failed for volume "pv" : failed to attach disk: "d-1" with node: "elm-2" err x`: "",
	} {
		var o model.Observation
		if readFailed(&logline.Record{Message: message}, &o); o.Node != want {
			t.Errorf("%s: on %q, want %q", message, o.Node, want)
		}
	}
}
