package replay

// Outcome is one replay: when each step came, in seconds of the scenario; never for those that did not come.
type Outcome struct {
	NotReady, Deleted, Created, Scheduled float64
	Released, DetachAt, Gone, Noticed     float64
	Attached, Visible                     float64
	Ready                                 float64

	Why       string // why it never ends, when it does not
	Prevented bool   // no Multi-Attach arises
	Spared    bool   // the wait ended as it stood, without the volume
	Given     bool   // the volume was freed by what no record shows
	Unsure    bool   // it rests on whether the old node was Ready, which no evidence shows
	Race      bool   // both nodes want the volume when the controller finds it detached: either may get it
}

// run replays a scenario once.
func (s *Scenario) run(p Plan, u *draw) Outcome {
	var o Outcome
	s.lose(p, u, &o)
	s.remove(p, u, &o)
	s.release(p, u, &o)
	s.replace(p, u, &o)
	s.detach(p, u, &o)
	s.attach(p, u, &o)
	s.start(p, u, &o)
	return o
}
