package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// outside are the observations of some kinds that pass a test and belong to no incident, in the order of time.
func outside(w *facts.World, cases []*wait.Case, kinds []model.Kind, test func(*model.Observation) bool) []*model.Observation {
	list := facts.Where(slices.Concat(facts.Each(kinds, func(k model.Kind) []*model.Observation { return w.ByKind[k] })...), test)
	if len(list) == 0 {
		return nil
	}
	inCase := map[*model.Observation]bool{}
	for _, c := range cases {
		own := c.Story()
		if c.Thin() {
			own = append(slices.Clip(own), c.DetachStuck()...) // its cause is named after these
		}
		for _, o := range own {
			inCase[o] = true
		}
	}
	list = slices.DeleteFunc(list, func(o *model.Observation) bool { return inCase[o] })
	slices.SortStableFunc(list, func(a, b *model.Observation) int {
		return cmp.Or(a.Compare(b), cmp.Compare(a.Quote.Text, b.Quote.Text))
	})
	return list
}

// byNode groups observations of some kinds by node, in the order of time, without those of an incident.
func byNode(w *facts.World, cases []*wait.Case, kinds ...model.Kind) [][]*model.Observation {
	list := outside(w, cases, kinds, func(o *model.Observation) bool { return o.Node != "" || !o.Volume.IsZero() })
	return grouped(list, func(o *model.Observation) string { return o.Node })
}

// objects names the node, the volumes and the attachments of some observations.
func objects(w *facts.World, g []*model.Observation) []model.Ref {
	refs := []model.Ref{nodeRef(g[0].Node)}
	refs = append(refs, facts.Each(g, func(o *model.Observation) model.Ref { return volumeNamed(w, o) })...)
	for _, o := range g {
		if o.Object.Kind == "VolumeAttachment" {
			refs = append(refs, o.Object)
		}
	}
	return withoutRepeats(slices.DeleteFunc(refs, func(r model.Ref) bool { return r.Name == "" }))
}

// volumes counts the volumes among the objects, naming some.
func volumes(refs []model.Ref) string {
	pvs := facts.Where(refs, func(r model.Ref) bool { return r.Kind == "PersistentVolume" || r.Kind == storageVolume })
	if len(pvs) == 0 {
		return "A volume that is not named"
	}
	return volumesText(facts.Each(pvs, func(r model.Ref) string { return r.Name }))
}

func volumeName(w *facts.World, o *model.Observation) string {
	if v := w.Volumes.Find(o.Volume); v != nil {
		return v.Key()
	}
	return cmp.Or(o.Volume.PersistentVolume, o.Volume.UniqueName, o.Volume.Handle)
}

// ends keeps the first and the last of a run.
func ends(g []*model.Observation) []*model.Observation {
	if len(g) <= 2 {
		return g
	}
	return []*model.Observation{g[0], g[len(g)-1]}
}

func lookForcedDetach(w *facts.World, s *scene, hit func(Hit)) {
	for _, kind := range []model.Kind{model.DetachForcedTimeout, model.DetachForcedTaint} {
		why := "its six minutes had passed"
		if kind == model.DetachForcedTaint {
			why = "the node carried the out-of-service taint, by which a person says that the machine is off"
		}
		for _, g := range byNode(w, s.cases, kind) {
			refs := objects(w, g)
			out, moves := outages(w, g)
			hit(Hit{Objects: refs, Shown: append(ends(g), moves...), Text: out + fmt.Sprintf("%s: detached%s by force, because %s. "+
				"The controller's line alone does not prove that the node was dead, nor that the volume was in use.",
				volumes(refs), fromNode(g[0]), why)})
		}
	}
}

// outages tells how long the pods of volumes were out that left a lost node by force and were not reported as waiting: the taint, or the
// eviction, was faster than the first attach. Empty where the bundle does not show it.
func outages(w *facts.World, g []*model.Observation) (text string, shown []*model.Observation) {
	var pods []string
	var from, to time.Time
	for _, o := range g {
		m, ok := movedAfter(w, o)
		if !ok || slices.ContainsFunc(shown, func(r *model.Observation) bool { return r == m.Ready }) {
			continue
		}
		shown, pods = append(shown, m.Lost, m.Ready), append(pods, m.Pod.String())
		if from.IsZero() {
			from = m.Lost.At.At
		}
		from, to = model.Earlier(from, m.Lost.At.At), model.Later(to, m.Ready.At.At)
	}
	if len(pods) == 0 {
		return "", nil
	}
	slices.Sort(pods)
	return fmt.Sprintf(oneOr(pods, "Pod %s was", "Pods %s were")+" out from %s to %s (%s): %s node %s was lost, and no wait was reported. ", words.List(pods), model.TimeOfDay(from),
		model.TimeOfDay(to), words.Duration(to.Sub(from)), oneOr(pods, "its", "their"), g[0].Node), shown
}

func lookFailingDetach(w *facts.World, s *scene, hit func(Hit)) {
	if len(s.cases) == 0 && len(w.Attachments) == 0 {
		lookAttacherLog(w, hit)
	}
	for _, g := range byNode(w, s.cases, model.DetachFailed, model.DetachRefusedInUse, model.AttachmentDetachError) {
		g = slices.DeleteFunc(g, func(o *model.Observation) bool { return w.DetachedSince(o) != nil })
		if len(g) == 0 {
			continue
		}
		refs := objects(w, g)
		newest := g[len(g)-1]
		hit(Hit{Objects: refs, Shown: ends(g), Remedy: inVain(g), Text: fmt.Sprintf(
			"%s could not be detached%s: %s", volumes(refs), fromNode(newest), whyFailed(newest))})
	}
}

