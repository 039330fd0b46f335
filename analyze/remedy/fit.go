package remedy

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model/words"
)

// tolerable is how far the replay with nothing changed may lie from what happened, in seconds.
const tolerable = 30.0

// Residual is the replay without a remedy against what was seen, in seconds from the beginning of the span; +Inf without an end.
func (i *Incident) Residual() (predicted, observed float64) { return i.Asis.Ready.Best, i.Scenario.End }

// Misfit says which step of the replay does not fit what happened, or nothing. A position in a loop explains differences within the range.
func (i *Incident) Misfit() string {
	if i.Case.Before && len(i.Case.NewPods) > 0 {
		return wait.PodNames(i.Case.NewPods) + " has no node, and the replay has no scheduler: nothing shows when it gets one."
	}
	if i.Case.Taken {
		return "no pod is known to wait for the volume."
	}
	const replayed = "replayed with nothing changed, the incident "
	predicted, observed := i.Residual()
	r := i.Asis.Ready
	if attached := i.Case.Attached; math.IsInf(observed, 1) && attached.Known() && r.Known() {
		r = i.Asis.Attach // when the pod was Ready is not recorded
		predicted, observed = r.Best, i.of(attached.At)
		r.Min, r.Max = r.Min-i.of(attached.Latest)+observed, r.Max-i.of(attached.Earliest)+observed
	}
	switch {
	case math.IsInf(observed, 1) && i.Case.Resolved():
		return "" // the wait ended at a time that is not known
	case math.IsInf(observed, 1) && i.Asis.Unsure:
		return "the replay turns on what is not in the bundle. " + i.unknownState()
	case math.IsInf(observed, 1) && (math.IsInf(predicted, 1) || r.Max >= i.Scenario.Until):
		return ""
	case math.IsInf(observed, 1):
		return fmt.Sprintf(replayed+"ends %s after its beginning, and it had not ended at the collection; %s.", words.Whole(predicted), i.step())
	case math.IsInf(predicted, 1):
		return fmt.Sprintf(replayed+"never ends (%s), and it did.", i.Asis.Why)
	case math.Abs(predicted-observed) <= tolerable, observed >= r.Min-Noticeable && observed <= r.Max+Noticeable:
		return ""
	}
	apart := words.Whole(math.Abs(predicted - observed))
	return fmt.Sprintf(replayed+"ends %s from where it did; %s.%s", apart, i.step(), i.unseenHold(predicted, observed))
}

// unseenHold says of a replay that ends too soon what the bundle lacks: a record of what held the volume meanwhile.
func (i *Incident) unseenHold(predicted, observed float64) string {
	c := i.Case
	if predicted > observed || c.Released.Known() && c.DetachRequested.Known() {
		return ""
	}
	free := c.Attached
	if c.NewAttachment.Known() {
		free = c.NewAttachment
	}
	if !free.Known() {
		return ""
	}
	where := lackingLogs(c, !i.Lost())
	if where == "" {
		return fmt.Sprintf(" What held the volume until %s, no log of the bundle says.", clock(free.At))
	}
	return fmt.Sprintf(" What held the volume until %s is not in the bundle; %s would tell.", clock(free.At), where)
}

// lackingLogs names the logs that would tell what held a volume and do not cover the beginning of the wait; empty when all are there.
func lackingLogs(c *wait.Case, alive bool) string {
	var of []string
	for _, component := range []string{facts.ControllerManager, facts.Attacher} {
		if !c.World.LogAt(component, c.Began) {
			of = append(of, "of the "+component)
		}
	}
	where := strings.Join(of, " and ")
	if len(of) == 1 {
		where = "the log " + where
	} else if len(of) > 1 {
		where = "the logs " + where
	}
	if kubelet := "that of the kubelet of " + cmp.Or(c.From, "the old node"); alive && c.KubeletLogAt(c.Began) == "" {
		if where == "" {
			return strings.Replace(kubelet, "that", "the log", 1)
		}
		where += ", and " + kubelet
	}
	return where
}

// Outlook says of an incident that was open at the collection when it ends if nothing is done; empty for others.
func (i *Incident) Outlook() string {
	if _, ended := i.End(); ended {
		return ""
	}
	if i.Asis.Unsure {
		return "The bundle does not show whether the wait ends by itself. " + i.unknownState()
	}
	if i.Misfit() != "" {
		return ""
	}
	if r := i.Asis.Ready; r.Known() {
		return fmt.Sprintf("If nothing is done, the new pod becomes Ready between %s and %s.", i.clock(r.Min), i.clock(r.Max))
	}
	if end := i.Case.MetricsEnd(); !end.IsZero() {
		return "The metrics end at " + clock(end) + ", during the wait: only later ones show whether it ended. It lasts as long as this " +
			"is so: " + i.Asis.Why + "."
	}
	return "If nothing is done, the wait never ends: " + i.Asis.Why + "."
}

// step names the first step of the replay that does not fit.
func (i *Incident) step() string {
	c, o := i.Case, i.Asis.Typic
	for _, s := range []struct {
		what string
		at   time.Time
		seen bool
		sec  float64
	}{
		{"the deletion of the old pod", c.DeletionRequested.At, c.DeletionRequested.Known(), o.Deleted},
		{"the release of the volume", c.Released.At, c.Released.Known(), o.Released},
		{"the request of the detach", c.DetachRequested.At, c.DetachRequested.Known(), o.DetachAt},
		{"the end of the old attachment", c.Gone.At, c.Gone.Known(), o.Gone},
		{"the attach", c.Attached.At, c.Attached.Known(), o.Attached},
	} {
		if s.seen && math.Abs(s.sec-i.of(s.at)) > tolerable {
			return "the first step that does not fit is " + s.what
		}
	}
	return "the step that does not fit is the last, from the attach to Ready"
}
