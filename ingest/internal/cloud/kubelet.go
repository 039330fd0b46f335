package cloud

import (
	"fmt"
	"strconv"

	"github.com/volpost/volpost/model"
)

// isVolumeStats is a volume of the kubelet's Summary API (stats.k8s.io VolumeStats, 1.13–1.36): of kubectl get --raw
// /api/v1/nodes/NODE/proxy/stats/summary, whole or what jq took out of it.
func isVolumeStats(o object) bool {
	return o.text("pvcRef", "name") != "" && o.text("pvcRef", "namespace") != "" && o.says("capacityBytes", "usedBytes")
}

// volumeStats says how full a volume was when the kubelet looked.
func (r *reader) volumeStats(o object) {
	claim := model.Ref{Kind: "PersistentVolumeClaim", Namespace: o.text("pvcRef", "namespace"), Name: o.text("pvcRef", "name")}
	for _, part := range []struct{ what, used, of string }{{"bytes", "usedBytes", "capacityBytes"}, {"inodes", "inodesUsed", "inodes"}} {
		used, err := strconv.ParseFloat(o.text(part.used), 64)
		of, err2 := strconv.ParseFloat(o.text(part.of), 64)
		if err != nil || err2 != nil {
			continue
		}
		if of <= 0 || used < 0 || used > of {
			continue
		}
		r.say(model.VolumeUsage, o.at(part.used), model.Observation{Component: "kubelet", Object: claim, Claim: claim, At: moment(o.text("time")),
			Detail: fmt.Sprintf("%.0f%% of its %s", 100*used/of, part.what)})
	}
}
