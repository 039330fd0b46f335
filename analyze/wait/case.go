// Package wait finds the waits for volumes in the facts of a bundle, and what happened in each and when; why is the business of
// package cause.
package wait

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Case is the read-only view that causes and operands get of an incident: a volume wanted on a node while another held it; all instants.
type Case struct {
	World  *facts.World
	Volume *facts.Volume
	From   string // node that held the volume; empty when unknown
	// Inferred says that no source ties From to the volume: it follows from where the workload ran before.
	Inferred bool
	To       string // node that wanted it; empty when unknown
	Reports  []*model.Observation
	Sampled  bool // metrics alone show the wait: Reports are their samples
	Shown    bool // objects alone show the wait: there is no report
	Listed   bool // pasted rows alone show the wait: there is no report
	Refused  bool // Kubernetes has let go and the back end refuses: Reports are its refusals
	Stuck    bool // no wait is shown: Reports are the errors of a detach, for which any wait would be
	Taken    bool // no wait is shown: Reports is a detach by force that has the mark of a known error
	Before   bool // no attach was requested yet: Reports is the deletion of the pod on the lost node
	Variant  model.Variant
	OldPods  []model.Ref
	NewPods  []model.Ref
	Mirrors  []*model.Observation // reports on the old pod after the volume had moved: not a wait of their own

	Workload   *model.Ref
	Attachment Attachment // the blocking one
	Lives      []Life     // the objects that had its name while the volume waited; DetachRequested and Gone are the last one's
	next       Attachment // the one on the wanted node
	// Remade says that the old pod ended and its owner made another on the same node before the volume was detached.
	Remade bool

	Began             facts.Instant
	Heartbeat         facts.Instant // last sign of life of the old node before it was NotReady
	NotReady          facts.Instant // of the old node, the last time before the wait ended
	BackReady         facts.Instant // of the old node, after NotReady
	NodeGone          facts.Instant // the old Node object was deleted
	OutOfService      facts.Instant // the taint on the old node
	DeletionRequested facts.Instant // of the old pod
	OldPodFinished    facts.Instant // phase Failed or Succeeded
	Released          facts.Instant // the controller stopped counting the old pod as a user
	GoneBy            facts.Instant // the old pods are proven gone by then, where nothing shows the release better
	Created           facts.Instant // the new pod
	Scheduled         facts.Instant
	Forced            facts.Instant // forced detach, by timeout or taint
	Unmounted         facts.Instant // the old node's kubelet had unmounted the volume's device, by its own word
	DetachRequested   facts.Instant // deletion of the blocking VolumeAttachment
	Gone              facts.Instant // of the blocking VolumeAttachment
	NewAttachment     facts.Instant // creation of the VolumeAttachment on the new node
	Attached          facts.Instant // on the new node
	AttachNoticed     facts.Instant // by the attach/detach controller, which informs the kubelet through the Node's status
	DemandEnded       facts.Instant // the new pods were deleted before the volume came
	Ready             facts.Instant // a new pod
	Failovers         []facts.Instant
	DetachErrors      []*model.Observation

	Phases []model.Phase
	Span   model.Span

	fresh   facts.Refs           // NewPods
	samples []*model.Observation // metrics that show the wait besides the reports
	held    facts.Window         // when the last of Lives held the volume
	// releasedByTimer: Released was counted back from the forced detach, and is no witness of how that came.
	releasedByTimer bool
	story           func() []*model.Observation // nil in a case that is made by hand
}

// Ended is when the wait ended: the volume was attached, or no pod wanted it any more.
func (c *Case) Ended() facts.Instant {
	if c.Attached.Known() {
		return c.Attached
	}
	return c.DemandEnded
}

// end is the end of the wait, or of what is known of it.
func (c *Case) end() model.Moment {
	if c.Resolved() {
		return c.Ended().Moment
	}
	return c.Span.To
}

// Resolved reports whether the wait is seen to have ended.
func (c *Case) Resolved() bool { return c.Ended().Known() }

