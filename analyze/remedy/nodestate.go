package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
)

// lost reports that the old node is proven to have been not Ready during the wait, or that its Node was deleted. That it is
// not lost does not say that it was Ready: see ofLostNode and ofReadyNode.
func (i *Incident) lost() bool { return i.state == reconstruct.NodeLost }

// ofLostNode is the first word on a remedy that is for lost nodes: not applicable, for a reason, where the old node is proven
// to have been Ready, and open where nothing tells.
func (i *Incident) ofLostNode(why string) Fit {
	switch i.state {
	case reconstruct.NodeLost:
		return fits("")
	case reconstruct.NodeReady:
		return misfit(why)
	}
	return undecidable(i.untold())
}

// ofReadyNode is the same of a remedy that needs a kubelet which works.
func (i *Incident) ofReadyNode(why string) Fit {
	switch i.state {
	case reconstruct.NodeReady:
		return fits("")
	case reconstruct.NodeLost:
		return misfit(why)
	}
	return undecidable(i.untold())
}

// untold says that the state of the old node is not known, and what would tell.
func (i *Incident) untold() string {
	if i.Case.From == "" {
		return "Which node held the volume is not in the bundle, nor whether that node was lost; its VolumeAttachment and its Node would tell."
	}
	if i.Case.OldPodUnseen() {
		return fmt.Sprintf("No metric shows the pod that used the volume on %s: it may have been gone when they begin, and then the controller detaches; metrics of an earlier time would tell.", i.Case.From)
	}
	return fmt.Sprintf("Nothing in the bundle tells whether %s was lost, which decides it; the Node (kubectl get node), an Event NodeNotReady, its Lease or the controller's log would.", i.Case.From)
}
