package scenario

import (
	"time"

	v1 "k8s.io/api/core/v1"
)

// afterLoss powers the database's node off, acts some time after the report, and waits for the volume to move.
func afterLoss(limit time.Duration, act func(*Stage, *v1.Pod)) func(*Stage) {
	return func(s *Stage) {
		p := s.start(database)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.sleep(reacts)
		act(s, p)
		s.moved(database.name, p.Spec.NodeName, limit)
	}
}

var nodeDeleted = &Scenario{
	Name: "node-deleted", Class: "node-down",
	Title: "A node is lost; an operator deletes its Node object",
	What:  "the machine is powered off; the operator deletes the Node object",
	Notice: "What a reader should see: one incident that is over, caused by the lost node. Neither the node nor the old pod nor the old " +
		"VolumeAttachment is in the bundle any more, and the blocker is named all the same. The six minutes ran from the moment when pod " +
		"garbage collection had removed the old pod.",
	Believed: []string{
		`"Deleting the Node detaches at once." Its last status listed the volume in use, and that is what counts: the six minutes ran.`,
		`"Deleting the Node deletes its pods." Pod garbage collection does, up to a minute later.`,
	},
	Play: afterLoss(10*time.Minute, func(s *Stage, p *v1.Pod) { s.kubectl("delete", "node", p.Spec.NodeName) }),
}

var nobodyActs = &Scenario{
	Name: "node-lost-nobody-acts", Class: "node-down",
	Title: "A node is lost, and nobody acts",
	What:  "the machine is powered off and nobody acts",
	Notice: "What a reader should see: one open incident, caused by the lost node, and that no timer runs. The old pod is Terminating with " +
		"a container that is said to run, for nobody is left to say otherwise; so the volume counts as in use.",
	Believed: []string{
		`"Kubernetes force-detaches after six minutes." ` +
			`Only after the old pod's object is gone, or its containers are reported as ended. Here neither happens.`,
		`"The node is NotReady, so the volume is free." The controller does not know whether the machine still writes.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.moved(database.name, p.Spec.NodeName, 7*time.Minute)
	},
}

var outOfService = &Scenario{
	Name: "out-of-service", Class: "node-down",
	Title: "A node is lost; an operator taints it out-of-service",
	What:  "the machine is powered off; the operator taints the node out-of-service",
	Notice: "What a reader should see: one incident that is over. Between the taint and the detach lies only the next round of pod garbage " +
		"collection: no six minutes.",
	Believed: []string{
		`"Nothing but the six minutes frees a volume." The taint says that the machine is off, and takes the wait away.`,
		`"The taint is harmless." Set on a machine that runs, it makes two writers.`,
	},
	Play: afterLoss(4*time.Minute, func(s *Stage, p *v1.Pod) {
		s.taint(p.Spec.NodeName)
	}),
}

var forceDelete = &Scenario{
	Name: "force-delete", Class: "node-down",
	Title: "A node is lost; an operator force-deletes the old pod",
	What:  "the machine is powered off; the operator force-deletes the old pod",
	Notice: "What a reader should see: one incident that is over, six minutes and some seconds after the force delete, not after the loss. " +
		"The controller then detached without knowing whether the machine was off.",
	Believed: []string{
		`"The force delete frees the volume." It starts the six minutes.`,
		`"The six minutes began with the outage." They began when the pod's object was gone.`,
	},
	Play: afterLoss(8*time.Minute, (*Stage).forceDelete),
}

var podAndAttachment = &Scenario{
	Name: "pod-and-attachment-deleted", Class: "node-down",
	Title: "A node is lost; an operator deletes the old pod and its VolumeAttachment",
	What:  "the machine is powered off; the operator force-deletes the old pod and deletes the VolumeAttachment",
	Notice: "What a reader should see: one incident that is over within about a minute of the two deletions. The driver detached at once; " +
		"what is left is the time until the controller's next look at the attachments.",
	Believed: []string{
		`"The VolumeAttachment is what blocks." Not alone: had the pod's object stayed, either node could have got the volume again.`,
		`"This is as safe as waiting." The six minutes are there because the machine may still run.`,
	},
	Play: afterLoss(4*time.Minute, func(s *Stage, p *v1.Pod) {
		va := s.History.Blocking(s.volume(p), p.Spec.NodeName)
		s.forceDelete(p)
		s.kubectl("delete", "volumeattachment", va, "--wait=false")
	}),
}
