package table

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// node reads a node: its Ready condition, its taints and its lease.
func (t *fieldReader) node() {
	t.base.Node = t.base.Object.Name
	for _, f := range t.fields {
		switch {
		case f.key == "" && f.heading == "Conditions":
			t.nodeReady(f)
		case f.after == "Taints":
			if taintText(f.value) {
				t.say(model.NodeTainted, model.Moment{}, f, func(o *model.Observation) { o.Detail = fullTaint(f.value) })
			}
		case f.key == "RenewTime":
			t.at(model.NodeHeartbeat, f, "lease")
		case f.key == "Unschedulable" && f.value == "true":
			t.say(model.NodeCordoned, model.Moment{}, f, nil)
		case f.key == "Kubelet Version" && kubeletVersion.MatchString(f.value):
			t.say(model.ProcessVersion, model.Moment{}, f, func(o *model.Observation) { o.Component, o.Detail = kubelet, f.value })
		}
	}
}

// nodeReady reads the row
//
//	Ready  Unknown  Sat, 14 Mar 2026 09:20:00 +0000  Sat, 14 Mar 2026 09:26:00 +0000  NodeStatusUnknown  Kubelet stopped …
func (t *fieldReader) nodeReady(f *field) {
	cells := chunks(f.value)
	if len(cells) < 4 || cells[0].text != "Ready" {
		return
	}
	if at := instant(cells[2].text); !at.IsZero() {
		t.say(model.NodeHeartbeat, at, f, func(o *model.Observation) { o.Detail = "condition" })
	}
	at := instant(cells[3].text)
	switch status := cells[1].text; status {
	case "True":
		t.say(model.NodeReady, at, f, nil)
	case "False", "Unknown":
		t.say(model.NodeNotReady, at, f, func(o *model.Observation) { o.Detail = status })
	}
}

// taintText reports whether a text is key:effect or key=value:effect.
func taintText(s string) bool {
	key, effect, ok := strings.Cut(s, ":")
	if !ok || key == "" || strings.Contains(key, " ") {
		return false
	}
	return effect == "NoSchedule" || effect == "NoExecute" || effect == "PreferNoSchedule"
}

// fullTaint writes key=value:effect also for a taint without a value, as the objects' taints are written.
func fullTaint(s string) string {
	key, effect, _ := strings.Cut(s, ":")
	if !strings.Contains(key, "=") {
		key += "="
	}
	return key + ":" + effect
}

// Where kubelets renew their leases, and where the controller manager leads. kubectl get leases shows neither time.
const (
	nodeLeases        = "kube-node-lease"
	controllerManager = "kube-controller-manager"
)

// lease reads when a kubelet renewed its node's lease, or since when a controller manager leads, as package statement does.
func (t *fieldReader) lease() {
	if o := t.base.Object; o.Namespace == nodeLeases {
		t.base.Node = o.Name
		t.at(model.NodeHeartbeat, t.find("Spec", "Renew Time"), "lease")
	} else if o.Namespace == "kube-system" && o.Name == controllerManager {
		t.base.Component = controllerManager
		t.at(model.LeaderAcquired, t.find("Spec", "Acquire Time"), t.value("Holder Identity"))
	}
}
