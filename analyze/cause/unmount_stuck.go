package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// unmountPatience is how long an ordinary unmount takes: volumesInUse is reported every 10 s, the recordings show up to 11 s.
const unmountPatience = time.Minute

func checkUnmountStuck(c *wait.Case) Result {
	if c.NodeRemoved().Known() {
		return Result{}
	}
	switch r := byTheTimer(c); {
	case r.Verdict != "":
		return r
	case !c.Released.Known():
		return Result{}
	case lostBefore(c):
		return stuckBeforeLoss(c)
	}
	waited, _ := mayPhase(c, model.PhaseUnmountWait)
	users, _ := usersOnOldNode(c)
	others := func(p model.Ref) bool { return !slices.ContainsFunc(c.OldPods, p.Is) }
	if waited < unmountPatience || !c.Resolved() && slices.ContainsFunc(users, others) {
		return Result{}
	}
	if r := sampledUnmount(c, waited); r.Verdict != "" {
		return r
	}
	return reportedMounted(c, waited)
}

// reportedMounted covers a release without an unmount, which kubelet, controller, Node or mount table show.
func reportedMounted(c *wait.Case, waited time.Duration) Result {
	trouble, table := c.UnmountTrouble(), c.Mounts()
	shown, ok := stillMounted(c, trouble)
	if _, held := c.World.Node(c.From); !ok && (held || len(table) == 0) {
		return Result{} // the controller believes the Node's list, and that does not have the volume
	}
	ready, field := c.ReadyCondition()
	if !ready && tookMounted(c) && upstream.ForceDetachAsksHealth(c.World.Version) {
		return Result{} // this version forces a detach only when the node is not Ready
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, Reasons: mountNote(table)}
	r.For = slices.Concat(witnesses(c.Released, c.Forced), shown, []*model.Observation{field}, sample(table))
	r.Summary = fmt.Sprintf("The old pod released the volume at %s, and %s%s did not report the unmount for %s",
		clock(c.Released), c.From, words.If(ready, ", which was Ready,"), words.Duration(waited))
	if !ok {
		r.Missing = append(r.Missing, "the time at which the mount table was taken")
	}
	if !ready {
		r.Summary += "; whether it was Ready is not known"
		r.lacks(model.Undecidable, "the condition of "+c.From+" while the wait lasted")
	}
	if path, answer := c.HeldMount(); path != "" {
		verb := cmp.Or(words.If(c.Unmounted.Known() || c.Resolved(), "failed"), "fails")
		r.Summary += fmt.Sprintf(": its unmount of %s %s, %s", path, verb, answer)
	}
	r.Summary += healthNote(c)
	if len(trouble) == 0 {
		r.Missing = append(r.Missing, kubeletWouldSay(c, "what holds the mount"))
	}
	return r
}

// stillMounted is what shows the volume mounted on the old node during the wait; false without a time.
func stillMounted(c *wait.Case, trouble []*model.Observation) ([]*model.Observation, bool) {
	mounted, listed := c.Seen(model.DetachStillMounted, c.From), c.InUse()
	switch {
	case len(trouble) > 0:
		return sample(trouble), true
	case len(mounted) > 0:
		return mounted, true
	case listed != nil && !c.Resolved(), c.Forced.Known() && c.TakenMounted().Mounted != model.Unknown && !miscounted(c):
		return []*model.Observation{listed}, true // mounted until the force, at least
	}
	return nil, false
}

// stuckBeforeLoss covers a node lost after its unmount had hung: mounted a minute after the release, and the node alive.
func stuckBeforeLoss(c *wait.Case) Result {
	mounted := slices.DeleteFunc(c.Seen(model.DetachStillMounted, c.From), func(o *model.Observation) bool {
		return !seenWithin(o, c.Released.Latest.Add(unmountPatience), lostSince(c))
	})
	if len(mounted) == 0 {
		return Result{}
	}
	return Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait},
		For: slices.Concat(witnesses(c.Released), mounted, witnesses(c.NotReady)),
		Summary: fmt.Sprintf("The old pod released the volume at %s, and %s, which was Ready, did not report the unmount; "+
			"it was not Ready from %s on.",
			clock(c.Released), c.From, clock(c.NotReady)),
		Missing: []string{kubeletWouldSay(c, "what holds the mount")},
	}
}

