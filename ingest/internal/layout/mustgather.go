package layout

import (
	"slices"
	"strings"
)

// metadataFiles are what oc and the gather scripts write about themselves; not-collected.txt is volpost gather's.
var metadataFiles = []string{"must-gather.logs", "gather.logs", "gather-debug.log", "gather.log", "event-filter.html", "not-collected.txt"}

// mustGatherPlace knows the tree of oc adm must-gather and oc adm inspect, which kubectl-gather shares:
//
//	<root>/timestamp, <root>/version
//	<root>/cluster-scoped-resources/<group>/<plural>/<name>.yaml
//	<root>/namespaces/<ns>/<group>/<plural>.yaml
//	<root>/namespaces/<ns>/pods/<pod>/<container>/<container>/logs/{current,previous}[.insecure].log
//	<root>/namespaces/<ns>/pods/<pod>/<container>/<container>/logs/rotated/…
func mustGatherPlace(p string, parts []string) (Place, bool) {
	base := parts[len(parts)-1]
	if i := slices.Index(parts, "cluster-scoped-resources"); i >= 0 {
		place := Place{Root: join(parts[:i]), ClusterScoped: true}
		if len(parts) > i+2 {
			place.Collection = strings.TrimSuffix(parts[i+2], ".yaml")
		}
		return place, true
	}
	// kubectl-gather keeps cluster-scoped objects in <cluster>/cluster/; a namespace may be called namespaces.
	if i := slices.Index(parts, "namespaces"); i >= 0 && len(parts) > i+1 {
		return namespaced(join(parts[:i]), parts[i+1:]), true
	}
	place := Place{Root: join(parts[:len(parts)-1])}
	switch {
	case base == "timestamp":
		place.Role = Timestamp
	case base == "version":
		place.Role = Version
	case base == "gather.log":
		place.Role = OwnLog
	case slices.Contains(metadataFiles, base):
		place.Role = Metadata
	default:
		return Place{}, false
	}
	return place, true
}

// corePlurals are the directories of kubectl-gather below a namespace that are no API groups.
var corePlurals = []string{"events", "persistentvolumeclaims", "configmaps", "endpoints", "services", "serviceaccounts", "replicationcontrollers", "resourcequotas", "limitranges"}

// namespaced reads what follows namespaces/.
func namespaced(root string, parts []string) Place {
	place := Place{Root: root, Namespace: parts[0]}
	switch {
	case len(parts) >= 2 && parts[1] == "pods":
		place.Collection = "pods"
		if len(parts) >= 5 {
			place.Pod, place.Container = parts[2], parts[3]
			if strings.HasSuffix(parts[len(parts)-1], ".log") || slices.Contains(parts, "rotated") {
				place.Role = Log
			}
		}
	case len(parts) == 3 && slices.Contains(corePlurals, parts[1]):
		place.Collection = parts[1] // kubectl-gather has no directory for the core group
	case len(parts) >= 3:
		place.Collection = strings.TrimSuffix(parts[2], ".yaml")
	case parts[len(parts)-1] == "event-filter.html":
		place.Role = Metadata
	}
	return place
}

// isInspectedNamespace recognises namespaces/<ns>/<ns>.yaml, which only oc adm inspect writes.
func isInspectedNamespace(parts []string) bool {
	n := len(parts)
	return n >= 3 && parts[n-3] == "namespaces" && parts[n-1] == parts[n-2]+".yaml"
}

func join(parts []string) string {
	if len(parts) == 0 {
		return "."
	}
	return strings.Join(parts, "/")
}
