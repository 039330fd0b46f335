package scenario

import "time"

var zoneTrap = &Scenario{
	Name: "zone-trap", Class: "none",
	Needs: Needs{Workers: 3, Zones: []string{"europe-west1-d", "europe-west1-c", "europe-west1-c"}},
	Title: "The only node in the volume's zone is lost: the replacement cannot be scheduled",
	What:  "three nodes in two zones; the volume is in the zone of worker-0, whose machine is powered off; nobody acts",
	Notice: "What a reader should see: no Multi-Attach incident. The replacement is Pending, because no node that is left matches the node " +
		"affinity of the PersistentVolume: there is no node to which the volume could be attached, so nothing ever tried. Freeing the volume " +
		"would not help.",
	Believed: []string{
		`"A lost node with a volume is a Multi-Attach." Not before the replacement has a node.`,
		`"Force-delete the old pod, and it will move." It has nowhere to move to.`,
	},
	Play: func(s *Stage) {
		s.kubectl("cordon", "worker-1") // so that the volume is made in the zone of worker-0
		s.kubectl("cordon", "worker-2")
		p := s.start(database)
		s.kubectl("uncordon", "worker-1")
		s.kubectl("uncordon", "worker-2")
		s.powerOff(p.Spec.NodeName)
		s.need("the replacement is there", 3*time.Minute, func() bool { return len(s.pods(shop, database.name)) == 2 })
		s.sleep(watched)
		s.note("reports of Multi-Attach: %d", len(s.History.Reports()))
	},
}
