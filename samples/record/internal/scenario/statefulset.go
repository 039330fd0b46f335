package scenario

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
)

var broker = workload{name: "kafka", kind: "StatefulSet", replicas: 2, claims: 1, apart: true}

func (s *Stage) member(name string) *v1.Pod {
	p, err := s.Watch.Core().V1().Pods().Lister().Pods(shop).Get(name)
	s.must(err)
	return p
}

var statefulSet = &Scenario{
	Name: "statefulset", Class: "node-down",
	Needs: Needs{Workers: 3},
	Title: "A StatefulSet's node is cut off: no Multi-Attach until the old pod is gone",
	What: "the node of kafka-1 is cut off from the network and its containers run on; " +
		"the operator force-deletes the pod three minutes after the node was seen to be lost",
	Notice: "What a reader should see: one incident that is over. A good part of the outage lies before the first report, in which nothing " +
		"complains about a volume. Two pods have one name: only their UIDs tell them apart. The old one wrote on until the end.",
	Believed: []string{
		`"The StatefulSet makes the new pod after the toleration." ` +
			`It waits for the old pod's object to disappear, and a lost node never lets it disappear.`,
		`"Force-deleting a StatefulSet's pod is safe, as only one has the name." ` +
			`The old container ran on: after the forced detach there were two writers.`,
	},
	Play: func(s *Stage) {
		s.start(broker)
		p := s.member("kafka-1")
		s.unplug(p.Spec.NodeName)
		s.sleep(3 * time.Minute)
		s.forceDelete(p)
		s.reported(1)
		s.wait("kafka has 2 members", 8*time.Minute, func() bool { return s.count(shop, broker.name, p.Spec.NodeName) == 2 })
		s.sleep(aftermath)
	},
}

var parallelTainted = &Scenario{
	Name: "statefulset-parallel", Class: "outage-without-report",
	Needs: Needs{Metrics: true},
	Title: "A StatefulSet's node is lost and tainted out-of-service: both members move, and Multi-Attach is never reported",
	What: "both members of a StatefulSet (podManagementPolicy Parallel) are on one node, whose machine is powered off; " +
		"the operator taints the node out-of-service a minute after their eviction",
	Notice: "What a reader should see: an outage of both members that is over, with a forced detach of each volume. Multi-Attach was not " +
		"reported: the new pods were made after the old ones were gone, and the taint lets the volumes go before anybody wants them.",
	Believed: []string{
		`"No Multi-Attach event, no incident." The wait lay before the new pods: a StatefulSet makes none while the old one exists.`,
		`"Parallel replaces lost members at once." It starts and stops them at once; a name is still used once.`,
	},
	Play: func(s *Stage) {
		s.kubectl("cordon", "worker-1") // so that both begin on worker-0
		w := broker
		w.apart, w.policy = false, "Parallel"
		s.start(w)
		s.kubectl("uncordon", "worker-1")
		s.sleep(25 * time.Second)
		s.powerOff("worker-0")
		s.need("kafka-1 is Terminating", 3*time.Minute, func() bool { return s.member("kafka-1").DeletionTimestamp != nil })
		s.sleep(time.Minute)
		s.taint("worker-0")
		s.wait("kafka has 2 members", 6*time.Minute, func() bool { return s.count(shop, w.name, "worker-0") == 2 })
		s.note("reports of Multi-Attach: %d", len(s.History.Reports()))
		s.sleep(aftermath)
	},
}

var beforeMultiAttach = &Scenario{
	Name: "before-multi-attach", Class: "none",
	Needs: Needs{Workers: 3},
	Title: "A StatefulSet's pod is Terminating on a lost node, and no Multi-Attach is ever reported",
	What:  "the machine of kafka-1 is powered off and nobody acts",
	Notice: "What a reader should see: an outage that has not become a Multi-Attach incident yet. kafka-1 is Terminating on a node that is " +
		"gone, its volume is attached there, and no new pod exists that could complain. Whoever force-deletes the pod starts the six minutes, " +
		"and the reports.",
	Believed: []string{
		`"No Multi-Attach event, no volume problem." The event needs a second pod, and a StatefulSet makes none.`,
		`"Nothing will happen." Nothing will: that is the problem.`,
	},
	Play: func(s *Stage) {
		s.start(broker)
		p := s.member("kafka-1")
		s.powerOff(p.Spec.NodeName)
		s.need("kafka-1 is Terminating", 3*time.Minute, func() bool { return s.member("kafka-1").DeletionTimestamp != nil })
		s.sleep(watched)
		s.note("reports of Multi-Attach: %s", fmt.Sprint(len(s.History.Reports())))
	},
}
