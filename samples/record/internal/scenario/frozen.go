package scenario

import (
	"time"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

var kubeletFrozen = &Scenario{
	Name: "two-writers", Class: "node-down",
	Title: "A kubelet hangs, the old pod is force-deleted, and two writers have one volume",
	What: "the kubelet is frozen (SIGSTOP) and its containers run on; the operator force-deletes the old pod; " +
		"half a minute after the recovery the kubelet runs again",
	Notice: "What a reader should see: one incident that is over, six minutes after the force delete, and that the forced detach went by a " +
		"machine that ran. The old container wrote until its kubelet came back, half a minute after the new one had begun: the application's " +
		"data has to be checked.",
	Believed: []string{
		`"NotReady means off." It means that the kubelet has not been heard of. Its containers need no kubelet to run.`,
		`"The detach stops the old writer." It does where storage fences. Here, as with many kinds of storage, it did not.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		s.lose(node.Name, (*cluster.Node).StopKubelet, "the kubelet is frozen; its containers run on")
		s.reported(1)
		s.sleep(20 * time.Second)
		s.forceDelete(p)
		s.moved(database.name, node.Name, 8*time.Minute)
		// The kubelet, once it runs, removes the old pod's logs.
		out, err := node.Run("tail -qn 2 /var/log/pods/%s_%s_*/app/*.log", p.Namespace, p.Name)
		s.must(err)
		s.note("the last lines of the old container, written under the new one: %s", out)
		s.must(node.ResumeKubelet())
		s.fault("the kubelet runs again", node.Name)
		s.sleep(60 * time.Second)
	},
}

var kubeletRestarted = &Scenario{
	Name: "kubelet-restarted", Class: "node-flap",
	Title: "A kubelet hangs, and an operator restarts it",
	What:  "the kubelet is frozen (SIGSTOP) and its containers run on; forty seconds after the report the operator restarts it",
	Notice: "What a reader should see: one incident that is over soon after the restart. The new kubelet finds a pod that is being deleted, " +
		"stops its containers, unmounts and reports both: the detach is an ordinary one, and nobody wrote under the new pod.",
	Believed: []string{
		`"NotReady for minutes: power it off." The machine worked; its kubelet did not.`,
		`"A restarted kubelet starts its pods again." Not one that was deleted meanwhile.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		s.lose(node.Name, (*cluster.Node).StopKubelet, "the kubelet is frozen; its containers run on")
		s.reported(1)
		s.sleep(reacts)
		s.must(node.RestartKubelet())
		s.fault("the operator restarts the kubelet", node.Name)
		s.moved(database.name, node.Name, 6*time.Minute)
	},
}