// mountNote says what a mount table of the old node shows: pods and the shared directory hold references to the device.
func mountNote(table []*model.Observation) []string {
	if len(table) == 0 {
		return nil
	}
	var pods []string
	for _, o := range table {
		if o.Pod.UID != "" && !slices.Contains(pods, o.Pod.UID) {
			pods = append(pods, o.Pod.UID)
		}
	}
	slices.Sort(pods)
	text := "the mount table " + table[0].Source.Path + ", whose time is not known, has the volume mounted"
	if len(pods) == 1 {
		text += " for the pod with UID " + pods[0]
	} else if len(pods) > 1 {
		text += fmt.Sprintf(" for %d pods, whose UIDs are %s", len(pods), strings.Join(pods[:min(len(pods), maxMounts)], ", "))
	}
	return []string{text}
}

// maxMounts is how many pods of a mount table are named.
const maxMounts = 4

func healthNote(c *wait.Case) string {
	v := c.World.Version
	asks := v.Known() && upstream.ForceDetachAsksHealth(v)
	if tookMounted(c) && v.Known() && !asks {
		return fmt.Sprintf("; Kubernetes %s forced the detach at %s without asking whether the node was Ready.", v, clock(c.Forced))
	}
	if tookMounted(c) {
		return "; the controller forced the detach at " + clock(c.Forced) + "."
	}
	if asks {
		return fmt.Sprintf("; Kubernetes %s never detaches a mounted volume from a Ready node by force.", v)
	}
	return "."
}

// afterTimer is how much longer than the six minutes a wait takes that they end: the old pod's own end, the detach and the attach.
const afterTimer = 45 * time.Second

// timedOut reports a wait as long as one that the six minutes end.
func timedOut(wait time.Duration) bool {
	return wait >= upstream.MaxWaitForUnmount && wait <= upstream.MaxWaitForUnmount+afterTimer
}

// byTheTimer covers bundles without a controller log: a wait of six minutes on a Ready node, in versions that do not ask for health.
func byTheTimer(c *wait.Case) Result {
	v := c.World.Version
	ready, field := c.ReadyCondition()
	from := c.Released
	switch {
	case from.Known() && from.Latest.Sub(from.Earliest) <= wait.PhaseMargin:
	case c.Variant == model.ExclusivelyAttached:
		from = c.Began
	default:
		from = c.DeletionRequested
	}
	if !ready || !v.Known() || upstream.ForceDetachAsksHealth(v) {
		return Result{}
	}
	if told := c.Forced.Known() || c.DetachRequested.Known(); told || !from.Known() || !c.Attached.Known() {
		return Result{}
	}
	took := c.Attached.At.Sub(from.At)
	if !timedOut(took) {
		return Result{}
	}
	return Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach},
		For: append(witnesses(from, c.Attached), field, c.World.VersionO),
		Summary: fmt.Sprintf("%s, which was Ready, did not report the unmount: the volume was attached elsewhere %s after the old pod had "+
			"ended or been asked to, which is when Kubernetes %s forces a detach.",
			c.From, words.Duration(took), v),
		Reasons: []string{"that the six minutes ended the wait is inferred from its length"},
		Missing: []string{"the kube-controller-manager's line about the detach",
			kubeletWouldSay(c, "what holds the mount")},
	}
}

// kubeletWouldSay names the source that would say something of the old node: the kubelet's log, or what lies deeper where that is there.
func kubeletWouldSay(c *wait.Case, what string) string {
	if path := c.KubeletLogAt(c.Began); path != "" {
		return fmt.Sprintf("%s: the processes of %s, since the kubelet's log, %s, does not say", what, c.From, path)
	}
	return "the kubelet's log of " + c.From + ", which would say " + what
}

