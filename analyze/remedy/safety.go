package remedy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// The states of safety.
const (
	safe      = "safe"
	notProven = "not-proven"
	unsafe    = "unsafe"
)

// safety judges the conditions of a remedy: one that is not met makes it unsafe, one that nothing tells leaves it unproven.
func safety(i *Incident, r Remedy, l *evidence.Ledger) model.Safety {
	out := model.Safety{State: safe, Needs: []model.Need{}}
	if r.Needs == nil {
		return out
	}
	for _, n := range r.Needs(i) {
		need := model.Need{Text: n.Text, Met: map[model.Truth]string{model.True: "yes", model.False: "no", model.Unknown: "unknown"}[n.Met], Evidence: l.Observations(n.Witness)}
		switch {
		case n.Met == model.False:
			out.State = unsafe
		case n.Met == model.Unknown && out.State == safe:
			out.State = notProven
		}
		out.Needs = append(out.Needs, need)
	}
	return out
}

// shutdownTaint is what a cloud's node lifecycle controller puts on a node whose machine it found shut down
// (cloud-provider, node lifecycle controller).
const shutdownTaint = "node.cloudprovider.kubernetes.io/shutdown"

// stopped is the condition on which every remedy rests that takes the volume from a node: that nothing there writes to it
// any more. Only a source that looked at the machine proves it; a Lease that is not renewed does not.
func stopped(i *Incident) Need {
	if i.stop == nil {
		n := proof(i)
		i.stop = &n
	}
	return *i.stop
}

func proof(i *Incident) Need {
	n := Need{Text: fmt.Sprintf("%s no longer writes to the volume: the machine is off, or its access to the storage is cut.", i.node()), Met: model.Unknown}
	c := i.Case
	if o := shutDown(c); o != nil {
		n.Met, n.Witness = model.True, []*model.Observation{o}
		n.Text += " The cloud's controller found the machine shut down."
		return n
	}
	if c.OldPodFinished.Known() && c.OldPodFinished.Latest.Before(c.Began.Latest) {
		n.Met, n.Witness = model.True, c.OldPodFinished.Witness
		n.Text += " The node itself had reported the end of the pod's containers."
		return n
	}
	if !i.lost() {
		if ready, o := c.ReadyCondition(); ready {
			n.Met, n.Witness = model.False, []*model.Observation{o}
			n.Text += " The node is Ready, so that its pod may be writing now."
		}
		return n
	}
	if c.BackReady.Known() {
		n.Witness = c.BackReady.Witness
		n.Text += fmt.Sprintf(" It was Ready again at %s, and nothing shows that the machine had been off meanwhile.", clock(c.BackReady.At))
		n.Met = model.False
		return n
	}
	if o := renewing(c); o != nil {
		n.Met, n.Witness = model.False, []*model.Observation{o}
		n.Text += " Its kubelet went on renewing the Lease, so that the machine runs."
	}
	return n
}

// shutDown is a record of the cloud's controller that the machine is off: its taint on the Node.
func shutDown(c *reconstruct.Case) *model.Observation {
	node, ok := c.World.Node(c.From)
	if !ok {
		return nil
	}
	for n, t := range node.Value.Spec.Taints {
		if t.Key == shutdownTaint {
			return reconstruct.Cite(node, fmt.Sprintf("spec.taints[%d].key", n))
		}
	}
	return nil
}

// renewing is a renewal of the node's Lease well after the node was declared not Ready.
func renewing(c *reconstruct.Case) *model.Observation {
	for _, o := range slices.Backward(c.Story()) {
		if o.Kind == model.NodeHeartbeat && o.Node == c.From && o.Detail != "condition" && strings.TrimSpace(o.Node) != "" && o.At.At.After(c.NotReady.Latest.Add(aliveAfter)) {
			return o
		}
	}
	return nil
}
