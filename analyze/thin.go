package analyze

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// little reports that one of the parts of the full sentence is not known: the holder, the attachment, the time, or the cause.
func little(i model.Incident) bool {
	if byHand(i) != "" {
		return false
	}
	if i.Kind != "" || i.Causes[0].ID == model.CauseUnknown {
		return true
	}
	unnamed := i.BlockingAttachment.Name == nil && i.BlockingAttachment.NoneBecause == "" && !inTree(i)
	undated := i.MultiAttach.Began.Missing() != "" || fromAges(i)
	return unnamed || undated || i.From.Node == ""
}

func inTree(i model.Incident) bool {
	_, _, csi := model.ParseUniqueName(i.Volume.UniqueName)
	return i.Volume.UniqueName != "" && !csi
}

// fromAges reports that the beginning counts back from a time that only stands for the collection's.
func fromAges(i model.Incident) bool { return i.MultiAttach.Began.Basis == model.Assumed }

// littleKnown says in two sentences what is known of a wait, and leaves out what is not.
func littleKnown(c *wait.Case, i model.Incident) (headline, why string) {
	waiting, _, _ := c.Waiting()
	what, behind := reason(c, i, waiting)
	headline = subject(c, i, waiting) + ": " + what
	unsaid := i.From.Node != "" && !strings.Contains(what, i.From.Node)
	used := i.Kind != model.KindForcedDetach && i.MultiAttach.Variant == model.UsedByPods
	if used && unsaid && wordCount(headline)+2 <= headlineWords {
		headline += words.If(strings.HasSuffix(headline, ", too"), ",") + " on " + i.From.Node
	}
	if wordCount(headline) > headlineWords {
		headline, behind = subject(c, i, waiting), joined("; ", words.Capital(what), behind)
	}
	return headline, sentences(words.Capital(behind), when(c, i))
}

// lateKnown is a wait of the past that its late VolumeAttachment shows: what held the volume before is inferred, or not known.
func lateKnown(c *wait.Case, i model.Incident) (headline, why string) {
	headline = fmt.Sprintf("%s: its VolumeAttachment was created only %s after the pod was scheduled",
		subject(c, i, c.NewPods), words.Seconds(c.Began.Until(c.NewAttachment.Moment).Best))
	before := "what held the volume before is not in the bundle"
	if c.From != "" && i.Causes[0].ID == model.CauseNodeDown {
		before = "likely it stayed attached to " + c.From + ", which was not Ready then"
	} else if c.From != "" {
		before = "likely it was attached to " + c.From + "; why it stayed there is not in the bundle"
	}
	if wordCount(headline) > headlineWords {
		headline = subject(c, i, c.NewPods) + ": its VolumeAttachment was created late"
	}
	return headline, sentences(words.Capital(before), "No report of it was collected")
}

// subject is who waits, or waited how long, for what.
func subject(c *wait.Case, i model.Incident, waiting []model.Ref) string {
	who, verb := "A pod", "waits"
	if len(waiting) > 0 {
		who = "Pod " + waiting[0].String()
	}
	if len(waiting) > 1 {
		who, verb = fmt.Sprintf("%s and %s", who, words.Plural(len(waiting)-1, "other", "others")), "wait"
	}
	what, long := volumeWords(i), ""
	if c.Ended().Known() {
		d := i.MultiAttach.Began.Until(*i.MultiAttach.Ended).Best
		verb = "waited" + words.If(d >= 1, " "+words.Seconds(d))
		if i.Span.Seconds.Best > d {
			long = words.If(words.Seconds(i.Span.Seconds.Best) != words.Seconds(d), words.Seconds(i.Span.Seconds.Best))
		}
	}
	if shownOver(c) {
		verb = "waited"
	}
	if begins := shortened(c.Volume.PersistentVolume); begins != "" && i.Volume.Claim == nil {
		what = "volume " + begins
	}
	if c.Taken {
		return words.Capital(what)
	}
	if c.Stuck && (len(waiting) == 0 || !strings.HasSuffix(c.Volume.Claim.Name, "-"+waiting[0].Name)) { // no claim of a StatefulSet's pod
		return "Whoever wants " + what + " elsewhere waits"
	}
	if long != "" { // an incident has one length
		return who + " took " + long + " to get " + what + on(i.To.Node)
	}
	return who + " " + verb + on(i.To.Node) + " for " + what
}

