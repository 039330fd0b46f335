package check

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// attachment is a VolumeAttachment of the bundle with what it attaches.
type attachment struct {
	*model.Object[*storagev1.VolumeAttachment]
	pv, on string        // the PersistentVolume, empty for an inline volume, and the node
	volume *facts.Volume // nil for an inline volume that nothing else names
}

func (a attachment) node() string { return a.on }

// name is the volume's, for a sentence.
func (a attachment) name() string {
	if a.pv != "" {
		return a.pv
	}
	if a.volume != nil {
		return a.volume.Key()
	}
	return "an inline volume"
}

// deleting reports that its deletion was requested, and refused that its attach, which is still wanted, ended with an error.
func (a attachment) deleting() bool { return a.Value().DeletionTimestamp != nil }
func (a attachment) refused() bool {
	return a.Value().Status.AttachError != nil && !a.Value().Status.Attached && !a.deleting()
}

// whole reports that the node and the volume of an attachment may exist: what is gone has checks of its own.
func (a attachment) whole(w *facts.World) bool { return !nodeGone(w, a.node()) && !volumeGone(w, a.pv) }

// place is where the volume is attached, as an incident would name it.
func (a attachment) place() placed { return placed{a.volume.Storage(), a.on} }

// exclusive reports whether only one node may have the volume, as far as is known.
func (a attachment) exclusive() bool { return a.volume != nil && a.volume.Exclusive() }

// attachments are the VolumeAttachments of the bundle that pass a test, ordered by volume and node; their names are hashes.
func attachments(w *facts.World, test func(attachment) bool) []attachment {
	var out []attachment
	for _, i := range w.AttachmentsInOrder() {
		a := attachment{Object: &w.Attachments[i]}
		if a.pv, a.on = w.Attached(i); a.pv != "" {
			a.volume = w.Volumes.Find(model.VolumeID{PersistentVolume: a.pv})
		} else if inline := a.Value().Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
			a.volume = w.Volumes.Find(model.VolumeID{Driver: inline.CSI.Driver, Handle: inline.CSI.VolumeHandle})
		}
		if test(a) {
			out = append(out, a)
		}
	}
	return out
}

// namesOf are the volumes of some attachments.
func namesOf(g []attachment) []string { return facts.Each(g, attachment.name) }

// refsOf are the attachments and their volumes, refsWithNodes their nodes, too.
func refsOf(g ...attachment) []model.Ref {
	var out []model.Ref
	for _, a := range g {
		if out = append(out, a.Ref); a.pv != "" {
			out = append(out, volumeRef(a.pv))
		}
	}
	return withoutRepeats(out)
}

func refsWithNodes(g ...attachment) []model.Ref {
	return withoutRepeats(append(refsOf(g...), facts.Each(g, func(a attachment) model.Ref { return nodeRef(a.on) })...))
}

// quote cites fields of the first few attachments.
func quote(g []attachment, fields ...string) []*model.Observation {
	return quoted(g, func(a attachment) []*model.Observation { return facts.CiteAll(*a.Object, fields...) })
}

func lookAttachedTwice(w *facts.World, s *scene, hit func(Hit)) {
	incident := map[*facts.Volume]bool{}
	for _, c := range s.cases {
		incident[c.Volume.Storage()] = incident[c.Volume.Storage()] || !c.Resolved()
	}
	for _, g := range grouped(attachments(w, attachment.exclusive), func(a attachment) *facts.Volume { return a.volume.Storage() }) {
		attached, other := onNodes(g, true), onNodes(g, false)
		switch {
		case len(attached)+len(other) < 2 || !oneList(g):
		case len(attached) > 1:
			hit(twice(g, attached))
		case !incident[g[0].volume.Storage()] && slices.ContainsFunc(other, func(n string) bool { return !slices.Contains(attached, n) }):
			hit(second(g, attached))
		}
	}
}