// Recovered reports whether a pod that uses the volume is seen to have become Ready where it was wanted, or the demand to have
// ended: a volume that is attached and not in use yet is not recovered (docs/formats.md, resolved).
func (c *Case) Recovered() bool {
	if c.DemandEnded.Known() || c.Ready.Known() && c.Attached.Known() {
		return true
	}
	if !c.Attached.Known() {
		return false
	}
	return c.ReadyAfter(c.Attached.At).Known() || demandEnded(c).Known()
}

// ID is stable over runs: it is made of the volume, the node and the time of the first report.
func (c *Case) ID() string {
	began := c.Began.At
	if c.Began.Placeholder() {
		began = model.T.Add(began.Sub(c.World.Axis.CapturedAt.At)) // T is the same in every report
	}
	sum := sha256.Sum256([]byte(c.Volume.Key() + "|" + cmp.Or(c.To, "unknown-node") + "|" + began.UTC().Format("20060102T150405")))
	return "i-" + hex.EncodeToString(sum[:6])
}

// CasesUntil finds the waits in a world, in the order in which they began, as far as it comes until it is to stop. It also reports those
// that are too many for one volume.
func CasesUntil(w *facts.World, stop func() bool) (out []*Case, more []Beyond) {
	of := map[*facts.Volume][]*Case{}
	all, more := demands(w)
	for _, c := range all {
		if len(out) > 0 && stop() {
			break
		}
		c.begin(w)
		for _, s := range caseSteps() {
			s.fill(c)
		}
		if home := mirrored(of[c.Volume.Storage()], c); home != nil {
			home.Mirrors = append(home.Mirrors, c.Reports...)
			continue
		}
		of[c.Volume.Storage()] = append(of[c.Volume.Storage()], c)
		out = append(out, c)
	}
	for _, c := range out {
		c.Span, c.Phases = phases(c)
		c.story = sync.OnceValue(func() []*model.Observation { return slices.Clip(story(c)) })
	}
	return out, more
}

// mirrored finds the earlier case that a new one only reflects: after a person deleted the attachment of a pod that still exists on the
// lost node, the controller reports that pod, unless it is a new incarnation, as waiting for the volume that has moved on.
func mirrored(earlier []*Case, c *Case) *Case {
	for _, e := range slices.Backward(earlier) {
		came := facts.And(facts.Kinds(model.PodScheduled), onNode(c.To))
		if back := e.From != "" && e.From == c.To && e.To == c.From; back && slices.ContainsFunc(c.NewPods, func(p model.Ref) bool {
			return slices.ContainsFunc(e.OldPods, p.Is) && facts.First(c.World.ByPod[p.String()], facts.During(e.Began.At, c.Began.At), came) == nil
		}) {
			return e
		}
	}
	return nil
}

// isOldPod reports whether an observation is about one of the old pods and cannot be about a later pod of that name.
func (c *Case) isOldPod(ref model.Ref) bool {
	return ref.Name != "" && slices.ContainsFunc(c.OldPods, ref.Is)
}

func (c *Case) isNewPod(ref model.Ref) bool { return c.fresh.Has(ref) }

// about are the observations about one of some pods, by name, in the order of time.
func (c *Case) about(pods []model.Ref) []*model.Observation {
	var out []*model.Observation
	for _, p := range pods {
		out = append(out, facts.Where(c.World.ByPod[p.String()], facts.OfPod(p))...)
	}
	return inOrder(out)
}

// inOrder sorts observations by time, each once.
func inOrder(list []*model.Observation) []*model.Observation {
	list = unique(list)
	slices.SortStableFunc(list, (*model.Observation).Compare)
	return list
}

// PodNames joins the names of pods for a sentence.
func PodNames(refs []model.Ref) string {
	return strings.Join(facts.Each(refs, model.Ref.String), ", ")
}

// At is an instant as one observation has it.
func At(o *model.Observation) facts.Instant { return seen(o) }

// Seen are the observations of a kind about the volume on a node, from its attach there until the wait ended.
func (c *Case) Seen(kind model.Kind, node string) []*model.Observation {
	return those(c.said(), c.held, facts.Kinds(kind), onNode(node))
}

