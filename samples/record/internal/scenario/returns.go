package scenario

import (
	"time"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

var nodeReturns = &Scenario{
	Name: "node-returns", Class: "node-flap",
	Title: "A lost node comes back while the six minutes run",
	What:  "the node is cut off from the network; the operator force-deletes the old pod; two minutes later the node is connected again",
	Notice: "What a reader should see: one incident that is over before the six minutes were. The kubelet comes back, finds that its pod is " +
		"no more, stops the container, unmounts, and says so in its Node's status: from then on the detach is an ordinary one.",
	Believed: []string{
		`"The forced detach healed it." There was none.`,
		`"A node that is back takes its pod back." The pod was deleted; what came back is only its container, to be stopped.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.unplug(p.Spec.NodeName)
		s.reported(1)
		s.sleep(20 * time.Second)
		s.forceDelete(p)
		s.sleep(2 * time.Minute)
		s.must(s.Node(p.Spec.NodeName).Plug())
		s.fault("the node is connected again", p.Spec.NodeName)
		s.moved(database.name, p.Spec.NodeName, 6*time.Minute)
	},
}

var reboot = &Scenario{
	Name: "reboot", Class: "node-flap",
	Title: "A node reboots, too slowly for its pods' tolerations",
	What:  "the machine is reset and is back three minutes later; nobody acts",
	Notice: "What a reader should see: one incident that ended by itself. The pod was evicted while the machine was away; when its kubelet " +
		"is back, it clears away what the old pod had left, the pod's object goes, and the volume follows.",
	Believed: []string{
		`"A reboot moves nothing." It does when it takes longer than detection and toleration together.`,
		`"After a reboot nothing is mounted, so the volume is free." Nothing is mounted, but until its kubelet has reported, nobody knows.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.sleep(75 * time.Second)
		s.must(s.Node(p.Spec.NodeName).On())
		s.fault("the machine has booted", p.Spec.NodeName)
		s.moved(database.name, p.Spec.NodeName, 6*time.Minute)
	},
}

var twoIncidents = &Scenario{
	Name: "two-incidents", Class: "mixed",
	Needs: Needs{Workers: 3},
	Title: "Two incidents at once that have nothing to do with each other",
	What: "the machine of orders-db is powered off, and its old pod is force-deleted; " +
		"meanwhile a rolling update of billing-db deadlocks between two healthy nodes",
	Notice: "What a reader should see: two incidents with two causes. One is over, six minutes after the force delete; the other is open " +
		"and will stay so. That they were reported within minutes of each other is chance.",
	Believed: []string{
		`"All of it comes from the lost node." The rollout's nodes are healthy.`,
		`"When the first was healed, the second will follow." They share a moment, and nothing else.`,
	},
	Play: func(s *Stage) {
		billing := workload{name: "billing-db", claims: 1, apart: true,
			strategy: "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"}
		s.create(billing)
		s.needReady(shop, billing.name, 1)
		busy := s.pods(shop, billing.name)[0].Spec.NodeName
		s.kubectl("cordon", busy) // so that orders-db begins elsewhere
		p := s.start(database)
		s.kubectl("uncordon", busy)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.sleep(20 * time.Second)
		s.kubectl("set", "image", "-n", shop, "deployment/"+billing.name, "app="+cluster.Registry+"/billing-db:1.5.0")
		s.sleep(20 * time.Second)
		s.forceDelete(p)
		s.moved(database.name, p.Spec.NodeName, 8*time.Minute)
	},
}