// volumeWords name a volume: by its claim, which people gave a name, else by what is known.
func volumeWords(i model.Incident) string {
	name := i.Volume.PersistentVolume
	if i.Volume.Claim != nil && i.Volume.Claim.Name != "" {
		return "the volume of claim " + i.Volume.Claim.String()
	}
	if name != "" && !placeholder(name) {
		return "volume " + name
	}
	if name == "" && cmp.Or(i.Volume.UniqueName, i.Volume.VolumeHandle) != "" {
		return "volume " + cmp.Or(i.Volume.UniqueName, i.Volume.VolumeHandle)
	}
	return "a volume"
}

// toldApart is how much of a generated name tells it from others, as people shorten it.
const toldApart = 8

// shortened is the beginning of a volume's name that an author shortened at its end; "" of any other, and where too little is left.
func shortened(name string) string {
	begins := strings.TrimRight(name, ".…")
	cut := begins != name && placeholder(name)
	if !cut || placeholder(begins) || len(begins) < toldApart {
		return ""
	}
	return begins + "…"
}

// leftOut is what stands for a name, or for a part of one.
var leftOut = regexp.MustCompile(`(?i)\.\.|…|xxxx|^<`)

// placeholder is a name that an author shortened or left out.
func placeholder(name string) bool {
	return leftOut.MatchString(name)
}

// reason is what keeps the volume, as far as it is known, and what is behind it.
func reason(c *wait.Case, i model.Incident, waiting []model.Ref) (what, behind string) {
	first := i.Causes[0]
	likely, holder := words.If(first.Verdict == model.Likely, "likely "), cmp.Or(refuser(c), "another machine")
	decided := first.Verdict != model.Undecidable
	nodeDown := decided && first.ID == model.CauseNodeDown
	ended := c.Ended().Known()
	failing := i.Kind == model.KindFailingDetach && !ended
	users := c.Variant == model.UsedByPods && len(c.OldPods) > 0
	switch author := toldBy(c, i); {
	case author != "":
		what, _ = asReported(c, i, waiting)
		return what, author
	case c.Taken:
		return "the controller took it from " + elsewhere(i) + " by force, after its six minutes",
			takenWhy(c)
	case i.Kind == model.KindStorageRefuses && c.NotHere():
		return "the storage refuses the mount, because by its records the volume is not attached there",
			"Kubernetes counts it as attached there"
	case i.Kind == model.KindStorageRefuses && !ended:
		return "the storage refuses the " + c.RefusedAt() + ", because " + holder +
				words.If(c.ListedLost(holder), ", which is not Ready,") + " still has it",
			cmp.Or(wronglyDone(c), firstTold(c, model.SaidStorageDiffers, model.SaidNodeReclaimed, model.SaidNodeRemoved, model.SaidNodeOff),
				words.If(i.From.Node == "", "no VolumeAttachment is known to block it"))
	case i.Kind == model.KindStorageRefuses:
		return "the storage refused the " + c.RefusedAt() + ", because " + holder + " had it", ""
	case decided && first.ID == model.CauseStorageDisagrees:
		return "Kubernetes tries to attach it, and the storage refuses, because " + holder + " still has it", ""
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
	case len(c.ListedGoing()) > 0 || nodeDown && c.ListedNotReady() != nil:
		return listedReason(c, i)
	case nodeDown && i.From.Node == "" && !users:
		return "it was attached elsewhere until the controller's six minutes had passed", likely + "a lost node"
	}
	what, behind = asReported(c, i, waiting)
	behind = cmp.Or(wronglyDone(c), aside(c, i), behind)
	if nodeDown {
		behind = joined("; ", likely+"a lost node: "+strings.TrimSuffix(first.Summary, "."), words.If(ended, nodeGone(c)))
	}
	return what, behind
}

// shownOver reports that a row or the author says that the wait is over, though nothing dates its end.
func shownOver(c *wait.Case) bool { return c.ToldOver() != nil }

