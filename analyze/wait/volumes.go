package wait

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// fillAttach finds the attach to the new node, or that nobody wants it any more, and when the controller noticed it. An event names the pod and no node.
func fillAttach(c *Case) {
	c.AttachNoticed = seen(facts.First(c.said(), facts.After(c.Began.At),
		facts.And(facts.Kinds(model.AttachSucceeded), c.toWanted)))
	c.Attached, c.NewAttachment = attached(c)
	if c.Refused && c.RefusedAt() == "mount" {
		c.Attached = mountedAt(c)
	}
	if !c.Attached.Known() {
		c.DemandEnded = demandEnded(c)
	}
	if r := ready(c); r.Known() && !c.Ended().Known() {
		m := model.Between(c.Began.Earliest, r.Latest)
		m.At = r.At
		c.Attached = derived(m, "a pod is Ready only when its volumes are attached", r.Witness...)
	}
}

// mountedAt is when a volume whose mount was refused was mounted: by the kubelet's word, or by what it does only then.
func mountedAt(c *Case) facts.Instant {
	since := facts.After(c.Began.At)
	return seen(cmp.Or(facts.First(c.said(), since, facts.And(facts.Kinds(model.MountSucceeded), mayBeOn(c.To))),
		facts.First(c.about(c.NewPods), since, hasVolumes)))
}

// endTaken ends with the detach what is told of a detach alone: no pod is known to wait. The line of the force is only its beginning.
func endTaken(c *Case) {
	if c.Taken {
		c.DemandEnded = c.Gone
	}
}

// ready is when a new pod was Ready. One of a volume that moved is not Ready before the attach.
func ready(c *Case) facts.Instant {
	fresh := c.about(c.NewPods)
	i := c.readyByKubelet(seen(facts.First(fresh, facts.After(c.Began.At), facts.Kinds(model.PodReady))), fresh)
	if c.From != "" && i.Before(c.Attached) {
		return facts.Instant{}
	}
	return i
}

// fillDetach finds the detach from the old node.
func fillDetach(c *Case) {
	if c.From == "" {
		return
	}
	c.Lives = c.lives()
	last := c.Held()
	c.DetachRequested, c.Gone, c.held = last.DeletionRequested, last.Gone, last.held
	if c.FoundDetached() != nil && width(c.DetachRequested) > PhaseMargin {
		c.DetachRequested, c.Gone = facts.Instant{}, facts.Instant{} // bounds too wide to stand for an instant
	}
	c.Forced = seen(facts.First(c.said(), c.held, facts.And(facts.Kinds(model.DetachForcedTimeout, model.DetachForcedTaint), onNode(c.From))))
	c.DetachErrors = detachErrors(c)
}

// attachPoll is the longest pause of the controller between two looks at a VolumeAttachment: 0.5 s to 7 s, each longer by a twentieth
// than the one before, and all by up to a tenth at random (csi_attacher.go, waitForVolumeAttachDetachStatusWithLister; 7.4 s measured).
const attachPoll = 7700 * time.Millisecond

// attached is when the volume was attached on the wanted node: by the attacher's line, the object or the controller; and its creation.
func attached(c *Case) (attached, created facts.Instant) {
	list, own := c.said(), c.World.ByAttach[c.next.Name]
	var noticed *model.Observation
	if c.AttachNoticed.Known() {
		noticed = c.AttachNoticed.Witness[0]
	}
	created = firstCreation(c, list, own)
	start := c.Began.At
	if created.Known() && created.At.After(start) {
		start = created.Earliest
	}
	exact := facts.First(own, facts.After(start), facts.Kinds(model.AttacherAttached))
	object := facts.First(own, facts.After(start.Add(-time.Second)), facts.Kinds(model.AttachmentAttached))
	if told := object != nil || noticed != nil; told && exact != nil && exact.At.Vague() {
		exact = nil // a clock that nothing sets
	}
	switch {
	case exact != nil:
		attached = corroborate(attachPoll, seen(exact), seen(object), seen(noticed))
		attached.Moment = written(exact, own, noticed)
	case object != nil:
		attached = corroborate(attachPoll, seen(object), seen(noticed))
		// The object has the last write of its status, four seconds after the first when many volumes were attached at once.
		attached.Moment = object.At.As(model.Derived)
		attached.Earliest = model.Earlier(object.At.Latest, model.Later(start, object.At.Earliest.Add(-attachPoll)))
		attached.At = within(object.At.At, attached.Moment)
	case noticed != nil:
		m := noticed.At.Widen(attachPoll, 0)
		failed := facts.Last(list, facts.During(start, noticed.At.At),
			facts.And(facts.Kinds(model.AttachFailed, model.OperationTimeout), mayBeOn(c.To)))
		if failed != nil {
			m.Earliest = model.Earlier(m.Earliest, failed.At.Earliest) // it noticed only after its own back-off
		}
		m.Earliest = model.Later(m.Earliest, created.Earliest)
		attached = derived(m, "the controller notices the attach up to 8 s late", noticed)
	}
	return c.attachedByKubelet(attached, list), created
}