// controllersWouldSay names those logs of the controllers that would say something and are not there.
func controllersWouldSay(c *wait.Case, what string) string {
	manager, attacher := c.World.LogAt(facts.ControllerManager, c.Began), c.World.LogAt(facts.Attacher, c.Began)
	return pick([]row{
		{manager && attacher, what + ", which neither the kube-controller-manager's log nor the external-attacher's says"},
		{manager, "the external-attacher's log, which would say " + what},
		{attacher, "the kube-controller-manager's log, which would say " + what},
		{true, "the logs of the kube-controller-manager and the external-attacher, which would say " + what},
	})
}

func checkVolumesInUseStale(c *wait.Case) Result {
	if !c.Released.Known() || c.NodeRemoved().Known() || lostBefore(c) {
		return Result{}
	}
	users, listed := usersOnOldNode(c)
	if len(users) > 0 || len(c.UnmountTrouble()) > 0 || len(c.Mounts()) > 0 {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: witnesses(c.Released)}
	inUse := c.InUse()
	if c.Resolved() {
		inUse = nil // the list is of a later time
	}
	asked, version := inventedName(c)
	waited, _ := mayPhase(c, model.PhaseUnmountWait)
	log := c.KubeletLog()
	covered := log != "" && listed // by what would show a mount, or a user
	stale := inUse != nil && waited >= unmountPatience && stillReady(c)
	if len(asked) > 0 {
		r.Summary = fmt.Sprintf("The kubelet of %s keeps the volume in its books under a name that does not exist: "+
			"it asks for a PersistentVolume that is called like the hash of the volume's handle", c.From)
		r.For = append(r.For, append(sample(asked), version)...)
	} else if stale && covered {
		r.Verdict = model.Likely
		r.Summary = fmt.Sprintf("%s still lists the volume as in use %s after the old pod released it", c.From, words.Duration(waited))
		r.Reasons = []string{"the kubelet's log " + log + " covers the time and has no failed unmount",
			"the bundle lists the pods, and none on " + c.From + " uses the volume"}
	} else {
		return Result{}
	}
	if inUse == nil {
		r.lacks(model.Likely, "status.volumesInUse of "+c.From+" while the volume waited")
	}
	r.For = append(r.For, inUse)
	r.Summary += "; the old pod released it at " + clock(c.Released)
	if listed {
		r.Summary += ", and no pod on the node uses it"
	} else {
		r.lacks(model.Likely, "the pods of "+c.From+", to see that none uses the volume")
	}
	r.Summary += "."
	r.Missing = append(r.Missing, "proof from the node that nothing is mounted: its mount table")
	return r
}

// inventedName is the old node's kubelet asking for a PersistentVolume named after the hash of this handle, with the kubelet's version.
func inventedName(c *wait.Case) (lines []*model.Observation, version *model.Observation) {
	for _, s := range c.Signatures() {
		if s.Bug.Component == "kubelet" {
			return s.Lines, s.VersionO
		}
	}
	return nil, nil
}

// miscounted reports a known error of the kube-controller-manager by which it waits without the node's doing.
func miscounted(c *wait.Case) bool {
	return slices.ContainsFunc(c.Signatures(), func(s wait.Signature) bool {
		return s.Bug.Component == "kube-controller-manager" && s.Bug.Affects(s.Version)
	})
}

