package alert

import (
	"slices"
	"strings"
)

// An alert that a volume is 70 % full is no early warning of an incident: it does not keep a volume from moving.

const usageMetric = "kubelet_volume_stats_"

// ofUsage reports that a rule over some metrics is about how full volumes are.
func ofUsage(metrics []string) bool {
	return slices.ContainsFunc(metrics, func(m string) bool { return strings.HasPrefix(m, usageMetric) }) &&
		!slices.ContainsFunc(metrics, func(m string) bool {
			return !strings.HasPrefix(m, usageMetric) && !strings.HasPrefix(m, "kube_persistentvolume")
		})
}

// usageWords are those of the names of such alerts, of which nothing but the name is known.
var usageWords = []string{"usage", "filling", "full", "capacity", "inode", "space"}

// namesUsage reports that the rules of a name are about how full volumes are or, where none is known, that the name is.
func namesUsage(name string, rules []tested) bool {
	known := false
	for _, r := range rules {
		known = known || r.name == name
		if r.name == name && !r.usage {
			return false
		}
	}
	name = strings.ToLower(name)
	return known || slices.ContainsFunc(usageWords, func(w string) bool { return strings.Contains(name, w) })
}
