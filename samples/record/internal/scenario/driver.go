package scenario

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
)

var detachFailing = &Scenario{
	Name: "detach-failing", Class: "detach-failing",
	Needs: Needs{Metrics: true},
	Title: "The cloud refuses to detach for minutes",
	What:  "a healthy node is drained; the cloud answers every detach with 503 for four minutes",
	Notice: "What a reader should see: an incident whose VolumeAttachment carries the cloud's own words as detachError. The unmount was " +
		"quick; everything after it is the cloud and the back-off of those who ask it.",
	Believed: []string{
		`"The node has not let go." It had: the volume is not in its volumesInUse any more.`,
		`"It ends when the cloud is well." It ends at the next try after that, and the pauses between tries have grown.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.must(s.Cloud().RefuseDetach("The service is currently unavailable. Try again later."))
		s.fault("the cloud answers every detach with 503", "")
		s.drain(p.Spec.NodeName)
		s.reported(1)
		s.sleep(watched)
		s.must(s.Cloud().RefuseDetach(""))
		s.fault("the cloud is well again", "")
		s.moved(database.name, p.Spec.NodeName, 8*time.Minute)
	},
}

var attachFailing = &Scenario{
	Name: "attach-failing", Class: "attach-failing",
	Title: "The old node lets the volume go, and the cloud refuses to attach it to the new one",
	What:  "a healthy node is drained; the cloud answers every attach with 403 for four minutes, as the driver's account lost a permission",
	Notice: "What a reader should see: an incident whose Multi-Attach ended within seconds, and a pod that waits on. No node has the volume; " +
		"the new VolumeAttachment carries the cloud's words as attachError.",
	Believed: []string{
		`"Multi-Attach was reported, so the old node holds the volume." It had let go: the report is older than the detach.`,
		`"Delete the new VolumeAttachment." The controller makes it again, and the cloud refuses it again.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.must(s.Cloud().RefuseAttach("Required 'compute.instances.attachDisk' permission for 'projects/lab-project/zones/instances'"))
		s.fault("the cloud answers every attach with 403", "")
		s.drain(p.Spec.NodeName)
		s.reported(1)
		s.sleep(watched)
		s.must(s.Cloud().RefuseAttach(""))
		s.fault("the cloud is well again", "")
		s.moved(database.name, p.Spec.NodeName, 8*time.Minute)
	},
}

var slowDetach = &Scenario{
	Name: "slow-detach", Class: "none",
	Title: "Every detach takes a minute and a half",
	What:  "a healthy node is drained; the cloud takes 90 s for each detach",
	Notice: "What a reader should see: a wait that is nearly all detach. No error is logged by anyone: " +
		"the attacher waits for an answer that comes, late.",
	Believed: []string{
		`"Slow means failing." Nothing fails and nothing is tried again.`,
		`"The kubelet holds the volume." It had unmounted it seconds after the old pod stopped.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.must(s.Cloud().SlowDetach(90 * time.Second))
		s.fault("the cloud takes 90 s for a detach", "")
		s.drain(p.Spec.NodeName)
		s.moved(database.name, p.Spec.NodeName, 6*time.Minute)
	},
}

// The databases of manyVolumes: shards with several volumes each, as many pods would only show this machine's limits.
const shards, perShard = 4, 5

var manyVolumes = &Scenario{
	Name: "many-volumes", Class: "node-down",
	Title: "A node is lost with twenty volumes",
	What:  "the machine is powered off; it had four databases with five volumes each; the operator force-deletes the four pods",
	Notice: "What a reader should see: twenty volumes that waited, one node, one cause. They are released together, six minutes after the " +
		"force deletes, and attached within seconds of each other.",
	Believed: []string{
		`"Twenty incidents." One, twenty times over.`,
		`"The volumes queue for each other." Each has its own timer; only the driver's calls queue.`,
	},
	Play: func(s *Stage) {
		s.kubectl("cordon", "worker-1") // so that all begin on worker-0
		var names []string
		for i := range shards {
			names = append(names, fmt.Sprintf("ledger-%d", i))
			s.create(workload{name: names[i], claims: perShard})
		}
		for _, n := range names {
			s.needReady(shop, n, 1)
		}
		s.kubectl("uncordon", "worker-1")
		s.sleep(20 * time.Second)
		s.loseShards(names)
	},
}

func (s *Stage) loseShards(names []string) {
	var old []*v1.Pod
	for _, n := range names {
		old = append(old, s.pods(shop, n)[0])
	}
	s.powerOff("worker-0")
	s.reported(shards * perShard)
	s.sleep(20 * time.Second)
	for _, p := range old {
		s.forceDelete(p)
	}
	for _, n := range names {
		s.wait(n+" is Ready elsewhere", 9*time.Minute, func() bool { return s.count(shop, n, "worker-0") > 0 })
	}
	s.sleep(aftermath)
}
