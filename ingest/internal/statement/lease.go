package statement

import (
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/volpost/volpost/model"
)

// Where kubelets renew their leases, and where the controller manager holds its leadership.
const (
	nodeLeases        = "kube-node-lease"
	controllerManager = "kube-controller-manager"
)

// lease says when a kubelet last renewed its node's lease, its best last sign of life, or since when a controller manager leads.
func lease(o model.Object[*coordinationv1.Lease]) []model.Observation {
	a := of(o)
	spec := o.Value().Spec
	if o.Ref.Namespace == nodeLeases {
		if at := micro(spec.RenewTime); !at.IsZero() {
			a.base.Node = o.Ref.Name
			a.say(model.NodeHeartbeat, at, "spec.renewTime", detail("lease"))
		}
	} else if o.Ref.Namespace == "kube-system" && o.Ref.Name == controllerManager {
		if at := micro(spec.AcquireTime); !at.IsZero() {
			holder := ""
			if spec.HolderIdentity != nil {
				holder = *spec.HolderIdentity
			}
			a.base.Component = controllerManager
			a.say(model.LeaderAcquired, at, "spec.acquireTime", detail(holder))
		}
	}
	return a.out
}
