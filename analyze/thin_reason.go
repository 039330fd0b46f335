package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// reason is what keeps the volume, as far as it is known, and what is behind it.
func reason(c *wait.Case, i model.Incident, waiting []model.Ref) (what, behind string) {
	first := i.Causes[0]
	likely := words.If(first.Verdict == model.Likely, "likely ")
	decided := first.Verdict != model.Undecidable
	nodeDown := decided && first.ID == model.CauseNodeDown
	ended := c.Ended().Known()
	failing := i.Kind == model.KindFailingDetach && !ended
	users, userless := c.Variant == model.UsedByPods && len(c.OldPods) > 0, c.Variant == model.ExclusivelyAttached
	switch author := toldBy(c, i); {
	case author != "":
		what, _ = asReported(c, i, waiting)
		author += words.If(c.ForceDeleted() != nil, "; and of a forced deletion, which waits for no container to stop") +
			words.If(userless && !ended && !shownOver(c), map[string]string{model.CauseNodeGone: ": " + timerRuns}[first.ID])
		return what, cmp.Or(words.If(nodeDown && !ended, lostBeside(c)), author) // what is shown goes before what is told
	case c.Taken:
		return takenWhat(c, i), takenWhy(c)
	case i.Kind == model.KindStorageRefuses && c.NotHere():
		return "the storage refuses the mount, because by its records the volume is not attached there",
			"Kubernetes counts it as attached there"
	case i.Kind == model.KindStorageRefuses && !ended && !shownOver(c):
		return "the storage refuses the " + c.RefusedAt() + refusedFor(c, " still has it"),
			cmp.Or(wronglyDone(c), firstTold(c, model.SaidStorageDiffers, model.SaidNodeReclaimed, model.SaidNodeRemoved, model.SaidNodeOff),
				words.If(inUseOnly(c) != "", "it does not say by what: another machine, a snapshot or a task can have it"), newest(c), words.If(i.From.Node == "", "no VolumeAttachment is known to block it"))
	case i.Kind == model.KindStorageRefuses:
		return "the storage refused the " + c.RefusedAt() + refusedFor(c, " had it"), ""
	case decided && first.ID == model.CauseStorageDisagrees:
		return "Kubernetes tries to attach it, and the storage refuses" + refusedFor(c, " still has it"), ""
	case decided && first.ID == model.CauseCloudDetachFailing:
		return "its detach from " + elsewhere(i) + " was asked for and fails", likely + "the cloud refuses it" + detachAnswer(c)
	case decided && first.ID == model.CauseDriverDetachError:
		return "its detach from " + elsewhere(i) + " was asked for and fails", likely + "an error of the driver or its storage" + detachAnswer(c)
	case failing && decided && first.ID == model.CauseNodeGone:
		return "its detach from " + elsewhere(i) + " was asked for and fails", likely + "the driver does not find that machine"
	case decided && first.ID == model.CauseAttachmentNotFinishing && c.ListedNotReady() != nil:
		return "its VolumeAttachment of " + c.From + ", which is not Ready, is being deleted and does not end",
			likely + "the attacher or its driver does not finish; prove that the machine is off before its volume is taken"
	case decided && first.ID == model.CauseAttachmentNotFinishing:
		return "a VolumeAttachment of it is being deleted and does not end", likely + "the attacher or its driver does not finish"
	case c.AttachTried() != nil:
		return "it was attached elsewhere, and since then its attach fails: " + fewWords(upstream.Unwrapped(upstream.Answer(c.AttachTried().Detail))),
			"the controller begins an attach only when it counts the volume on no other node"
	case len(c.ListedGoing()) > 0 || nodeDown && c.ListedNotReady() != nil:
		return listedReason(c, i)
	case nodeDown && i.From.Node == "" && !users:
		return "it was attached elsewhere until the controller's six minutes had passed", likely + "a lost node"
	}
	what, behind = asReported(c, i, waiting)
	behind = cmp.Or(wronglyDone(c), putBack(c), aside(c, i), joined("; ", behind, words.If(!ended, lostBeside(c))))
	if nodeDown {
		behind = joined("; ", likely+"a lost node: "+strings.TrimSuffix(first.Summary, "."), words.If(ended, nodeGone(c)))
	}
	return what, behind
}

// newest quotes the newest error of the attach where it is no refusal any more; "" where the refusal goes on.
func newest(c *wait.Case) string {
	o := c.AttachTried()
	if o == nil {
		return ""
	}
	return "the newest error" + words.If(o.Count > 1, fmt.Sprintf(", %d times", o.Count)) + ": " + fewWords(upstream.Unwrapped(upstream.Answer(o.Detail)))
}

// shownOver reports that a row or the author says that the wait is over, though nothing dates its end.
func shownOver(c *wait.Case) bool { return c.ToldOver() != nil }

