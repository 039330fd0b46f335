package ingest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// noKubeletLog is of the nodes that held the volumes: their kubelets unmount, and say why they cannot.
func noKubeletLog(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What: "no kubelet log of the nodes that held the volumes",
		Consequence: "whether the old node unmounted a volume, and what kept it from doing so, " +
			"is known only as far as the node's status and events tell",
	}
	nodes := c.holders()
	missing := slices.DeleteFunc(slices.Clone(nodes), c.kubeletsOf())
	node := "NODE"
	if len(missing) > 0 {
		node = forShell(missing[0], node)
		m.What = "no kubelet log of " + fewOf(missing)
	}
	unit := "kubelet"
	if providerOf(c.Snapshot) == k3s {
		unit = "k3s-agent"
	}
	m.Command = "journalctl -u " + unit + " --utc -o short-iso-precise > kubelet-" + node + ".log # on that node"
	if c.tool == "oc" {
		m.Command = "oc adm node-logs " + node + " -u kubelet > kubelet-" + node + ".log"
	}
	return m, len(missing) > 0 || len(nodes) == 0 && !c.logOf("kubelet")
}

// plainName is a name that a shell takes as it is.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// forShell is a name as a command may have it, since people copy commands: a placeholder for one that a bundle made up.
func forShell(name, placeholder string) string {
	if plainName.MatchString(name) {
		return name
	}
	return placeholder
}

// holders are the nodes that held a volume that another waited for.
func (c collectedSet) holders() []string {
	var nodes []string
	for _, o := range c.Observations {
		if o.Kind == model.MultiAttach {
			nodes = append(nodes, o.Holders...)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// kubeletsOf returns whether a kubelet's log may be a node's: its path or its statements name the node, or nothing says whose it is.
func (c collectedSet) kubeletsOf() func(node string) bool {
	named := map[string]map[string]bool{} // log → nodes that its statements name
	for _, in := range c.Inputs {
		if in.Component == "kubelet" && in.Records > 0 {
			named[in.Path] = map[string]bool{}
		}
	}
	for _, o := range c.Observations {
		if nodes := named[o.Input]; nodes != nil && o.Component == "kubelet" && o.Node != "" {
			nodes[o.Node] = true
		}
	}
	return func(node string) bool {
		for path, nodes := range named {
			if len(nodes) == 0 || nodes[node] || strings.Contains(path, node) {
				return true
			}
		}
		return false
	}
}
