package wait

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Told is the first sentence in which an author says a thing that nothing in the evidence contradicts; nil for none. Of a node it has to be
// the one that held the volume, as far as either is named, and one that is not shown as Ready.
func (c *Case) Told(what string) *model.Observation {
	return facts.Find(c.World.ByKind[model.AuthorSaid], func(o *model.Observation) bool {
		if saidOfNode(what) && (!c.mayBeHolder(o.Node) || c.shownReady(o.Node, what)) {
			return false
		}
		return strings.HasPrefix(o.Detail, what+": ")
	})
}

// ToldOver is what a text shows below the report of a wait whose end nothing dates: a row in which the pod runs, else the author's word of
// it, or an alert's anywhere in it, where one volume alone is reported there. Nil for none, and for a wait that ended.
func (c *Case) ToldOver() *model.Observation {
	if c.Resolved() || len(c.Reports) == 0 {
		return nil
	}
	last := cmp.Or(c.ShownThen(model.PodNotReady), c.Reports[len(c.Reports)-1])
	below := func(o *model.Observation) bool { // or above it, in a text that its clocks date, with a later one
		later := last.LastAge == nil && !o.At.IsZero() && o.At.Earliest.After(last.Last.Latest)
		return o.Input == last.Input && (o.Source.Line > last.Source.Line || later)
	}
	runs := func(o *model.Observation) bool {
		ours := slices.ContainsFunc(c.NewPods, func(p model.Ref) bool { return p.Name == o.Pod.Name && oneNamespace(p, o.Pod) })
		return ours && printed(o) && below(o) && !c.World.Outdated(o)
	}
	if row := facts.Find(c.World.ByKind[model.PodReady], runs); row != nil {
		return row
	}
	if !c.alone() {
		return nil
	}
	var alert *model.Observation // the last that its messages say: it may have come back
	for _, o := range c.World.ByKind[model.AuthorSaid] {
		what, _, _ := strings.Cut(o.Detail, ": ")
		if what == model.SaidOver && below(o) && c.runsAgain(o) {
			return o
		}
		of := o.Input == last.Input && (what == model.SaidResolved || what == model.SaidFiring)
		if of && (alert == nil || o.Source.Line > alert.Source.Line) {
			alert = o
		}
	}
	if alert != nil && strings.HasPrefix(alert.Detail, model.SaidResolved+": ") {
		return alert
	}
	return nil
}

// runsAgain reports that an author may mean a pod that waited by what runs again: no node, and none is known by name, or one has it.
func (c *Case) runsAgain(o *model.Observation) bool {
	named := len(c.NewPods) == 0 || slices.ContainsFunc(c.NewPods, func(p model.Ref) bool { return strings.Contains(p.Name, o.Pod.Name) })
	return named && !c.aboutNode(Sentence(o))
}

// aboutNode reports that a sentence is about a node that the bundle knows: a node that is back is no end of a wait.
func (c *Case) aboutNode(sentence string) bool {
	return slices.ContainsFunc(c.World.NodeNames, func(n string) bool {
		before, _, named := strings.Cut(strings.ToLower(sentence), n+" ")
		return named && (strings.HasSuffix(before, ": ") || strings.Trim(before, "0123456789:[]()- ") == "")
	})
}

// Sentence is what an author wrote.
func Sentence(o *model.Observation) string {
	_, text, _ := strings.Cut(o.Detail, ": ")
	return text
}

// saidOfNode reports that a thing is said of the node that held the volume.
func saidOfNode(what string) bool {
	return slices.Contains([]string{model.SaidNodeOff, model.SaidNodeRemoved, model.SaidNodeReclaimed, model.SaidKubeletStopped,
		model.SaidMachineRuns}, what)
}

// mayBeHolder reports that a node that an author names may be the one that held the volume.
func (c *Case) mayBeHolder(node string) bool {
	holder := c.From == "" || alikeName(node, c.From)
	return node == "" || holder && !alikeName(node, c.To)
}