// takenWhat says how far a detach by force came: the line that tells of it is its beginning.
func takenWhat(c *wait.Case, i model.Incident) string {
	if c.Ended().Known() {
		return "the controller took it from " + elsewhere(i) + " by force, after its six minutes"
	}
	return "after its six minutes the controller began to take it from " + elsewhere(i) + " by force, with no end shown"
}

// takenWhy says what is known of why a volume was taken by force.
func takenWhy(c *wait.Case) string {
	if bug, marked := upstream.BugOf(c.Volume.UniqueName); marked {
		return "its name is one of a known error (" + bug.Reference + "); nothing shows who used it"
	}
	return words.If(c.Attached.Known(), "it was attached to "+c.To+" then; ") + "nothing shows why nobody had reported its unmount: " +
		"a lost node, or one that could not unmount"
}

// detachAnswer quotes why a detach fails, behind a colon; "" where no text tells.
func detachAnswer(c *wait.Case) string {
	for _, o := range slices.Backward(slices.Concat(c.DetachErrors, c.DetachStuck())) {
		if o.Detail != "" {
			return ": " + fewWords(upstream.Unwrapped(upstream.Answer(o.Detail)))
		}
	}
	return ""
}

// wronglyDone says what people did in an open wait that puts the data at risk; "" where nothing shows it.
func wronglyDone(c *wait.Case) string {
	node, deleted, unheld, past := c.LiveTaint(), c.ForceDeleted(), c.Unheld(), c.DetachedByHand()
	told := append(c.Deeds(), nil)[0]
	switch {
	case node != "":
		return "node " + node + " is Ready and bears the out-of-service taint, under which volumes are detached without waiting for the unmount"
	case c.Span.Open && c.TaintLifted() != nil:
		return "node " + c.From + " bore the out-of-service taint for a time, and nothing shows a detach under it"
	case c.Span.Open && told != nil && (deleted == nil || deleted.Deed()):
		return authorWrites(told) + ": nothing shows that what ran on the old node has stopped"
	case deleted != nil:
		return forcedText(c, deleted) + ", which waits for no container to stop: one may still write on its node"
	case unheld != nil:
		return "the finalizer of a VolumeAttachment was taken away by hand, so that its driver was not asked to detach"
	case c.Span.Open && past != nil && wait.Unanswered(past):
		return "its detach at the storage " + c.Outcome(past) + "; it waits for no unmount: what runs on its old node may still write"
	case c.Span.Open && past != nil:
		return "its VolumeAttachment was edited by hand, which detaches nothing: what runs on its old node may still write"
	}
	return ""
}

// putBack quotes an author who tells that a change by hand was put back; "" for none.
func putBack(c *wait.Case) string {
	told := firstTold(c, model.SaidReverted)
	return words.If(c.Span.Open && told != "", told+": pause its sync, or change it in Git, before anything is scaled or edited by hand again")
}

// forcedText tells a forced deletion.
func forcedText(c *wait.Case, o *model.Observation) string {
	if wait.Unanswered(o) {
		return "a forced deletion of pod " + o.Object.Name + " " + c.Outcome(o)
	}
	return "pod " + o.Pod.Name + " was deleted by force"
}

// aside quotes what an author tells that makes no cause likely, where nothing else does: what was done before, or what helped.
func aside(c *wait.Case, i model.Incident) string {
	if i.Causes[0].ID != model.CauseUnknown {
		return ""
	}
	if author := firstTold(c, model.SaidNodeDrained, model.SaidAttachmentLeft, model.SaidUnattached); author != "" {
		return author
	}
	if fails := c.AttachFails(); len(fails) > 0 {
		return "an attach failed with: " + fewWords(upstream.Unwrapped(fails[len(fails)-1].Detail))
	}
	if o := c.Told(model.SaidSuspected); o != nil && lostBeside(c) == "" {
		return "the author suspects “" + fewWords(wait.Sentence(o)) + "”"
	}
	return ""
}

// firstTold quotes the first of some things that an author tells.
func firstTold(c *wait.Case, list ...string) string {
	for _, what := range list {
		if o := c.Told(what); o != nil {
			return authorWrites(o)
		}
	}
	return ""
}

// quotedWords is how many words of an author's sentence a reason has room for, beside its beginning and the time of the report.
const quotedWords = 19

func authorWrites(o *model.Observation) string {
	return strings.ToLower(cause.AuthorWrites[:1]) + cause.AuthorWrites[1:] + "“" + fewWords(wait.Sentence(o)) + "”"
}

func fewWords(text string) string {
	list := strings.Fields(text)
	if len(list) > quotedWords {
		list = append(list[:quotedWords:quotedWords], "…")
	}
	return strings.Join(list, " ")
}

