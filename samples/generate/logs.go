package main

import (
	"bufio"
	"slices"
	"time"
)

// writeLogs writes the shared logs. The controller's is filled up with the starts of innocent workloads at -v=4, rounds of its volume
// controller, and three lines that it repeats ten times a second while a Deployment cannot progress.
func (p *plan) writeLogs(w *writer) error {
	all, _ := p.fill.units()
	left := p.logs
	for of := range roles {
		for _, c := range append([]*cell{p.base}, p.cells...) {
			left -= bytesOf(c.lines[of])
		}
		left -= p.unitBytes(func(u *unit) []line { return u.brief[of] })
	}
	left = max(left, 0)
	more := p.unitBytes(func(u *unit) []line { return u.lines[roleController] }) -
		p.unitBytes(func(u *unit) []line { return u.brief[roleController] })
	loud := all
	if share := left * 2 / 5; more > share {
		loud = int(share * int64(all) / more)
		more = share
	}
	left -= more
	for of := range roles {
		feeders := []*feeder{p.cellFeeder(of), p.unitFeeder(of, loud)}
		if of == roleController {
			feeders = append(feeders, p.resyncFeeder(left/2), p.repeatFeeder(left-left/2))
		}
		path := p.base.as.render(p.base.cut(p.base.rec.logPath(of), nil))
		if err := w.stream(path, func(out *bufio.Writer) error { return merge(out, feeders) }); err != nil {
			return err
		}
	}
	return nil
}

func bytesOf(lines []line) int64 {
	n := int64(0)
	for _, l := range lines {
		n += int64(l.size)
	}
	return n
}

// unitBytes is what some lines of every unit have together.
func (p *plan) unitBytes(of func(*unit) []line) int64 {
	all, stateful := p.fill.units()
	return int64(stateful)*bytesOf(of(p.fill.stateful)) + int64(all-stateful)*bytesOf(of(p.fill.plain))
}

// cellFeeder plays what was logged of the control plane and of the incidents.
func (p *plan) cellFeeder(of role) *feeder {
	var wanted []*cell
	for _, c := range append([]*cell{p.base}, p.cells...) {
		if len(c.lines[of]) > 0 {
			wanted = append(wanted, c)
		}
	}
	first := func(c *cell) time.Time { return c.lines[of][0].at.Add(c.as.shift) }
	slices.SortStableFunc(wanted, func(a, b *cell) int { return first(a).Compare(first(b)) })
	return &feeder{
		count: len(wanted),
		first: func(i int) time.Time { return first(wanted[i]) },
		open:  func(i int) *player { return &player{lines: wanted[i].lines[of], as: wanted[i].as} },
	}
}

// unitFeeder plays the starts of the innocent workloads, the first ones at -v=4.
func (p *plan) unitFeeder(of role, loud int) *feeder {
	all, _ := p.fill.units()
	return &feeder{
		count: all,
		first: p.fill.starts,
		open: func(x int) *player {
			u, _ := p.fill.at(x)
			lines := u.brief[of]
			if x < loud {
				lines = u.lines[of]
			}
			if len(lines) == 0 {
				return nil
			}
			return &player{lines: lines, as: p.fill.copyOf(p.seed, x)}
		},
	}
}

// evenly spreads so many players over the time that the logs cover, once the workloads have started.
func evenly(count int, open func(i int, at time.Time) *player) *feeder {
	from := capture.Add(-span + 6*time.Minute)
	first := func(i int) time.Time {
		return from.Add(time.Duration(float64(capture.Sub(from)) * float64(i) / float64(count)))
	}
	return &feeder{count: count, first: first, open: func(i int) *player { return open(i, first(i)) }}
}

// resyncFeeder plays rounds of the volume controller: volume after volume, of those that are there already.
func (p *plan) resyncFeeder(size int64) *feeder {
	u := p.fill.stateful
	_, stateful := p.fill.units()
	if stateful == 0 || len(u.resync) == 0 {
		return &feeder{}
	}
	return evenly(int(size/bytesOf(u.resync)), func(i int, at time.Time) *player {
		there := max(1, int(float64(stateful)*float64(at.Sub(p.fill.starts(0)))/float64(span-10*time.Minute)))
		x := p.fill.place(i % min(stateful, there))
		return &player{lines: u.resync, as: copied{names: u.names(p.fill.identity(p.seed, x)), shift: at.Sub(u.resync[0].at)}}
	})
}

// repeatFeeder plays the lines that are repeated for the Deployments of incidents that are not over.
func (p *plan) repeatFeeder(size int64) *feeder {
	var open []*cell
	for _, c := range p.cells {
		if c.open {
			open = append(open, c)
		}
	}
	f := p.fill
	if len(open) == 0 {
		return p.resyncFeeder(size)
	}
	return evenly(int(size/bytesOf(f.repeat)), func(i int, at time.Time) *player {
		c := open[i%len(open)]
		return &player{lines: f.repeat, as: copied{names: f.hot.names(c.id), shift: at.Sub(f.repeat[0].at)}}
	})
}
