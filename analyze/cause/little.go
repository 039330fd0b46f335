package cause

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// guess is a cause that names and words suggest where little was collected: likely at most, with the inferred step in Missing.
type guess struct {
	cause   string
	explain []model.PhaseID
	check   suggestion
}

// suggestion is what suggests a cause, "" when nothing does, with what shows it and what is missing to be sure.
type suggestion func(*wait.Case) (says string, seen []*model.Observation, missing []string)

var untilRelease, theDetach = []model.PhaseID{model.PhaseRelease}, []model.PhaseID{model.PhaseDetach}

// guesses, of which the first that fits is given.
var guesses = []guess{
	{model.CauseStorageDisagrees, fromUnmount(), guessRefused},
	{model.CauseCloudDetachFailing, theDetach, guessDetach(upstream.FaultCloud)},
	{model.CauseDriverDetachError, theDetach, guessDetach(upstream.FaultDriver)},
	{model.CauseAttachmentNotFinishing, theDetach, guessDeleting},
	{model.CauseNodeDown, lossPhases(), guessLost},
	{model.CauseOldPodNotFinished, untilRelease, guessUnstopped},
	{model.CauseAccessMode, untilRelease, guessManyCapable},
	{model.CauseRolloutSurge, untilRelease, guessRevisions},
	{model.CauseSharedClaim, untilRelease, guessShared},
	{model.CauseUnmountStuck, append(untilRelease, model.PhaseUnmountWait), guessUnmount},
	{model.CauseOldPodNotFinished, untilRelease, guessGoing},
	{model.CauseNodeDown, []model.PhaseID{model.PhaseUnmountWait}, guessTimer},
}

// likely is the result of what is inferred.
func likely(c *wait.Case, explains []model.PhaseID, says string, seen []*model.Observation, missing ...string) Result {
	return Result{Verdict: model.Likely, Explains: explains, For: append(witnesses(c.Began), seen...), Summary: says, Missing: missing}
}

// fromLittle puts a guess, the two undecided explanations of a pod that goes on, or unknown before a list without an established cause.
func fromLittle(c *wait.Case, list []found) []found {
	none := found{cause: of(model.CauseUnknown), result: checkUnknown(c)}
	author, said := toldCause(c)
	if said != nil && c.Shown && !c.World.LogCovers() {
		return without(list, author)
	}
	if !c.Thin() {
		return append([]found{none}, list...)
	}
	for _, g := range guesses {
		says, seen, missing := g.check(c)
		if says == "" {
			continue
		}
		if g.cause == model.CauseNodeDown && said != nil && author.cause.ID == model.CauseKubeletDown {
			author.result.For = append(author.result.For, seen...)
			return without(list, author) // not Ready, and the machine runs
		}
		if g.cause == model.CauseOldPodNotFinished && said != nil && slices.Equal(author.result.Explains, lostPhases) {
			author.result.For = append(author.result.For, c.ListedGoing()...) // why it does not end
			return without(list, author)
		}
		r := likely(c, g.explain, says, seen, missing...)
		return without(list, found{of(g.cause), r, weight(c, r)})
	}
	if said != nil {
		return without(list, author)
	}
	if two := surgeOrShare(c); two != nil {
		rest := slices.DeleteFunc(list, func(f found) bool { return f.cause.ID == two[0].cause.ID || f.cause.ID == two[1].cause.ID })
		return append(append(two, rest...), none)
	}
	return append([]found{none}, list...)
}

// without puts a guess before a list without an established cause.
func without(list []found, guess found) []found {
	rest := slices.DeleteFunc(list, func(f found) bool { return f.cause.ID == guess.cause.ID })
	return agreeing(append([]found{guess}, rest...))
}

// guessRefused is a storage that refuses the attach after the report: the attach begins only after a detach, also a failed one.
func guessRefused(c *wait.Case) (string, []*model.Observation, []string) {
	refused := c.RefusedElsewhere(facts.Instant{})
	if len(refused) == 0 || len(c.DetachErrors) > 0 || c.Attached.Known() {
		return "", nil, nil
	}
	return fmt.Sprintf("Kubernetes went on to attach the volume%s, and the storage refuses because %s: %s.", named(" to ", c.To), hasIt(refused),
			answerOf(refused)), sample(refused), []string{"that Kubernetes has let go of the volume, which is inferred from its trying to attach, " +
			"as it does after a detach that failed, too: the list of VolumeAttachments"}
}