// takenWhy says what is known of why a volume was taken by force.
func takenWhy(c *wait.Case) string {
	if _, marked := upstream.BugOf(c.Volume.UniqueName); marked {
		return "its name comes from a known error; nothing shows who used it"
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

// killAnswer quotes why the kubelet cannot stop the pod that keeps the volume.
func killAnswer(c *wait.Case) string {
	return fewWords(upstream.Unwrapped(strings.TrimPrefix(c.KillFails().Detail, "error killing pod: ")))
}

// wronglyDone says what people did in an open wait that puts the data at risk; "" where nothing shows it.
func wronglyDone(c *wait.Case) string {
	node, deleted, unheld := c.LiveTaint(), c.ForceDeleted(), c.Unheld()
	switch {
	case node != "":
		return "node " + node + " is Ready and bears the out-of-service taint, under which volumes are detached without waiting for the unmount"
	case c.Span.Open && c.TaintLifted() != nil:
		return "node " + c.From + " bore the out-of-service taint for a time, and nothing shows a detach under it"
	case deleted != nil:
		return "a pod " + deleted.Pod.Name + " was deleted by force, which waits for no container to stop: one may still write on its node"
	case unheld != nil:
		return "the finalizer of a VolumeAttachment was taken away by hand, so that its driver was not asked to detach"
	}
	return ""
}

// aside quotes what an author tells that makes no cause likely, where nothing else does: what was done before, or what helped.
func aside(c *wait.Case, i model.Incident) string {
	if i.Causes[0].ID != model.CauseUnknown {
		return ""
	}
	if author := firstTold(c, model.SaidNodeDrained, model.SaidAttachmentLeft); author != "" {
		return author
	}
	if fails := c.AttachFails(); len(fails) > 0 {
		return "an attach failed with: " + fewWords(upstream.Unwrapped(fails[len(fails)-1].Detail))
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
		return "pod " + c.OldPods[0].Name + " still uses it" + on(i.From.Node), "its kubelet cannot stop it: " + killAnswer(c)
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
	case c.UnmountFails() != nil && first.ID == model.CauseUnmountStuck:
		return "it is still attached to " + elsewhere(i), "the kubelet there cannot unmount it, and no pod there used it when this was reported"
	case c.Variant == model.ExclusivelyAttached:
		deleted := words.If(c.NodeGone.Known(), ", whose Node was deleted")
		return "it is still attached to " + elsewhere(i) + deleted, "no pod there used it when this was reported"
	}
	return "it is attached to " + elsewhere(i), ""
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
		if o := c.ForceDeleted(); o != nil {
			behind = "pod " + o.Pod.Name + " was deleted by force, and its container may still write: prove that the machine is off before its volume is taken"
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
		for _, d := range c.World.ByKind[model.DiskAttached] {
			if strings.Contains(o.Detail, d.Object.Name) && !strings.Contains(o.Detail, d.Owner.Name) {
				return d.Owner.Name
			}
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
	id := i.Causes[0].ID
	switch {
	case decided && id == model.CauseRolloutSurge && differ:
		return fmt.Sprintf("%s of an older revision %s%s",
			who, still, uses), likely + "a rolling update of their Deployment that starts the new pod first"
	case decided && id == model.CauseSharedClaim:
		return fmt.Sprintf("%s %s, too", who, uses), likely + "a claim that several pods share, on a volume for one node"
	case decided && id == model.CauseAccessMode:
		return fmt.Sprintf("%s %s%s", who, still, uses), likely + "a volume for one node by its access mode, whatever the storage can do"
	case c.ReplicaNames(waiting):
		return fmt.Sprintf("%s of the same ReplicaSet %s%s", who, still, uses), ""
	case id == model.CauseRolloutSurge && !decided:
		return fmt.Sprintf("%s %s%s", who, still, uses), "a rolling update, or a claim that several pods share"
	case len(c.OldPods) > 1 && !c.NamedAtOnce() && c.From == "": // no report names all: they may have been it one after the other
		return who + " are named as its users, each by another report", ""
	}
	return fmt.Sprintf("%s %s%s", who, still, uses), ""
}

// when dates the report as its source does: by its age as printed, which kubectl rounds down, a time of day, or a date.
func when(c *wait.Case, i model.Incident) string {
	for _, o := range c.Began.Witness {
		if o.Age != nil && c.Listed {
			what := "The pod was "
			if len(c.NewPods) == 0 {
				what = newAttachment(c) + " was "
			}
			return what + facts.AgePrinted(*o.Age) + " old when this was printed"
		}
		if o.Age != nil {
			return "Reported " + facts.AgePrinted(*o.Age) + " before this was printed"
		}
	}
	if began := i.MultiAttach.Began; began.Basis == model.Assumed && began.Missing() != model.NoYear {
		return ""
	}
	if c.Listed {
		return newAttachment(c) + " was created at " + since(i.MultiAttach.Began)
	}
	return "Reported at " + since(i.MultiAttach.Began)
}

// newAttachment is the VolumeAttachment for the node that waits.
func newAttachment(c *wait.Case) string {
	return "The VolumeAttachment for " + cmp.Or(c.To, "the wanted node")
}
