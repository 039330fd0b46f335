package logfile

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// marking remembers the node whose pods are being marked not ready. Up to Kubernetes 1.22 only the line before the pods' lines names it.
type marking struct {
	node   string
	atOnce bool // no pod's line came yet
}

var (
	markingNode = []byte("Update ready status of pods on node [")
	markingPod  = []byte("Updating ready status of pod ")
)

// see follows the lines of the file. From Kubernetes 1.17 on several workers mark at once: two nodes in a row, or a line
// of anything but events between, and the node is no longer known.
func (m *marking) see(h *logline.Head) {
	if string(h.File) != "controller_utils.go" {
		if m.node != "" && string(h.File) != "event.go" {
			m.node = ""
		}
		return
	}
	rest, ok := bytes.CutPrefix(h.Text, markingNode)
	if ok {
		end := bytes.IndexByte(rest, ']')
		twice := m.node != "" && m.atOnce
		m.node, m.atOnce = "", true
		if end > 0 && !twice {
			m.node = string(rest[:end])
		}
	} else if bytes.HasPrefix(h.Text, markingPod) {
		m.atOnce = false
	} else {
		m.node = ""
	}
}

// fill gives a pod's line the node.
func (m *marking) fill(o *model.Observation) {
	if o.Kind == model.PodNotReady && o.Node == "" && o.Pod.Namespace == "" {
		o.Node = m.node
	}
}