// guessDetach is a detach whose error the VolumeAttachment keeps, of one kind of fault.
func guessDetach(fault upstream.Fault) suggestion {
	return func(c *wait.Case) (string, []*model.Observation, []string) {
		errors := c.DetachStuck()
		if len(errors) == 0 || c.Attached.Known() || upstream.DetachFault(errors[0].Detail) != fault {
			return "", nil, nil
		}
		maker := "the driver"
		if fault == upstream.FaultCloud {
			maker = upstream.CloudOf(upstream.Answer(errors[0].Detail))
		}
		missing := []string{"that it fails still, which is inferred from the error that the VolumeAttachment keeps: " +
			"kubectl describe volumeattachment, and the external-attacher's log"}
		if c.Stuck {
			missing = append(missing, noPodShown)
		}
		return fmt.Sprintf("The detach%s was asked for and fails; %s answered: %s.", named(" from ", c.From), maker, answerOf(errors)), sample(errors), missing
	}
}

// named is a node with a preposition before it, when it is known.
func named(before, node string) string { return words.If(node != "", before+node) }

// hasIt names the machine that has the volume by the storage's word.
func hasIt(refused []*model.Observation) string {
	for _, o := range refused {
		if holder := upstream.HolderNamed(o.Detail); holder != "" {
			return holder + " has it by its own records"
		}
	}
	return inWords(refused, "another machine has it by its own records")
}

// inWords is why a storage refuses, where its newest refusal says more than that the volume is in use.
func inWords(refused []*model.Observation, why string) string {
	if len(refused) > 0 && upstream.OnlyInUse(refused[len(refused)-1].Detail) != "" {
		return "the volume is in use, by what it does not say"
	}
	return why
}

// guessLost is an old node that a pasted list shows as not Ready while a pod waits for its volume.
func guessLost(c *wait.Case) (string, []*model.Observation, []string) {
	lost := c.ListedNotReady()
	if lost == nil || c.Resolved() || c.DetachRequested.Known() {
		return "", nil, nil
	}
	going, says := c.ListedGoing(), "the volume is attached to it"
	if len(going) > 0 {
		says = wait.PodNames(c.OldPods) + " is Terminating on it: only its kubelet can confirm that the containers have stopped"
	}
	return c.From + " is not Ready, and " + says + ".", append(slices.Clip(going), lost), append(listedGaps(c),
		"since when "+c.From+" is not Ready, and whether it comes back: the Node object",
		"proof that the machine is off, such as the cloud's or the BMC's record: a dead kubelet looks the same from the API")
}

// guessGoing is an old pod that a pasted list shows as Terminating while another waits for its volume.
func guessGoing(c *wait.Case) (string, []*model.Observation, []string) {
	going := c.ListedGoing()
	if len(going) == 0 || c.Resolved() || c.Variant == model.ExclusivelyAttached {
		return "", nil, nil
	}
	return fmt.Sprintf("%s is Terminating%s, and while its object exists the controller keeps the volume there.", wait.PodNames(c.OldPods),
			named(" on ", c.From)), going, append(listedGaps(c), "why the pod does not end, such as a lost node or a container that does not stop: "+
			"the Node's conditions and the pod's deletionTimestamp")
}

// guessUnstopped is an old pod that its kubelet says it cannot stop.
func guessUnstopped(c *wait.Case) (string, []*model.Observation, []string) {
	fails := c.KillFails()
	if fails == nil {
		return "", nil, nil
	}
	return fmt.Sprintf("The kubelet%s cannot stop %s, which keeps the volume: %s.", named(" of ", c.From), wait.PodNames(c.OldPods),
			answerOf([]*model.Observation{fails})), append(slices.Clip(c.ListedGoing()), fails), append(listedGaps(c),
			"that it fails still, which is inferred from the kubelet's last word: kubectl describe pod, and the newest log of the kubelet of "+cmp.Or(c.From, "its node"))
}

// guessUnmount is a volume that the old node's kubelet says it cannot unmount, where nothing shows that node as not Ready.
func guessUnmount(c *wait.Case) (string, []*model.Observation, []string) {
	failing := cmp.Or(c.ListedUnmount(), c.UnmountFails())
	if failing == nil {
		return "", nil, nil
	}
	says := fmt.Sprintf("%s is Terminating%s, and the kubelet there cannot unmount the volume", wait.PodNames(c.OldPods), named(" on ", c.From))
	if c.Variant == model.ExclusivelyAttached {
		says = "No pod used the volume any more, and the kubelet" + named(" of ", c.From) + " cannot unmount it"
	}
	if path, words, ok := upstream.BusyMount(failing.Detail); ok {
		says += ": " + path + ": " + words
	}
	return says + ".", append(slices.Clip(c.ListedGoing()), failing), append(listedGaps(c), "that the unmount fails still, which is inferred from the "+
		"kubelet's last word: the newest log of the kubelet of "+cmp.Or(c.From, "the old node"))
}

