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
