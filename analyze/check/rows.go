package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// What rows of tables, descriptions and metrics show of attachments, pods and nodes whose objects are not in the bundle.

func lookRowsAttachedTwice(w *facts.World, _ *scene, hit func(Hit)) {
	for _, v := range w.Volumes.All {
		held, exclusive := shownAttached(w, v)
		objects := facts.Where(held, func(o *model.Observation) bool { return o.Source.Kind == model.SourceManifest })
		nodes := withoutRepeats(facts.Each(held, func(o *model.Observation) string { return o.Node }))
		apart := slices.ContainsFunc(held, func(o *model.Observation) bool { return o.Input != held[0].Input })
		byObjects := exclusive && len(objects) > 0 // see attached-twice
		if len(nodes) < 2 || apart || byObjects {
			continue
		}
		unless := "Unless it is meant for several nodes (ReadWriteMany), what runs on them may write to it at once."
		if exclusive {
			unless = "It is for one node at a time: what runs on them may write to it at once."
		}
		hit(Hit{
			Objects: append([]model.Ref{volumeRef(v.Key())}, facts.Each(nodes, nodeRef)...), Shown: held,
			Text: fmt.Sprintf("Volume %s is attached to %s at once. %s", v.Key(), strings.Join(nodes, " and "), unless),
		})
	}
}

func lookRowsUnreadyNode(w *facts.World, s *scene, hit func(Hit)) {
	for _, g := range grouped(append(rowsAttached(w, s), rowsUntold(w, s)...), func(o *model.Observation) string { return o.Node }) {
		node := g[0].Node
		lost := rowNotReady(w, node)
		if lost == nil {
			continue
		}
		volumes := withoutRepeats(facts.Each(g, func(o *model.Observation) string { return volumeName(w, o) }))
		down := controllerOf(w, g)
		shown := slices.DeleteFunc([]*model.Observation{lost, down}, func(o *model.Observation) bool { return o == nil })
		has := oneOr(volumes, "is", "are") + " attached to "
		if !slices.ContainsFunc(g, facts.Kinds(model.AttachmentAttached, model.AttachmentSampled)) {
			has = oneOr(volumes, "has", "have") + " a VolumeAttachment on "
		}
		hit(Hit{
			Objects: append([]model.Ref{nodeRef(node)}, facts.Each(volumes, volumeRef)...), Shown: append(shown, g...),
			Text: fmt.Sprintf("%s %s%s, which is not Ready.%s Whoever needs %s on another node waits until the old pod is gone and the "+
				"detach is through.", words.Capital(several("volume", "volumes", volumes)), has, node,
				downText(down), oneOr(volumes, "it", "one of them")),
			Remedy: words.If(down != nil, "First bring the driver's controller back, then the node. ") + bringBack(w, node),
		})
	}
}

// controllerOf is a row that shows the controller of the driver of some volumes as not running; nil for none.
func controllerOf(w *facts.World, g []*model.Observation) *model.Observation {
	for _, o := range g {
		if v := w.Volumes.Find(o.Volume); v != nil {
			if down := wait.ControllerDown(w, v); down != nil {
				return down
			}
		}
	}
	return nil
}

// downText says that a driver's controller does not run, and what that keeps; "" where none is shown so.
func downText(down *model.Observation) string {
	if down == nil {
		return ""
	}
	return fmt.Sprintf(" %s: without its driver's controller nothing is detached or attached.", words.Capital(wait.DownText(down)))
}

// downRemedy is how a driver's controller that does not run is brought back.
func downRemedy(down *model.Observation) string {
	switch {
	case down.Kind != model.ObjectShown:
		return "its log, and that of its last try (kubectl logs --previous), say why it ends."
	case !strings.HasSuffix(down.Detail, "/0"):
		return "its pods and events say why none is Ready."
	}
	return "ask who scaled it down and why, then scale it up to what it had: " + cmp.Or(wait.DownCommand(down), "kubectl scale --replicas") + "."
}

