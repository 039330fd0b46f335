package layout

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// supportBundlePlace knows the tree of Rancher's support-bundle-kit, which Harvester and Longhorn from 1.4 use:
//
//	yamls/cluster/<group>/<version>/<plural>.yaml, yamls/cluster/v1/<plural>.yaml
//	yamls/namespaced/<ns>/<group>/<version>/<plural>.yaml
func supportBundlePlace(_ string, parts []string) (Place, bool) {
	i := slices.Index(parts, "yamls")
	if i < 0 || len(parts) < i+4 {
		return Place{}, false
	}
	plural := strings.TrimSuffix(parts[len(parts)-1], ".yaml")
	switch parts[i+1] {
	case "cluster":
		return Place{Root: join(parts[:i]), Collection: plural, ClusterScoped: true}, true
	case "namespaced":
		return Place{Root: join(parts[:i]), Namespace: parts[i+2], Collection: plural}, true
	}
	return Place{}, false
}

// troubleshootPlace knows cluster-resources/<plural>.json and cluster-resources/<plural>/<ns>.json of troubleshoot.
func troubleshootPlace(_ string, parts []string) (Place, bool) {
	i := slices.Index(parts, "cluster-resources")
	if i < 0 || len(parts) < i+2 {
		return Place{}, false
	}
	place := Place{Root: join(parts[:i])}
	name := strings.TrimSuffix(parts[len(parts)-1], ".json")
	switch {
	case strings.HasSuffix(name, "-errors"):
		place.Role = Metadata // which lists failed, and why
	case len(parts) == i+2:
		place.Collection, place.ClusterScoped = name, true
	case len(parts) == i+3:
		place.Collection, place.Namespace = parts[i+1], name
	default:
		return Place{}, false // logs
	}
	return place, true
}

// rancherPlace knows the logs collector of Rancher, which keeps tables without extension.
func rancherPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	switch {
	case n >= 2 && parts[n-2] == "systeminfo" && parts[n-1] == "date":
		return Place{Role: Date, Root: join(parts[:n-2])}, true
	case n >= 2 && parts[n-2] == "podlogs":
		return Place{Role: Log, Root: join(parts[:n-2])}, true // namespace and pod are joined by a dash that both may hold
	case n >= 2 && parts[n-2] == "poddescribe":
		return Place{Root: join(parts[:n-2]), Namespace: parts[n-1]}, true
	case n >= 2 && parts[n-2] == "containerlogs":
		return Place{Role: Log, Root: join(parts[:n-2]), Container: parts[n-1]}, true
	}
	return Place{}, false
}

// sosPlace knows where sosreport says when it ran: the output of date, at its top or among its commands.
func sosPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	if i := slices.Index(parts, "sos_commands"); i >= 0 && parts[n-1] == "date" {
		return Place{Role: Date, Root: join(parts[:i])}, true
	}
	return Place{}, false
}

// talosPlace knows <node>/kubernetes-logs/<ns>/<container>[-exited].log.
func talosPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	if n < 3 || parts[n-3] != "kubernetes-logs" {
		return Place{}, false
	}
	container := strings.TrimSuffix(strings.TrimSuffix(parts[n-1], ".log"), "-exited")
	return Place{Role: Log, Root: join(parts[:n-3]), Namespace: parts[n-2], Container: container}, true
}

var (
	tridentSidecar = regexp.MustCompile(`^(trident-controller)(?:-previous)?-sidecar-([a-z-]+)$`)
	// extraLog is a pod's log of the gather-extra step of OpenShift's CI: pods/<ns>_<pod>_<container>[_previous].log.
	extraLog = regexp.MustCompile(`^([a-z0-9-]+)_([a-z0-9.-]+)_([a-z0-9-]+?)(_previous)?\.log(\.gz)?$`)
)

// flatLogPlace knows logs whose name alone tells the container: those of tridentctl and of gather-extra.
func flatLogPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	base := parts[n-1]
	if m := tridentSidecar.FindStringSubmatch(base); m != nil {
		return Place{Role: Log, Root: join(parts[:n-1]), Pod: m[1], Container: m[2]}, true
	}
	for i := max(n-2, 0); i < n; i++ { // a packed log is a directory with the log in it
		if m := extraLog.FindStringSubmatch(parts[i]); m != nil && i > 0 && parts[i-1] == "pods" {
			return Place{Role: Log, Root: join(parts[:i-1]), Namespace: m[1], Pod: m[2], Container: m[3]}, true
		}
	}
	return Place{}, false
}

// gatherPlace knows the cluster-scoped half of kubectl-gather: <cluster>/cluster/[<group>/]<plural>/<name>.yaml.
func gatherPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	i := slices.Index(parts, "cluster")
	if i < 0 || n < i+3 || n > i+4 || path.Ext(parts[n-1]) != ".yaml" {
		return Place{}, false
	}
	return Place{Root: join(parts[:i]), Collection: parts[n-2], ClusterScoped: true}, true
}