// said, own and ofNode are the observations about the volume, the blocking VolumeAttachment and the old node.
func (c *Case) said() []*model.Observation   { return c.World.ByVolume[c.Volume] }
func (c *Case) own() []*model.Observation    { return c.World.ByAttach[c.Attachment.Name] }
func (c *Case) ofNode() []*model.Observation { return c.World.ByNode[c.From] }

// InUse cites the entry of the old Node's status.volumesInUse for the volume; nil when there is none.
func (c *Case) InUse() *model.Observation { return c.World.InUse(c.Volume, c.From) }

// DetachErrorsBefore are the failures of the detach before a time.
func (c *Case) DetachErrorsBefore(t time.Time) []*model.Observation {
	return facts.Where(c.DetachErrors, func(o *model.Observation) bool { return o.At.At.Before(t) })
}

// caseStep fills fields of a case, or narrows what an earlier one filled. It reads nothing that is filled only later (TestCaseSteps).
type caseStep struct {
	name string
	fill func(*Case)
}

func caseSteps() []caseStep {
	return []caseStep{
		{"old pods", func(c *Case) {
			if len(c.OldPods) == 0 {
				c.OldPods = oldPods(c)
			}
		}},
		{"workload", func(c *Case) { c.Workload = workload(c) }},
		{"attachments", attachments},
		{"old node", fillNode},
		{"new pods", fillNewPods},
		{"deletion of the old pods", fillDeletion},
		{"attach", fillAttach},
		{"readiness", func(c *Case) { c.Ready = ready(c) }},
		{"detach", fillDetach},
		{"detach without a wait", endTaken},
		{"successors of the old pods", addSuccessors},
		{"loss of the node in another story", forgetLoss},
		{"unmount", func(c *Case) { c.Unmounted = c.unmountedByKubelet() }},
		{"release", fillReleased},
		{"end of the old pods", func(c *Case) { c.OldPodFinished = finishedBefore(c) }},
		{"taint", func(c *Case) { c.OutOfService = tightenTaint(c) }},
	}
}

// begin says when the wait began, and which node held the volume, where what shows the wait does not say it.
func (c *Case) begin(w *facts.World) {
	c.World, c.NewPods, c.Variant = w, c.fresh.List, c.reportedVariant()
	if len(c.OldPods) > 0 {
		c.Variant = model.UsedByPods // the object of a pod that is Terminating exists
	}
	if c.Began.Known() {
		return
	}
	first := c.Reports[0]
	if pods, _, rows := c.Waiting(); c.To == "" && len(rows) > 0 && rows[0].Input == first.Input {
		c.To = nodeOfPods(w, pods[:1], first.At.At)
	}
	c.Began = seen(first)
	c.Began.Witness = facts.Where(c.Reports, func(o *model.Observation) bool { return sameReport(first, o) }) // its line, its event, or both
	c.From, c.Inferred = holder(c)
	c.Began.Witness = append(c.Began.Witness, c.samples...)
}

// toWanted tests for what is about the wanted node; an Event names the pod and no node, and pasted events of one object not even that.
func (c *Case) toWanted(o *model.Observation) bool {
	nameless := o.Source.Kind == model.SourceText && o.Pod.Name == "" && o.Node == ""
	unnamed := len(c.NewPods) == 0 && c.To == ""
	together := len(c.Reports) > 0 && o.Input == c.Reports[0].Input
	if nameless && unnamed && together {
		return true
	}
	if o.Node == "" {
		return c.isNewPod(o.Pod)
	}
	return o.Node == c.To
}

// ownedBy reports that the workload is of a kind.
func (c *Case) ownedBy(kind string) bool { return c.Workload != nil && c.Workload.Kind == kind }

// nameComesBack reports that the new pod has the name of the old one, as those of a StatefulSet.
func (c *Case) nameComesBack() bool {
	return len(c.OldPods) > 0 && len(c.NewPods) > 0 && c.OldPods[0].Name == c.NewPods[0].Name
}