func lookRowsAttachmentPending(w *facts.World, s *scene, hit func(Hit)) {
	for _, v := range w.Volumes.All {
		_, pending := w.AttachmentStates(v)
		for _, o := range pending {
			age := printedAge(w.ByAttach[o.Attachment], o, model.AttachmentCreated)
			if !inRow(o) || age.Best < attachPatience.Seconds() || s.about(placed{v.Storage(), o.Node}) {
				continue
			}
			h := Hit{
				Objects: []model.Ref{volumeRef(v.Key()), nodeRef(o.Node), {Kind: "VolumeAttachment", Name: o.Attachment}}, Shown: []*model.Observation{o},
				Text: fmt.Sprintf("Volume %s is not attached to %s: its VolumeAttachment there was %s old when this was printed.", v.Key(), o.Node,
					facts.AgePrinted(age)),
			}
			if down := wait.ControllerDown(w, v); down != nil {
				h.Objects, h.Shown = append([]model.Ref{cmp.Or(down.Pod, down.Object)}, h.Objects...), append(h.Shown, down)
				h.Text, h.Remedy = h.Text+downText(down), "Bring the driver's controller back: "+downRemedy(down)
			}
			hit(h)
		}
	}
}

// printedAge is how old a thing was when a row about it was printed, by a column of the same table; none where that does not say.
func printedAge(list []*model.Observation, row *model.Observation, kind model.Kind) model.Range {
	if b := facts.Find(list, func(b *model.Observation) bool { return b.Kind == kind && b.Input == row.Input && b.Age != nil }); b != nil {
		return *b.Age
	}
	return model.Range{}
}

func lookRowsNotStarting(w *facts.World, s *scene, hit func(Hit)) {
	if slices.ContainsFunc(s.cases, func(c *wait.Case) bool { return !c.Resolved() && len(c.NewPods) == 0 }) {
		return // it may be the pod that is not named
	}
	for _, o := range w.ByKind[model.PodNotReady] {
		age := printedAge(w.OfPod(o.Pod), o, model.PodCreated)
		if o.Detail != "ContainerCreating" || !inRow(o) || age.Best < startPatience.Seconds() {
			continue
		}
		_, here := w.Pod(o.Pod)
		told := slices.ContainsFunc(w.OfPod(o.Pod), facts.Kinds(model.AttachFailed, model.MountFailed, model.MultiAttach, model.PodRunning, model.PodReady))
		if here || told || s.waits(o.Pod) {
			continue
		}
		h := Hit{
			Objects: []model.Ref{o.Pod}, Shown: []*model.Observation{o},
			Text: fmt.Sprintf("Pod %s is in ContainerCreating, %s after it was created", o.Pod, facts.AgePrinted(age)),
		}
		if old := goingSibling(w, o.Pod); old != nil {
			h.Objects, h.Shown = append(h.Objects, old.Pod), append(h.Shown, old)
			h.Text += "; pod " + old.Pod.String() + " of the same ReplicaSet is Terminating"
			h.Remedy = "See with kubectl describe pod which volume it waits for. A pod that is Terminating keeps its volume on its node: see whether " +
				"that node is lost, and prove that its machine is off before anything is forced."
		}
		rows := facts.Where(w.ByKind[model.NodeNotReady], func(o *model.Observation) bool { return rowNotReady(w, o.Node) == o })
		if len(rows) > 0 {
			lost := withoutRepeats(facts.Each(rows, func(o *model.Observation) string { return o.Node }))
			h.Objects, h.Shown = append(h.Objects, facts.Each(lost, nodeRef)...), append(h.Shown, rows...)
			h.Text += "; " + several("node", "nodes", lost) + oneOr(lost, " is", " are") + " not Ready"
		}
		h.Text += "."
		hit(h)
	}
}

// goingSibling is a row that shows a pod of the same ReplicaSet as Terminating, by the names that a ReplicaSet gives.
func goingSibling(w *facts.World, pod model.Ref) *model.Observation {
	return facts.Find(w.ByKind[model.PodDeletionRequested], func(o *model.Observation) bool {
		other := o.Pod.Namespace == pod.Namespace && o.Pod.Name != pod.Name
		return other && inRow(o) && wait.SameReplicas(o.Pod.Name, pod.Name)
	})
}

// oneOr is a word for one of a list, or for several.
func oneOr[T any](list []T, one, many string) string {
	if len(list) == 1 {
		return one
	}
	return many
}

