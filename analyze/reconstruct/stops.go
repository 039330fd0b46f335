package reconstruct

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Stop is a proof that the old node's processes had ended: its machine was off, gone or started anew. That the node was silent is none.
type Stop struct {
	Why string        // a clause, such as the cloud's controller found the machine shut down
	By  facts.Instant // when it had stopped at the latest
	// Cloud: the cloud says so, and nothing later of it shows the machine started.
	Cloud bool
}

// Stops are the proofs that the lost node had stopped, the earliest first, from sources that looked at the machine: the cloud's
// controllers, a fencing agent, and the next boot itself.
func (c *Case) Stops() []Stop {
	if c.From == "" {
		return nil
	}
	out := []Stop{{Why: "the cloud's controller found the machine shut down", By: c.cited(c.ShutDown())}}
	if s, ok := c.cloudStop(); ok {
		out = append(out, s)
	}
	for _, o := range c.NotInCloud() {
		out = append(out, Stop{Why: "the cloud no longer knew the machine, and its controller deleted the Node for that", By: seen(o)})
	}
	for _, o := range facts.Where(c.World.ByNode[c.From], facts.And(facts.IsNode, facts.Kinds(model.KubernetesEvent), c.sinceLoss)) {
		if o.Detail == rebooted {
			out = append(out, Stop{Why: "its kubelet found a new boot of the machine", By: seen(o)})
		}
		if upstream.FencedEvent(o.Detail) {
			out = append(out, Stop{Why: "a fencing agent had reset the machine", By: seen(o)})
		}
	}
	if lost, back, ok := c.boots(); ok && lost.Value().Status.NodeInfo.BootID != back.Value().Status.NodeInfo.BootID {
		by := c.cited(facts.Cite(back, bootID))
		by.Witness = unique(append(by.Witness, facts.Cite(lost, bootID)))
		out = append(out, Stop{Why: "two copies of the Node have different boot IDs", By: by})
	}
	out = facts.Where(out, func(s Stop) bool { return s.By.Known() && len(s.By.Witness) > 0 })
	slices.SortStableFunc(out, func(a, b Stop) int { return cmp.Or(a.By.At.Compare(b.By.At), cmp.Compare(a.Why, b.Why)) })
	return out
}

// MachineStopped reports that the lost node's machine is proven to have stopped, or that its kubelet shut it down.
func (c *Case) MachineStopped() bool { return len(c.Stops()) > 0 || c.DeclaredShutdown() != nil }

// Stopped reports that the old pods are proven to have stopped while the volume waited: with their machine; or by the word of a kubelet; or
// with their objects, which go away on a node that works when the containers have ended, but for a deletion by force.
func (c *Case) Stopped() bool {
	switch old := facts.After(c.DeletionRequested.Earliest).Of(c.about(c.OldPods)); {
	case c.MachineStopped():
		return true
	case c.NotReady.Known():
		return false
	case c.Unmounted.Known(), facts.Find(old, facts.Kinds(model.ContainerDied, model.PodFinished, model.PodContainersStopped)) != nil:
		return true
	default:
		return (c.Released.Known() || c.GoneBy.Known()) && !c.forcedPod(time.Time{})
	}
}

// RanOn is what shows that the machine of the lost node ran through: it came back with its boot ID, with a container that had been
// running since before, or with the kubelet's process.
func (c *Case) RanOn() []*model.Observation {
	if lost, back, ok := c.boots(); ok && lost.Value().Status.NodeInfo.BootID == back.Value().Status.NodeInfo.BootID {
		return unique([]*model.Observation{facts.Cite(lost, bootID), facts.Cite(back, bootID)})
	}
	return unique([]*model.Observation{cmp.Or(c.RanThrough(), c.SameProcess())})
}

// rebooted is the kubelet's Event of another boot ID than its Node has (kubelet_node_status.go, 1.13–1.36); bootID is its place there.
const (
	rebooted = "Rebooted"
	bootID   = "status.nodeInfo.bootID"
)

// boots are two copies of the old Node: one from while it was lost, and a later one from when it was Ready again.
func (c *Case) boots() (lost, back model.Object[*corev1.Node], ok bool) {
	all := c.World.Snapshot.Nodes
	n, _ := slices.BinarySearchFunc(all, c.From, func(o model.Object[*corev1.Node], name string) int { return cmp.Compare(o.Ref.Name, name) })
	found := false
	for ; c.NotReady.Known() && n < len(all) && all[n].Ref.Name == c.From; n++ {
		cond, _ := facts.ReadyCondition(all[n])
		changed := cond.LastTransitionTime.Time
		switch {
		case all[n].Value().Status.NodeInfo.BootID == "" || changed.IsZero():
		case cond.Status == corev1.ConditionUnknown && !found && !changed.Before(c.NotReady.Earliest.Add(-declared)) && !c.backBy(changed):
			lost, found = all[n], true
		case cond.Status == corev1.ConditionTrue && found && all[n].Ref.UID == lost.Ref.UID && changed.After(c.NotReady.Latest):
			back, ok = all[n], true
		}
	}
	return lost, back, ok
}

