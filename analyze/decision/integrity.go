package decision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Exposure is the time in which the old node may have written to a volume that another node could already have: from a
// detach by force to the proof that the old node had stopped. To is unknown when nothing proves it.
type Exposure struct {
	From, To facts.Instant
	Text     string
	Witness  []*model.Observation
	RanOn    bool // the old node's machine is known to have run on
}

// Integrity finds the window of a case; false when nothing was detached by force.
func Integrity(c *wait.Case) (Exposure, bool) {
	from, how := takenByForce(c)
	if !from.Known() {
		return Exposure{}, false
	}
	w := Exposure{From: from, Witness: from.Witness}
	switch {
	case !c.Gone.Known() && !c.Attached.Known():
		w.Text = "A detach by force from " + c.From + " was begun, and nothing shows its success: " +
			"as far as the bundle tells, no other node has the volume yet."
	case c.OldPodFinished.Known() && c.OldPodFinished.At.Before(from.At):
		w.To = from
		w.Text = how + " The old pod's containers had been reported as finished before, so that they did not write any more; " +
			"data that the node had cached but not written is not covered by this proof."
	case c.Unmounted.Known() && c.Unmounted.Before(from):
		w.To, w.Witness = from, append(slices.Clone(w.Witness), c.Unmounted.Witness...)
		w.Text = fmt.Sprintf("%s Its kubelet had unmounted it at %s, before that: nothing there wrote to it any more.", how, clock(c.Unmounted.At))
	default:
		w.judge(c, how)
	}
	return w, true
}

// takenByForce is when the volume was taken from the old node without its unmount, and how.
func takenByForce(c *wait.Case) (facts.Instant, string) {
	if c.Forced.Known() && c.TakenMounted().Mounted != model.True {
		return facts.Instant{}, "" // nothing shows that anything was taken from under the node
	}
	if c.Forced.Known() {
		why := ", which had not reported the unmount."
		if c.ForcedByTaint() {
			why = " because of the out-of-service taint, which is a person's word that the machine is off."
		}
		return c.Forced, "The volume was detached by force from " + c.From + why
	}
	if c.Erased() && c.Removal() == nil {
		return erased(c)
	}
	if late := c.StillMounted(); late != nil {
		return c.Gone, fmt.Sprintf("The volume was detached from %s at %s, and its kubelet had it mounted for a pod until %s.", c.From, clock(c.Gone.At), clock(late.At.At))
	}
	if c.DetachRequested.Known() && c.DeletedByOther() == nil {
		return facts.Instant{}, "" // the controller asks for a detach without force only of what is no longer mounted
	}
	for _, a := range wait.Actions(c) {
		past := a.ByPerson != model.False && !slices.ContainsFunc(a.At.Witness, c.World.IsAttacher) // the driver
		if past && a.What == wait.RemovedFinalizer && a.Object.Name == c.Attachment.Name {
			return a.At, fmt.Sprintf("The finalizer of the VolumeAttachment on %s was removed by %s, past the driver's detach: "+
				"Kubernetes counts the volume as free, whatever the storage does.", c.From, cmp.Or(a.By, "somebody"))
		}
	}
	return facts.Instant{}, ""
}

// erased is when another node could have the volume of an attachment that went away past the driver: where the storage refuses, that is
// when it no longer does.
func erased(c *wait.Case) (facts.Instant, string) {
	how := fmt.Sprintf("The VolumeAttachment on %s went away at %s, and no detach by the driver is recorded", c.From, clock(c.Gone.At))
	if refused := c.RefusedElsewhere(c.Gone); len(refused) > 0 && c.Attached.Known() {
		return c.Attached, how + "; the storage refused the attach elsewhere, and gave the volume to " + c.To + " at " + clock(c.Attached.At) + "."
	}
	return c.Gone, how + ": Kubernetes counts the volume as free, whatever the storage does."
}

// judge adds what is known of the old node since the detach.
func (w *Exposure) judge(c *wait.Case, how string) {
	const look = " Check the file system and the application's own consistency."
	stops, ranOn, alive := c.Stops(), c.RanOn(), c.KubeletAlive()
	if len(alive) == 0 {
		alive = c.WorkedAt(w.From)
	}
	switch {
	case len(stops) > 0 && !stops[0].By.At.After(w.From.At):
		w.To, w.Witness = w.From, append(slices.Clone(w.Witness), stops[0].By.Witness...)
		w.Text = fmt.Sprintf("%s It no longer wrote then: %s by %s.", how, stops[0].Why, clock(stops[0].By.At))
	case len(c.ReadyThen(w.From)) > 0:
		w.RanOn = true
		w.Witness = append(slices.Clone(w.Witness), c.ReadyThen(w.From)...)
		w.Text = fmt.Sprintf("%s %s was Ready then, so that the old container could still write.%s%s",
			how, c.From, w.until(c, "Both nodes could write to the volume"), look)
	case len(stops) > 0:
		w.To, w.Witness = stops[0].By, append(slices.Clone(w.Witness), stops[0].By.Witness...)
		w.Text = fmt.Sprintf("%s That it had stopped is proven only later: %s, by %s. Until then it may have written.%s",
			how, stops[0].Why, clock(w.To.At), look)
	case len(ranOn) > 0:
		w.RanOn = true
		w.Witness = append(slices.Clone(w.Witness), ranOn...)
		w.Text = how + " " + words.Capital(c.RanOnText(ranOn)) + "." + w.until(c, "Both nodes could write to the volume") + look
	case w.From.Before(c.BackReady):
		w.Witness = append(slices.Clone(w.Witness), c.BackReady.Witness...)
		w.Text = fmt.Sprintf("%s It was Ready again at %s, and nothing in the bundle shows that its machine had been off meanwhile.%s%s",
			how, clock(c.BackReady.At), w.until(c, "It may have written"), look)
	case len(alive) > 0:
		last := alive[len(alive)-1]
		w.Witness = append(slices.Clone(w.Witness), last)
		w.Text = fmt.Sprintf("%s Its kubelet still worked at %s", how, clock(last.Last.At))
		if w.RanOn = last.Last.Earliest.After(w.From.Latest); w.RanOn {
			w.Text += ", so that the machine ran." + w.until(c, "Both nodes could write to the volume") + look
		} else {
			w.Text += ", and nothing in the bundle shows that the machine was off after that." + look
		}
	case c.ForcedByTaint():
		w.Text = how + " Nothing else in the bundle shows it."
	default:
		w.Text = how + " Nothing in the bundle shows that the machine was off; check the file system and the application's own consistency."
	}
}

// until ends the window with the old kubelet's report that it had unmounted the volume, where there is one.
func (w *Exposure) until(c *wait.Case, what string) string {
	end := c.EndOfWriting(w.From)
	if !end.Known() {
		return words.If(strings.HasPrefix(what, "Both"), " "+what+".")
	}
	w.To, w.Witness = end, append(w.Witness, end.Witness...)
	return fmt.Sprintf(" %s until its kubelet had unmounted it at %s.", what, clock(end.At))
}