// guessDeleting is the controller's complaint that an attachment of the volume is being deleted while the attach waits for it.
func guessDeleting(c *wait.Case) (string, []*model.Observation, []string) {
	stuck := facts.Where(c.World.ByVolume[c.Volume], func(o *model.Observation) bool {
		says := o.Kind == model.AttachFailed && upstream.BeingDeleted(o.Detail)
		earlier := !o.At.IsZero() && o.Last.Latest.Before(c.Began.Earliest)
		return !earlier && (says || o.Kind == model.AttachmentStuckDeleting)
	})
	if c.DetachRequested.Known() && c.ListedNotReady() != nil { // it does not wait for the node any more
		stuck = append(stuck, c.DetachRequested.Witness...)
	}
	if len(stuck) == 0 || c.Attached.Known() {
		return "", nil, nil
	}
	return "A VolumeAttachment of the volume is being deleted and does not end, and the attach waits for it.", sample(stuck),
		[]string{"that the attacher or its driver does not finish, which is inferred from the attachment's still being there: " +
			"the VolumeAttachment, and the external-attacher's log"}
}

// guessManyCapable is a StorageClass for several nodes whose volume is attached to one: Kubernetes goes by the access modes alone.
func guessManyCapable(c *wait.Case) (string, []*model.Observation, []string) {
	class, quote := manyCapableClass(c)
	if class == "" || c.Volume.Many() || c.Variant == model.ExclusivelyAttached {
		return "", nil, nil
	}
	return fmt.Sprintf("StorageClass %s creates volumes that several machines can have, and Kubernetes attaches this one to one node: "+
			"it looks at the access modes alone.", class), []*model.Observation{quote},
		[]string{"that the volume is of StorageClass " + class + " and has no access mode for several nodes, " +
			"which is inferred from the class being the only one here and from the report: the PersistentVolume"}
}

// guessRevisions is two pods whose names differ in the template hash of one Deployment, or in the revision of one DeploymentConfig.
func guessRevisions(c *wait.Case) (string, []*model.Observation, []string) {
	waiting, inferred, rows := c.Waiting()
	one, differ := c.OneDeploymentByName(waiting)
	together, config := c.ListedOnceTogether(), c.DeploymentConfig(waiting)
	if revisions := one && differ || config != ""; len(c.OldPods) == 0 || !revisions {
		return "", nil, nil
	}
	if !goesOn(c) && len(together) == 0 {
		return "", nil, nil
	}
	running := c.ListedRunning()
	if running == nil {
		running = together
	}
	missing := []string{"that the strategy lets the new pod start first, which is inferred from two revisions being there at once: the Deployment"}
	if inferred {
		missing = append(missing, "that "+wait.PodNames(waiting)+" is the pod that waits for the volume, "+
			"which is inferred from its name and its status: the events of that pod")
	}
	if running == nil {
		missing = append(missing, "that the old pod was not being deleted, which is inferred from the report's naming it as a user: "+
			"the status of that pod")
	}
	differs := cmp.Or(words.If(config != "", "revision of one DeploymentConfig"), "template hash of one Deployment")
	return fmt.Sprintf("%s and %s differ in the %s: a rolling update starts the new pod before it stops the old one, and each waits for the other.",
		wait.PodNames(c.OldPods), wait.PodNames(waiting), differs), slices.Concat(rows, running), missing
}

// guessShared is a claim that several pods share, by their names: several users, two ordinals of a StatefulSet, or two owners.
func guessShared(c *wait.Case) (says string, seen []*model.Observation, missing []string) {
	if !goesOn(c) {
		return "", nil, nil
	}
	waiting, _, rows := c.Waiting()
	running := c.ListedRunning()
	olds, fresh := wait.PodNames(c.OldPods), wait.PodNames(waiting)
	both := olds + " and " + fresh
	says = pick([]row{
		{c.NamedAtOnce(), fmt.Sprintf("The report names %d pods as users at once (%s): they share the claim, and its volume admits one node.", len(c.OldPods), olds)},
		{c.Ordinals(), both + " are two replicas of one StatefulSet by their names, and use one volume that admits one node."},
		{twoOwners(c, waiting), both + " belong to two workloads by their names, and use one volume that admits one node."},
		{c.ReplicaNames(waiting) && running != nil,
			both + " are pods of one owner and revision by their names, and use one volume that admits one node; the first runs."},
	})
	missing = []string{"that the pods name one claim, which is inferred from the report and their names: the objects of those pods"}
	if running == nil {
		missing = []string{"that the pods that use the volume are to stay, " +
			"which is inferred from the report's naming them as users: the status of those pods"}
	}
	return says, slices.Concat(rows, running), missing
}

