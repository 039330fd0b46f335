package wait

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ReadyCondition reports whether the old Node has been Ready since before the wait began, with the quote.
func (c *Case) ReadyCondition() (bool, *model.Observation) {
	node, cond, field := c.World.ReadyOf(c.From)
	if field == "" {
		return false, nil
	}
	return cond.Status == corev1.ConditionTrue && cond.LastTransitionTime.Time.Before(c.Began.At), facts.Cite(node, field+"lastTransitionTime")
}

// Tries are the external-attacher's detach calls for the blocking VolumeAttachment since its deletion was requested.
func (c *Case) Tries() []*model.Observation {
	if !c.DetachRequested.Known() {
		return nil
	}
	return those(c.own(), facts.After(c.DetachRequested.At.Add(-time.Second)), facts.Kinds(model.AttacherDetaching))
}

// LateTry is the attacher's first try of a detach of which most was over before it; nil where it tried in time, as far as its clock tells.
func (c *Case) LateTry(from, to time.Time) *model.Observation {
	tries := c.Tries()
	if len(tries) == 0 || c.World.Unordered(append(slices.Clip(c.DetachRequested.Witness), tries[0])) {
		return nil
	}
	late := tries[0].At.Earliest.Sub(from)
	return only(tries[0], late >= csiPoll && 2*late >= to.Sub(from))
}

// AttachSeen is the first line of the attach/detach controller, after the attach to the new node, that it succeeded; nil without one.
func (c *Case) AttachSeen() *model.Observation {
	return facts.First(c.said(), facts.After(c.Attached.Earliest), facts.And(facts.Kinds(model.AttachSucceeded), fromLog, onNode(c.To)))
}

// csiPoll is longer than an attacher that watches needs to see a deletion.
const csiPoll = 5 * time.Second

// DetachAnswers are the failures of the detach with which the driver or its storage answered, not those of a vain wait for the attacher.
func (c *Case) DetachAnswers() []*model.Observation {
	inVain := func(o *model.Observation) bool { return upstream.DetachFault(o.Detail) == upstream.FaultTimeout }
	return slices.DeleteFunc(slices.Clone(c.DetachErrors), inVain)
}

// AttachRefused are the driver's refusals to attach to the wanted node because the volume is attached elsewhere: gRPC
// FailedPrecondition, as the CSI specification has it for ControllerPublishVolume.
func (c *Case) AttachRefused() []*model.Observation {
	return those(c.said(), facts.After(c.Began.At), facts.Kinds(model.AttachFailed), says("FailedPrecondition"), mayBeOn(c.To))
}

// AttachFails are the errors with which attaches to the wanted node failed in a wait whose end is not seen; of a text without times, all.
func (c *Case) AttachFails() []*model.Observation {
	if c.Ended().Known() {
		return nil
	}
	failed := facts.Kinds(model.AttachFailed, model.AttachmentAttachError)
	return facts.Where(c.said(), func(o *model.Observation) bool {
		earlier := !o.At.At.IsZero() && o.At.At.Before(c.Began.At)
		wanted := c.To == "" || mayBeOn(c.To)(o)
		return failed(o) && !earlier && wanted
	})
}

// AttachTried is the newest failure of an attach to the wanted node after the last report of an open wait: the controller counts it on no other
// node since, which it asks before it attaches (reconciler.go attachDesiredVolumes, 1.13–1.36). nil where the storage says that another
// machine has it, and where the order is not certain.
func (c *Case) AttachTried() *model.Observation {
	tried := facts.Last(c.AttachFails(), facts.Window{}, func(o *model.Observation) bool {
		elsewhere := upstream.InUseElsewhere(o.Detail, c.To) || upstream.BeingDeleted(o.Detail) || says("FailedPrecondition")(o)
		return o.Kind == model.AttachFailed && !elsewhere
	})
	reported := func(o *model.Observation) bool {
		return !o.Last.Latest.Before(tried.Last.Earliest) && !describedBelow(tried, o)
	}
	return only(tried, tried != nil && !tried.At.At.IsZero() && !slices.ContainsFunc(c.Reports, reported))
}

