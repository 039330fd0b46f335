package remedy

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// vendor is a driver whose own controller can take pods and VolumeAttachments from a lost node.
type vendor struct {
	drivers []string
	actor   string // its controller, as upstream.ActorOf calls it; empty when it does not know it
	name    string
	setting string // what switches it on
	proof   string // what it knows of the old node when it acts
}

// vendors are those with documented behaviour: Longhorn, HPE CSI Pod Monitor, Dell csm-resiliency, piraeus-ha-controller.
var vendors = []vendor{
	{[]string{"driver.longhorn.io"}, "Longhorn", "Longhorn",
		"setting node-down-pod-deletion-policy: delete-both-statefulset-and-deployment-pod",
		"Longhorn goes by the Node's condition and does not look at the machine"},
	{[]string{"csi.hpe.com"}, "", "the HPE CSI Pod Monitor", "label monitored-by: hpe-csi on the pods",
		"its documentation leaves the proof to the operator"},
	{[]string{"csi-vxflexos.dellemc.com", "csi-isilon.dellemc.com", "csi-unity.dellemc.com", "csi-powerstore.dellemc.com"},
		"podmon (CSM resiliency)", "Dell CSM resiliency (podmon)", "label podmon.dellemc.com/driver on the pods",
		"podmon asks the array whether the host is connected, unless SkipArrayConnectionValidation is set"},
	{[]string{"linstor.csi.linbit.com"}, "the Piraeus HA controller", "the Piraeus HA controller",
		"piraeus-ha-controller installed, resources with quorum", "DRBD suspends the old node's writes when it has lost quorum"},
}

func vendorOf(driver string) (vendor, bool) {
	if n := slices.IndexFunc(vendors, func(v vendor) bool { return slices.Contains(v.drivers, driver) }); n >= 0 {
		return vendors[n], true
	}
	return vendor{}, false
}

// vendorDelay is the time, in seconds, from the old pod's deletion to its forced end: 20 to 38 s in published runs of Longhorn.
const vendorDelay = 30.0

var vendorNodeDownPolicy = Remedy{
	ID: "vendor-node-down-policy", Title: "Let the storage's own controller move volumes from lost nodes", Preventive: true,
	References: []string{"Longhorn: Node Down Pod Deletion Policy (do-nothing by default), PR 1395, PR 3673",
		"dell/csm-resiliency", "HPE CSI Pod Monitor", "piraeus-ha-controller"},
	SideEffects: always("pods with the driver's volumes on every lost node are ended by force, not only this one"),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach,
		model.PhaseMount},
	Fit: func(i *Incident) Fit {
		driver := i.Case.Volume.Driver
		v, known := vendorOf(driver)
		if driver != "" && !known {
			return misfit(fmt.Sprintf("%s is not known to have such a controller.", driver))
		}
		switch f := i.ofLostNode(i.node() + " was Ready."); {
		case f.Verdict != Fits:
			return f
		case driver == "":
			return undecidable("The volume's driver is not known.")
		case i.vendorActed(v):
			return noEffect(words.Capital(v.name) + " did it here already.")
		case !i.Scenario.Deleted.Known():
			return undecidable("When the old pod was deleted is not known.")
		}
		return fits(fmt.Sprintf("%s is assumed to end the old pod %s after its deletion, and to delete the VolumeAttachment then.",
			words.Capital(v.name), words.Whole(vendorDelay)))
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		at := i.Scenario.Deleted.Best + vendorDelay
		return p.Until(at).With(replay.Act{Kind: replay.ForceDeletePod, At: at}, replay.Act{Kind: replay.DeleteAttachment, At: at})
	},
	Needs: func(i *Incident, at float64) []Need {
		v, _ := vendorOf(i.Case.Volume.Driver)
		if v.proof == "" {
			return []Need{stopped(i, at)}
		}
		return []Need{{Text: i.node() + " no longer writes to the volume when its controller acts; " + v.proof + ".", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		v, _ := vendorOf(i.Case.Volume.Driver)
		return []model.Step{prove("make sure that a lost node no longer writes when the controller of " + v.name + " acts; no command tells"),
			act(words.Capital(v.name) + ": " + v.setting)}
	},
}

// vendorActed reports that the vendor's controller did something to the objects of the incident.
func (i *Incident) vendorActed(v vendor) bool {
	return v.actor != "" && slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool { return a.By == v.actor })
}
