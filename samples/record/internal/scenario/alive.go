package scenario

import (
	"time"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

// What is done to a machine that runs, as if it were off.

var taintAlive = &Scenario{
	Name: "out-of-service-alive", Class: "mixed",
	Title: "A node that runs is tainted out-of-service, and two writers have one volume",
	What: "the node is Ready; the operator taints it out-of-service; the database needs a minute to stop, " +
		"and its pod is force-deleted ten seconds later",
	Notice: "What a reader should see: one incident that people made. The taint evicts the pods of a node that is Ready, at once. When the " +
		"pod's object is gone, the volume is detached by force under a container that still stops: the file system has to be checked.",
	Believed: []string{
		`"The taint does nothing on a Ready node." It is a NoExecute taint: it evicts, and it lets the controller detach by force.`,
		`"Force-deleting kills the container." It removes the object; the container ends when its kubelet has ended it.`,
	},
	Play: func(s *Stage) {
		w := database
		w.stop, w.grace = 60*time.Second, 90
		p := s.start(w)
		s.taint(p.Spec.NodeName)
		s.sleep(10 * time.Second)
		s.forceDelete(p)
		s.moved(w.name, p.Spec.NodeName, 8*time.Minute)
		s.sleep(time.Minute)
	},
}

var nodeDeletedAlive = &Scenario{
	Name: "node-deleted-alive", Class: "mixed",
	Title: "The Node object of a machine that runs is deleted, and its kubelet is restarted",
	What: "the node is Ready; the operator deletes its Node object; forty seconds after the report the operator restarts the kubelet, " +
		"which registers the Node again",
	Notice: "What a reader should see: one incident that people made. The machine worked throughout. Its kubelet stopped the container when " +
		"pod garbage collection had removed the pod, and could report the unmount to nobody until it had registered again.",
	Believed: []string{
		`"The Node is gone, so the machine is off." Its containers go on until garbage collection has removed their pods.`,
		`"A kubelet registers again by itself." Only when it starts.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.kubectl("delete", "node", p.Spec.NodeName)
		s.reported(1)
		s.sleep(reacts)
		s.must(s.Node(p.Spec.NodeName).RestartKubelet())
		s.fault("the operator restarts the kubelet", p.Spec.NodeName)
		s.moved(database.name, p.Spec.NodeName, 8*time.Minute)
	},
}

var frozenForceDelete = &Scenario{
	Name: "force-delete-alive", Class: "node-down",
	Title: "A kubelet hangs, the old pod is force-deleted, and its container writes until the end",
	What: "the kubelet is frozen (SIGSTOP) and its containers run on; " +
		"the operator force-deletes the old pod forty seconds after the report; nobody looks at the machine",
	Notice: "What a reader should see: an incident that is over for Kubernetes, six minutes after the force delete, and is not over for the " +
		"data: nothing shows that the old container has ended, and it has not.",
	Believed: []string{
		`"The new pod is Ready: all is well." On storage that does not fence there are two writers from then on.`,
		`"NotReady means off." It means that the kubelet has not been heard of.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		s.lose(node.Name, (*cluster.Node).StopKubelet, "the kubelet is frozen; its containers run on")
		s.reported(1)
		s.sleep(reacts)
		s.forceDelete(p)
		s.moved(database.name, node.Name, 8*time.Minute)
		out, err := node.Run("tail -qn 2 /var/log/pods/%s_%s_*/app/*.log", p.Namespace, p.Name)
		s.must(err)
		s.note("the last lines of the old container, written under the new one: %s", out)
	},
}

var kubeletResumed = &Scenario{
	Name: "kubelet-resumed", Class: "node-flap",
	Title: "A kubelet hangs for two minutes and goes on: nobody acts",
	What:  "the kubelet is frozen (SIGSTOP) and its containers run on; forty seconds after the report it runs again",
	Notice: "What a reader should see: one incident that ended by itself. The pod was evicted while its container served; the kubelet, once " +
		"it runs, stops it, unmounts and says so. The workload was down from that stop, not from the silence.",
	Believed: []string{
		`"The database was down for minutes." Its container ran until its kubelet came back.`,
		`"A kubelet that comes back takes its pods back." Those that were evicted meanwhile are stopped.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		s.lose(node.Name, (*cluster.Node).StopKubelet, "the kubelet is frozen; its containers run on")
		s.reported(1)
		s.sleep(reacts)
		s.must(node.ResumeKubelet())
		s.fault("the kubelet runs again", node.Name)
		s.moved(database.name, node.Name, 6*time.Minute)
	},
}

var tolerationZero = &Scenario{
	Name: "toleration-zero", Class: "node-flap",
	Title: "A pod that tolerates no lost node is evicted at once, and its node reboots",
	What:  "the pod has tolerationSeconds 0; the machine is reset and is back a minute and a half later; nobody acts",
	Notice: "What a reader should see: one incident that ended by itself, in which the eviction took no time. The replacement waits from " +
		"the moment when the node was seen to be lost until its kubelet is back.",
	Believed: []string{
		`"No toleration, no wait." The replacement is there sooner, and waits longer.`,
		`"A reboot frees the volume." Its kubelet does, when it is back and has reported.`,
	},
	Play: func(s *Stage) {
		w := database
		w.tolerations = "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 0}, " +
			"{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 0}"
		p := s.start(w)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.sleep(reacts)
		s.must(s.Node(p.Spec.NodeName).On())
		s.fault("the machine has booted", p.Spec.NodeName)
		s.moved(w.name, p.Spec.NodeName, 6*time.Minute)
	},
}
