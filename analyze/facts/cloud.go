package facts

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// CloudKinds are the kinds by which a cloud speaks of its machines and disks, under names of its own.
var CloudKinds = []model.Kind{model.MachineRunning, model.MachineOff, model.MachineStartRequested, model.MachineStopRequested,
	model.DiskAttached, model.DiskFree, model.DiskAttachRequested, model.DiskDetachRequested}

// ByCloud reports that an observation is a cloud's own statement: it belongs to the bundle's story only as that of a case.
func ByCloud(o *model.Observation) bool { return slices.Contains(CloudKinds, o.Kind) }
