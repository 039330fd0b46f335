package scenario

import "time"

var sharedClaim = &Scenario{
	Name: "shared-claim", Class: "shared-rwo",
	Title: "Two replicas of a Deployment share one ReadWriteOnce claim",
	What:  "both nodes are healthy; a Deployment with one ReadWriteOnce claim is scaled to two replicas, which must not run on one node",
	Notice: "What a reader should see: one open incident, caused by the workload's shape. Both pods are wanted, one volume cannot be on two " +
		"nodes, and no time heals it.",
	Believed: []string{
		`"ReadWriteOnce means one pod." It means one node: on one node both replicas would have run.`,
		`"Something holds the volume back." The first replica uses it, as it should.`,
	},
	Play: func(s *Stage) {
		w := workload{name: "reports", claims: 1, apart: true}
		s.start(w)
		s.kubectl("scale", "-n", shop, "deployment/"+w.name, "--replicas=2")
		s.reported(1)
		s.sleep(watched)
	},
}

var drainedApart = &Scenario{
	Name: "drained-apart", Class: "shared-rwo",
	Needs: Needs{Workers: 3, Metrics: true},
	Title: "Two replicas share a claim on one node, and a drain tears them apart",
	What: "three healthy nodes; two replicas of a Deployment share one ReadWriteOnce claim and run on one node; " +
		"that node is drained, and their replacements land on two others",
	Notice: "What a reader should see: one open incident, caused by the workload's shape. It worked as long as both replicas were on one " +
		"node. The first replacement got the volume within seconds; the second waits for good, and not for the node that was drained.",
	Believed: []string{
		`"It worked for months, so the drain broke something." The drain only showed that two pods have one volume.`,
		`"The drained node holds the volume." It let go within seconds; another replacement has it.`,
	},
	Play: func(s *Stage) {
		for _, n := range []string{"worker-1", "worker-2"} {
			s.kubectl("cordon", n) // so that both begin on worker-0
		}
		w := workload{name: "reports", claims: 1, replicas: 2, spread: true}
		s.start(w)
		s.kubectl("uncordon", "worker-1", "worker-2")
		s.sleep(25 * time.Second)
		s.drain("worker-0")
		s.needReady(shop, w.name, 1)
		s.sleep(watched)
	},
}

var scaledToOne = &Scenario{
	Name: "scaled-to-one", Class: "shared-rwo",
	Title: "Two replicas share one ReadWriteOnce claim, until the Deployment is scaled to one",
	What: "both nodes are healthy; a Deployment with one ReadWriteOnce claim is scaled to two replicas, which must not run on one node, " +
		"and a minute and a half later to one",
	Notice: "What a reader should see: one incident that is over, and no outage. The replica that waited is gone, the other one ran all the " +
		"time, and the volume never moved.",
	Believed: []string{
		`"A wait ends when the pod is Ready." Or when nobody waits any more.`,
		`"Scaling down may hit the replica that works." Those that are not Ready go first.`,
	},
	Play: func(s *Stage) {
		w := workload{name: "reports", claims: 1, apart: true}
		s.start(w)
		s.kubectl("scale", "-n", shop, "deployment/"+w.name, "--replicas=2")
		s.reported(1)
		s.sleep(90 * time.Second)
		s.kubectl("scale", "-n", shop, "deployment/"+w.name, "--replicas=1")
		s.wait("the replica that waited is gone", time.Minute, func() bool { return len(s.pods(shop, w.name)) == 1 })
		s.sleep(aftermath)
	},
}

var daemonSet = &Scenario{
	Name: "daemonset-shared-claim", Class: "shared-rwo",
	Title: "A DaemonSet has one ReadWriteOnce claim for all nodes",
	Needs: Needs{Workers: 3},
	What:  "three healthy nodes; a DaemonSet mounts one ReadWriteOnce claim, so that one of its pods runs and two wait",
	Notice: "What a reader should see: an open incident for each pod that waits, all with one volume, one blocker and one cause. A " +
		"DaemonSet has no claim templates: its pods share what they name.",
	Believed: []string{
		`"The pods start one after the other." Each of them wants the volume for good.`,
		`"One node is faulty." The pod that came first runs, wherever that was.`,
	},
	Play: func(s *Stage) {
		s.create(workload{name: "log-index", kind: "DaemonSet", claims: 1})
		s.needReady(shop, "log-index", 1)
		s.reported(2)
		s.sleep(watched)
	},
}

var oncePod = &Scenario{
	Name: "read-write-once-pod", Class: "node-down",
	Title: "A ReadWriteOncePod claim of a lost node: the replacement is not even scheduled",
	What: "the machine of the pod's node is powered off; the claim is ReadWriteOncePod; " +
		"the operator force-deletes the old pod two minutes after the eviction",
	Notice: "What a reader should see: for as long as the old pod's object exists the replacement is Pending, kept back by the scheduler, " +
		"and no Multi-Attach is reported. The report comes with the force delete, and with it the six minutes.",
	Believed: []string{
		`"No Multi-Attach event, no storage problem." The access mode moves the wait from the attach controller to the scheduler.`,
		`"ReadWriteOncePod lets go sooner." The timer is the same.`,
	},
	Play: func(s *Stage) {
		w := database
		w.access = "ReadWriteOncePod"
		p := s.start(w)
		s.powerOff(p.Spec.NodeName)
		s.need("the replacement is there", 3*time.Minute, func() bool { return len(s.pods(shop, w.name)) == 2 })
		s.sleep(2 * time.Minute)
		s.forceDelete(p)
		s.reported(1)
		s.moved(w.name, p.Spec.NodeName, 8*time.Minute)
	},
}
