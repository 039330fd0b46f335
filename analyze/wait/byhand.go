package wait

import (
	"cmp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// typedKinds are the statements by which sessions, histories and chats tell of an act.
var typedKinds = []model.Kind{model.CommandTyped, model.CommandWritten, model.PodDeletionRequested, model.EvictionRefused, model.AttachmentDeletionRequested, model.NodeDeleted,
	model.NodeCordoned, model.NodeTainted, model.WorkloadScaled}

// typedFor reports that an act was typed for an object of the case, or beside it.
func (c *Case) typedFor(o *model.Observation) bool {
	told := typed(o) || Unanswered(o)
	return told && (c.owns(o.Object) || c.beside(o.Object))
}

// Unanswered reports that a statement is a command of which nothing shows what it did: one that was typed, or no more than written.
func Unanswered(o *model.Observation) bool {
	return o.Kind == model.CommandTyped || o.Kind == model.CommandWritten
}

// commands are those for objects of the case, or beside it, of which nothing shows what they did.
func (c *Case) commands() []*model.Observation {
	return facts.Where(slices.Concat(c.World.ByKind[model.CommandTyped], c.World.ByKind[model.CommandWritten]), c.typedFor)
}

// Outcome tells of a command, by all that show it, how far it went: what is only typed may have failed, what is only written may be advice. What a
// cloud says last of the disk, below it, is its answer.
func (c *Case) Outcome(shown ...*model.Observation) string {
	out := "may have been run"
	for _, o := range shown {
		below := cloudSaid(c.World, func(d *model.Observation) bool {
			return d.Input == o.Input && d.Source.Line > o.Source.Line && sameCloudID(d.Object.Name, o.Object.Name)
		}, model.DiskAttached, model.DiskFree)
		slices.SortFunc(below, func(a, b *model.Observation) int { return cmp.Compare(b.Source.Line, a.Source.Line) })
		switch answer := append(below, &model.Observation{})[0]; {
		case answer.Kind == model.DiskFree:
			return "was run (the cloud says “" + answer.Detail + "”)"
		case answer.Detail == "detaching":
			return "was run and is not finished (the cloud says “detaching”)"
		case o.Kind == model.CommandTyped:
			out = "was typed"
		}
	}
	return out
}

// owns reports that an object to which a command was typed is one of the case.
func (c *Case) owns(r model.Ref) bool {
	switch r.Kind {
	case "Pod":
		named := func(p model.Ref) bool { return p.Name == r.Name && oneNamespace(p, r) }
		return c.NamedAgain(r) || slices.ContainsFunc(c.OldPods, named)
	case "Node":
		return r.Name == c.From
	case "Machine":
		return isMachine(c.World, r.Name, c.From) || alikeName(r.Name, c.From)
	case "Disk":
		return isDisk(r.Name, c.Volume) || c.Volume.PersistentVolume != "" && strings.HasSuffix(r.Name, c.Volume.PersistentVolume)
	case "VolumeAttachment":
		return r.Name == c.Attachment.Name
	case "PersistentVolume":
		return r.Name == c.Volume.PersistentVolume
	case "PersistentVolumeClaim":
		return r.Name == c.Volume.Claim.Name && oneNamespace(r, c.Volume.Claim)
	default:
		return c.Workload != nil && r.Kind == c.Workload.Kind && r.Name == c.Workload.Name && oneNamespace(r, *c.Workload)
	}
}

// beside reports that nothing tells whose an object is, and that it is of a kind that the case lacks, whose volume alone is reported: what people
// type beside one report is about it.
func (c *Case) beside(r model.Ref) bool {
	if r.Kind == "Disk" {
		return c.Volume.Handle == "" && c.alone()
	}
	if r.Kind == "VolumeAttachment" {
		return c.Attachment.Name == "" && c.alone()
	}
	unnamed, from := len(c.OldPods)+len(c.NewPods) == 0, c.From == "" && r.Name != c.To
	lacks := map[string]bool{"Pod": unnamed, "Node": from, "Machine": from, "Deployment": unnamed && c.Workload == nil, "StatefulSet": unnamed && c.Workload == nil}
	return lacks[r.Kind] && c.alone()
}

// Beside reports that an action was typed beside the case: it is told, and nothing shows what it came to.
func (c *Case) Beside(a Action) bool {
	o := a.At.Witness[0]
	return c.typedFor(o) && !c.owns(o.Object)
}

// alone reports that no other volume is reported.
func (c *Case) alone() bool {
	return facts.Find(c.World.ByKind[model.MultiAttach], func(o *model.Observation) bool { return c.World.Volumes.Find(o.Volume) != c.Volume }) == nil
}

// requested reports that a statement is the request itself: in the audit log, or in the session in which it was typed.
func requested(o *model.Observation) bool { return facts.FromAudit(o) || typed(o) }

// typed reports that a session shows a command and what it answered.
func typed(o *model.Observation) bool { return o.Source.Kind == model.SourceText && actedBy(o) }

// ForceDeleted cites the forced deletion, in an open wait, of a pod that may have held the volume: the old one, or one of the name of a pod that
// waits, which a StatefulSet gives again; or else the command for it that was typed. Nil where nothing shows one.
func (c *Case) ForceDeleted() *model.Observation {
	if !c.Span.Open {
		return nil
	}
	done := facts.Find(c.World.ByKind[model.PodDeletionRequested], func(o *model.Observation) bool {
		forced := strings.HasPrefix(o.Detail, graceless) && requested(o)
		return forced && (c.NamedAgain(o.Pod) || c.isOldPod(o.Pod) || c.typedFor(o))
	})
	return cmp.Or(done, facts.Find(c.commands(), func(o *model.Observation) bool {
		return o.Object.Kind == "Pod" && strings.HasSuffix(o.Detail, " --force")
	}), c.deed(model.SaidForced))
}

// edited are the edits of a VolumeAttachment of the volume by hand.
func (c *Case) edited() []*model.Observation {
	return facts.Where(c.World.ByKind[model.AttachmentEdited], func(o *model.Observation) bool {
		ours := func(o *model.Observation) bool {
			return !o.Volume.IsZero() && c.World.Volumes.Find(o.Volume) == c.Volume
		}
		return o.Attachment == c.Attachment.Name || facts.Find(c.World.ByAttach[o.Attachment], ours) != nil
	})
}

// Deeds are what authors tell that somebody did by hand to the volume, its attachment or a pod that may have held it.
func (c *Case) Deeds() []*model.Observation {
	return facts.Where(c.World.ByKind[model.AuthorSaid], func(o *model.Observation) bool {
		ours := o.Pod.Name == "" || c.owns(o.Pod) || len(c.OldPods)+len(c.NewPods) == 0
		return o.Deed() && ours && c.alone()
	})
}

// deed is the first of a kind; nil for none.
func (c *Case) deed(what string) *model.Observation {
	return facts.Find(c.Deeds(), func(o *model.Observation) bool { return strings.HasPrefix(o.Detail, what+": ") })
}

// EvictionRefused cites what shows that in an open wait a disruption budget forbade the eviction of a pod that has the volume; else nil.
func (c *Case) EvictionRefused() *model.Observation {
	return facts.Find(c.World.ByKind[model.EvictionRefused], func(o *model.Observation) bool { return c.Span.Open && c.owns(o.Pod) })
}

// DetachedByHand cites the first that shows, or says, that the volume was to be detached past its driver: an author's word, an edit of its
// attachment, a command to its storage. Nil for none.
func (c *Case) DetachedByHand() *model.Observation {
	past := facts.Where(c.Deeds(), func(o *model.Observation) bool {
		return strings.HasPrefix(o.Detail, model.SaidUnheld+": ") || strings.HasPrefix(o.Detail, model.SaidDetached+": ")
	})
	list := slices.Concat(past, c.edited(), facts.Where(c.commands(), func(o *model.Observation) bool { return o.Object.Kind == "Disk" }))
	return append(list, nil)[0]
}

// ByHand cites what shows, or says, that the volume was to be taken from its node by hand: past its driver, or by the deletion of its attachment or,
// by force, of its pod. Nil for none.
func (c *Case) ByHand() *model.Observation {
	return cmp.Or(c.DetachedByHand(), append(c.Deeds(), nil)[0], takenByHand(c.World, c.typedFor))
}

// TakenByHand cites what was typed, or is told, that takes a volume from its node without its unmount, whose wait nothing reports. Nil for none.
func TakenByHand(w *facts.World) *model.Observation {
	return cmp.Or(takenByHand(w, func(o *model.Observation) bool { return typed(o) || Unanswered(o) }),
		facts.Find(w.ByKind[model.AuthorSaid], (*model.Observation).Deed))
}

// takenByHand cites the deletion or edit of a VolumeAttachment, the out-of-service taint of a node or the forced deletion of a pod, that a test lets
// count.
func takenByHand(w *facts.World, counts func(*model.Observation) bool) *model.Observation {
	for _, kind := range []model.Kind{model.CommandTyped, model.CommandWritten, model.PodDeletionRequested, model.AttachmentDeletionRequested} {
		if found := facts.Find(w.ByKind[kind], func(o *model.Observation) bool {
			tainted := strings.Contains(o.Detail, upstream.OutOfServiceTaint) && !strings.HasSuffix(o.Detail, "-")
			forced := strings.HasSuffix(o.Detail, " --force") || o.Detail == graceless
			taken := o.Object.Kind == "VolumeAttachment" || tainted || forced
			return taken && counts(o)
		}); found != nil {
			return found
		}
	}
	return nil
}

// NamedAgain reports that a pod has the name of one that waits, which a StatefulSet gives again, and is not that one. A command may lack the namespace.
func (c *Case) NamedAgain(pod model.Ref) bool {
	return slices.ContainsFunc(c.NewPods, func(p model.Ref) bool {
		return p.Name == pod.Name && oneNamespace(p, pod) && (pod.UID == "" || pod.UID != p.UID)
	})
}

// Unheld cites, in an open wait, the VolumeAttachment whose finalizers a session shows to have been taken away, so that its driver was not asked
// to detach: the blocking one or, where that is not known, any. Nil where nothing shows one.
func (c *Case) Unheld() *model.Observation {
	if !c.Span.Open {
		return nil
	}
	return cmp.Or(facts.Find(c.World.ByKind[model.ObjectShown], func(o *model.Observation) bool {
		own := c.Attachment.Name == "" || c.Attachment.Name == o.Object.Name
		return own && o.Object.Kind == "VolumeAttachment" && o.Detail == model.Unheld
	}), facts.Find(c.edited(), func(o *model.Observation) bool { return o.Detail == model.EditedFinalizers }), c.deed(model.SaidUnheld))
}
