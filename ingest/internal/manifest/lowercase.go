package manifest

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Longhorn before 1.4 wrote objects with all names of fields lowered, and names for embedded structs: objectmeta.creationtimestamp.

// fieldNames are the names that volpost reads or cites and that lowering changed.
var fieldNames = []string{
	"apiVersion", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "ownerReferences",
	"nodeName", "persistentVolumeName", "attachmentMetadata", "attachError", "detachError", "claimRef", "volumeHandle",
	"volumeAttributes", "accessModes", "volumeMode", "volumeName", "storageClassName", "persistentVolumeClaim", "claimName",
	"containerStatuses", "initContainerStatuses", "lastTransitionTime", "lastHeartbeatTime", "lastProbeTime", "volumesInUse",
	"volumesAttached", "devicePath", "nodeInfo", "providerID", "timeAdded", "startedAt", "finishedAt", "exitCode", "startTime",
	"involvedObject", "firstTimestamp", "lastTimestamp", "eventTime", "reportingComponent", "reportingInstance",
	"holderIdentity", "leaseDurationSeconds", "renewTime", "acquireTime", "terminationGracePeriodSeconds", "nodeID",
	"topologyKeys", "attachRequired", "observedGeneration", "lastObservedTime", "blockOwnerDeletion", "readOnly",
}

// embedded structs, whose fields stand beside them in what the API server writes.
var embedded = []string{"persistentvolumesource", "volumesource", "typemeta", "objectreference"}

// unreadable values: quantities and numbers-or-strings are the insides of their Go types, managed fields lists of bytes.
var unreadableFields = []string{
	"capacity", "allocatable", "resources", "requests", "limits", "managedfields", "livenessprobe", "readinessprobe", "startupprobe",
	"lifecycle", "ports", "maxunavailable", "maxsurge",
}

var loweredNames = func() map[string]string {
	names := map[string]string{"objectmeta": "metadata"}
	for _, n := range fieldNames {
		names[strings.ToLower(n)] = n
	}
	return names
}()

// restored gives a lowered object the names of the API; lines and columns stay. Any other object is returned as it is.
func restored(root *yaml.Node) *yaml.Node {
	if has(root, "objectmeta") {
		restore(root, 0)
	}
	return root
}

func restore(n *yaml.Node, depth int) {
	if depth > MaxDepth {
		return
	}
	if n.Kind == yaml.MappingNode {
		n.Content = restoredFields(n.Content)
	}
	for _, child := range n.Content {
		restore(child, depth+1)
	}
}

// restoredFields renames keys, drops what cannot be read and moves embedded fields up.
func restoredFields(fields []*yaml.Node) []*yaml.Node {
	out := make([]*yaml.Node, 0, len(fields))
	for i := 0; i+1 < len(fields); i += 2 {
		key, value := fields[i], fields[i+1]
		switch {
		case slices.Contains(unreadableFields, key.Value):
		case slices.Contains(embedded, key.Value) && value.Kind == yaml.MappingNode:
			for j := 0; j+1 < len(value.Content); j += 2 {
				if inner := value.Content[j+1]; inner.Value != "" || len(inner.Content) > 0 {
					out = append(out, value.Content[j], inner)
				}
			}
		default:
			out = append(out, key, value)
		}
	}
	for i := 0; i < len(out); i += 2 {
		out[i].Value = cmp.Or(loweredNames[out[i].Value], out[i].Value)
	}
	return out
}