// onNodes are the nodes on which a volume is attached, or those on which it has an attachment that is not.
func onNodes(g []attachment, attached bool) []string {
	on := facts.Where(g, func(a attachment) bool { return a.Value().Status.Attached == attached })
	return withoutRepeats(facts.Each(on, attachment.node))
}

// oneList reports whether attachments were collected together: what was saved at different times never met.
func oneList(g []attachment) bool {
	return !slices.ContainsFunc(g, func(a attachment) bool { return path.Dir(a.Input) != path.Dir(g[0].Input) })
}

func twice(g []attachment, nodes []string) Hit {
	v := g[0].volume
	return Hit{
		Objects: refsWithNodes(g...),
		Shown:   quote(g, "spec.nodeName", "status.attached"),
		Text: fmt.Sprintf("Volume %s is for one node at a time, and its VolumeAttachments say that it is attached to %s. What runs on them may write "+
			"to it at once.", g[0].name(), words.List(nodes)),
		Remedy: fmt.Sprintf("Look up in the storage system of %s which nodes have %s, and stop its pods on all nodes but one before deleting "+
			"anything.", cmp.Or(v.Driver, g[0].Value().Spec.Attacher), cmp.Or(v.Handle, v.Key())),
	}
}

func second(g []attachment, attached []string) Hit {
	where := "attached to none of them"
	if len(attached) > 0 {
		where = "attached to " + attached[0]
	}
	return Hit{
		Severity: "warning", Objects: refsWithNodes(g...),
		Shown: quote(g, "spec.nodeName", "status.attached", "status.attachError.message", "metadata.deletionTimestamp"),
		Text: fmt.Sprintf("Volume %s is for one node at a time and has VolumeAttachments on %s; it is %s.",
			g[0].name(), words.List(append(slices.Clone(attached), onNodes(g, false)...)), where),
		Remedy: "See what became of the detach from the node before; delete no attachment while a pod on its node may use the volume.",
	}
}

