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
