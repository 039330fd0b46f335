package audit

import "github.com/volpost/volpost/model"

// controllerLock is the Lease of kube-controller-manager's leader election.
const (
	lockNamespace  = "kube-system"
	controllerLock = "kube-controller-manager"
)

// lease says when a controller manager became leader: then, and only then, does client-go write the same acquireTime and
// renewTime with a holder (leaderelection.go, 1.13–1.36). Every renewal keeps acquireTime.
func (f *facts) lease(r *request) {
	if r.namespace != lockNamespace || r.name != controllerLock && r.verb != "create" || r.verb != "create" && r.verb != "update" {
		return
	}
	var asked struct {
		body
		Spec struct{ HolderIdentity, AcquireTime, RenewTime string }
	}
	known, s := decodeBody(r.request, &asked), &asked.Spec
	if !known || s.HolderIdentity == "" || s.AcquireTime == "" || s.AcquireTime != s.RenewTime {
		return
	}
	o := f.of(r, "Lease", metadata{}, asked.Metadata)
	if o.Object.Name != controllerLock {
		return
	}
	o.Component = controllerLock // whose leader it is
	f.say(o, model.LeaderAcquired, lockNamespace+"/"+controllerLock)
}