// describedRow is a row of a description's events: kubectl describe sorts them by when they were last seen (event.SortableEvents), no other table so.
var describedRow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\W*(?:Normal|Warning)\s+\w+\s+\d\w*(?:\s\(x\d+ over \w+\))?\s+[a-z]+-controller\s`)
})

// describedBelow reports that a description has one event below another, and that their ages do not order them otherwise.
func describedBelow(o, above *model.Observation) bool {
	below := o.Input == above.Input && o.Source.Line > above.Source.Line && !above.Last.Earliest.After(o.Last.Latest)
	return below && describedRow().MatchString(o.Quote.Text) && describedRow().MatchString(above.Quote.Text)
}

// LostNodes are, when nothing shows which node held the volume, records of other nodes that were not Ready.
func (c *Case) LostNodes() []*model.Observation {
	named := map[string]bool{"": true, c.To: true}
	return facts.Where(c.World.ByKind[model.NodeNotReady], func(o *model.Observation) bool {
		again := named[o.Node]
		named[o.Node] = true
		return c.From == "" && !again
	})
}

// DetachBegun reports that the request of the detach is known well enough to divide the wait.
func (c *Case) DetachBegun() bool {
	return c.DetachRequested.Known() && width(c.DetachRequested) <= PhaseMargin
}

// Restarted reports that a new leader took over between the release and the forced detach, so that its timer counted.
func (c *Case) Restarted() bool {
	return slices.ContainsFunc(c.Failovers, func(f facts.Instant) bool {
		since := !c.Released.Known() || f.At.After(c.Released.At)
		return since && c.Forced.Known() && f.At.Before(c.Forced.At)
	})
}

// AttacherStart is the newest start of an external-attacher before a time and after the detach was requested.
func (c *Case) AttacherStart(t time.Time) *model.Observation {
	return facts.Last(c.World.ByKind[model.AttacherStarted], facts.During(c.DetachRequested.Earliest, t), facts.Kinds(model.AttacherStarted))
}

// Interrupted is the start of an external-attacher in the middle of a detach that one before it had begun; nil if there was none.
func (c *Case) Interrupted() *model.Observation {
	start, tries := c.AttacherStart(c.Gone.At), c.Tries()
	return only(start, start != nil && len(tries) > 0 && tries[0].At.At.Before(start.At.At))
}

// ListedTogether quotes a pasted list that shows every old pod Running and Ready beside a waiting one that is not.
func (c *Case) ListedTogether() []*model.Observation {
	waiting := listed(c.World, c.NewPods, model.PodNotReady)
	running := c.ListedRunning()
	if len(running) == 0 || len(waiting) == 0 || slices.ContainsFunc(running, func(o *model.Observation) bool { return o.Input != waiting[0].Input }) {
		return nil
	}
	return append(running, waiting[0])
}

// listed finds the rows of pasted lists about some pods. A row has no time, and no namespace unless the list had the column.
func listed(w *facts.World, pods []model.Ref, kind model.Kind) []*model.Observation {
	var out []*model.Observation
	for _, p := range pods {
		out = append(out, facts.Find(slices.Concat(w.ByPod[p.String()], w.ByPod[p.Name]), facts.And(facts.Kinds(kind), printed)))
	}
	return slices.DeleteFunc(out, func(o *model.Observation) bool { return o == nil })
}

// Ordinals reports that the old and the new pod have names of one StatefulSet and two ordinals: neither replaces the other.
func (c *Case) Ordinals() bool {
	return len(c.OldPods) > 0 && len(c.NewPods) > 0 && !slices.ContainsFunc(c.OldPods, func(p model.Ref) bool {
		return p.Name == c.NewPods[0].Name || p.Namespace != c.NewPods[0].Namespace || !SameSet(p.Name, c.NewPods[0].Name)
	})
}

// SameSet reports that two names are those of pods of one StatefulSet.
func SameSet(a, b string) bool { return alike(a, b, number) }

// Ordinal reports that a pod has the name that a StatefulSet gives: with an ordinal at its end.
func Ordinal(pod string) bool {
	at := strings.LastIndexByte(pod, '-')
	return at > 0 && number(pod[at+1:])
}

// number reports an ordinal: short, and without a leading zero, as no generated suffix of a Deployment's pod is likely to be.
func number(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && n < 1000 && s == strconv.FormatUint(n, 10)
}

// ReadyAfter is when a pod that uses the volume became Ready after a time: the next one, once those that waited are gone.
func (c *Case) ReadyAfter(t time.Time) facts.Instant {
	return earliest(facts.Each(c.World.PodsOf(c.Volume), func(pod model.Object[*corev1.Pod]) facts.Instant {
		return seen(facts.First(c.World.ByPod[pod.Ref.String()], facts.After(t), func(o *model.Observation) bool {
			return o.Kind == model.PodReady && (o.Pod.UID == "" || o.Pod.UID == pod.Ref.UID)
		}))
	})...)
}

// TemplateHash is the pod-template-hash that some pods have in common: the label, or the part of a Deployment pod's name.
func (c *Case) TemplateHash(pods []model.Ref) string {
	hash := ""
	for _, p := range pods {
		h := ""
		if obj, ok := c.World.Pod(p); ok {
			h = obj.Value().Labels[facts.TemplateHash]
			if o, _ := facts.ControllerOf(obj); h == "" && o.Kind != "ReplicaSet" {
				return "" // the name of another owner's pod may look like a Deployment's
			}
		}
		if _, isDeployment := facts.DeploymentName(p.Name); h == "" && isDeployment {
			rs, _, _ := facts.CutLast(p.Name)
			_, h, _ = facts.CutLast(rs)
		}
		if h == "" || hash != "" && h != hash {
			return ""
		}
		hash = h
	}
	return hash
}

// OldPodRuns reports that an old pod is in the bundle, Running and not being deleted.
func (c *Case) OldPodRuns() bool { return len(c.Serving()) > 0 }

// PodsInBundle reports whether the bundle holds both an old and a new pod, as objects.
func (c *Case) PodsInBundle() bool {
	return len(c.World.Held(c.OldPods)) > 0 && len(c.World.Held(c.NewPods)) > 0
}

// SameOwner reports whether an old and a new pod belong to one workload, as far as the bundle shows.
func (c *Case) SameOwner() bool {
	owner := func(pods []model.Ref) string {
		for _, obj := range c.World.Held(pods) {
			if top, _, ok := c.World.OwnerOfPod(obj); ok {
				return top.Key()
			}
		}
		return ""
	}
	return owner(c.OldPods) == owner(c.NewPods)
}

// Instants are all instants that can bound a phase.
func (c *Case) Instants() []facts.Instant {
	return []facts.Instant{c.Began, c.Heartbeat, c.NotReady, c.DeletionRequested, c.OldPodFinished, c.Released, c.Created, c.Scheduled,
		c.DetachRequested, c.Gone, c.NewAttachment, c.Attached, c.DemandEnded, c.Ready}
}

// AttachmentIsLater reports that the bundle's attachment object was made after the blocking one of its name was deleted.
func (c *Case) AttachmentIsLater() bool {
	a := c.Attachment.Object
	return a != nil && c.DetachRequested.Known() && a.Value().CreationTimestamp.After(c.DetachRequested.At)
}

// AttachmentCreated is when the blocking VolumeAttachment was created, by the narrowest of the words on its last creation: its object dates
// it to a second, and a row of it by an age.
func (c *Case) AttachmentCreated() facts.Instant {
	own, w := c.own(), facts.Before(c.Began.At)
	o := cmp.Or(facts.Last(own, w, facts.Kinds(model.AttachmentCreated)), facts.Last(own, w, facts.Kinds(model.AttacherAttaching)))
	for _, other := range facts.Where(w.Of(own), facts.Kinds(model.AttachmentCreated)) {
		same := !other.At.Earliest.After(o.At.Latest) && !o.At.Earliest.After(other.At.Latest)
		if same && width(seen(other)) < width(seen(o)) {
			o = other
		}
	}
	if o == nil && c.From != "" {
		o = facts.Last(c.said(), w, facts.And(facts.Kinds(model.AttachStarted), onNode(c.From)))
	}
	return seen(o)
}

// Story is every observation that belongs to the case, in no particular order. The list is shared and must not be changed.
func (c *Case) Story() []*model.Observation {
	if c.story == nil {
		return story(c)
	}
	return c.story()
}

func story(c *Case) []*model.Observation {
	w := c.World
	return append(facts.Where(unique(slices.Concat(w.ByVolume[c.Volume],
		w.ByKind[model.LeaderAcquired], w.ByKind[model.LeaderLost], w.ByKind[model.ControllerStarted],
		w.ByAttach[c.Attachment.Name], w.ByAttach[c.next.Name], w.ByNode[c.From], c.about(c.OldPods), c.about(c.NewPods))), c.concerns),
		c.cloudSays()...)
}

// concerns reports whether a candidate is about this volume, its attachments, pods and old node, and at this time.
func (c *Case) concerns(o *model.Observation) bool {
	v := c.World.Volumes.Find(o.Volume)
	switch {
	case o.Kind == model.LeaderAcquired, o.Kind == model.LeaderLost, o.Kind == model.ControllerStarted:
		return o.Component == facts.ControllerManager && c.inSpan(o)
	case v != nil:
		return v.Storage() == c.Volume.Storage() && c.inSpan(o)
	case o.Attachment != "":
		return (o.Attachment == c.Attachment.Name || o.Attachment == c.next.Name) && c.inSpan(o)
	case o.Pod.Name != "":
		return c.isOldPod(o.Pod) || c.isNewPod(o.Pod)
	}
	return c.From != "" && o.Node == c.From && c.inSpan(o)
}

// margin is how much before and after the span still belongs to the story.
const margin = 2 * time.Minute

func (c *Case) inSpan(o *model.Observation) bool { return c.spans(o.At) }

// spans reports that a moment belongs to the story of the case.
func (c *Case) spans(m model.Moment) bool {
	to := c.Span.To.At
	if c.Gone.Known() {
		to = model.Later(to, c.Gone.At)
	}
	return !m.Latest.Before(c.Span.From.At.Add(-margin)) && !m.Earliest.After(to.Add(margin))
}
