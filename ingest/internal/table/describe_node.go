package table

import (
	"cmp"
	"regexp"
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
			if m := taintText.FindStringSubmatch(f.value); m != nil { // written with its value, as the objects' taints are
				t.say(model.NodeTainted, f, m[1]+cmp.Or(m[2], "=")+m[3])
			}
		case f.key == "" && f.after == "Non-terminated Pods":
			t.podOnNode(f)
		case f.key == "RenewTime":
			t.at(model.NodeHeartbeat, f, "lease")
		case f.key == "ProviderID" && plainValue.MatchString(f.value):
			t.say(model.ObjectShown, f, "providerID="+f.value)
		case f.key == "Unschedulable" && f.value == "true":
			t.say(model.NodeCordoned, f, "")
		case f.key == "Kubelet Version" && kubeletVersion.MatchString(f.value):
			t.saySo(model.ProcessVersion, model.Moment{}, f, func(o *model.Observation) { o.Component, o.Detail = kubelet, f.value })
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
		t.saySo(model.NodeHeartbeat, at, f, func(o *model.Observation) { o.Detail = "condition" })
	}
	kind, detail := readiness(cells[1].text)
	t.saySo(kind, instant(cells[3].text), f, func(o *model.Observation) { o.Detail = detail })
}

// podOnNode reads the row
//
//	shop  orders-db-0  0 (0%)  0 (0%)  0 (0%)  0 (0%)  17d
func (t *fieldReader) podOnNode(f *field) {
	w := strings.Fields(f.value)
	if len(w) < 4 || !strings.HasSuffix(w[3], "%)") || !nameText(w[0]) || !nameText(w[1]) {
		return
	}
	t.saySo(model.PodScheduled, model.Moment{}, f, func(o *model.Observation) {
		o.Object = model.Ref{Kind: "Pod", Namespace: w[0], Name: w[1]}
		o.Pod = o.Object
	})
}

// taintText is key:effect or key=value:effect.
var taintText = regexp.MustCompile(`^([^: =]+)(=[^: ]*)?(:(?:NoSchedule|NoExecute|PreferNoSchedule))$`)

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