// rowsUntold are the VolumeAttachments of rows and samples of which nothing says whether they are attached, nor that they went.
func rowsUntold(w *facts.World, s *scene) []*model.Observation {
	state := facts.Kinds(model.AttachmentAttached, model.AttachmentSampled, model.AttachmentPending, model.AttachmentGone)
	return facts.Where(w.ByKind[model.AttachmentCreated], func(o *model.Observation) bool {
		v := w.Volumes.Find(o.Volume)
		if v == nil || o.Node == "" || w.ManyNodes(v) || slices.ContainsFunc(w.ByAttach[o.Attachment], state) {
			return false
		}
		shown := inRow(o) || len(w.Attachments) == 0 && o.Source.Kind == model.SourceMetric
		return shown && !s.held[placed{v.Storage(), o.Node}]
	})
}

// rowsAttached are the rows and samples of attached volumes that may be for one node, without those that an open incident is about.
func rowsAttached(w *facts.World, s *scene) []*model.Observation {
	return facts.Where(slices.Concat(w.ByKind[model.AttachmentAttached], w.ByKind[model.AttachmentSampled]), func(o *model.Observation) bool {
		v := w.Volumes.Find(o.Volume)
		if v == nil || o.Node == "" || w.ManyNodes(v) {
			return false
		}
		shown := inRow(o) || len(w.Attachments) == 0 && sampledLast(w, o)
		return shown && !s.held[placed{v.Storage(), o.Node}]
	})
}

// rowNotReady is the row or the last sample that shows that a node is not Ready, where no object tells; nil otherwise.
func rowNotReady(w *facts.World, node string) *model.Observation {
	word, shown := w.NodeNow(node)
	if _, there := w.Node(node); there || word != model.StateNotReady {
		return nil
	}
	return facts.Find(shown, func(o *model.Observation) bool { return inRow(o) && o.At.IsZero() || sampledLast(w, o) })
}

func lookRowsNodeGone(w *facts.World, s *scene, hit func(Hit)) {
	for _, o := range rowsAttached(w, s) {
		list := w.ListWithout(o.Node, o.Input)
		if list == nil {
			continue
		}
		hit(Hit{
			Objects: []model.Ref{nodeRef(o.Node), volumeNamed(w, o), {Kind: "VolumeAttachment", Name: o.Attachment}},
			Shown:   []*model.Observation{o, list},
			Text: fmt.Sprintf("Volume %s is attached to %s, which %s.", volumeName(w, o), o.Node,
				words.If(list.Object.Name == "", "the list of the nodes does not have")+words.If(list.Object.Name != "", "does not exist as a Node")),
			Remedy: fmt.Sprintf("When the machine %s is certainly gone, delete its attachment (kubectl delete volumeattachment %s). Take a "+
				"finalizer away only when the storage system shows the volume detached.", o.Node, word(o.Attachment)),
		})
	}
}

func lookRowsTerminating(w *facts.World, s *scene, hit func(Hit)) {
	for _, o := range w.ByKind[model.PodDeletionRequested] {
		_, there := w.Pod(o.Pod)
		row := inRow(o) && o.Node != ""
		if !row || there || s.waits(o.Pod) {
			continue
		}
		claim := ownClaim(w, o.Pod)
		told := slices.ContainsFunc(rowsAttached(w, s), func(a *model.Observation) bool { return a.Node == o.Node }) // of the node's volumes
		kept := claim != nil || wait.Ordinal(o.Pod.Name) && !told
		if lost := rowNotReady(w, o.Node); lost != nil && kept && !w.Outdated(o) {
			h := Hit{Objects: []model.Ref{o.Pod, nodeRef(o.Node)}, Shown: []*model.Observation{o, lost}, Remedy: bringBack(w, o.Node)}
			stays := "By its name it is of a StatefulSet, which creates no replacement while the object exists; a volume that it uses stays there."
			if claim != nil {
				h.Shown = append(h.Shown, claim)
				stays = "Its StatefulSet creates no replacement while the object exists, and the volume of " + claim.Claim.Name + " stays there."
			}
			h.Text = fmt.Sprintf("Pod %s is Terminating on %s, which is not Ready: only its kubelet can finish the pod. %s", o.Pod, o.Node, stays)
			hit(h)
			continue
		}
		grace, ok := strings.CutPrefix(o.Detail, "grace ")
		if !ok || o.Age == nil {
			continue
		}
		past := o.Age.Best - graceSeconds(grace)
		if past < endPatience.Seconds() {
			continue
		}
		hit(Hit{
			Objects: []model.Ref{o.Pod, nodeRef(o.Node)}, Shown: []*model.Observation{o},
			Text: fmt.Sprintf("Pod %s is still Terminating on %s: its grace period had ended %s before this was printed.", o.Pod, o.Node,
				words.Seconds(past)),
			Remedy: fmt.Sprintf("See in the kubelet's log of %s what keeps pod %s: a container that does not stop, or a volume that cannot be "+
				"unmounted. Delete it by force only when the node is off.", o.Node, o.Pod),
		})
	}
}

