package cause

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var controllerFailover = Cause{
	ID: "controller-failover", Title: "A new controller leader started the timer again",
	Label: "Controller failed over", Group: "Controller failover, volume on %s",
	Needs: []Need{needHolder}, Check: checkControllerFailover,
}

func checkControllerFailover(c *wait.Case) Result {
	if r := forgotten(c); r.Verdict != "" {
		return r
	}
	for _, f := range c.Failovers {
		if c.Resolved() && !f.At.Before(c.Ended().At) || c.DetachRequested.Known() && !f.At.Before(c.DetachRequested.At) {
			continue
		}
		if c.Released.Known() && f.At.Before(c.Released.Earliest) || !c.Released.Known() && !c.Forced.Known() {
			continue // no timer was running
		}
		return failedOver(c, f)
	}
	return besideTheWait(c)
}

// besideTheWait names a change of leader that started no timer again, so that a reader who finds it in a log sees that it was judged.
func besideTheWait(c *wait.Case) Result {
	for _, f := range c.Failovers {
		if c.Resolved() && !f.At.Before(c.Ended().At) {
			continue
		}
		r := Result{Verdict: model.Undecidable, Aside: true, Explains: during(c, f), For: witnesses(f), Summary: tookOver(f),
			Missing: []string{"how long no leader worked before it: the end of the former leader's log"}}
		switch {
		case c.DetachRequested.Known() && !f.At.Before(c.DetachRequested.At):
			r.Against = c.DetachRequested.Witness
			r.Summary += fmt.Sprintf("; the detach had been requested at %s already, so that no timer was lost.", clock(c.DetachRequested))
		case c.Released.Known() && f.At.Before(c.Released.Earliest):
			r.Against = c.Released.Witness
			r.Summary += fmt.Sprintf("; the old pod was released only after that, at %s, so that no timer was lost.", clock(c.Released))
		case !c.Released.Known() && c.OldPodRuns():
			r.Against = c.PodEvidence()
			r.Summary += fmt.Sprintf("; %s goes on using the volume, so that no timer was running.", wait.PodNames(c.OldPods))
		default:
			r.Summary += "; when the old pod was released is not known, and so not either whether a timer started again."
			r.Missing = []string{"when the old pod was released: an audit log"}
		}
		return r
	}
	return Result{}
}

// during is the phase in which a takeover fell.
func during(c *wait.Case, f facts.Instant) []model.PhaseID {
	for _, p := range c.Phases {
		if f.At.Before(p.To.At) {
			return []model.PhaseID{p.ID}
		}
	}
	return []model.PhaseID{model.PhaseRelease}
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