// written is when the attacher's success stood in the VolumeAttachment. It logs the driver's answer before it writes the status, which
// takes over a second when many volumes queue, and at V(4) a second line after it.
func written(exact *model.Observation, own []*model.Observation, noticed *model.Observation) model.Moment {
	m := exact.At
	poll := facts.During(exact.At.At, exact.At.At.Add(attachPoll))
	if full := facts.First(own, poll, facts.And(facts.Kinds(model.AttachmentAttached), fromLog)); full != nil {
		m.At, m.Latest = full.At.At, full.At.Latest
		return m
	}
	m.Latest = m.Latest.Add(attachPoll)
	if noticed != nil && noticed.At.At.After(m.At) && noticed.At.Latest.Before(m.Latest) {
		m.Latest = noticed.At.Latest
	}
	return m
}

func fromLog(o *model.Observation) bool { return o.Source.Kind == model.SourceLog }

// firstCreation is when the VolumeAttachment on the new node was made: by log lines milliseconds around it; the object has whole seconds.
func firstCreation(c *Case, list, own []*model.Observation) facts.Instant {
	started := facts.First(list, facts.After(c.Began.At), facts.And(facts.Kinds(model.AttachStarted), onNode(c.To)))
	if c.To == "" {
		started = nil
	}
	made := facts.First(own, facts.After(c.Began.At.Add(-time.Second)), facts.Kinds(model.AttachmentCreated))
	if started == nil && made == nil {
		return attacherSaw(facts.First(own, facts.After(c.Began.At), facts.Kinds(model.AttacherAttaching)))
	}
	return corroborate(time.Second, seen(started), seen(made))
}

// attacherQueue bounds how long a change of a VolumeAttachment waits for the attacher: up to 7 s with 15 volumes at once.
const attacherQueue = 10 * time.Second

// attacherSaw is the time of a change as the attacher's first line about it bounds it.
func attacherSaw(o *model.Observation) facts.Instant {
	if o == nil {
		return facts.Instant{}
	}
	return derived(o.At.Widen(attacherQueue, 0), "the attacher works on a change up to some seconds after it", o)
}

// attacherSawDeletion allows for an attacher that was down: it works on what had been asked of it before it started.
func (c *Case) attacherSawDeletion(o *model.Observation) facts.Instant {
	i := attacherSaw(o)
	if o == nil {
		return i
	}
	in := c.World.Inputs[o.Input]
	if known := in != nil && in.From != nil; known && in.Kind == "log/external-attacher" && in.From.After(c.Began.Latest) {
		i.Earliest = model.Earlier(c.Began.Earliest, i.Earliest)
		i.Rule = "the attacher's log begins within the wait; the deletion may be as old as the wait"
		return i
	}
	while := facts.During(o.At.At.Add(-attacherQueue), o.At.At)
	if up := facts.Last(c.World.ByKind[model.AttacherStarted], while, facts.Kinds(model.AttacherStarted)); up != nil {
		i.Earliest = model.Earlier(c.Began.Earliest, i.Earliest)
		i.Rule = "the attacher had just started; the deletion may be as old as the wait"
		i.Witness = append(i.Witness, up)
	}
	return i
}

// demandEnded is when every waiting pod had been deleted without getting the volume.
func demandEnded(c *Case) facts.Instant {
	// What a session shows being deleted at its end has a successor that it does not show. Of a report whose age counts back from a time that
	// nothing records, what another source dates may have come before it.
	list := facts.Where(facts.After(c.Began.At).Of(c.about(c.NewPods)), func(o *model.Observation) bool {
		return !typed(o) && (c.Began.Basis != model.Assumed || o.Input == c.Reports[0].Input)
	})
	left := lastOfPods(c.NewPods, list, model.PodDeletionRequested, model.ReplicaDeleted, model.PodEvictionDecided, model.PodGone)
	if came := c.succeeded(); came != nil && !left.Known() {
		return derived(came.At, "its volume came to another pod of the workload, and a later list lacks it", came)
	}
	return left
}

// succeeded is the attach for another pod of the workload, where a later list lacks each pod that waited.
func (c *Case) succeeded() *model.Observation {
	if len(c.NewPods) == 0 || slices.ContainsFunc(c.NewPods, func(p model.Ref) bool { return !c.World.Unlisted(p) }) {
		return nil
	}
	return facts.First(c.said(), facts.After(c.Began.At), func(o *model.Observation) bool {
		return o.Kind == model.AttachSucceeded && sameDeployment(o.Pod.Name, c.NewPods[0].Name)
	})
}

