package wait

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// sameCloudID compares two names of one thing of a cloud: with and without a scheme, as a path or by its last part, in any case. Compute
// Engine's provider ID leaves the words out: gce://PROJECT/ZONE/NAME is projects/PROJECT/zones/ZONE/instances/NAME.
func sameCloudID(kubernetes, cloud string) bool {
	if _, rest, ok := strings.Cut(kubernetes, "://"); ok {
		kubernetes = rest
	}
	if cloud == "" || kubernetes == "" {
		return false
	}
	a, b := strings.ToLower(plainPath.Replace("/"+kubernetes)), strings.ToLower(plainPath.Replace("/"+cloud))
	return a == b || strings.Count(b, "/") == 1 && strings.HasSuffix(a, b)
}

var plainPath = strings.NewReplacer("//", "/", "/projects/", "/", "/zones/", "/", "/instances/", "/", "/disks/", "/")

// OnOldMachine reports that an action is on the machine of the old node.
func (c *Case) OnOldMachine(a Action) bool { return isMachine(c.World, a.Object.Name, c.From) }

// isMachine reports that a machine of the cloud is that of a node: by the Node's provider ID; else by its name, when one machine has it.
func isMachine(w *facts.World, id, node string) bool {
	if known := w.ProviderID(node); known != "" {
		return sameCloudID(known, id)
	}
	said := cloudSaid(w, func(o *model.Observation) bool { return node != "" && strings.EqualFold(o.Node, node) }, facts.CloudKinds[:4]...)
	another := func(o *model.Observation) bool { return !strings.EqualFold(o.Object.Name, id) }
	return len(said) > 0 && !slices.ContainsFunc(said, another)
}

// isDisk reports that a disk of the cloud is a volume.
func isDisk(id string, v *facts.Volume) bool {
	handle := v.Handle
	if handle == "" {
		_, handle, _ = strings.Cut(strings.TrimPrefix(v.UniqueName, "kubernetes.io/"), "/") // of a plugin of Kubernetes' own
	}
	return sameCloudID(handle, id)
}

// cloudSaid are the statements of clouds of some kinds that pass a test.
func cloudSaid(w *facts.World, test func(*model.Observation) bool, kinds ...model.Kind) (out []*model.Observation) {
	for _, kind := range kinds {
		out = append(out, facts.Where(w.ByKind[kind], test)...)
	}
	return out
}

// ofOldMachine tests for what is about the old node's machine.
func (c *Case) ofOldMachine(o *model.Observation) bool {
	return isMachine(c.World, o.Object.Name, c.From)
}

// asOf is when a statement of a cloud was so at the latest: an answer, when it was printed; an entry of a log, its time. An answer of an
// unknown time is the newest, as it was printed for this bundle.
func (c *Case) asOf(o *model.Observation) time.Time {
	if facts.FromAudit(o) {
		return o.At.At
	}
	undated := *o
	undated.At = model.Moment{}
	if at := c.cited(&undated); at.Known() {
		return at.At
	}
	return time.Unix(1<<40, 0)
}

// power is the cloud's last word on the old node's machine, of those kinds that say whether it runs; nil when it has none, or two at once.
func (c *Case) power() *model.Observation {
	list := cloudSaid(c.World, c.ofOldMachine, facts.CloudKinds[:3]...)
	if len(list) == 0 {
		return nil
	}
	last := slices.MaxFunc(list, func(a, b *model.Observation) int { return c.asOf(a).Compare(c.asOf(b)) })
	if slices.ContainsFunc(list, func(o *model.Observation) bool {
		return c.asOf(o).Equal(c.asOf(last)) && (o.Kind == model.MachineOff) != (last.Kind == model.MachineOff)
	}) {
		return nil
	}
	return last
}

// nearLoss is how long before a node is found not Ready its machine may have been off: the controller's grace period and more.
const nearLoss = 10 * time.Minute

// cloudStop is the proof by the cloud that the old node's machine is off, unless it says later that it was started, or runs.
func (c *Case) cloudStop() (Stop, bool) {
	o := c.power()
	if o == nil || o.Kind != model.MachineOff {
		return Stop{}, false
	}
	at := either(c.cited(o), c.Began) // printed at an unknown time, of what lasted then: the wait
	over := c.backBy(at.At) || o.At.IsZero() && c.BackReady.Known()
	if over || at.At.Before(either(c.NotReady, c.Began).Earliest.Add(-nearLoss)) {
		return Stop{}, false
	}
	at.Witness = []*model.Observation{o}
	return Stop{Why: fmt.Sprintf("the cloud had the machine %s as %s", lastPart(o.Object.Name), o.Detail), By: at, Cloud: true}, true
}

// CloudRuns cites the cloud saying that the old node's machine runs while the node is lost; nil when it does not, or says it of another time.
// Of a wait that is over only a start before the loss counts: the machine had run all the time.
func (c *Case) CloudRuns() *model.Observation {
	o := c.power()
	if again := c.BackReady.Known() || c.rebooted(); again || o == nil || o.Kind != model.MachineRunning {
		return nil
	}
	counts := !c.Resolved() // of a state of now
	if !o.At.IsZero() && c.NotReady.Known() && o.At.At.Before(c.NotReady.Earliest) {
		counts = !facts.FromAudit(o)
	}
	return only(o, counts)
}

// CloudAttached cites the cloud saying that it has the volume on the old node's machine; nil when it does not.
func (c *Case) CloudAttached() *model.Observation {
	return facts.Find(c.World.ByKind[model.DiskAttached], func(o *model.Observation) bool {
		return isDisk(o.Object.Name, c.Volume) && isMachine(c.World, o.Owner.Name, c.From)
	})
}

// holderByCloud is the one known node on whose machine the cloud has the volume while the pod still waits.
func holderByCloud(c *Case) string {
	if c.Resolved() {
		return ""
	}
	var nodes []string
	for _, o := range c.World.ByKind[model.DiskAttached] {
		for _, n := range c.World.NodeNames {
			if isDisk(o.Object.Name, c.Volume) && isMachine(c.World, o.Owner.Name, n) && !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
		}
	}
	return sole(nodes, c.To)
}

// cloudSays are the statements of clouds that belong to the case.
func (c *Case) cloudSays() []*model.Observation {
	return facts.Where(append(c.cloudActs(), cloudSaid(c.World, c.ofOldMachine, model.MachineRunning, model.MachineOff)...), c.inSpan)
}

// cloudActs are the requests to the cloud about the case's volume and the machines of its nodes.
func (c *Case) cloudActs() []*model.Observation {
	ofMachine := func(o *model.Observation) bool { return c.ofOldMachine(o) || isMachine(c.World, o.Object.Name, c.To) }
	ofDisk := func(o *model.Observation) bool { return isDisk(o.Object.Name, c.Volume) }
	return append(cloudSaid(c.World, ofMachine, model.MachineStartRequested, model.MachineStopRequested),
		cloudSaid(c.World, ofDisk, model.DiskAttachRequested, model.DiskDetachRequested)...)
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