// sinceLoss reports that an observation was made after the old node was lost, and before another story begins.
func (c *Case) sinceLoss(o *model.Observation) bool {
	from := c.NotReady.Earliest
	if !c.NotReady.Known() {
		from = c.Began.Earliest
	}
	return !o.At.IsZero() && !o.At.At.Before(from) && o.At.At.Before(from.Add(causalWindow))
}

// cited is when a statement was made: its own time, or, for the state of an object, the collection that holds it.
func (c *Case) cited(o *model.Observation) facts.Instant {
	if o == nil || !o.At.IsZero() {
		return seen(o)
	}
	at := c.World.Axis.CapturedAt
	if in := c.World.Collected.Of(o.Input); in != nil && !in.CapturedAt.IsZero() {
		at = &in.CapturedAt
	}
	if at == nil {
		return facts.Instant{}
	}
	return derived(*at, "the state at the collection", o)
}

// BackWithoutBoot reports that the old node was Ready again, and that the bundle lists the Events of Nodes since, and none is of a boot.
func (c *Case) BackWithoutBoot() bool {
	at := c.World.Axis.CapturedAt
	return at != nil && at.At.Sub(c.BackReady.Earliest) < facts.EventLife && c.World.Listed("Event", "default") && !c.rebooted() &&
		slices.ContainsFunc(c.World.ByNode[c.From], func(o *model.Observation) bool {
			return o.Source.Kind == model.SourceEvent && facts.IsNode(o) && o.Object.Kind == "Node" && !o.At.At.Before(c.NotReady.Earliest)
		})
}

// RanOnText says what RanOn shows, as a clause.
func (c *Case) RanOnText(ranOn []*model.Observation) string {
	if len(ranOn) > 1 {
		return fmt.Sprintf("the machine never stopped: %s was Ready again with the boot ID that it had had", c.From)
	}
	if o := ranOn[0]; o.Kind == model.KubeletPaused {
		return fmt.Sprintf("the machine never stopped: the kubelet of %s went on at %s as the process that it had been before, "+
			"after %s without a look at its containers", c.From, model.TimeOfDay(o.Last.At), words.Duration(o.Last.At.Sub(o.At.At)))
	}
	return fmt.Sprintf("the machine never stopped: a container on %s had been running since before", c.From)
}

// PreStopFailures are the kubelet's events that a preStop hook of an old pod failed, or was cut off by the end of the grace period
// (FailedPreStopHook, pkg/kubelet/events, 1.13–1.36).
func (c *Case) PreStopFailures() []*model.Observation {
	return facts.Where(c.about(c.OldPods), func(o *model.Observation) bool {
		return o.Kind == model.KubernetesEvent && o.Detail == "FailedPreStopHook"
	})
}

// sameCloudID compares two names of one thing of a cloud: with and without a scheme, as a path or by its last part, in any case. Compute
// Engine's provider ID leaves the words out: gce://PROJECT/ZONE/NAME is projects/PROJECT/zones/ZONE/instances/NAME.
func sameCloudID(kubernetes, cloud string) bool {
	if _, rest, ok := strings.Cut(kubernetes, "://"); ok {
		kubernetes = rest
	}
	a, b := plainPath.Replace("/"+kubernetes), plainPath.Replace("/"+cloud)
	return cloud != "" && kubernetes != "" && (strings.EqualFold(a, b) ||
		strings.Count(b, "/") == 1 && len(a) > len(b) && strings.EqualFold(a[len(a)-len(b):], b))
}

var plainPath = strings.NewReplacer("//", "/", "/projects/", "/", "/zones/", "/", "/instances/", "/", "/disks/", "/")

// OnOldMachine reports that an action is on the machine of the old node.
func (c *Case) OnOldMachine(a Action) bool { return isMachine(c.World, a.Object.Name, c.From) }

// isMachine reports that a machine of the cloud is that of a node: by the Node's provider ID; else by its name, when one machine has it.
func isMachine(w *facts.World, id, node string) bool {
	if n, ok := w.Node(node); ok && n.Value().Spec.ProviderID != "" {
		return sameCloudID(n.Value().Spec.ProviderID, id)
	}
	named := false
	for _, kind := range facts.CloudKinds[:4] {
		for _, o := range w.ByKind[kind] {
			if node != "" && strings.EqualFold(o.Node, node) {
				if !strings.EqualFold(o.Object.Name, id) {
					return false
				}
				named = true
			}
		}
	}
	return named
}

// isDisk reports that a disk of the cloud is a volume.
func isDisk(id string, v *facts.Volume) bool {
	handle := v.Handle
	if handle == "" {
		_, handle, _ = strings.Cut(strings.TrimPrefix(v.UniqueName, "kubernetes.io/"), "/") // of a plugin of Kubernetes' own
	}
	return sameCloudID(handle, id)
}

