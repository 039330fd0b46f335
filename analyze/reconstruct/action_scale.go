package reconstruct

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	steps, count, ok := c.steps()
	if !ok {
		return nil
	}
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
		if zero == nil && total(count) == 0 {
			zero = s
		}
	}
	return slices.DeleteFunc(out, func(a Action) bool { return !c.inSpan(a.At.Witness[0]) && !c.inSpan(lastOf(a.At.Witness[0])) })
}

func (c *Case) scaling(s *replicaStep) Action {
	return Action{
		What: Scaled, Object: model.Ref{Kind: "Deployment", Namespace: c.Workload.Namespace, Name: c.Workload.Name},
		At:       derived(s.at.Widen(time.Second, 0), "the Deployment's ReplicaSets changed as in no rollout", s.witness),
		ByPerson: model.Unknown, Detail: fmt.Sprintf("scaled to %d replicas", s.to),
	}
}

// steps are the changes of the Deployment's ReplicaSets in the order of time, and the replicas before the first of them.
// They are not ok when an event stands for more changes than it tells of.
func (c *Case) steps() (steps []replicaStep, count map[string]int, ok bool) {
	count = map[string]int{}
	for _, n := range c.World.replicasOf[c.Workload.String()] {
		if rs := c.World.ReplicaSets[n]; rs.Value().Spec.Replicas != nil && *rs.Value().Spec.Replicas > 0 {
			count[rs.Value().Name] = int(*rs.Value().Spec.Replicas)
		}
	}
	for _, o := range c.World.byWorkload[c.Workload.Key()] {
		if o.Kind != model.WorkloadScaled || o.Source.Kind != model.SourceEvent {
			continue
		}
		s, read := readStep(o)
		if !read || o.Count > 2 || o.At.IsZero() {
			return nil, nil, false
		}
		steps = append(steps, s)
		if o.Count == 2 {
			s.at = o.Last
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b replicaStep) int {
		if c := a.at.At.Compare(b.at.At); c != 0 {
			return c
		}
		return a.to - b.to // a change to zero comes before what replaces it
	})
	for _, s := range slices.Backward(steps) { // the first of each ReplicaSet wins
		count[s.replicaSet] = max(s.from, 0)
		if s.from < 0 && s.to == 0 {
			count[s.replicaSet] = 1
		}
	}
	return steps, count, true
}

// readStep reads "Scaled down replica set db-5d9 from 1 to 0", and the older "Scaled up replica set db-5d9 to 1".
func readStep(o *model.Observation) (replicaStep, bool) {
	s := replicaStep{at: o.At, witness: o, from: -1}
	_, rest, ok := strings.Cut(o.Detail, " replica set ")
	words := strings.Fields(rest)
	if !ok || len(words) != 3 && len(words) != 5 || words[len(words)-2] != "to" && words[1] != "to" {
		return s, false
	}
	s.replicaSet = words[0]
	var err error
	switch {
	case len(words) == 3:
		s.to, err = strconv.Atoi(words[2])
		return s, err == nil
	case words[1] == "from":
		if s.from, err = strconv.Atoi(words[2]); err == nil {
			s.to, err = strconv.Atoi(words[4])
		}
	default: // "to 0 from 1", 1.25–1.29
		if s.to, err = strconv.Atoi(words[2]); err == nil {
			s.from, err = strconv.Atoi(words[4])
		}
	}
	return s, err == nil
}

func total(count map[string]int) int {
	n := 0
	for _, k := range count {
		n += k
	}
	return n
}

// lastOf is an observation at the time of its last repetition.
func lastOf(o *model.Observation) *model.Observation {
	last := *o
	last.At = o.Last
	return &last
}
