package replay

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// reportPeriod is the kubelet's status period. A volume must be in volumesInUse before the kubelet looks for its attachment, so that a
// young pod may wait for it: 8.5 s on a real node. There is no back-off: it looks several times a second
// (GetAttachedVolumesFromNodeStatus; 1.23.17, 1.30.14, 1.34.3).
const reportPeriod = 10.0

// visible is what passes from the attach to the entry in the Node's status.volumesAttached, by which the kubelet knows.
const visible = 0.3

// start is when the waiting pod is Ready.
func (s *Scenario) start(p Plan, u *draw, o *Outcome) {
	defer s.spare(p, u, o)
	if o.Visible == never || o.Scheduled == never {
		o.Ready = never
		if o.Why == "" {
			o.Why = "nothing creates a new pod"
		}
		return
	}
	mount := s.Mount.At(u[uMount])
	if p.Set.QuickMount {
		mount = min(mount, defaultMount.At(u[uMount]))
	}
	// A mount as it was seen holds the wait for the report already, so that only the rest of it counts for a young pod.
	reported := o.Scheduled + u[uReported]*reportPeriod + min(mount, defaultMount.Min)
	o.Ready = max(o.Visible+mount, reported)
}

// undone is what passes from an undone rollout, or a smaller number of replicas, until the waiting pod is gone: 1.2 s on real nodes.
var undone = span(0.5, 1.2, 3)

// spare ends a wait without the volume's move: the waiting pod goes, or the old one stays until its node is back.
func (s *Scenario) spare(p Plan, u *draw, o *Outcome) {
	over := p.First(EndDemand) + undone.At(u[uPlace])
	if p.Set.StaysPut && s.Back != never {
		over, o.Prevented = s.Back+s.Mount.At(u[uMount]), true
	}
	if over < o.Ready {
		o.Ready, o.Why, o.Spared = over, "", !o.Prevented
	}
}

// mountOf is the time from attach to Ready: this incident's, else other pods' of the bundle, else a small application's on real kubelets.
func (s *Scenario) mountOf(c *wait.Case, until time.Time, list []operation) model.Range {
	if own, ok := s.ownMount(c, until); ok {
		return own
	}
	if same := slices.DeleteFunc(slices.Clone(list), func(o operation) bool { return o.Volume != c.Volume }); len(same) > 0 {
		return mounts(same)
	}
	if len(list) > 0 {
		return mounts(list)
	}
	return defaultMount
}

// ownMount is the mount of the incident itself, when both its ends are seen by a time.
func (s *Scenario) ownMount(c *wait.Case, until time.Time) (model.Range, bool) {
	attached := c.Attached
	if s.Fault.Unseen > 0 {
		attached = c.AttachNoticed // the pause before the controller noticed is a part of the fault
	}
	if !attached.Known() || c.Ready.At.After(until) || c.Ready.Latest.Before(attached.Earliest) {
		return model.Range{}, false
	}
	took := max(c.Ready.At.Sub(attached.At).Seconds()-visible, 0)
	return span(max(took-mountSlack, took/2), took, took+mountSlack), true
}

// mountSlack is by how many seconds the next mount and start of a pod may differ: real kubelets show 1.8 to 4.3 s.
const mountSlack = 2.0

// mounts is the span of mounts, in ascending order, without the status period that a young pod waits for, never below real kubelets'.
func mounts(list []operation) model.Range {
	best := make([]float64, len(list))
	for n, o := range list {
		waited := max(reportPeriod-max(o.Wait.Seconds(), 0), 0)
		best[n] = min(max(o.Seconds()-waited, defaultMount.Best), o.Seconds())
	}
	slices.Sort(best)
	longest := list[len(list)-1].Seconds()
	return span(min(defaultMount.Min, list[0].Seconds()), best[len(best)/2], max(defaultMount.Max, longest*slack))
}

// A model.Range is a duration, or an instant on the scenario's axis.
func span(lo, best, hi float64) model.Range { return model.Range{Min: lo, Best: best, Max: hi} }
