package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// believed is a check for a popular account that is not what Kubernetes does: people wait or act because of it. What contradicts it says
// what happened instead, and why. All incidents are one finding, in the words of the first.
func believed(id, title string, contradicts func(*wait.Case) (string, []*model.Observation)) Check {
	c := Check{ID: "belief-" + id, Title: title, Severity: "info", Remedy: "Nothing to do: this belief is wrong, so do not wait or act because of it."}
	c.Look = func(_ *facts.World, s *scene, hit func(Hit)) {
		var h Hit
		count := 0
		for _, c := range s.cases {
			text, shown := contradicts(c)
			if text == "" {
				continue
			}
			if count++; count <= maxShown {
				h.Text, h.Shown = cmp.Or(h.Text, text), append(h.Shown, shown...)
			}
			h.Objects = append(h.Objects, volumeRef(c.Volume.Key()))
		}
		h.Text += words.If(count > 1, fmt.Sprintf(" %s the same.", words.Plural(count-1, "other incident shows", "other incidents show")))
		if h.Objects = withoutRepeats(h.Objects); count > 0 {
			hit(h)
		}
	}
	return c
}

// surelyApart is the least distance of two instants, by their bounds, that contradicts a belief that they are one.
const surelyApart = 15 * time.Second

// apart reports that b surely lies more than d after a.
func apart(a, b facts.Instant, d time.Duration) bool {
	dated := func(i facts.Instant) bool { return i.Known() && !i.Placeholder() }
	return dated(a) && dated(b) && b.Earliest.Sub(a.Latest) > d
}

func witnessesOf(instants ...facts.Instant) []*model.Observation {
	return slices.Concat(facts.Each(instants, func(i facts.Instant) []*model.Observation { return i.Witness[:min(len(i.Witness), 1)] })...)
}

// witnessed reports that an instant is known, from an observation of a kind.
func witnessed(i facts.Instant, kind model.Kind) bool {
	return i.Known() && len(i.Witness) > 0 && i.Witness[0].Kind == kind
}

// between is the time from one instant to another, in whole seconds.
func between(a, b facts.Instant) string { return words.Duration(b.At.Sub(a.At)) }

func clock(i facts.Instant) string { return model.TimeOfDay(i.At) }

// beliefs are the popular accounts.
var beliefs = []Check{
	believed("statefulset-replaces-at-eviction", "A StatefulSet did not replace its pod at the eviction", func(c *wait.Case) (string, []*model.Observation) {
		ofSet := c.Workload != nil && c.Workload.Kind == "StatefulSet"
		if !ofSet || !c.NotReady.Before(c.DeletionRequested) || !apart(c.DeletionRequested, c.Created, surelyApart) {
			return "", nil
		}
		return fmt.Sprintf("StatefulSet %s recreated its pod at %s, %s after the deletion of the old one was requested: it waits until the old "+
			"object is gone, which no kubelet of a lost node confirms.",
			c.Workload, clock(c.Created), between(c.DeletionRequested, c.Created)), witnessesOf(c.DeletionRequested, c.Created)
	}),
	believed("pod-eviction-timeout", "The eviction did not wait for a pod-eviction-timeout", contradictsTimeout),
	believed("forced-six-minutes-after-loss", "The forced detach did not count from the loss of the node", func(c *wait.Case) (string, []*model.Observation) {
		if !witnessed(c.Forced, model.DetachForcedTimeout) || !apart(c.NotReady, c.Forced, upstream.MaxWaitForUnmount+2*surelyApart) {
			return "", nil
		}
		why := "they count from the release of the old pod, at " + clock(c.Released)
		shown := witnessesOf(c.NotReady, c.Released, c.Forced)
		if !c.Released.Known() {
			why, shown = "they count from the release of the old pod, which came later", witnessesOf(c.NotReady, c.Forced)
		}
		if c.Restarted() {
			why = "they count from the release of the old pod, and again from each change of leader"
		}
		return fmt.Sprintf("%s was detached from %s by force at %s, %s after the node was NotReady, and not six minutes after: %s.",
			c.Volume.Key(), c.From, clock(c.Forced), between(c.NotReady, c.Forced), why), shown
	}),
	believed("node-deletion-detaches", "Deleting the Node did not detach its volumes", func(c *wait.Case) (string, []*model.Observation) {
		if !apart(c.NodeGone, c.DetachRequested, time.Minute) {
			return "", nil
		}
		return fmt.Sprintf("The Node %s was deleted at %s, and the detach of %s was requested %s later: the pod had to be removed first, and a "+
			"mounted volume then waits for the timer.",
			c.From, clock(c.NodeGone), c.Volume.Key(), between(c.NodeGone, c.DetachRequested)), witnessesOf(c.NodeGone, c.DetachRequested)
	}),
	believed("attachment-deletion-frees", "Deleting the VolumeAttachment did not free the volume at once", func(c *wait.Case) (string, []*model.Observation) {
		if c.Attachment.Name == "" || c.DeletedByOther() == nil || !apart(c.DetachRequested, c.NewAttachment, surelyApart) {
			return "", nil
		}
		return fmt.Sprintf("The VolumeAttachment of %s on %s was deleted at %s, and the attach to %s began %s later: the driver had to detach, "+
				"and the controller notices only in its sync.",
				c.Volume.Key(), c.From, clock(c.DetachRequested), c.To, between(c.DetachRequested, c.NewAttachment)),
			append(witnessesOf(c.DetachRequested, c.NewAttachment), c.DeletedByOther())
	}),
	believed("second-attachment", "No second VolumeAttachment was created while the first existed", func(c *wait.Case) (string, []*model.Observation) {
		named := c.Attachment.Name != "" && c.NewAttachmentName().Name != ""
		if !named || !apart(c.Gone, c.NewAttachment, 0) || !apart(c.Began, c.NewAttachment, surelyApart) {
			return "", nil
		}
		return fmt.Sprintf("The VolumeAttachment of %s on %s was created at %s, %s after Multi-Attach was reported and after that on %s was gone: "+
			"while the volume is attached elsewhere the controller creates none.",
			c.Volume.Key(), c.To, clock(c.NewAttachment), between(c.Began, c.NewAttachment), c.From), witnessesOf(c.Began, c.Gone, c.NewAttachment)
	}),
}

// fiveMinutes is the default of the flag that was, and of the tolerations.
const fiveMinutes = 5 * time.Minute

func contradictsTimeout(c *wait.Case) (string, []*model.Observation) {
	if !c.NotReady.Before(c.DeletionRequested) || c.OldPodFinished.Known() || !witnessed(c.DeletionRequested, model.PodEvictionDecided) {
		return "", nil
	}
	took := c.DeletionRequested.At.Sub(c.NotReady.At)
	if (took - fiveMinutes).Abs() <= 30*time.Second {
		return "", nil
	}
	tolerated, basis, quote := c.Toleration()
	if late := took - tolerated; basis == "" || late < -2*time.Second || late > surelyApart {
		return "", nil // something else set the time
	}
	return fmt.Sprintf("Pod %s was evicted %s after its node was NotReady: its tolerationSeconds of %s, %d, decide, and no "+
			"pod-eviction-timeout.",
			wait.PodNames(c.OldPods), between(c.NotReady, c.DeletionRequested), upstream.UnreachableTaint, int64(tolerated.Seconds())),
		append(witnessesOf(c.NotReady, c.DeletionRequested), quote)
}
