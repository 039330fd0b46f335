package replay

import (
	"math"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Pauses of the attach/detach controller and the kubelet between tries of one operation: 500 ms, doubling up to 2m2s
// (goroutinemap/exponentialbackoff, 1.13–1.36; a kubelet of 1.34.3 on a busy mount).
const (
	firstBackoff = 0.5
	maxBackoff   = 122.0
)

// pauseAt is the pause in force some time after the first try, for pauses that double from first to longest.
func pauseAt(elapsed, first, longest float64) float64 {
	sum, step := 0.0, first
	for sum+step < elapsed {
		sum += step
		step = min(2*step, longest)
	}
	return step
}

// nextTry is the first try at a time or after it, for tries that began at a time and pauses that double.
func nextTry(begun, at, first, longest float64) float64 {
	step := first
	for begun < at {
		begun += step
		step = min(2*step, longest)
	}
	return begun
}

// workers is how many calls an external-attacher runs in parallel, attaches and detaches together: --worker-threads (2.2.1–4.13.0).
const workers = 10

// mostQueued ends the count of the volumes that wait together: a node has no more.
const mostQueued = 300

// queues counts, for each old node, the volumes that wait for it at once: what frees one of them, frees all.
func queues(cases []*wait.Case) map[string][]*wait.Case {
	out := map[string][]*wait.Case{}
	for _, c := range cases {
		if c.From != "" {
			out[c.From] = append(out[c.From], c)
		}
	}
	return out
}

// together is how many volumes, of those that wait for the same node, wait at the same time as one.
func (m *Model) together(c *wait.Case) int {
	n := 0
	for _, other := range m.queue[c.From] {
		begun := other.Began.At.Before(c.Ended().At) || !c.Ended().Known()
		open := c.Began.At.Before(other.Ended().At) || !other.Ended().Known()
		if begun && open {
			n++
		}
		if n == mostQueued {
			break
		}
	}
	return max(n, 1)
}

// queued widens a call by what it waits for others at worst: the rounds that come before it, of detaches and of attaches.
func queued(p model.Range, volumes int) model.Range {
	rounds := float64((volumes - 1) / workers)
	if rounds == 0 || p.Max == never {
		return p
	}
	p.Max += 2 * rounds * p.Best
	return p
}

// never is the time of what does not happen.
var never = math.Inf(1)

// exactly is a range without uncertainty.
func exactly(s float64) model.Range { return span(s, s, s) }