// alikeName reports that a person may mean a node by a name: it is its name, or a part of it.
func alikeName(said, node string) bool {
	return node != "" && (strings.EqualFold(said, node) || strings.HasPrefix(strings.ToLower(node), strings.ToLower(said)+"."))
}

// shownReady reports that the evidence shows the node as one that works, or the one that was removed as still there.
func (c *Case) shownReady(node, what string) bool {
	if c.From != "" {
		node = c.From
	}
	if node == "" {
		return false
	}
	_, there := c.World.Node(node)
	if r := c.World.Readiness(node); r.Known {
		return r.Ready
	}
	ready := facts.Last(c.World.ByNode[node], facts.Window{}, facts.Kinds(model.NodeReady, model.NodeNotReady, model.NodeDeleted))
	if ready != nil && ready.Kind == model.NodeReady {
		return true
	}
	return there && what == model.SaidNodeRemoved
}

// What KubeVirt writes on the pods in which its virtual machines run. The pod that a live migration makes on the target node has the UID
// of the migration, and keeps it: the source of a later one may have another.
const (
	virtRole      = "kubevirt.io" // virt-launcher for the pods of a machine
	virtLauncher  = "virt-launcher"
	virtCreatedBy = "kubevirt.io/created-by" // UID of the VirtualMachineInstance
	virtName      = "vm.kubevirt.io/name"
	virtMigration = "kubevirt.io/migrationJobUID"
)

// virtOwner is the kind that owns the pods of a virtual machine.
const virtOwner = "VirtualMachineInstance"

// LiveMigration is a virtual machine of KubeVirt whose second pod waits for a volume of its first: the machine runs in the
// first until its memory has been copied to the second, which cannot begin without the volume.
type LiveMigration struct {
	VM    model.Ref
	Named bool // the waiting pod bears the mark of a migration; otherwise it is inferred from two pods of one machine
	Cites []*model.Observation
}

// LiveMigration finds the migration of which the waiting pod is the target; nil when the pods are not those of one machine.
func (c *Case) LiveMigration() *LiveMigration {
	if old, waiting, ok := c.Sharing(); ok {
		from, to := machineOf(old), machineOf(waiting)
		if from.Name == "" || !from.Is(to) {
			return nil
		}
		job := waiting.Value().Labels[virtMigration]
		const owner = "metadata.ownerReferences[0].name"
		return &LiveMigration{VM: from, Named: job != "" && job != old.Value().Labels[virtMigration],
			Cites: append(facts.CiteAll(old, owner), facts.CiteAll(waiting, owner, "metadata.labels.kubevirt.io/migrationJobUID")...)}
	}
	if c.PodsInBundle() || c.ListedTogether() == nil {
		return nil
	}
	old, waiting := c.OldPods[0], c.NewPods[0]
	rest, launcher := strings.CutPrefix(waiting.Name, virtLauncher+"-")
	if vm, _, ok := facts.CutLast(rest); launcher && ok && SameReplicas(old.Name, waiting.Name) {
		return &LiveMigration{VM: model.Ref{Kind: virtOwner, Namespace: waiting.Namespace, Name: vm}}
	}
	return nil
}

// machineOf is the VirtualMachineInstance of a pod: its owner, or, where a collector left the owners out, what its labels say.
func machineOf(p model.Object[*corev1.Pod]) model.Ref {
	owner, owned := facts.ControllerOf(p)
	if pod := p.Value(); owner.Kind == virtOwner {
		return owner
	} else if owned || pod.Labels[virtRole] != virtLauncher || pod.Labels[virtCreatedBy] == "" {
		return model.Ref{}
	} else {
		return model.Ref{Kind: virtOwner, Namespace: p.Ref.Namespace, Name: pod.Labels[virtName], UID: pod.Labels[virtCreatedBy]}
	}
}