func checkControllerBug(c *wait.Case) Result {
	for _, s := range c.Signatures() {
		if s.Version.Known() && !s.Bug.Affects(s.Version) {
			continue
		}
		r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(sample(s.Lines), s.VersionO)}
		if !s.Version.Known() {
			r.Summary = fmt.Sprintf("A line of the %s has the wording of an error of %s %s; the bundle does not show which version runs here.",
				s.Lines[0].Component, s.Bug.Component, s.Bug.Versions)
			r.lacks(model.Undecidable, "the version of the "+s.Bug.Component)
			return r
		}
		if s.Bug.Component == "kubelet" && c.InUse() == nil {
			r.lacks(model.Likely, "status.volumesInUse of "+c.From+" while the volume waited")
		}
		r.For = append(r.For, c.InUse())
		r.Summary = fmt.Sprintf("The %s of version %s has a known error (%s): %s. Repaired in %s.",
			s.Bug.Component, s.Version, s.Bug.Reference, s.Bug.Effect, s.Bug.Fixed)
		return r
	}
	return Result{}
}

func checkControllerFailover(c *wait.Case) Result {
	if r := forgotten(c); r.Verdict != "" {
		return r
	}
	for _, f := range c.Failovers {
		running := c.Forced.Known() // the timer
		if c.Released.Known() {
			running = !f.At.Before(c.Released.Earliest)
		}
		if running && !overBy(c, f) {
			return failedOver(c, f)
		}
	}
	return Result{}
}

// overBy reports that the wait was over when a new leader took over, or its detach asked for.
func overBy(c *wait.Case, f facts.Instant) bool {
	if c.DetachRequested.Known() && !f.At.Before(c.DetachRequested.At) {
		return true
	}
	return c.Resolved() && !f.At.Before(c.Ended().At)
}

func tookOver(f facts.Instant) string {
	return fmt.Sprintf("A new leader of the kube-controller-manager took over at %s while the volume waited", clock(f))
}

func failedOver(c *wait.Case, f facts.Instant) Result {
	r := Result{Verdict: model.Undecidable, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: witnesses(f, c.Released)}
	r.Summary = tookOver(f) + ", and its timer of six minutes started from zero"
	ordered := c.Released.Known() && c.Released.Latest.Before(f.At)
	if ordered {
		r.Verdict = model.Likely
	}
	if c.Forced.Known() {
		r.For = append(r.For, c.Forced.Witness...)
		if d := c.Forced.At.Sub(f.At); d >= upstream.MaxWaitForUnmount && d < upstream.MaxWaitForUnmount+restartSettle {
			r.Verdict = model.Likely
			if ordered {
				r.Verdict = model.Confirmed
			}
			r.Summary += fmt.Sprintf("; the forced detach came at %s, %s after the takeover", clock(c.Forced), words.Duration(d))
		}
	}
	if ordered {
		r.Summary += fmt.Sprintf(". %s of waiting since the release were lost", words.Duration(f.At.Sub(c.Released.At)))
	} else {
		r.Missing = append(r.Missing, "when the old pod was released: an audit log, or the kube-controller-manager's log at -v=4")
	}
	r.Summary += "."
	return r
}

// restartSettle is how long a new leader takes from the lease to its first reconcile loop; the recordings show up to 8 s.
const restartSettle = 30 * time.Second

// longestRun is the longest silence within one observation of repeated lines.
const longestRun = 10 * time.Minute

// seenWithin reports that an observation, or one of the repetitions that it stands for, surely lies between two times.
func seenWithin(o *model.Observation, from, to time.Time) bool {
	within := facts.During(from, to)
	if o.At.At.Before(from) && o.Last.At.After(to) {
		return to.Sub(from) > longestRun
	}
	return within.Holds(o.At.At) || within.Holds(o.Last.At)
}

// usersOnOldNode are the pods in the bundle that use the volume on the old node and have not finished, and whether the bundle lists the
// pods of the claim's namespace, so that there are no others.
func usersOnOldNode(c *wait.Case) (pods []model.Ref, listed bool) {
	for _, p := range c.World.UsersAt(c.Volume, c.From) {
		if phase := p.Value().Status.Phase; phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			pods = append(pods, p.Ref)
		}
	}
	for _, v := range c.Volume.Same() {
		if v.Claim.Name == "" || !c.World.Listed("Pod", v.Claim.Namespace) {
			return pods, false
		}
	}
	return pods, true
}