// ownClaim is a row that shows a claim bound that a StatefulSet made for a pod, by the names that it gives: template-pod.
func ownClaim(w *facts.World, pod model.Ref) *model.Observation {
	return facts.Find(w.ByKind[model.VolumeBound], func(o *model.Observation) bool {
		return inRow(o) && o.Claim.Namespace == pod.Namespace && strings.HasSuffix(o.Claim.Name, "-"+pod.Name)
	})
}

func graceSeconds(text string) (seconds float64) {
	_, _ = fmt.Sscanf(text, "%f", &seconds)
	return seconds
}

// podUID is what a kubelet's line names a pod by that it has forgotten.
var podUID = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// unmountReason is that of an Event about an unmount.
var unmountReason = regexp.MustCompile(`^(?:Failed)?[Uu]n[mM]ount(?:Volume|Device)?(?:Failed)?$`)

func lookUnmountFails(w *facts.World, s *scene, hit func(Hit)) {
	list := outside(w, s.cases, []model.Kind{model.UnmountFailed, model.KubernetesEvent}, func(o *model.Observation) bool {
		if fromObject(o) || unmounted(w, o) {
			return false
		}
		about := o.Volume.IsZero() || !attachedSince(w, o)
		if o.Kind == model.KubernetesEvent {
			about = unmountReason.MatchString(o.Detail)
		}
		return about && len(faultOf(o)) >= minFault
	})
	for _, g := range grouped(list, func(o *model.Observation) string { return o.Pod.Key() + "|" + volumeName(w, o) }) {
		o := g[len(g)-1]
		if s.silent(o) {
			continue
		}
		fault, remedy := shorten(faultOf(o)), ""
		for _, said := range g {
			if path, busy, ok := upstream.BusyMount(said.Detail); ok && plainPath.MatchString(path) {
				fault = busy
				remedy = fmt.Sprintf("Find what holds the mount on that node, and end it; the kubelet tries again by itself: fuser -vm %s.", path)
			}
		}
		what := words.If(volumeName(w, o) != "", "volume "+volumeName(w, o))
		if what == "" {
			what = "a volume"
		}
		whose := words.If(o.Pod.Name != "", " of pod "+o.Pod.String())
		if podUID.MatchString(o.Pod.Name) {
			whose = " of the pod with UID " + o.Pod.Name
		}
		hit(Hit{
			Objects: slices.DeleteFunc(affected(w, g), func(r model.Ref) bool { return podUID.MatchString(r.Name) }), Shown: ends(g),
			Text: fmt.Sprintf("The kubelet%s cannot unmount %s%s: %s. Until it has, the volume counts as in use there.",
				words.If(o.Node != "", " of "+o.Node), what, whose, strings.TrimRight(fault, ". ")),
			Remedy: remedy,
		})
	}
}

// plainPath is a path that a shell takes as it is.
var plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._~@:^-]+$`)

// unmounted reports that a later unmount of the same succeeded, or that the pod is gone.
func unmounted(w *facts.World, o *model.Observation) bool {
	later := func(p *model.Observation) bool { return !p.At.IsZero() && p.At.At.After(o.Last.At) }
	return slices.ContainsFunc(w.ByKind[model.UnmountSucceeded], func(p *model.Observation) bool {
		return later(p) && (w.Volumes.Find(p.Volume) == w.Volumes.Find(o.Volume) || p.Pod.UID != "" && p.Pod.UID == o.Pod.UID)
	}) || slices.ContainsFunc(w.OfPod(o.Pod), func(p *model.Observation) bool { return p.Kind == model.PodGone && later(p) })
}

// shownAttached are what shows a volume attached, its objects and the newest rows, each with its node, and whether it is known to be for
// one. Nothing of a volume that is for several, by its modes or by its driver's name.
func shownAttached(w *facts.World, v *facts.Volume) (held []*model.Observation, exclusive bool) {
	if w.ManyNodes(v) || v != v.Storage() {
		return nil, false
	}
	held, _ = w.AttachmentStates(v)
	return held, v.Exclusive()
}
