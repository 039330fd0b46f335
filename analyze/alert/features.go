package alert

import (
	"time"

	"github.com/volpost/volpost/model"
)

// seenIn is the set-up as series show it: what the metrics are wins over what objects tell of their exporter. Labels that
// scraping renamed are those of the exporter again when series are read.
func (s Setup) seenIn(list []server) Setup {
	s.TargetLabels = false
	switch {
	case seriesOf(list, "kube_persistentvolume_access_mode"):
		s.Release = withPVModes
	case !seriesOf(list, "kube_pod_info"):
		// nothing of pods is collected, which would tell more
	case !labelled(list, "kube_pod_spec_volumes_persistentvolumeclaims_info", "uid") && seriesOf(list, "kube_pod_spec_volumes_persistentvolumeclaims_info"):
		if s.Release = second; onlyKnownReasons(list) {
			s.Release = Oldest
		}
	default:
		s.Release = beforePVModes
	}
	if seriesOf(list, "kube_volumeattachment_info") {
		s.OpenShift = !seriesOf(list, "kube_volumeattachment_created")
	}
	s.MultiCluster = s.MultiCluster || labelled(list, "kube_node_status_condition", "cluster")
	return s
}

// labelled reports that the first series of a metric has a label.
func labelled(list []server, metric, label string) bool {
	has := false
	for _, s := range list {
		// A series that cannot be read has its labels all the same.
		_ = s.Select([]model.Matcher{named(metric)}, time.Time{}, time.Time{}, func(l model.Labels, _ model.Samples) error {
			has = has || l.Get(label) != ""
			return errEnough
		})
	}
	return has
}

// maxReasons is how many series are looked at for a value of 0.
const maxReasons = 200

// onlyKnownReasons reports that a reason for waiting that does not apply has the value 0: kube-state-metrics before 2.0 has a
// series for each of a fixed list.
func onlyKnownReasons(list []server) bool {
	zero := false
	for _, s := range list {
		if zero {
			break
		}
		n := 0
		_ = s.Select([]model.Matcher{named("kube_pod_container_status_waiting_reason")}, time.Time{}, time.Time{}, func(_ model.Labels, samples model.Samples) error {
			for p, err := range samples {
				if err != nil || p.Stale {
					break
				}
				if zero = p.Value == 0; zero {
					return errEnough
				}
			}
			if n++; n == maxReasons {
				return errEnough
			}
			return nil
		})
	}
	return zero
}
