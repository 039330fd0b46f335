//go:build unix

package film

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// among is a film of one lost node and one pod among that many events of other pods.
func among(n int) *Film {
	list := []model.TimelineItem{item("06:00:00.000", model.NodeNotReady, "Node a is not Ready", model.Ref{Kind: "Node", Name: "a"}),
		item("06:00:00.000", model.LeaderAcquired, "kcm-1 leads"),
		item("06:00:00.000", model.PodReady, "job-0 is Ready", model.PodRef("team", "job-0", ""))}
	for i := range n {
		at := item("06:00:01.000", model.PodScheduled, fmt.Sprint("other ", i), model.PodRef("team", fmt.Sprint("other-", i), ""))
		at.At = at.At.Shift(time.Duration(i) * 10 * time.Millisecond)
		list = append(list, at)
	}
	in := &model.Incident{ID: "i"}
	in.From.Node, in.To.Node, in.From.Pods = "a", "b", []model.Ref{model.PodRef("team", "job-0", "")}
	in.Span.From, in.Span.To = clock("06:00:00.000"), clock("07:00:00.000")
	return New(&model.Report{Timeline: list}, in)
}

// TestInstantsAmongOthers: what happened to other objects is not looked through at each instant.
func TestInstantsAmongOthers(t *testing.T) {
	asked := func(f *Film) time.Duration {
		spent := func() time.Duration {
			var u syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
				t.Fatal(err)
			}
			return time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
		least := time.Hour
		for range 3 {
			before := spent()
			for range 2000 {
				if s := f.At(f.To); s.Happened < 500 || s.Nodes[0].Ready == nil || s.Pods[0].Status == nil {
					t.Fatalf("the film tells %+v", s)
				}
			}
			least = min(least, spent()-before)
		}
		return least
	}
	few, many := asked(among(500)), asked(among(8000))
	if t.Logf("%v and %v", few, many); many > 4*few+20*time.Millisecond {
		t.Errorf("16 times the events of others take %v and not %v", many, few)
	}
}