// lookAttacherLog finds the failing detaches that lines of an external-attacher tell alone: they name the attachment, and maybe the volume.
func lookAttacherLog(w *facts.World, hit func(Hit)) {
	failed := w.ByKind[model.AttacherFailed]
	saved := facts.Where(w.ByKind[model.AttachmentDetachError], func(o *model.Observation) bool { // without its text, where another line has it
		of := func(f *model.Observation) bool { return f.Attachment == o.Attachment }
		return o.Source.Kind == model.SourceLog && o.Volume.IsZero() && !slices.ContainsFunc(failed, of)
	})
	list := facts.Where(slices.Concat(failed, saved), func(o *model.Observation) bool {
		return o.Attachment != "" && !upstream.OfAttach(o.Detail) && facts.First(w.ByAttach[o.Attachment], facts.After(o.Last.At), facts.Kinds(model.AttacherDetached, model.AttachmentGone)) == nil
	})
	for _, g := range grouped(list, func(o *model.Observation) string { return masked(o.Detail) }) {
		refs := affected(w, g)
		newest := g[len(g)-1]
		hit(Hit{Objects: refs, Shown: ends(g), Remedy: inVain(g), Text: fmt.Sprintf("%s could not be detached%s: %s", subject(w, g), fromNode(newest),
			strings.TrimPrefix(whyFailed(newest), "failed to detach: "))})
	}
}

// inVain is the remedy for a detach that no later try can carry out, because what it is about is gone; "" for any other.
func inVain(g []*model.Observation) string {
	o, gone := g[len(g)-1], ""
	if upstream.InstanceMissing(o.Detail) {
		gone = "The driver does not find the machine"
	} else if upstream.VolumeMissing(o.Detail) {
		gone = "The external-attacher does not find the PersistentVolume"
	} else {
		return ""
	}
	attachment := "NAME"
	if one := withoutRepeats(facts.Each(g, func(o *model.Observation) string { return o.Attachment })); len(one) == 1 && one[0] != "" {
		attachment = word(one[0])
	}
	return gone + ", so that trying again is no help. Only when the storage itself shows that no machine has the volume, take the finalizers " +
		"from the VolumeAttachment: kubectl patch volumeattachment " + attachment + " --type=json -p '[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]'"
}

// fromNode names the node that a volume is, or was, detached from, where one is known.
func fromNode(o *model.Observation) string { return words.If(o.Node != "", " from "+o.Node) }

// whyFailed is the error as the source has it; a refusal has none of its own.
func whyFailed(o *model.Observation) string {
	if o.Kind == model.DetachRefusedInUse {
		return cmp.Or(shorten(o.Detail), "the node still lists it in status.volumesInUse")
	}
	return cmp.Or(shorten(o.Detail), "the source does not say why")
}

// takenByForce reports an incident in which the controller took the volume by force; one whose attachment was removed past it is none.
func takenByForce(in model.Incident) bool {
	return in.IntegrityWindow != nil && in.Causes[0].ID != model.CauseAttachmentLost
}

// move is how a volume that was taken from a lost node came into use elsewhere, when no wait was reported.
type move struct {
	Pod   model.Ref
	Lost  *model.Observation // the last sign of the old node, or the first that it was not Ready
	Ready *model.Observation // Pod
}

// movedAfter follows a detach from a lost node to the pod that was Ready with the volume elsewhere. False where a part of it is not shown.
func movedAfter(w *facts.World, o *model.Observation) (move, bool) {
	v := w.Volumes.Find(o.Volume)
	lost := lostBefore(w, o)
	if v == nil || lost == nil {
		return move{}, false
	}
	attach := facts.Kinds(model.AttachStarted, model.AttachSucceeded)
	for _, a := range facts.Where(facts.After(o.At.At).Of(w.ByVolume[v]), attach) {
		if a.Node == o.Node {
			return move{}, false // it came back
		}
		for _, p := range slices.Concat([]model.Ref{a.Pod}, a.Pods) {
			if ready := facts.First(w.ByPod[p.String()], facts.After(a.At.At), facts.Kinds(model.PodReady)); p.Name != "" && ready != nil {
				return move{Pod: p, Lost: lost, Ready: ready}, true
			}
		}
	}
	return move{}, false
}

// lostBefore is the beginning of the loss of a node that went on at an observation: its last renewal before, else the record itself.
func lostBefore(w *facts.World, o *model.Observation) *model.Observation {
	list := w.ByNode[o.Node]
	lost := facts.LastTransition(list, facts.Window{From: o.At.At.Add(-time.Hour), To: o.At.At})
	if lost == nil || facts.First(list, facts.Window{From: lost.At.At, To: o.At.At}, facts.And(facts.Kinds(model.NodeReady), facts.IsNode)) != nil {
		return nil
	}
	alive := facts.Last(list, facts.Window{From: lost.At.At.Add(-10 * time.Minute), To: lost.At.At}, func(h *model.Observation) bool {
		return h.Kind == model.NodeHeartbeat && h.Detail != "condition"
	})
	if alive != nil {
		return alive
	}
	return lost
}

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

func lookAttachLimit(w *facts.World, _ *scene, hit func(Hit)) {
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
	for _, p := range w.PodsWithClaims(func(p pod) bool { return !facts.Finished(p.Value()) }) {
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

func lookDriverMissing(w *facts.World, s *scene, hit func(Hit)) {
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
		csi, ok := facts.Found(w, w.CSINodes, model.Ref{Kind: "CSINode", Name: key.node})
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

func lookCSIController(w *facts.World, s *scene, hit func(Hit)) {
	eachWorkload(w, func(o workload) {
		if o.ref.Kind == "DaemonSet" || o.replicas < 1 {
			return
		}
		at := slices.IndexFunc(o.spec.Containers, wait.IsAttacherContainer)
		if at < 0 {
			return
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
			return
		}
		hit(h)
	})
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
