package report

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// The lanes of the timeline, in the order in which a reader looks for the beginning of a story.
var lanes = []label{
	{"node", "Node"},
	{"pods", "Pods"},
	{"controller", "Attach-detach controller"},
	{"attacher", "External attacher"},
	{"storage", "VolumeAttachments"},
	{"other", "Other"},
}

// laneByPrefix gives the lane of an observation kind by the beginning of its name; the first that fits counts.
var laneByPrefix = []label{
	{"node-", "node"}, {"zone-", "node"},
	{"pod-", "pods"}, {"mount-", "pods"}, {"workload-", "pods"}, {"replica-", "pods"},
	{"multi-attach", "controller"}, {"force-detach", "controller"}, {"operation-", "controller"}, {"volume-", "controller"},
	{"controller-", "controller"}, {"detach-", "controller"},
	{"attacher-", "attacher"},
	{"attachment-", "storage"},
	{"attach-", "controller"},
}

// lane is where the timeline shows an observation. What has no lane of its own is under other: none is dropped.
func lane(k model.Kind) string {
	for _, p := range laneByPrefix {
		if strings.HasPrefix(string(k), p.id) {
			return p.text
		}
	}
	return "other"
}