// detachRequested is when the old VolumeAttachment got its deletionTimestamp: by its own record, by the attacher that saw it, or by the
// controller's line, which comes milliseconds before.
func detachRequested(c *Case, held facts.Window) facts.Instant {
	own := c.own()
	attacher, controller := facts.First(own, held, facts.Kinds(model.AttacherDetaching)), c.firstDetach(held)
	asked := func(o *model.Observation) bool { return o.Kind == model.AttachmentDeletionRequested && !c.madeBelow(o) }
	if object := seen(facts.First(own, held, asked)); object.Known() {
		if i := corroborate(time.Second, object, controller); i.At.Sub(object.At).Abs() <= 2*time.Second {
			return i
		}
		return object
	}
	if !controller.Known() || attacher != nil && attacher.At.At.Before(controller.At.Add(-time.Second)) {
		return c.attacherSawDeletion(attacher)
	}
	if attacher != nil && attacher.At.At.Sub(controller.At) < attacherQueue {
		controller.Latest = model.Later(controller.Latest, attacher.At.Latest)
		controller.Witness = append(controller.Witness, attacher)
	}
	return controller
}

// madeBelow reports that a session shows the attachment that it deletes further down as made anew: the order of the lines tells what the
// width of their times does not.
func (c *Case) madeBelow(o *model.Observation) bool {
	return typed(o) && facts.First(c.own(), facts.After(c.Began.Latest.Add(remade)), func(m *model.Observation) bool {
		return m.Kind == model.AttachmentCreated && m.Input == o.Input && m.Source.Line > o.Source.Line
	}) != nil
}

// gone is when the old VolumeAttachment went away; the controller's notice, a new attachment or the sync that misses it are bounds.
func gone(c *Case, requested facts.Instant, held facts.Window, last bool) facts.Instant {
	own := c.own()
	if !requested.Known() {
		meanwhile := facts.During(model.Later(c.Began.At, held.From), held.To)
		if o := facts.First(own, meanwhile, facts.And(facts.Kinds(model.AttachmentGone), facts.FromMetric)); o != nil {
			return seen(o)
		}
		return goneUnasked(c, meanwhile, last)
	}
	from := facts.During(requested.At, held.To)
	if o := facts.First(own, from, facts.Kinds(model.AttachmentGone)); o != nil {
		return seen(o)
	}
	if o := facts.First(own, from, facts.Kinds(model.AttacherDetached)); o != nil {
		return derived(o.At.Widen(0, time.Second), "the attacher removes its finalizer right after the detach", o)
	}
	if a := c.Attachment.Object; a != nil && last && !a.Value().CreationTimestamp.After(requested.At) {
		return facts.Instant{} // it is still there
	}
	if noticed := facts.First(c.said(), from, facts.And(facts.Kinds(model.DetachSucceeded, model.VolumeMarkedDetached), onNode(c.From))); noticed != nil {
		return noticedGone(requested, noticed)
	}
	if c.Attached.Known() && c.Attached.At.After(requested.At) && last {
		between := model.Between(requested.Earliest, c.Attached.Latest)
		between.At = model.Later(between.At, requested.At)
		return derived(between, "the volume was attached elsewhere then", c.Attached.Witness...)
	}
	return facts.Instant{}
}

// goneUnasked is when the old attachment went away by the end of a detach alone: an excerpt may lack the line before. The controller calls a
// plugin of Kubernetes' own itself, and notices late what an attacher detaches.
func goneUnasked(c *Case, meanwhile facts.Window, last bool) facts.Instant {
	o := facts.First(c.said(), meanwhile, facts.And(facts.Kinds(model.DetachSucceeded), onNode(c.From)))
	if inTree := c.Volume.UniqueName != "" && c.Volume.Handle == ""; inTree && last {
		return seen(o)
	}
	stays := !last || c.Attachment.Object != nil
	if o == nil || stays || c.Ended().Known() {
		return facts.Instant{}
	}
	return noticedGone(c.Began, o)
}

// noticedGone is the end of a VolumeAttachment as the controller noticed it. A healthy detach is noticed within half a second. After a
// long wait the pauses between two looks have grown to a twentieth of it, and the end lies in the middle of one.
func noticedGone(requested facts.Instant, noticed *model.Observation) facts.Instant {
	if noticed.Kind == model.VolumeMarkedDetached {
		m := model.Between(model.Later(requested.Earliest, noticed.At.Earliest.Add(-upstream.AttachSyncPeriod)), noticed.At.Latest)
		return derived(m, "the controller's sync notices up to a minute late", noticed)
	}
	m := model.Between(model.Later(requested.Earliest, noticed.At.Earliest.Add(-attachPoll)), noticed.At.Latest)
	if m.At = m.Latest; noticed.At.At.Sub(requested.At) > 10*attachPoll {
		m.At = m.Latest.Add(-attachPoll / 2)
	}
	return derived(m, "the controller notices up to 8 s late", noticed)
}

// detachErrors are the failures of the detach from the old node, from the controller, the attacher and the object.
func detachErrors(c *Case) []*model.Observation {
	errors := append(those(c.said(), c.held, facts.Kinds(model.DetachFailed), onNode(c.From)), those(c.own(), c.held, func(o *model.Observation) bool {
		asked := c.DetachRequested.Known() && !o.At.At.Before(c.DetachRequested.At)
		return o.Kind == model.AttachmentDetachError || failedDetach(o) && asked
	})...)
	return slices.DeleteFunc(unique(errors), func(o *model.Observation) bool {
		return c.World.Unordered(append(slices.Clip(c.Began.Witness), o))
	})
}