// asReported is the reason as the report itself has it.
func asReported(c *wait.Case, i model.Incident, waiting []model.Ref) (what, behind string) {
	ended, first := c.Ended().Known(), i.Causes[0]
	switch {
	case c.LetGo():
		return "it was attached to " + elsewhere(i) + ", and detached " + within(c.Gone.Moment), "nothing shows that another node has had it since"
	case c.KillFails() != nil:
		return "pod " + c.OldPods[0].Name + " still uses it" + on(i.From.Node), "its kubelet cannot stop it: " +
			fewWords(upstream.Unwrapped(strings.TrimPrefix(c.KillFails().Detail, "error killing pod: ")))
	case len(c.ListedGoing()) > 0:
		return listedReason(c, i)
	case c.ShownThen(model.PodDeletionRequested) != nil:
		return "pod " + c.OldPods[0].Name + " was Terminating" + on(i.From.Node) +
			words.If(c.ShownThen(model.NodeNotReady) != nil, ", which was not Ready"), ""
	case c.DetachRefused() != nil:
		return "its detach from " + elsewhere(i) + " was refused, because that node lists it as in use",
			"likely its kubelet has not unmounted it; no pod there counts as its user any more"
	case c.Variant == model.UsedByPods && len(c.OldPods) > 0:
		return userReason(c, i, waiting, words.If(first.Verdict == model.Likely, "likely "), first.Verdict != model.Undecidable)
	case c.Variant == model.ExclusivelyAttached && ended:
		return words.If(c.Inferred, "likely ") + "it was attached to " + elsewhere(i), "no pod there used it any more" +
			words.If(c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True, ", and its unmount was not reported: the controller forced the detach after six minutes")
	case c.Variant == model.ExclusivelyAttached && c.ForcedByTimeout():
		return "it was attached to " + elsewhere(i) + " when the controller forced its detach",
			"no unmount was reported for six minutes, until " + strings.TrimPrefix(within(c.Forced.Moment), "at ")
	case c.Variant == model.ExclusivelyAttached && shownOver(c):
		return "it was attached to " + elsewhere(i), "no pod there used it when this was reported"
	case len(c.MachineUnknown()) > 0 && first.ID == model.CauseNodeGone:
		return "it is still attached to " + elsewhere(i), "its detach fails: the driver does not find the machine of that node"
	case c.DeletionShown() && c.Variant != model.UsedByPods:
		return "it is still attached to " + elsewhere(i), "its detach was asked for " + within(c.DetachRequested.Moment) + ", and is not over"
	case c.UnmountFails() != nil && first.ID == model.CauseUnmountStuck:
		return "it is still attached to " + elsewhere(i), "the kubelet there cannot unmount it, and no pod there used it when this was reported"
	case c.Variant == model.ExclusivelyAttached:
		deleted := words.If(c.NodeGone.Known(), ", whose Node was deleted")
		return "it is still attached to " + elsewhere(i) + deleted, "no pod there used it when this was reported" + words.If(deleted != "", ": "+timerRuns)
	}
	return "it is attached to " + elsewhere(i), ""
}

// timerRuns is of a volume whose Node is gone and whose pod is: the controller goes by the Node's last volumesInUse (reconciler.go, 1.13–1.36).
const timerRuns = "too late to taint; the controller detaches six minutes after its pod went"

// lostBeside names the only node that was lost before the report and is not back, where nothing shows which node has the volume.
func lostBeside(c *wait.Case) string {
	back := func(lost *model.Observation) bool {
		return !lost.At.IsZero() && facts.Find(c.World.ByKind[model.NodeReady], func(o *model.Observation) bool {
			return o.Node == lost.Node && (o.At.IsZero() || o.At.At.After(lost.At.At))
		}) != nil
	}
	lost := facts.Where(c.LostNodes(), func(o *model.Observation) bool { return !o.At.At.After(c.Began.Latest) && !back(o) })
	if len(lost) != 1 {
		return ""
	}
	return "node " + lost[0].Node + " is not Ready: see whether it has the volume"
}

// toldBy quotes the author on whose word alone the first cause rests; "" when it rests on more.
func toldBy(c *wait.Case, i model.Incident) string {
	o := cause.Told(c, i.Causes[0].ID)
	if o == nil || !strings.HasPrefix(i.Causes[0].Summary, cause.AuthorWrites) {
		return ""
	}
	return authorWrites(o)
}

