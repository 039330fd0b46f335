package table

import "github.com/volpost/volpost/model"

// Where kubelets renew their leases, and where the controller manager leads. kubectl get leases shows neither time.
const (
	nodeLeases        = "kube-node-lease"
	controllerManager = "kube-controller-manager"
)

// lease reads when a kubelet renewed its node's lease, or since when a controller manager leads, as package statement does.
func (t *teller) lease() {
	switch o := t.base.Object; {
	case o.Namespace == nodeLeases:
		t.base.Node = o.Name
		if f := t.find("Spec", "Renew Time"); f != nil && !instant(f.value).IsZero() {
			t.say(model.NodeHeartbeat, instant(f.value), f, func(o *model.Observation) { o.Detail = "lease" })
		}
	case o.Namespace == "kube-system" && o.Name == controllerManager:
		t.base.Component = controllerManager
		if f := t.find("Spec", "Acquire Time"); f != nil && !instant(f.value).IsZero() {
			t.say(model.LeaderAcquired, instant(f.value), f, func(o *model.Observation) { o.Detail = t.value("Holder Identity") })
		}
	}
}
