package alert

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// waitOf is a wait of some pods for a volume that a lost node holds, which begins at minute 20 and ends at minute 40.
func waitOf(pods int) *wait.Case {
	at := func(n int) facts.Instant { return facts.Instant{Moment: exactly(minute(n))} }
	c := &wait.Case{World: &facts.World{}, From: "a", To: "b", Volume: &facts.Volume{}}
	c.Volume.PersistentVolume, c.Volume.Driver, c.Volume.Claim = "pv", "x", model.Ref{Kind: "PersistentVolumeClaim", Namespace: "n", Name: "c"}
	c.Span.From, c.Span.To = exactly(minute(10)), exactly(minute(45))
	c.NotReady, c.Began, c.Attached = at(10), at(20), at(40)
	for i := range pods {
		c.NewPods = append(c.NewPods, model.PodRef("n", fmt.Sprint("p-", i), fmt.Sprint("uid-", i)))
	}
	return c
}

func exactly(t time.Time) model.Moment {
	return model.Moment{At: t, Earliest: t, Latest: t, Basis: model.Observed}
}

// TestPodsLeftOut: an alert over synthesised series says that not all pods of a wait are followed, and only then; it ends with the wait.
func TestPodsLeftOut(t *testing.T) {
	for pods, told := range map[int]bool{lanes.MostPods: false, lanes.MostPods + 1: true} {
		r := Result{Firsts: map[string]First{}, Tested: map[string]bool{}}
		r.overTimeline(t.Context(), []*wait.Case{waitOf(pods)}, Setup{}, given{}, "")
		for _, a := range r.Alerts {
			if a.Name == "MultiAttachWait" &&
				(a.Result != resultFired || len(a.Firings) != lanes.MostPods || a.Firings[0].To == nil || strings.Contains(a.Note, "the first 16 are followed") != told) {
				t.Errorf("%d pods: %s with %d firings, %s", pods, a.Result, len(a.Firings), a.Note)
			}
		}
	}
}