// goesOn reports that nothing shows that the old pods end: the report named them as users, and no node or pod is known to go.
func goesOn(c *wait.Case) bool {
	if c.Variant == model.ExclusivelyAttached || c.Attached.Known() {
		return false
	}
	lost := c.NotReady.Known() || c.NodeRemoved().Known() || len(c.LostNodes()) > 0
	stays := len(c.ListedGoing()) == 0 && c.ShownThen(model.PodDeletionRequested) == nil
	return !lost && !leaving(c) && stays
}

// guessTimer is a volume without a user at the report that was attached six minutes later: the timer ended the wait.
func guessTimer(c *wait.Case) (string, []*model.Observation, []string) {
	wait := c.Attached.At.Sub(c.Began.At)
	if c.Variant != model.ExclusivelyAttached || !c.Attached.Known() {
		return "", nil, nil
	}
	if !timedOut(wait) || !preciseEnough(c) {
		return "", nil, nil
	}
	return fmt.Sprintf("No pod used the volume at the report, and it was attached %s later: "+
			"the controller waited its six minutes for an unmount that nobody reported, as of a lost node.", words.Duration(wait)), c.Attached.Witness,
		[]string{"that the controller's timer ended the wait and that the old node was lost, which is inferred from the six minutes: " +
			"the Node, and the kube-controller-manager's log"}
}

// preciseEnough reports that the length of the wait is known to a fraction of the slack: ages of ten minutes and more are rounded.
func preciseEnough(c *wait.Case) bool {
	wide := func(i facts.Instant) bool {
		if age := ageOf(i); age != nil {
			return age.Max-age.Min > afterTimer.Seconds()/2
		}
		return i.Latest.Sub(i.Earliest) > afterTimer/2
	}
	return !wide(c.Began) && !wide(c.Attached)
}

func ageOf(i facts.Instant) *model.Range {
	if len(i.Witness) == 0 {
		return nil
	}
	return i.Witness[0].Age
}

// surgeOrShare are the two explanations of a Deployment's pod that goes on: the waiting pod's revision, not known here, decides.
func surgeOrShare(c *wait.Case) []found {
	if waiting, _, _ := c.Waiting(); len(waiting) > 0 || len(c.OldPods) != 1 || !goesOn(c) {
		return nil
	}
	if _, deployment := facts.DeploymentName(c.OldPods[0].Name); !deployment {
		return nil
	}
	missing := []string{"the pod that waits, whose name tells whether it is a newer revision of the same Deployment, " +
		"and what node the old one is on"}
	result := func(rest string) Result {
		return Result{
			Verdict: model.Undecidable, Explains: []model.PhaseID{model.PhaseRelease}, For: witnesses(c.Began), Missing: missing,
			Summary: wait.PodNames(c.OldPods) + " still uses the volume; if the pod that waits is " + rest,
		}
	}
	return []found{
		{cause: of(model.CauseRolloutSurge), result: result("a newer revision of the same Deployment, a rolling update starts it before it stops the old one.")},
		{cause: of(model.CauseSharedClaim), result: result("another replica or of another workload, they share the claim, and its volume admits one node.")},
	}
}

// listedGaps are the steps of a wait that rows alone show which are inferred.
func listedGaps(c *wait.Case) []string {
	if !c.Listed {
		return nil
	}
	if len(c.NewPods) == 0 {
		return []string{"that a pod still waits on " + c.To + ", which is inferred from its VolumeAttachment: the pods of that node",
			"that the volume is for one node, which is inferred from the wait: the PersistentVolume"}
	}
	out := []string{"that the pod waits for its volume, which is inferred from its STATUS and its age: the events of that pod"}
	row := func(o *model.Observation) bool {
		return o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText
	}
	switch shown := facts.Find(c.World.ByVolume[c.Volume], row); {
	case c.Volume.Key() == "":
		out = append(out, "which volume it waits for: the pod, its PersistentVolumeClaim, and the list of VolumeAttachments")
	case shown == nil:
		out = append(out, "that the volume is attached to "+c.From+": the list of VolumeAttachments")
	case len(c.Volume.Access) == 0:
		out = append(out, "that the volume is for one node, which is inferred from the wait: the PersistentVolume")
	}
	return out
}

// twoOwners reports that the names of an old and of a waiting pod have two owners: only a Deployment's name is generated, and shows it.
func twoOwners(c *wait.Case, waiting []model.Ref) bool {
	if len(waiting) == 0 || len(c.OldPods) == 0 || c.ReplicaNames(waiting) {
		return false
	}
	old, _ := facts.DeploymentName(c.OldPods[0].Name)
	fresh, _ := facts.DeploymentName(waiting[0].Name)
	return old != fresh
}
