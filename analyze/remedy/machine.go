package remedy

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// machine is what is known of the old node's machine since it was lost.
type machine struct {
	stops  []wait.Stop
	alive  []*model.Observation // its kubelet's signs of life while the node was not Ready
	cloud  *model.Observation   // the cloud says that it runs
	ranOn  []*model.Observation
	noBoot bool
}

// stopped is the condition of taking the volume from a node: nothing there writes to it. A source that saw the machine proves it.
func stopped(i *Incident, at float64) Need {
	n := Need{Text: i.node() + " no longer writes to the volume: the machine is off, or its access to the storage is cut.", Met: model.Unknown}
	c := i.Case
	if c.OldPodFinished.Known() && c.OldPodFinished.Latest.Before(c.Began.Latest) {
		return n.with(model.True, c.OldPodFinished.Witness, "The node itself had reported the end of the pod's containers.")
	}
	if state, proof := c.OldNode(); state == wait.NodeReady {
		return n.with(model.False, proof, "The node is Ready, so that its pod may be writing now.")
	}
	return i.judgeMachine(n, at)
}

// judgeMachine adds what is known of the old machine. What shows that it runs outweighs what says that it was off.
func (i *Incident) judgeMachine(n Need, at float64) Need {
	c, m := i.Case, i.known()
	if len(m.ranOn) > 0 {
		return n.with(model.False, m.ranOn, words.Capital(c.RanOnText(m.ranOn))+".")
	}
	if m.cloud != nil {
		return n.with(model.False, []*model.Observation{m.cloud}, "The cloud says that the machine is "+strings.ToLower(m.cloud.Detail)+".")
	}
	if n, ok := i.stoppedSince(n, at); ok {
		return n
	}
	if len(m.alive) > 0 {
		last := m.alive[len(m.alive)-1:]
		return n.with(model.False, last, "Its kubelet worked while the node was not Ready, last at "+clock(last[0].Last.At)+": the machine runs.")
	}
	for _, s := range m.stops {
		if i.of(s.By.At) <= at {
			return n.with(model.True, s.By.Witness, words.Capital(s.Why)+" by "+clock(s.By.At)+".")
		}
	}
	switch back := c.BackReady; {
	case len(m.stops) > 0:
		s := m.stops[0]
		return n.with(model.Unknown, s.By.Witness, fmt.Sprintf("The proof came only later: %s, by %s.", s.Why, clock(s.By.At)))
	case m.noBoot:
		return n.with(model.False, back.Witness, "It was Ready again at "+clock(back.At)+", and no Event of its kubelet shows a new boot.")
	case back.Known():
		return n.with(model.Unknown, back.Witness, "It was Ready again at "+clock(back.At)+", and nothing shows that the machine had been off.")
	}
	return n
}

// stoppedSince is the need as the cloud proves it: the machine was off after the last sign of life.
func (i *Incident) stoppedSince(n Need, at float64) (Need, bool) {
	m := i.known()
	for _, s := range m.stops {
		last := len(m.alive) - 1
		silent := last < 0 || m.alive[last].Last.At.Before(s.By.At)
		if s.Cloud && silent && i.of(s.By.At) <= at {
			return n.with(model.True, s.By.Witness, words.Capital(s.Why)+" by "+clock(s.By.At)+"."), true
		}
	}
	return n, false
}

// Stopped says whether the old node no longer wrote to the volume at a time.
func (i *Incident) Stopped(at float64) model.Truth { return stopped(i, at).Met }

// nodeStopped is the only condition of a remedy that takes the volume from a node.
func nodeStopped(i *Incident, at float64) []Need { return []Need{stopped(i, at)} }

func (n Need) with(met model.Truth, witness []*model.Observation, text string) Need {
	n.Met, n.Witness = met, witness
	n.Text += " " + text
	return n
}

// known looks the machine's story up once.
func (i *Incident) known() *machine {
	if i.machine == nil {
		c := i.Case
		i.machine = &machine{stops: c.Stops(), alive: c.KubeletAlive(), ranOn: c.RanOn(), cloud: c.CloudRuns(), noBoot: c.BackWithoutBoot()}
	}
	return i.machine
}
