package table

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// What a storage's own tables show amiss: of what is as it should be they say nothing. The storage of Longhorn and LINSTOR is the nodes of the
// cluster, and their volumes are called like the PersistentVolumes.

// longhornRow reads a volume of kubectl get volumes.longhorn.io: degraded, it lacks a replica, and faulted, it has none that could serve.
func longhornRow(r *row) bool {
	name, state := r.get("name"), map[string]string{"degraded": "Degraded", "faulted": model.StorageFaulted}[r.get("robustness")]
	if !nameText(name) {
		return false
	}
	return state == "" || r.storage(model.Ref{Kind: model.LonghornVolume, Name: name}, "", state)
}

// linstorStates are those of a resource on a node, of which the first three are as they should be (linstor-client, resource list).
var linstorStates = []string{"UpToDate", "Diskless", "TieBreaker", "Unknown", "DUnknown", "Outdated", "Inconsistent", "Failed", "SyncTarget", "Consistent"}

// linstorRow reads a satellite, or a resource on a node, by its connection to the other nodes before its state.
func linstorRow(r *row) bool {
	name, node, state := r.get("name"), r.get("node"), cmp.Or(r.get("conns"), r.get("state"))
	if name == "" {
		return state == "Online" || r.storage(model.Ref{Kind: model.LinstorNode, Name: node}, node, state)
	}
	return slices.Contains(linstorStates[:3], state) || r.storage(model.Ref{Kind: model.LinstorResource, Name: name}, node, state)
}

// storage says that a storage shows a thing of it so.
func (r *row) storage(thing model.Ref, node, state string) bool {
	o := model.Observation{Kind: model.ObjectShown, Object: thing, Node: node, Detail: state}
	if thing.Kind != model.LinstorNode {
		o.Volume.PersistentVolume = thing.Name
	}
	return r.say(o)
}

// machineStates are the states of a machine for its cloud: of Nova's servers and of Compute Engine's instances.
var machineStates = map[string]model.Kind{"ACTIVE": model.MachineRunning, "SHUTOFF": model.MachineOff, // for lookup only
	"RUNNING": model.MachineRunning, "TERMINATED": model.MachineOff}

// machineRow reads a row of a cloud's list of machines.
func machineRow(r *row) bool {
	name, status := r.get("name"), r.get("status")
	kind := machineStates[status]
	if kind == "" || name == "" {
		return false
	}
	return r.say(model.Observation{Kind: kind, Object: model.Ref{Kind: "Machine", Name: cmp.Or(r.get("id"), name)}, Node: name, Detail: status})
}
