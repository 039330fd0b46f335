package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// maxVolumeCount is the scheduler's reason.
const maxVolumeCount = "exceed max volume count"

// ofDriver names a driver on a node.
type ofDriver struct{ node, driver string }

// use is what a node has of a driver: its volumes by handle, and the first object that says so.
type use struct {
	volumes map[string]bool
	ref     model.Ref
	cite    func() []*model.Observation
}

func lookAttachLimit(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	have := volumesByNode(w)
	refused := refusedForCount(w)
	for _, n := range w.CSINodes {
		for i, d := range n.Value().Spec.Drivers {
			limit, list := int(deref(deref(d.Allocatable, storagev1.VolumeNodeResources{}).Count, 0)), have[ofDriver{n.Ref.Name, d.Name}].volumes
			if limit <= 0 || len(list) < limit {
				continue
			}
			h := Hit{
				Objects: []model.Ref{n.Ref, nodeRef(n.Ref.Name)},
				Shown:   facts.CiteAll(n, fmt.Sprintf("spec.drivers[%d].name", i), fmt.Sprintf("spec.drivers[%d].allocatable.count", i)),
				Text:    fmt.Sprintf("Node %s has %s of %s, and can attach %d.", n.Ref.Name, words.Count(len(list), "volume"), d.Name, limit),
			}
			if len(list) > limit || refused != nil {
				h.Severity = "warning"
			}
			if refused != nil {
				h.Text += fmt.Sprintf(" Pod %s is not scheduled because nodes are at that limit.", refused.Object)
				h.Objects, h.Shown = append(h.Objects, refused.Object), append(h.Shown, refused)
			}
			hit(h)
		}
	}
}

// volumesByNode are the volumes of each driver on each node, each once.
func volumesByNode(w *facts.World) map[ofDriver]use {
	out := map[ofDriver]use{}
	add := func(node string, pv *corev1.PersistentVolume, ref model.Ref, cite func() []*model.Observation) {
		if node == "" || pv == nil || pv.Spec.CSI == nil {
			return
		}
		key := ofDriver{node, pv.Spec.CSI.Driver}
		if out[key].volumes == nil {
			out[key] = use{map[string]bool{}, ref, cite}
		}
		out[key].volumes[pv.Spec.CSI.VolumeHandle] = true
	}
	for _, a := range attachments(w, func(a attachment) bool { return a.Value().DeletionTimestamp == nil }) {
		if a.volume != nil && a.volume.PV != nil {
			add(a.on, a.volume.PV.Value(), a.Ref, func() []*model.Observation { return quote([]attachment{a}, "spec.attacher", "spec.nodeName") })
		}
	}
	for _, p := range w.PodsWithClaims(func(p pod) bool { return !finished(p) }) {
		for _, name := range facts.ClaimsOf(p.Value()) {
			if v := w.Volumes.OfClaim(p.Ref.Namespace, name); v != nil && v.PV != nil {
				add(p.Value().Spec.NodeName, v.PV.Value(), p.Ref, func() []*model.Observation { return citeClaim(p, name) })
			}
		}
	}
	return out
}

// refusedForCount quotes a pod that the scheduler cannot place for that reason; nil without one.
func refusedForCount(w *facts.World) *model.Observation {
	for _, p := range w.PodsWithoutNode() {
		if i := unscheduled(p); i >= 0 && strings.Contains(p.Value().Status.Conditions[i].Message, maxVolumeCount) {
			return facts.Cite(p, fmt.Sprintf("status.conditions[%d].message", i))
		}
	}
	return nil
}

func lookDriverMissing(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	have := map[ofDriver]bool{}
	for _, n := range w.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			have[ofDriver{n.Ref.Name, d.Name}] = true
		}
	}
	var missing []ofDriver
	used := volumesByNode(w)
	for key := range used {
		if _, exists := w.Node(key.node); exists && !have[key] {
			missing = append(missing, key)
		}
	}
	slices.SortFunc(missing, func(a, b ofDriver) int { return strings.Compare(a.node+"|"+a.driver, b.node+"|"+b.driver) })
	for _, key := range missing {
		csi, ok := w.CSINode(key.node)
		h := Hit{Objects: []model.Ref{nodeRef(key.node), used[key].ref}}
		registered := "the node has no CSINode object"
		if ok {
			h.Objects, h.Shown = append(h.Objects, csi.Ref), facts.CiteAll(csi, "metadata.name")
			registered = "its CSINode lists no driver"
			if names := facts.Each(csi.Value().Spec.Drivers, func(d storagev1.CSINodeDriver) string { return d.Name }); len(names) > 0 {
				registered = "its CSINode lists " + words.List(names)
				h.Shown = append(h.Shown, facts.CiteAll(csi, "spec.drivers[0].name")...)
			}
		} else if !w.Listed("CSINode", "") {
			continue
		}
		n, _ := w.Node(key.node)
		h.Shown = append(append(h.Shown, facts.CiteAll(n, "metadata.name")...), used[key].cite()...)
		h.Text = fmt.Sprintf("Node %s has or is to have %s of %s, and %s.",
			key.node, words.Count(len(used[key].volumes), "volume"), key.driver, registered)
		h.Remedy = fmt.Sprintf("Check the node plugin of %s on %s (kubectl get pods -A --field-selector spec.nodeName=%s) and the log of its "+
			"container node-driver-registrar.", key.driver, key.node, word(key.node))
		hit(h)
	}
}

func lookCSIController(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	for o := range workloads(w) {
		if o.ref.Kind == "DaemonSet" || o.replicas < 1 {
			continue
		}
		at := slices.IndexFunc(o.spec.Containers, wait.IsAttacherContainer)
		if at < 0 {
			continue
		}
		h := Hit{Objects: []model.Ref{o.ref}, Shown: o.cite(o.count, fmt.Sprintf("spec.template.spec.containers[%d].image", at))}
		without := slices.IndexFunc(o.spec.Containers, func(c corev1.Container) bool { return wait.IsAttacherContainer(c) && electionOff(c) })
		if o.replicas == 1 {
			h.Text = fmt.Sprintf("%s has one replica with %s: while its node is lost, nothing is attached or detached until the pod is replaced.",
				o.name(), o.spec.Containers[at].Name)
		} else if without >= 0 {
			h.Text = fmt.Sprintf("%s has %d replicas, and container %s runs without --leader-election: all of them act at once.",
				o.name(), o.replicas, o.spec.Containers[without].Name)
			h.Shown = append(h.Shown, o.cite(fmt.Sprintf("spec.template.spec.containers[%d].args",
				without), fmt.Sprintf("spec.template.spec.containers[%d].args[0]", without))...)
			h.Remedy = fmt.Sprintf("Add --leader-election to container %s of %s.", o.spec.Containers[without].Name, o.name())
		} else {
			continue
		}
		hit(h)
	}
}

// shells start something else, whose flags the specification does not have.
var shells = []string{"sh", "bash", "ash", "dash"}

// electionOff reports that the arguments are there and do not switch leader election on.
func electionOff(c corev1.Container) bool {
	words := slices.Concat(c.Command, c.Args)
	if len(words) == 0 || slices.Contains(shells, words[0][strings.LastIndexByte(words[0], '/')+1:]) {
		return false
	}
	on := ""
	for _, word := range words {
		flag, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if flag == "leader-election" || flag == "enable-leader-election" {
			on = "true"
			if given {
				on = strings.ToLower(strings.Trim(value, `"' `))
			}
		}
	}
	return cmp.Or(on, "false") == "false"
}
