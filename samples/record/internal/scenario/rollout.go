package scenario

import "github.com/volpost/volpost/samples/record/internal/cluster"

var rolloutSurge = &Scenario{
	Name: "rollout-surge", Class: "rolling-update-deadlock",
	Title: "A rolling update waits for itself",
	What: "both nodes are healthy; a Deployment with maxSurge 1, maxUnavailable 0 and one ReadWriteOnce claim gets a new image, " +
		"and its new pod lands on the other node",
	Notice: "What a reader should see: one open incident, caused by the rollout. The old pod is Ready and is not deleted before the new one " +
		"is Ready; the new one is not Ready before it has the old one's volume. No timer runs, and nothing in the storage is broken.",
	Believed: []string{
		`"It needs time." It needs a decision: strategy Recreate, or scaling to 0 and back.`,
		`"Delete the old pod." Its ReplicaSet makes another one, often on the same node.`,
	},
	Play: func(s *Stage) {
		w := database
		w.apart, w.strategy = true, "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"
		s.start(w)
		s.kubectl("set", "image", "-n", shop, "deployment/"+w.name, "app="+cluster.Registry+"/orders-db:1.5.0")
		s.reported(1)
		s.sleep(watched)
	},
}
