package scenario

import "time"

var handover = &Scenario{
	Name: "handover", Class: "none",
	Title: "A healthy node is drained, and the volume follows within seconds",
	What:  "a healthy node is drained; later the Deployment is restarted on a cordoned node, with strategy Recreate",
	Notice: "What a reader should see: no incident, a handover at most. If Multi-Attach was reported, it was because the new pod was there " +
		"before the old node had let the volume go; unmounting and detaching took the rest.",
	Believed: []string{
		`"A Multi-Attach event is a fault." It is reported once, at the first try, and is not taken back when the volume arrives seconds later.`,
		`"Recreate prevents it." Recreate gates rollouts only; a drain makes the new pod while the old one still stops.`,
	},
	Play: func(s *Stage) {
		w := database
		w.strategy = "{type: Recreate}"
		p := s.start(w)
		s.drain(p.Spec.NodeName)
		s.moved(w.name, p.Spec.NodeName, 4*time.Minute)
		s.kubectl("uncordon", p.Spec.NodeName)
		from := s.pods(shop, w.name)[0].Spec.NodeName
		s.kubectl("cordon", from)
		s.kubectl("rollout", "restart", "-n", shop, "deployment/"+w.name)
		s.moved(w.name, from, 4*time.Minute)
		s.kubectl("uncordon", from)
	},
}

var preStopSlow = &Scenario{
	Name: "prestop-slow", Class: "slow-termination",
	Title:  "A preStop hook takes a minute and a half, and the successor waits for it",
	What:   "a healthy node is drained; the pod's preStop hook sleeps for 90 s, within a grace period of 120 s",
	Notice: "What a reader should see: a wait that was the old pod's. Its container has not even been asked to stop while its hook runs.",
	Believed: []string{
		`"The database is slow to stop." It stopped within a second of being asked.`,
		`"The volume is stuck." It is in use.`,
	},
	Play: func(s *Stage) {
		w := database
		w.preStop, w.grace = "sleep: {seconds: 90}", 120
		p := s.start(w)
		s.drain(p.Spec.NodeName)
		s.moved(w.name, p.Spec.NodeName, 5*time.Minute)
	},
}

var slowStop = &Scenario{
	Name: "slow-stop", Class: "slow-termination",
	Title: "A drained database takes a minute and a half to stop, and its successor waits for it",
	What:  "a healthy node is drained; the database needs 90 s to write its checkpoint, within a grace period of 180 s",
	Notice: "What a reader should see: a wait that was the old pod's, and no fault of storage. The volume is in use until the old container " +
		"has ended; unmount, detach and attach take seconds after that.",
	Believed: []string{
		`"The volume is stuck." It is in use, by a process that was asked to stop and is stopping.`,
		`"Shorten it with a force delete." That starts a second writer's wait, not a shorter one, and takes the checkpoint from the first.`,
	},
	Play: func(s *Stage) {
		w := database
		w.stop, w.grace = 90*time.Second, 180
		p := s.start(w)
		s.drain(p.Spec.NodeName)
		s.moved(w.name, p.Spec.NodeName, 5*time.Minute)
	},
}
