package check

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// attachment is a VolumeAttachment of the bundle with what it attaches.
type attachment struct {
	*model.Object[*storagev1.VolumeAttachment]
	pv, on string              // the PersistentVolume, empty for an inline volume, and the node
	volume *reconstruct.Volume // nil for an inline volume that nothing else names
}

func (a attachment) node() string { return a.on }

// name is the volume's, for a sentence.
func (a attachment) name() string {
	switch {
	case a.pv != "":
		return a.pv
	case a.volume != nil:
		return a.volume.Key()
	}
	return "an inline volume"
}

// place is where the volume is attached, as an incident would name it.
func (a attachment) place() placed { return placed{a.volume.Storage(), a.on} }

// exclusive reports whether only one node may have the volume, as far as is known.
func (a attachment) exclusive() bool { return a.volume != nil && exclusiveVolume(a.volume) }

func exclusiveVolume(v *reconstruct.Volume) bool {
	exclusive, known := v.Exclusive()
	return exclusive && known
}

// attachments are the VolumeAttachments of the bundle that pass a test, ordered by volume and node; their names are hashes.
func attachments(w *reconstruct.World, test func(attachment) bool) []attachment {
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
func namesOf(g []attachment) []string { return each(g, attachment.name) }

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
	return withoutRepeats(append(refsOf(g...), each(g, func(a attachment) model.Ref { return nodeRef(a.on) })...))
}

// quote cites fields of the first few attachments.
func quote(g []attachment, fields ...string) []*model.Observation {
	return quoted(g, func(a attachment) []*model.Observation { return reconstruct.CiteAll(*a.Object, fields...) })
}

var attachedTwice = Check{
	ID: "attached-twice", Severity: "critical", Title: "A volume for one node has attachments on several",
	Remedy: "Find out in the storage system which node has the volume, and stop the pods on the other before anything is deleted.",
	Means: `The PersistentVolume allows one node. With status.attached true on two nodes the storage system was told twice to let a node
have it, and both may write to one file system: critical. With true on one the other waits, or its attach failed: a warning.`,
	DecidedBy: "VolumeAttachments of one PersistentVolume on two nodes in one list; its access modes are not ReadWriteMany or ReadOnlyMany.",
	LeftAlone: "Volumes whose access modes the bundle does not tell; a second attachment that waits while an open incident tells why.",
	References: []string{"kubernetes pkg/volume/util IsMultiAttachAllowed, 1.15–1.36",
		"kubernetes PR 120595: a second attachment after a failed detach (1.26.10, 1.27.7, 1.28.3, 1.29.0)"},
	Needs: []Need{needAttachments, needVolumes}, Look: lookAttachedTwice,
}

func lookAttachedTwice(w *reconstruct.World, cases []*reconstruct.Case, hit func(Hit)) {
	incident := map[*reconstruct.Volume]bool{}
	for _, c := range cases {
		incident[c.Volume.Storage()] = incident[c.Volume.Storage()] || !c.Resolved()
	}
	for _, g := range grouped(attachments(w, attachment.exclusive), func(a attachment) *reconstruct.Volume { return a.volume.Storage() }) {
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
	on := only(g, func(a attachment) bool { return a.Value().Status.Attached == attached })
	return withoutRepeats(each(on, attachment.node))
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

var attachmentName = Check{
	ID: "attachment-name", Severity: "info", Title: "A VolumeAttachment does not have the name that Kubernetes gives it",
	Remedy: "Find out who created the attachment, and whether names in the bundle were replaced, before acting on it.",
	Means: `The attach/detach controller names the VolumeAttachment of a CSI volume csi- and the SHA-256 of volume handle, driver and
node. Another name means that something else created the attachment, so that the controller will not delete it; or that the PersistentVolume
was replaced since; or that names in the bundle were replaced, so that nothing in it can be matched with the cluster.`,
	DecidedBy:  "The name of a VolumeAttachment against the hash of its node, its attacher and the volumeHandle of its PersistentVolume.",
	LeftAlone:  "Inline volumes; in-tree volumes, whose handle is translated; volumes whose PersistentVolume is not in the bundle.",
	References: []string{"kubernetes pkg/volume/csi/csi_attacher.go getAttachmentName, 1.13–1.36"},
	Needs:      []Need{needAttachments, needVolumes}, Look: lookAttachmentName,
}

// hashed is the shape of the controller's names.
var hashed = regexp.MustCompile(`^csi-[0-9a-f]{64}$`)

func lookAttachmentName(w *reconstruct.World, _ []*reconstruct.Case, hit func(Hit)) {
	compared := 0
	wrong := attachments(w, func(a attachment) bool {
		if a.pv == "" || a.volume == nil || a.volume.PV == nil || a.volume.PV.Value().Spec.CSI == nil {
			return false
		}
		compared++
		return a.Ref.Name != expectedName(a)
	})
	if len(wrong) > 1 && len(wrong) == compared {
		hit(noneMatches(wrong))
		return
	}
	for _, a := range wrong {
		hit(Hit{
			Objects: refsWithNodes(a), Shown: nameEvidence(a),
			Text: fmt.Sprintf("VolumeAttachment %s attaches %s to %s, but Kubernetes would have called it %s. %s",
				a.Ref.Name, a.pv, a.on, expectedName(a), whyOther(a)),
		})
	}
}

func expectedName(a attachment) string {
	return model.AttachmentName(a.volume.PV.Value().Spec.CSI.VolumeHandle, a.Value().Spec.Attacher, a.node())
}

// whyOther names what can be the reason, as far as the objects show.
func whyOther(a attachment) string {
	made, replaced := a.Value().CreationTimestamp, a.volume.PV.Value().CreationTimestamp
	switch {
	case !hashed.MatchString(a.Ref.Name):
		return "The name is not of the controller's kind: something else created the attachment, and the controller will not delete it."
	case !made.IsZero() && made.Before(&replaced):
		return "The PersistentVolume is younger than the attachment: it was created anew since, perhaps with another volume handle."
	}
	return "Either names in the bundle were replaced, or something else created the attachment."
}

// noneMatches is one finding for a bundle in which all names are wrong: it was probably edited.
func noneMatches(wrong []attachment) Hit {
	why := "Names of nodes or volumes in the bundle were probably replaced; then names in this report are not those of the cluster."
	if !slices.ContainsFunc(wrong, func(a attachment) bool { return hashed.MatchString(a.Ref.Name) }) {
		why = "None has the shape of the controller's names: something else created them, or their names were replaced."
	}
	return Hit{
		Objects: refsOf(wrong...), Shown: quoted(wrong, nameEvidence),
		Text: fmt.Sprintf("None of the names of %d VolumeAttachments follows from the volume handle, the driver and the node. %s",
			len(wrong), why),
	}
}

func nameEvidence(a attachment) []*model.Observation {
	return append(reconstruct.CiteAll(*a.Object, "metadata.name", "spec.nodeName", "spec.attacher"),
		reconstruct.CiteAll(*a.volume.PV, "spec.csi.volumeHandle")...)
}
