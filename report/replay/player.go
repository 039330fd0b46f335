package replay

import (
	"sort"
	"time"
)

// player is a replay with its place in time. It is moved by keys and by the time that passes; frame draws it.
type player struct {
	*Replay
	at      time.Time
	cursor  int // the event that is looked at, of the film; -1 before the first
	playing bool
	speed   float64
	over    overlay
	scroll  int // first row of the overlay
}

// overlay is what covers the screen.
type overlay int

const (
	noOverlay overlay = iota
	evidenceOverlay
	helpOverlay
)

// replaySpeeds are the speeds that the keys choose from, in multiples of real time.
var replaySpeeds = []float64{1, 2, 5, 10, 30, 60, 120, 300, 600}

// longestTick is what a tick moves the clock by at most, in real time: a laptop that slept has seen nothing.
const longestTick = time.Second

func newPlayer(r *Replay, speed float64) *player {
	p := &player{Replay: r, playing: true, speed: speed}
	p.move(r.film.From)
	return p
}

// move goes to an instant.
func (p *player) move(t time.Time) {
	if t.After(p.end) {
		t = p.end
	}
	if t.Before(p.film.First) {
		t = p.film.First
	}
	p.at = t
	p.cursor = p.film.at(t).Happened - 1
}

// tick lets time pass.
func (p *player) tick(d time.Duration) {
	if !p.playing || p.over != noOverlay {
		return
	}
	p.move(p.at.Add(time.Duration(float64(min(max(d, 0), longestTick)) * p.speed)))
	p.playing = p.at.Before(p.end)
}

// step goes to another event, and at the last one on to the end.
func (p *player) step(by int) {
	p.playing = false
	n := p.cursor + by
	if n >= len(p.film.Events) {
		p.move(p.end)
		return
	}
	if n < 0 {
		p.move(p.film.First)
		p.cursor = -1
		return
	}
	p.at, p.cursor = p.film.Events[n].At.At, n
}

// jump goes to the beginning of a phase, by its index.
func (p *player) jump(phase int) {
	phases := p.film.Incident.Phases
	if phase >= 0 && phase < len(phases) {
		p.move(phases[phase].From.At)
		p.playing = false
	}
}

// nearby goes to the next phase, or to the one before: back to the beginning of the phase first, unless it has just begun.
func (p *player) nearby(by int) {
	phases := p.film.Incident.Phases
	now := phaseAt(phases, p.at)
	switch {
	case by > 0 && now+1 >= len(phases):
		p.move(p.film.To)
		p.playing = false
	case by > 0:
		p.jump(now + 1)
	case now >= len(phases):
		p.jump(len(phases) - 1)
	case now > 0 && !p.at.After(phases[now].From.At):
		p.jump(max(sort.Search(now, func(i int) bool { return !phases[i].From.At.Before(phases[now].From.At) })-1, 0))
	default:
		p.jump(max(now, 0))
	}
}

// faster takes the next speed that the keys know, up or down.
func (p *player) faster(by int) {
	if by > 0 {
		i := sort.Search(len(replaySpeeds), func(i int) bool { return replaySpeeds[i] > p.speed })
		p.speed = replaySpeeds[min(i, len(replaySpeeds)-1)]
		return
	}
	i := sort.Search(len(replaySpeeds), func(i int) bool { return replaySpeeds[i] >= p.speed })
	p.speed = replaySpeeds[max(i-1, 0)]
}

// key takes a key by its name and returns whether the replay is over.
func (p *player) key(name string) (quit bool) {
	if p.over != noOverlay {
		p.overlayKey(name)
		return false
	}
	switch name {
	case "q", "esc":
		return true
	case "space":
		if p.playing = !p.playing; p.playing && !p.at.Before(p.end) {
			p.move(p.film.From) // from the beginning again
		}
	case "right", "down", "n":
		p.step(1)
	case "left", "up", "p":
		p.step(-1)
	case "pgdn":
		p.step(10)
	case "pgup":
		p.step(-min(10, p.cursor))
	case "]", "tab":
		p.nearby(1)
	case "[":
		p.nearby(-1)
	case "+", "=":
		p.faster(1)
	case "-":
		p.faster(-1)
	case "home", "g":
		p.move(p.film.From)
	case "end", "G":
		p.move(p.end)
	case "enter", "e":
		p.open(evidenceOverlay)
	case "?", "h":
		p.open(helpOverlay)
	default:
		if len(name) == 1 && name[0] >= '1' && name[0] <= '9' {
			p.jump(int(name[0] - '1'))
		}
	}
	return false
}

func (p *player) open(o overlay) { p.over, p.scroll = o, 0 }

// overlayKey scrolls what covers the screen; steps stay possible with the evidence open. Every other key closes it.
func (p *player) overlayKey(name string) {
	switch name {
	case "down":
		p.scroll++
	case "up":
		p.scroll = max(p.scroll-1, 0)
	case "pgdn", "space":
		p.scroll += 10
	case "pgup":
		p.scroll = max(p.scroll-10, 0)
	case "right", "n", "left", "p":
		if p.over != evidenceOverlay {
			p.over = noOverlay
			return
		}
		by := 1
		if name == "left" || name == "p" {
			by = -1
		}
		p.step(by)
		p.scroll = 0
	default:
		p.over = noOverlay
	}
}
