package reconstruct

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/volpost/volpost/model"
)

// replicaStep is one change of a ReplicaSet's number of replicas, as the Deployment controller's event tells it.
type replicaStep struct {
	at         model.Moment
	witness    *model.Observation
	replicaSet string
	from, to   int // from is -1 where the wording has none
}

// together bounds how far apart the Deployment controller scales several ReplicaSets for one change of the Deployment.
const together = 2 * time.Second

// scalings derive from the Deployment controller's events that the Deployment itself was scaled: to zero and back, when no
// ReplicaSet was left with pods and one that had just lost its pods got them again, which no rollout does; and up, when
// its only ReplicaSet grew.
func scalings(c *Case) []Action {
	if c.Workload == nil || c.Workload.Kind != "Deployment" {
		return nil
	}
	steps, count := c.steps()
	var out []Action
	var zero *replicaStep
	var emptied []string // the ReplicaSets that went to zero together
	for i := range steps {
		s := &steps[i]
		switch {
		case s.to > 0 && zero != nil && slices.Contains(emptied, s.replicaSet):
			out = append(out, c.scaling(zero), c.scaling(s))
		case s.from > 0 && s.to > s.from && len(count) == 1:
			out = append(out, c.scaling(s))
		}
		count[s.replicaSet] = s.to
		if s.to > 0 {
			zero, emptied = nil, nil
			continue
		}
		if i > 0 && s.at.At.Sub(steps[i-1].at.At) > together {
			emptied = nil
		}
		emptied = append(emptied, s.replicaSet)
		if zero == nil && !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 }) {
			zero = s
		}
	}
	return slices.DeleteFunc(out, func(a Action) bool { return !c.spans(a.At.Witness[0].At) && !c.spans(a.At.Witness[0].Last) })
}

func (c *Case) scaling(s *replicaStep) Action {
	return Action{
		What: Scaled, Object: model.Ref{Kind: "Deployment", Namespace: c.Workload.Namespace, Name: c.Workload.Name},
		At:       derived(s.at.Widen(time.Second, 0), "the Deployment's ReplicaSets changed as in no rollout", s.witness),
		ByPerson: model.Unknown, Detail: fmt.Sprintf("scaled to %d replicas", s.to),
	}
}

// steps are the changes of the Deployment's ReplicaSets in the order of time, and the replicas before the first of them.
// There are none when an event stands for more changes than it tells of.
func (c *Case) steps() (steps []replicaStep, count map[string]int) {
	count = map[string]int{}
	for _, n := range c.World.replicasOf[c.Workload.String()] {
		if rs := c.World.ReplicaSets[n].Value(); rs.Spec.Replicas != nil && *rs.Spec.Replicas > 0 {
			count[rs.Name] = int(*rs.Spec.Replicas)
		}
	}
	for _, o := range c.World.byWorkload[c.Workload.Key()] {
		if o.Kind != model.WorkloadScaled || o.Source.Kind != model.SourceEvent {
			continue
		}
		s, read := readStep(o)
		if !read || o.Count > 2 || o.At.IsZero() {
			return nil, nil
		}
		steps = append(steps, s)
		if o.Count == 2 {
			s.at = o.Last
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b replicaStep) int {
		return cmp.Or(a.at.At.Compare(b.at.At), a.to-b.to) // a change to zero comes before what replaces it
	})
	for _, s := range slices.Backward(steps) { // the first of each ReplicaSet wins
		count[s.replicaSet] = max(s.from, 0)
		if s.from < 0 && s.to == 0 {
			count[s.replicaSet] = 1
		}
	}
	return steps, count
}

// replicaText is "Scaled down replica set db-5d9 from 1 to 0", the older "Scaled up replica set db-5d9 to 1", and "to 0 from 1"
// (1.25–1.29).
var replicaText = regexp.MustCompile(` replica set (\S+) (?:from (\d{1,9}) to (\d{1,9})|to (\d{1,9})(?: from (\d{1,9}))?)$`)

func readStep(o *model.Observation) (replicaStep, bool) {
	m := replicaText.FindStringSubmatch(o.Detail)
	if m == nil {
		return replicaStep{}, false
	}
	s := replicaStep{at: o.At, witness: o, replicaSet: m[1], from: -1}
	s.to, _ = strconv.Atoi(m[3] + m[4])
	if from := m[2] + m[5]; from != "" {
		s.from, _ = strconv.Atoi(from)
	}
	return s, true
}
