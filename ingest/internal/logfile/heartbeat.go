package logfile

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// heartbeats derives the kubelet's last sign of life from the controller's "hasn't been updated for <duration>", counted from the pass that
// found a newer Lease or node status than the pass before: the last renewal lies within one --node-monitor-period before that pass
// (node_lifecycle_controller.go probeTimestamp, 1.13–1.36; compared with the API server's audit log in recordings of four versions).
type heartbeats struct {
	period  time.Duration // --node-monitor-period, when the log says it
	began   time.Time     // first record: what was before is not known
	started time.Time     // when this process began to watch nodes, as far as the log says
}

// Defaults and margins of the controller's passes.
const (
	defaultPeriod = 5 * time.Second
	// A pass takes time itself, and the informer's copy is a little older than the API server's.
	passSlack = 500 * time.Millisecond
)

// see notes what bears on later heartbeats.
func (h *heartbeats) see(o *model.Observation) {
	switch o.Kind {
	case model.ProcessFlag:
		if v, ok := strings.CutPrefix(o.Detail, "--node-monitor-period="); ok {
			if d, err := time.ParseDuration(v); err == nil && d > 0 && d < time.Hour {
				h.period = d
			}
		}
	case model.ProcessVersion, model.LeaderAcquired, model.ControllerStarted:
		if o.Object.Name == "" { // an echoed event may be about another process
			h.started = o.At.At
		}
	}
}

// stale reports a line that says that a node is (not) ready, not since when: a controller just started finds nodes in any state.
func (h *heartbeats) stale(o *model.Observation) bool {
	if (o.Kind != model.NodeNotReady && o.Kind != model.NodeReady) || o.At.Basis == model.Observed {
		return false
	}
	return h.soonAfter(h.started, o.At.At)
}

// soonAfter reports whether a controller that started at start may not yet have seen its nodes change at that time.
func (h *heartbeats) soonAfter(start, at time.Time) bool {
	return !start.IsZero() && !at.Before(start) && at.Before(start.Add(2*h.passPeriod()+startUp))
}

func (h *heartbeats) passPeriod() time.Duration { return cmp.Or(h.period, defaultPeriod) }

// probe is when the controller last saw a change of a node.
type probe struct {
	at    time.Time
	known bool
}

// near reports whether two statements mean the same change.
func (p probe) near(q probe) bool { return p.known && q.known && q.at.Sub(p.at).Abs() < sameInstant }

// lastProbe is what a statement of a missed heartbeat says of it; others say nothing.
func lastProbe(o *model.Observation) probe {
	if o.Kind != model.NodeHeartbeatMissed {
		return probe{}
	}
	return probeBefore(o.At.At, o.Detail)
}

// probeBefore is the probe from which a duration counts to an instant.
func probeBefore(at time.Time, duration string) probe {
	d, err := time.ParseDuration(duration)
	if err != nil || d < 0 {
		return probe{}
	}
	return probe{at.Add(-d), true}
}

// implied is the last sign of life that the first line of a run implies. A controller that has just started counts from its own first look
// at the node, which says nothing about the kubelet; whether it had just started when the log begins is not known.
func (h *heartbeats) implied(o *model.Observation, p probe) (beat model.Observation, ok bool) {
	if soon := h.soonAfter(h.began, p.at) || h.soonAfter(h.started, p.at); soon || !p.known || p.at.Before(h.began) {
		return beat, false
	}
	beat = *o
	beat.Kind, beat.Detail, beat.Count = model.NodeHeartbeat, "lease or node status", 1
	beat.At = model.Between(p.at.Add(-h.passPeriod()-passSlack), p.at)
	beat.Last = beat.At
	return beat, true
}

// startUp is how long a controller manager takes from its lease to its first look at the nodes.
const startUp = 10 * time.Second

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