// asOf is when a statement of a cloud was so at the latest: an answer, when it was printed; an entry of a log, its time. Zero for an answer
// of an unknown time.
func (c *Case) asOf(o *model.Observation) time.Time {
	if facts.FromAudit(o) {
		return o.At.At
	}
	undated := *o
	undated.At = model.Moment{}
	return c.cited(&undated).At
}

// power is the cloud's last word on the old node's machine, of those kinds that say whether it runs; nil when it has none, or two at once.
func (c *Case) power() *model.Observation {
	var last *model.Observation
	torn := false
	for _, kind := range facts.CloudKinds[:3] {
		for _, o := range c.World.ByKind[kind] {
			if !isMachine(c.World, o.Object.Name, c.From) {
				continue
			}
			switch order := c.newer(o, last); {
			case order > 0:
				last, torn = o, false
			case order == 0 && (o.Kind == model.MachineOff) != (last.Kind == model.MachineOff):
				torn = true
			}
		}
	}
	if torn {
		return nil
	}
	return last
}

// newer compares two statements of a cloud; an answer without a time is the newest, as it was printed for this bundle.
func (c *Case) newer(o, last *model.Observation) int {
	if last == nil {
		return 1
	}
	a, b := c.asOf(o), c.asOf(last)
	if a.IsZero() != b.IsZero() {
		return cmp.Compare(b.Unix(), a.Unix())
	}
	return a.Compare(b)
}

// nearLoss is how long before a node is found not Ready its machine may have been off: the controller's grace period and more.
const nearLoss = 10 * time.Minute

// cloudStop is the proof by the cloud that the old node's machine is off, unless it says later that it was started, or runs.
func (c *Case) cloudStop() (Stop, bool) {
	o := c.power()
	if o == nil || o.Kind != model.MachineOff {
		return Stop{}, false
	}
	at := c.cited(o)
	if !at.Known() {
		at = c.Began // printed at an unknown time, of what lasted then: the wait
	}
	lost := c.NotReady
	if !lost.Known() {
		lost = c.Began
	}
	if at.At.Before(lost.Earliest.Add(-nearLoss)) || c.backBy(at.At) || o.At.IsZero() && c.BackReady.Known() {
		return Stop{}, false
	}
	at.Witness = []*model.Observation{o}
	return Stop{Why: fmt.Sprintf("the cloud had the machine %s as %s", lastPart(o.Object.Name), o.Detail), By: at, Cloud: true}, true
}

// CloudRuns cites the cloud saying that the old node's machine runs while the node is lost; nil when it does not, or says it of another time.
// Of a wait that is over only a start before the loss counts: the machine had run all the time.
func (c *Case) CloudRuns() *model.Observation {
	o := c.power()
	if o == nil || o.Kind != model.MachineRunning || c.BackReady.Known() || c.rebooted() {
		return nil
	}
	before := !o.At.IsZero() && c.NotReady.Known() && o.At.At.Before(c.NotReady.Earliest)
	if c.Resolved() && !before || facts.FromAudit(o) && before {
		return nil
	}
	return o
}

// CloudAttached cites the cloud saying that it has the volume on the old node's machine; nil when it does not.
func (c *Case) CloudAttached() *model.Observation {
	return facts.Find(c.World.ByKind[model.DiskAttached], func(o *model.Observation) bool {
		return isDisk(o.Object.Name, c.Volume) && isMachine(c.World, o.Owner.Name, c.From)
	})
}

// holderByCloud is the one known node on whose machine the cloud has the volume while the pod still waits.
func holderByCloud(c *Case) string {
	node := ""
	for _, o := range c.World.ByKind[model.DiskAttached] {
		if !isDisk(o.Object.Name, c.Volume) || c.Resolved() {
			continue
		}
		for _, n := range c.World.NodeNames {
			if n == node || !isMachine(c.World, o.Owner.Name, n) {
				continue
			}
			if node != "" || n == c.To {
				return ""
			}
			node = n
		}
	}
	return node
}

// cloudSays are the statements of clouds that belong to the case.
func (c *Case) cloudSays() []*model.Observation {
	out := c.cloudActs()
	for _, kind := range []model.Kind{model.MachineRunning, model.MachineOff} {
		out = append(out, facts.Where(c.World.ByKind[kind], func(o *model.Observation) bool { return isMachine(c.World, o.Object.Name, c.From) })...)
	}
	return facts.Where(out, c.inSpan)
}

// cloudActs are the requests to the cloud about the case's volume and the machines of its nodes.
func (c *Case) cloudActs() []*model.Observation {
	var out []*model.Observation
	for _, kind := range []model.Kind{model.MachineStartRequested, model.MachineStopRequested} {
		out = append(out, facts.Where(c.World.ByKind[kind], func(o *model.Observation) bool {
			return isMachine(c.World, o.Object.Name, c.From) || isMachine(c.World, o.Object.Name, c.To)
		})...)
	}
	for _, kind := range []model.Kind{model.DiskAttachRequested, model.DiskDetachRequested} {
		out = append(out, facts.Where(c.World.ByKind[kind], func(o *model.Observation) bool { return isDisk(o.Object.Name, c.Volume) })...)
	}
	return out
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
