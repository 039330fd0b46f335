package replay

import "github.com/volpost/volpost/analyze/reconstruct"

// workers is how many calls an external-attacher runs in parallel, attaches and detaches together: --worker-threads (2.2.1–4.13.0).
const workers = 10

// mostQueued ends the count of the volumes that wait together: a node has no more.
const mostQueued = 300

// queues counts, for each old node, the volumes that wait for it at once: what frees one of them, frees all.
func queues(cases []*reconstruct.Case) map[string][]*reconstruct.Case {
	out := map[string][]*reconstruct.Case{}
	for _, c := range cases {
		if c.From != "" {
			out[c.From] = append(out[c.From], c)
		}
	}
	return out
}

// together is how many volumes, of those that wait for the same node, wait at the same time as one.
func (m *Model) together(c *reconstruct.Case) int {
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
func queued(p Param, volumes int) Param {
	rounds := float64((volumes - 1) / workers)
	if rounds == 0 || p.Hi == never {
		return p
	}
	p.Why += ", and other volumes queue for the same external-attacher"
	p.Hi += 2 * rounds * p.Best
	return p
}
