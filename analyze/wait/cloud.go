package wait

import (
	"cmp"
	"fmt"
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
			if order := c.newer(o, last); order > 0 {
				last, torn = o, false
			} else if order == 0 && (o.Kind == model.MachineOff) != (last.Kind == model.MachineOff) {
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
	over := c.backBy(at.At) || o.At.IsZero() && c.BackReady.Known()
	if over || at.At.Before(lost.Earliest.Add(-nearLoss)) {
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
	before := !o.At.IsZero() && c.NotReady.Known() && o.At.At.Before(c.NotReady.Earliest)
	counts := !c.Resolved() // of a state of now
	if before {
		counts = !facts.FromAudit(o)
	}
	if !counts {
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
