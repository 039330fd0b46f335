package view

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// The lanes of the timeline, in the order in which a reader looks for the beginning of a story.
var Lanes = []Label{
	{"node", "Node"},
	{"pods", "Pods"},
	{"controller", "Attach-detach controller"},
	{"attacher", "External attacher"},
	{"storage", "Volumes and attachments"},
	{"people", "People and scripts"},
	{"alerts", "Alerts"},
	{"other", "Other"},
}

// laneByPrefix gives the lane of an observation kind by the beginning of its name; the first that fits counts.
var laneByPrefix = []Label{
	{"node-", "node"}, {"zone-", "node"}, {"kubelet-", "node"},
	{"pod-", "pods"}, {"mount-", "pods"}, {"unmount-", "pods"}, {"workload-", "pods"}, {"replica-", "pods"},
	{string(model.VolumeMounted), "pods"}, {string(model.InferredAction), "pods"}, // a person's or a script's has its own lane
	{"attachment-", "storage"}, {"provision-", "storage"}, {"resize-", "storage"}, {string(model.ReclaimFailed), "storage"}, {string(model.VolumeBound), "storage"},
	{"multi-attach", "controller"}, {"force-detach", "controller"}, {"operation-", "controller"}, {"volume-", "controller"},
	{"controller-", "controller"}, {"detach-", "controller"}, {"attach-", "controller"},
	{"attacher-", "attacher"},
}

// Lane is where the timeline shows an item. What has no lane of its own is under other: none is dropped. An act is in the
// lane of who acted, when that was no program of the cluster.
func Lane(item model.TimelineItem) string {
	if item.By != "" {
		return "people"
	}
	for _, p := range laneByPrefix {
		if strings.HasPrefix(string(item.Kind), p.ID()) {
			return p.Text()
		}
	}
	return "other"
}
