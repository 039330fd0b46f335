package main

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestSamplesTellTheirStory checks in words what a reader of each recording has to be told.
func TestSamplesTellTheirStory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sample         string
		played         bool // an older recording
		status         model.Status
		groups, open   int
		says, saysNot  []string // in the verdict, the causes or the operands of the first incident
		causes, others []string // causes that must and must not be named
	}{
		{
			sample: "node-deleted", status: model.StatusIncident, groups: 1,
			says:   []string{"worker-0", "09:18:27", "09:24:27"},
			causes: []string{"node-down"}, others: []string{"controller-failover", "rollout-surge", "driver-detach-error"},
		},
		{
			sample: "out-of-service", status: model.StatusIncident, groups: 1,
			says:   []string{"out-of-service", "15:44:43"},
			causes: []string{"node-down"}, others: []string{"controller-failover", "unmount-stuck"},
		},
		{
			// The timer began again with the new leader: the detach came more than eight minutes after the release.
			sample: "controller-failover", status: model.StatusIncident, groups: 1,
			says: []string{"15:44:34", "15:50:40"}, saysNot: []string{"6 min after the release"},
			causes: []string{"node-down", "controller-failover"},
		},
		{
			sample: "rollout-surge", status: model.StatusIncident, groups: 1, open: 1,
			says: []string{"orders-db"}, saysNot: []string{"by force"},
			causes: []string{"rollout-surge"}, others: []string{"node-down", "unmount-stuck", "shared-claim"},
		},
		{
			sample: "detach-failing", played: true, status: model.StatusIncident, groups: 1, open: 1,
			says:   []string{"DeadlineExceeded"},
			causes: []string{"driver-detach-error"}, others: []string{"unmount-stuck"},
		},
		{
			sample: "unmount-stuck", status: model.StatusIncident, groups: 1, open: 1,
			says:   []string{"target is busy"},
			causes: []string{"unmount-stuck"}, others: []string{"node-down", "controller-failover"},
		},
		{
			sample: "unmount-stuck-v1.23", played: true, status: model.StatusIncident, groups: 1,
			says:   []string{"07:42:07"},
			causes: []string{"unmount-stuck"}, others: []string{"node-down", "controller-failover"},
		},
		{
			sample: "many-volumes", played: true, status: model.StatusIncident, groups: 1,
			says:   []string{"ip-10-0-129-95.eu-west-1.compute.internal", "out-of-service"},
			causes: []string{"node-down"},
		},
		{
			sample: "handover", status: model.StatusHandover, groups: 2,
			causes: []string{"handover"}, others: []string{"node-down", "unmount-stuck", "rollout-surge"},
		},
	} {
		t.Run(c.sample, func(t *testing.T) {
			bundle := sampleFiles
			if c.played {
				bundle = playedFiles
			}
			_, r := explained(t, bundle(t, c.sample), c.sample)
			if r.Verdict.Status != c.status || len(r.Groups) != c.groups || len(r.Incidents) == 0 {
				t.Fatalf("%s, %d groups, %d incidents: %s", r.Verdict.Status, len(r.Groups), len(r.Incidents), r.Verdict.Headline)
			}
			open := 0
			for _, i := range r.Incidents {
				if i.Span.Open != !i.Resolved {
					t.Errorf("%s: open %v, resolved %v", i.ID, i.Span.Open, i.Resolved)
				}
				if i.Span.Open {
					open++
				}
			}
			if open != c.open {
				t.Errorf("%d incidents are open, want %d", open, c.open)
			}
			story := story(r)
			for _, s := range c.says {
				if !strings.Contains(story, s) {
					t.Errorf("nothing says %q in\n%s", s, story)
				}
			}
			for _, s := range c.saysNot {
				if strings.Contains(story, s) {
					t.Errorf("something says %q in\n%s", s, story)
				}
			}
			named := map[string]bool{}
			for _, cause := range r.Incidents[0].Causes {
				named[cause.ID] = true
			}
			for _, id := range c.causes {
				if !named[id] {
					t.Errorf("the cause %s is not named", id)
				}
			}
			for _, id := range c.others {
				if named[id] {
					t.Errorf("the cause %s is named", id)
				}
			}
		})
	}
}

// story is what a report says in sentences, and when the operands of the detach decision changed.
func story(r *model.Report) string {
	var b strings.Builder
	b.WriteString(r.Verdict.Headline + "\n")
	for _, c := range r.Incidents[0].Causes {
		b.WriteString(c.Summary + "\n")
	}
	for _, o := range r.Incidents[0].WhyNotDetached {
		b.WriteString(o.Text + "\n")
		for _, change := range []*model.Moment{o.Since, o.Until} {
			if change != nil {
				b.WriteString(o.Operand + " changed at " + change.At.Format(time.TimeOnly) + "\n")
			}
		}
	}
	return b.String()
}
