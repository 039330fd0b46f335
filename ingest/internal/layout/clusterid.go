package layout

import (
	"path"
	"regexp"
)

// ownCluster is a line of the summary that oc adm must-gather prints and keeps in must-gather.logs (oc 4.16 and later).
var ownCluster = regexp.MustCompile(`(?m)^(?:\[must-gather *\] OUT .*)?ClusterID: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\r?$`)

// ClusterID reads OpenShift's id of the cluster out of what a collector keeps of its own output. Two ids are none.
func ClusterID(name string, data []byte) (id string, ok bool) {
	if path.Base(name) != "must-gather.logs" {
		return "", false
	}
	for _, m := range ownCluster.FindAllSubmatch(data, -1) {
		if id != "" && id != string(m[1]) {
			return "", false
		}
		id = string(m[1])
	}
	return id, id != ""
}
