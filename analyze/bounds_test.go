package analyze_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
)

// lostOf is the snapshot of a cluster with that many waits, three on each lost node.
func lostOf(waits int) *model.Snapshot { return largeOf(waits*10/podsPerNode*podsPerNode, manyLost) }

func problems(r *model.Report) string {
	var out []string
	for _, p := range r.Bundle.Problems {
		out = append(out, p.Message)
	}
	return strings.Join(out, "\n")
}

// TestMoreIncidents: of more waits than may be explained, some of each lost node are, and the report says of how many it does not tell,
// in its problems, its headline and the titles of its groups. What is left out is no finding either.
func TestMoreIncidents(t *testing.T) {
	s := lostOf(30)
	whole := analyze.Run(t.Context(), s, analyze.Options{})
	few := analyze.Run(t.Context(), s, analyze.Options{Incidents: 10})
	n := len(whole.Incidents)
	if len(few.Incidents) != 10 || n <= 10 || strings.Contains(problems(whole), "--max-incidents") {
		t.Fatalf("%d and %d incidents: %s", n, len(few.Incidents), problems(whole))
	}
	for text, in := range map[string]string{
		fmt.Sprintf("%d waits were found, and 10 are explained, the gravest of each node first; the other %d are only counted "+
			"(--max-incidents): ", n, n-10): problems(few),
		fmt.Sprintf(" (1 of %d waits).", n): few.Verdict.Headline,
	} {
		if !strings.Contains(in, text) {
			t.Errorf("%q is not in %q", text, in)
		}
	}
	told, nodes := 0, map[string]bool{}
	for _, g := range few.Groups {
		var volumes, more int
		if _, err := fmt.Sscanf(g.Title[strings.Index(g.Title, ": ")+2:], "%d volumes, and %d more that the report does not explain", &volumes,
			&more); err != nil {
			t.Errorf("%s: %v", g.Title, err)
		}
		told += volumes + more
		nodes[g.Node] = true
	}
	if told != n || len(nodes) != len(whole.Groups) {
		t.Errorf("groups tell of %d waits on %d nodes, want %d on %d", told, len(nodes), n, len(whole.Groups))
	}
	if len(few.Findings) != len(whole.Findings) {
		t.Errorf("%d findings, and %d where all is explained", len(few.Findings), len(whole.Findings))
	}
}

// TestTimeIsUp: whatever the stage in which the time ends, there is a report of what was known, which names the stage.
func TestTimeIsUp(t *testing.T) {
	s := lostOf(9)
	seen := map[string]bool{}
	const most = 1 << 30
	never := &expiring{Context: t.Context(), left: most}
	analyze.Run(never, s, analyze.Options{})
	asks := most - never.left
	for asked := range asks {
		if asked == 12 {
			asked = asks / 2 // the alerting rules ask most often
		} else if asked > 12 && asked < asks-12 {
			continue
		}
		r := analyze.Run(&expiring{Context: t.Context(), left: asked}, s, analyze.Options{})
		text := problems(r)
		if !strings.Contains(text, "(--max-time)") {
			t.Fatalf("after %d questions nothing says that the time was up: %s", asked, text)
		}
		_, stage, _ := strings.Cut(text, "is reached while ")
		stage, _, _ = strings.Cut(stage, ";")
		seen[stage] = true
		if len(r.Incidents) == 0 || r.Verdict.Status != model.StatusIncident {
			t.Errorf("while %s: %d incidents, %s", stage, len(r.Incidents), r.Verdict.Status)
		}
	}
	for _, stage := range []string{"the waits were put together", "the alerting rules were run", "the waits were explained",
		"the findings were looked for"} {
		if !seen[stage] {
			t.Errorf("the time was never up while %s: %v", stage, seen)
		}
	}
}

// expiring is a context whose time is up when it has been asked so often.
type expiring struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *expiring) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestTimeIsUpForAnswers: an answer, a graph and a comparison say that they have less than the bundle tells, and no incident is told
// otherwise for it.
func TestTimeIsUpForAnswers(t *testing.T) {
	s := lostOf(9)
	whole := analyze.Run(t.Context(), s, analyze.Options{})
	ask := analyze.Question{Incident: "1", Applied: analyze.Applied{Remedy: "force-delete-pod"}}
	done := &expiring{Context: t.Context()}
	found, err := analyze.WhatIf(done, s, ask, analyze.Options{})
	if err != nil || found.Incident.ID != whole.Incidents[0].ID || found.Answer.Title == "" || len(found.Problems) != 1 ||
		!strings.Contains(found.Problems[0].Message, "while the waits were put together") {
		t.Errorf("%v: %+v", err, found.Problems)
	}
	done.left = 1
	chain, err := analyze.Chain(done, s, model.Ref{})
	if err != nil || len(chain.Nodes) == 0 || len(chain.Problems) != 1 || !strings.Contains(chain.Problems[0].Message,
		"while the waits were put together") {
		t.Errorf("%v: %+v", err, chain.Problems)
	}
	if full, err := analyze.Chain(t.Context(), s, model.Ref{}); err != nil || len(full.Problems) != 0 || len(full.Nodes) < len(chain.Nodes) {
		t.Errorf("%v: %+v", err, full.Problems)
	}
	d, err := analyze.Diff(analyze.SideOf(t.Context(), s, analyze.Options{}),
		analyze.SideOf(&expiring{Context: t.Context()}, s, analyze.Options{}), analyze.Options{}, true)
	if err != nil || !strings.Contains(strings.Join(d.CannotTell, "\n"),
		"All of the second: the limit of time (--max-time) is reached while the waits were put together") {
		t.Fatalf("%v: %q", err, d.CannotTell)
	}
	for _, i := range d.Incidents {
		if i.Change == model.ChangeContradicted {
			t.Errorf("told otherwise, and only cut off: %s", i.Text)
		}
	}
}

// TestManyWaitsOfOneVolume: the newest are explained, and the others counted.
func TestManyWaitsOfOneVolume(t *testing.T) {
	r := analyze.Run(t.Context(), oneWanted(60), analyze.Options{})
	own := slices.DeleteFunc(r.Incidents, func(i model.Incident) bool { return i.Volume.PersistentVolume != pvName(0) })
	if len(own) != 50 || !strings.Contains(problems(r), "the others are only counted: 10 of pvc-000000") {
		t.Errorf("%d incidents; %s", len(own), problems(r))
	}
	if at := own[0].To.Node; at != nodeName(11) {
		t.Errorf("the first is on %s", at)
	}
}

// oneWanted is a cluster in which that many nodes want the volume of node 0.
func oneWanted(nodes int) *model.Snapshot {
	s := largeOf(podsPerNode, manyLost)
	b := &builder{s, "Event.yaml"}
	old := model.Ref{Kind: "Pod", Namespace: "team-0", Name: "web-000000-6c5d7f9b84-xk2lp"}
	for n := range nodes {
		b.say(model.MultiAttach, evicted, func(o *model.Observation) {
			o.Pod, o.Node, o.Volume.PersistentVolume, o.Variant = model.PodRef("team-0", fmt.Sprintf("job-%d", n),
				""), nodeName(n+1), pvName(0), model.UsedByPods
			o.Source.Kind, o.Component, o.Pods = model.SourceEvent, "attachdetach-controller", []model.Ref{old}
		})
	}
	return s
}
