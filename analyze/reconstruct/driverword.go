package reconstruct

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// driverComponent is the controller part of a CSI driver.
const driverComponent = "csi-driver"

// hearDrivers ties the calls that CSI drivers log to the VolumeAttachments that they are for, where the external-attacher, which
// makes the calls, tells of none of its own: at its default verbosity it logs failures only.
func (w *World) hearDrivers(drivers []*model.Observation) {
	silent := map[string]bool{}
	for _, o := range drivers {
		v := w.Volumes.Find(o.Volume)
		if v == nil || v.Driver == "" || v.Handle == "" || o.Node == "" {
			continue
		}
		node := w.driverNode(v.Driver, o.Node)
		if node == "" {
			continue
		}
		name := model.AttachmentName(v.Handle, v.Driver, node)
		if _, asked := silent[name]; !asked {
			silent[name] = first(w.byAttach[name], window{}, kinds(model.AttacherAttaching, model.AttacherAttached, model.AttacherDetaching, model.AttacherDetached)) == nil
		}
		if silent[name] {
			w.byAttach[name] = append(w.byAttach[name], o)
		}
	}
	for name, alone := range silent {
		if alone {
			slices.SortStableFunc(w.byAttach[name], (*model.Observation).Compare)
		}
	}
}

// driverNode is the Node that a driver calls by a name of its own: as its CSINode says, else the Node of that name, or of the last
// part of a path. Empty when none of the bundle is it.
func (w *World) driverNode(driver, id string) string {
	for _, n := range w.Snapshot.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			if d.Name == driver && d.NodeID == id {
				return n.Ref.Name
			}
		}
	}
	for _, name := range []string{id, id[strings.LastIndex(id, "/")+1:]} {
		if _, ok := w.Node(name); ok {
			return name
		}
	}
	return ""
}