func lookAttachmentNodeGone(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool { return nodeGone(w, a.node()) && !s.held[a.place()] })
	for _, g := range grouped(list, attachment.node) {
		node := g[0].node()
		hit(Hit{
			Objects: append([]model.Ref{nodeRef(node)}, refsOf(g...)...),
			Text: fmt.Sprintf("%s for %s, which does not exist: the bundle lists %s%s.",
				attach(g), node, words.Count(len(w.Nodes), "other Node"), deletingToo(g)),
			Remedy: fmt.Sprintf("When the machine %s is certainly gone, delete its attachment (kubectl delete volumeattachment %s). Take a "+
				"finalizer away only when the storage system shows the volume detached.", node, word(g[0].Ref.Name)),
			Shown: quote(g, "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
}

// attach begins a sentence about some attachments.
func attach(g []attachment) string {
	if len(g) == 1 {
		return "VolumeAttachment " + g[0].Ref.Name + " of " + g[0].name() + " is"
	}
	return fmt.Sprintf("%d VolumeAttachments, of %s, are", len(g), words.List(namesOf(g)))
}

// deletingToo counts the attachments that are being deleted.
func deletingToo(g []attachment) string {
	n := len(facts.Where(g, attachment.deleting))
	if n == 1 && len(g) == 1 {
		return "; it is being deleted"
	}
	return words.If(n > 0, fmt.Sprintf("; %d of them being deleted", n))
}

func lookAttachmentVolumeGone(w *facts.World, s *scene, hit func(Hit)) {
	for _, a := range attachments(w, func(a attachment) bool { return volumeGone(w, a.pv) }) {
		hit(Hit{
			Objects: refsWithNodes(a),
			Text: fmt.Sprintf("VolumeAttachment %s on %s is of PersistentVolume %s, which does not exist: the bundle lists %s%s. The attacher "+
				"reads driver and handle from it and can not detach without.",
				a.Ref.Name, a.node(), a.pv, words.Count(len(w.PVs), "other"), deletingToo([]attachment{a})),
			Remedy: fmt.Sprintf("Find the volume of %s in the storage system of %s and detach it from %s there; only then take the finalizer of "+
				"VolumeAttachment %s away.", a.pv, a.Value().Spec.Attacher, a.node(), a.Ref.Name),
			Shown: quote([]attachment{a}, "spec.source.persistentVolumeName", "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
}

func lookAttachmentWithoutPod(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool {
		if !a.Value().Status.Attached || a.deleting() || s.about(a.place()) {
			return false
		}
		return atLeast(w, a.Value().CreationTimestamp) > 0 && unused(w, a.volume, a.node()) && w.InUse(a.volume, a.node()) == nil
	})
	for _, a := range list {
		claim := a.volume.Claim
		hit(Hit{
			Objects: append(refsWithNodes(a), claimRef(claim)),
			Text: fmt.Sprintf("Volume %s is attached to %s, where no pod of the bundle uses its claim %s, and the node does not list it as in "+
				"use. A detach that begins during the collection would look the same.", a.name(), a.node(), claim),
			Remedy: fmt.Sprintf("Look again (kubectl get volumeattachment %s). When it is still there, nobody uses %s and the controller's log "+
				"does not mention it, restart the kube-controller-manager.", word(a.Ref.Name), claim),
			Shown: quote([]attachment{a}, "spec.nodeName", "status.attached"),
		})
	}
}

// unused reports that no pod on a node uses a volume or just did, with claim, Node and pods listed, and that nothing moved lately.
func unused(w *facts.World, v *facts.Volume, node string) bool {
	if v == nil || movedLately(w, v, node) {
		return false
	}
	for _, s := range v.Same() { // the pods of each claim on the handle count
		if s.Claim.Name == "" || !w.Listed("Pod", s.Claim.Namespace) {
			return false
		}
	}
	if _, ok := w.Node(node); !ok {
		return false
	}
	return !slices.ContainsFunc(w.UsersAt(v, node), func(p pod) bool { return !facts.Finished(p.Value()) })
}

// stays reports that a pod has not ended and is not asked to.
func stays(p *corev1.Pod) bool { return !facts.Finished(p) && p.DeletionTimestamp == nil }

// lately is how long before the collection an attach or a detach may still be under way: the controller waits two minutes for one.
const lately = 2 * time.Minute

// movedLately reports that a volume was attached to a node, detached from it or asked to be shortly before the collection.
func movedLately(w *facts.World, v *facts.Volume, node string) bool {
	at := w.Axis.CapturedAt
	moves := facts.Kinds(model.AttachStarted, model.AttachSucceeded, model.AttachmentCreated, model.AttachmentAttached, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint, model.AttacherDetached,
		model.VolumeMarkedDetached, model.DetachVerifiedSafe)
	return at != nil && facts.First(w.ByVolume[v], facts.After(at.Earliest.Add(-lately)), func(o *model.Observation) bool {
		return moves(o) && (o.Node == node || o.Node == "")
	}) != nil
}

// Attaches and detaches that fail or do not come to an end; attachment.go has where attachments are.

func lookAttachError(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool {
		return a.refused() && !s.wanted[a.place()]
	})
	type group struct{ node, attacher, message string }
	for _, g := range grouped(list, func(a attachment) group {
		return group{a.node(), a.Value().Spec.Attacher, a.Value().Status.AttachError.Message}
	}) {
		first := g[0]
		e := first.Value().Status.AttachError
		at := words.If(!e.Time.IsZero(), " (last at "+e.Time.UTC().Format("2006-01-02 15:04:05")+" UTC)")
		hit(Hit{
			Objects: refsWithNodes(g...),
			Text: fmt.Sprintf("%s could not be attached to %s by %s%s: %s",
				volumesText(namesOf(g)), first.node(), first.Value().Spec.Attacher, at, cmp.Or(shorten(e.Message), "the error has no text")),
			Remedy: strings.TrimSuffix(attacherTries, ".") + ": kubectl describe volumeattachment " + word(first.Ref.Name),
			Shown:  quote(g, "status.attachError.message"), Since: first.Value().CreationTimestamp,
		})
	}
}

// attachPatience: after five minutes (--retry-interval-max) the attacher has retried and reported. Recordings: 3 to 10 s.
const attachPatience = 300 * time.Second

func lookAttachmentPending(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool {
		if s := a.Value().Status; s.Attached || s.AttachError != nil || a.deleting() {
			return false
		}
		return !s.wanted[a.place()] && a.whole(w) && atLeast(w, a.Value().CreationTimestamp) > attachPatience
	})
	type group struct {
		attacher string
		taken    bool
	}
	for _, g := range grouped(list, func(a attachment) group { return group{a.Value().Spec.Attacher, takenUp(a)} }) {
		why := "An external-attacher has begun, and reports neither success nor an error."
		if !takenUp(g[0]) {
			why = "No finalizer of an external-attacher is there: none for " + g[0].Value().Spec.Attacher + " has begun."
		}
		what := fmt.Sprintf("VolumeAttachment %s for %s on %s was created %s and is not attached.",
			g[0].Ref.Name, g[0].name(), g[0].node(), ago(w, g[0].Value().CreationTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) were created more than five minutes ago and are not attached; the first of these %s.",
				len(g), words.List(namesOf(g)), ago(w, g[0].Value().CreationTimestamp))
		}
		hit(Hit{
			Objects: refsWithNodes(g...), Text: what + " " + why,
			Remedy: fmt.Sprintf("See whether the external-attacher for %s runs and leads, and what its log says of %s.",
				g[0].Value().Spec.Attacher, g[0].Ref.Name),
			Shown: quote(g, "metadata.creationTimestamp", "status.attached"), Since: g[0].Value().CreationTimestamp,
		})
	}
}

// takenUp reports that an external-attacher has put its finalizer on the attachment, which it does before it attaches.
func takenUp(a attachment) bool {
	return slices.ContainsFunc(a.Value().Finalizers, func(f string) bool { return strings.HasPrefix(f, "external-attacher/") })
}

func lookAttachmentDeleting(w *facts.World, s *scene, hit func(Hit)) {
	list := attachments(w, func(a attachment) bool {
		if !a.deleting() || len(a.Value().Finalizers) == 0 || a.Value().Status.DetachError != nil {
			return false
		}
		return !s.held[a.place()] && a.whole(w) && atLeast(w, *a.Value().DeletionTimestamp) > upstream.CSITimeout
	})
	type group struct{ node, finalizers string }
	for _, g := range grouped(list, func(a attachment) group { return group{a.node(), strings.Join(a.Value().Finalizers, ", ")} }) {
		first := g[0]
		what := fmt.Sprintf("VolumeAttachment %s of %s on %s was deleted %s",
			first.Ref.Name, first.name(), first.node(), ago(w, *first.Value().DeletionTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) on %s were deleted, the first of these %s",
				len(g), words.List(namesOf(g)), first.node(), ago(w, *first.Value().DeletionTimestamp))
		}
		hit(Hit{
			Objects: refsWithNodes(g...),
			Text:    fmt.Sprintf("%s; %s still holds it, and no error of a detach is reported.", what, strings.Join(first.Value().Finalizers, ", ")),
			Remedy: fmt.Sprintf("See what the external-attacher for %s logs about %s, and restart it when it logs nothing. Take the finalizer "+
				"away only when the storage system shows %s detached from %s.",
				first.Value().Spec.Attacher, first.Ref.Name, first.name(), first.node()),
			Shown: quote(g, "metadata.deletionTimestamp", "metadata.finalizers", "status.attached"), Since: *first.Value().DeletionTimestamp,
		})
	}
}