// listedReason is the reason of a wait as pasted rows show it: a pod that is Terminating, a node that is not Ready.
func listedReason(c *wait.Case, i model.Incident) (what, behind string) {
	lost := words.If(i.From.Node != "" && c.ListedNotReady() != nil, ", which is not Ready")
	behind = "likely its node is lost, or its containers do not stop"
	if i.Causes[0].ID == model.CauseUnmountStuck {
		behind = "likely its kubelet cannot unmount it: something there still uses the mount"
	} else if c.ListedReady() {
		behind = "its node is Ready: likely its containers do not stop, or its volume cannot be unmounted"
	}
	if lost != "" {
		behind = "likely a lost node: prove that its machine is off before its volume is taken"
		if stops := c.Stops(); len(stops) > 0 {
			behind = stops[0].Why
		} else if o := c.ForceDeleted(); o != nil && !o.Deed() {
			behind = forcedText(c, o) + ", and its container may still write: prove that the machine is off before its volume is taken"
		}
	}
	if len(c.ListedGoing()) == 0 {
		return "it is attached to " + elsewhere(i) + lost, behind
	}
	who := "pod " + c.OldPods[0].Name
	if len(c.OldPods) > 1 {
		who = words.Count(len(c.OldPods), "pod")
	}
	return who + " is Terminating" + on(i.From.Node) + words.If(lost == "", " and keeps it there") + lost, behind
}

func elsewhere(i model.Incident) string { return cmp.Or(i.From.Node, "another node") }

// refuser is the machine that the storage names as the holder, or on which the cloud has the disk that the refusal names.
func refuser(c *wait.Case) string {
	for _, o := range slices.Concat(c.Refusals(), c.RefusedElsewhere(facts.Instant{})) {
		if n := upstream.HolderNamed(o.Detail); n != "" {
			return words.If(strings.Trim(n, "0123456789") == "", "machine ") + n
		}
		if machine := shownHolder(c, o); machine != "" {
			return machine
		}
	}
	return ""
}

// refusedFor is why the storage refuses, as far as it says so: the machine that has the volume, or that it is in use.
func refusedFor(c *wait.Case, has string) string {
	if quote := inUseOnly(c); quote != "" {
		return ": “" + quote + "”"
	}
	holder := cmp.Or(refuser(c), "another machine")
	return ", because " + holder + words.If(c.ListedLost(holder) && !c.Ended().Known(), ", which is not Ready,") + has
}

// inUseOnly quotes the newest refusal where none says more than that the volume is in use.
func inUseOnly(c *wait.Case) string {
	list := slices.Concat(c.Refusals(), c.RefusedElsewhere(facts.Instant{}))
	if len(list) == 0 || refuser(c) != "" {
		return ""
	}
	return upstream.OnlyInUse(list[len(list)-1].Detail)
}

// shownHolder is the machine on which the cloud's own answer has the disk that a refusal names.
func shownHolder(c *wait.Case, refusal *model.Observation) string {
	for _, d := range c.World.ByKind[model.DiskAttached] {
		if strings.Contains(refusal.Detail, d.Object.Name) && !strings.Contains(refusal.Detail, d.Owner.Name) {
			return d.Owner.Name
		}
	}
	return ""
}

// userReason is the reason of a wait for a volume that a pod still uses.
func userReason(c *wait.Case, i model.Incident, waiting []model.Ref, likely string, decided bool) (what, behind string) {
	uses, still := "uses it", "still "
	if c.Ended().Known() || shownOver(c) {
		uses, still = "used it", ""
	}
	who := "pod " + c.OldPods[0].Name
	if len(c.OldPods) > 1 {
		who, uses = fmt.Sprintf("pod %s and %s", c.OldPods[0].Name, words.Plural(len(c.OldPods)-1, "other", "others")),
			strings.Replace(uses, "uses", "use", 1)
	}
	_, differ := c.OneDeploymentByName(waiting)
	config := c.DeploymentConfig(waiting) != ""
	differ = differ || config
	id := i.Causes[0].ID
	switch {
	case decided && id == model.CauseRolloutSurge && differ:
		return fmt.Sprintf("%s of an older revision %s%s",
			who, still, uses), likely + "a rolling update of their Deployment" + words.If(config, "Config") + " that starts the new pod first"
	case decided && id == model.CauseSharedClaim:
		return fmt.Sprintf("%s %s, too", who, uses), likely + "a claim that several pods share, on a volume for one node"
	case decided && id == model.CauseAccessMode:
		return fmt.Sprintf("%s %s%s", who, still, uses), likely + "a volume for one node by its access mode, whatever the storage can do"
	case c.ReplicaNames(waiting):
		return fmt.Sprintf("%s of the same ReplicaSet %s%s", who, still, uses), ""
	case id == model.CauseRolloutSurge && !decided:
		return fmt.Sprintf("%s %s%s", who, still, uses), "a rolling update, a claim that several pods share, or a lost node"
	case len(c.OldPods) > 1 && !c.NamedAtOnce() && c.From == "": // no report names all: they may have been it one after the other
		return who + " are named as its users, each by another report", ""
	}
	return fmt.Sprintf("%s %s%s", who, still, uses), ""
}
