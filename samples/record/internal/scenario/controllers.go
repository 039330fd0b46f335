package scenario

import (
	"time"

	v1 "k8s.io/api/core/v1"
)

// withoutAttacher drains a pod's node while no external-attacher runs.
func (s *Stage) withoutAttacher(p *v1.Pod) {
	s.kubectl("scale", "-n", "gce-pd-csi-driver", "deployment/csi-gce-pd-controller", "--replicas=0")
	s.need("the attacher is gone", 2*time.Minute, func() bool { return len(s.pods("gce-pd-csi-driver", "gce-pd-csi-driver")) == len(s.Nodes) })
	s.drain(p.Spec.NodeName)
	s.reported(1)
	s.sleep(watched)
}

var attacherDown = &Scenario{
	Name: "attacher-down", Class: "attacher-down",
	Title: "The external-attacher is not there, and the volume stays where it was",
	What: "the driver's controller, and with it its external-attacher, is scaled to 0; the healthy node is drained; " +
		"minutes later the controller is scaled to 1 again",
	Notice: "What a reader should see: an incident whose blocking VolumeAttachment has a deletion timestamp and a finalizer that nobody " +
		"removes. The controller manager has asked for the detach; the one who should do it does not run. It ends within seconds once the " +
		"attacher is back.",
	Believed: []string{
		`"The controller manager is stuck." It has done its part: it waits for the finalizer.`,
		`"Remove the finalizer." Then the object is gone and the volume is still attached.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.withoutAttacher(p)
		s.kubectl("scale", "-n", "gce-pd-csi-driver", "deployment/csi-gce-pd-controller", "--replicas=1")
		s.moved(database.name, p.Spec.NodeName, 6*time.Minute)
	},
}

var attacherRestarted = &Scenario{
	Name: "attacher-restarted", Class: "detach-failing",
	Title: "The external-attacher is killed in the middle of a detach",
	What: "a healthy node is drained; the cloud takes 90 s for each detach; " +
		"the external-attacher is killed thirty seconds after the report and starts again",
	Notice: "What a reader should see: a wait that is nearly all detach, made longer by the restart: the new attacher first wants the " +
		"leadership, and then begins the detach again. Nothing is lost: the VolumeAttachment remembers what is to be done.",
	Believed: []string{
		`"A restart of the attacher loses the detach." The finalizer and the deletion timestamp are still there.`,
		`"Restarting it helps." The call that it waited for starts again from the beginning.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.must(s.Cloud().SlowDetach(90 * time.Second))
		s.fault("the cloud takes 90 s for a detach", "")
		s.drain(p.Spec.NodeName)
		s.reported(1)
		s.sleep(30 * time.Second)
		s.fault("the external-attacher is killed", "master-0")
		s.must(s.Node("master-0").Crash("csi-attacher"))
		s.moved(database.name, p.Spec.NodeName, 8*time.Minute)
	},
}

var attachmentErased = &Scenario{
	Name: "attachment-erased", Class: "mixed",
	Title: "A lost node's VolumeAttachment is erased, and the cloud still has the volume there",
	What: "the machine is powered off; the operator removes the finalizers of the VolumeAttachment, deletes it, and force-deletes the pod; " +
		"three minutes later somebody detaches the disk at the cloud",
	Notice: "What a reader should see: one incident that is over. The object was gone in a second, and with it what told the driver to " +
		"detach: the cloud refused the new node (RESOURCE_IN_USE_BY_ANOTHER_RESOURCE) until somebody detached the disk there.",
	Believed: []string{
		`"The VolumeAttachment is what blocks." It is Kubernetes' memory of the attachment, and not the attachment.`,
		`"It is gone, so the volume is free." The storage was never asked.`,
	},
	Play: afterLoss(10*time.Minute, func(s *Stage, p *v1.Pod) {
		volume := s.volume(p)
		va := s.History.Blocking(volume, p.Spec.NodeName)
		s.kubectl("patch", "volumeattachment", va, "--type=merge", `-p={"metadata":{"finalizers":null}}`)
		s.kubectl("delete", "volumeattachment", va, "--wait=false")
		s.forceDelete(p)
		s.sleep(watched)
		s.must(s.Cloud().Detach(volume, p.Spec.NodeName))
		s.fault("somebody detaches the disk at the cloud", p.Spec.NodeName)
	}),
}

var forceDetachDisabled = &Scenario{
	Name: "force-detach-disabled", Class: "node-down",
	Title: "A node is lost, and the controller may not detach by force",
	Needs: Needs{ControllerFlags: []string{"--disable-force-detach-on-timeout=true"}},
	What:  "the machine is powered off; the operator force-deletes the pod; the controller runs with --disable-force-detach-on-timeout",
	Notice: "What a reader should see: one open incident, caused by the lost node, in which no timer runs: the flag takes it away. The taint " +
		"would free the volume.",
	Believed: []string{
		`"Six minutes after the force delete it moves." Not with this flag.`,
		`"The flag makes the taint useless, too." It switches off the timer only.`,
	},
	Play: afterLoss(8*time.Minute, (*Stage).forceDelete),
}

var finalizerRemoved = &Scenario{
	Name: "finalizer-removed", Class: "mixed",
	Title: "Somebody removes the finalizer of a VolumeAttachment, and the storage still has the volume on the old node",
	What: "the driver's controller, and with it its external-attacher, is scaled to 0; the healthy node is drained; the operator removes " +
		"the finalizers of the VolumeAttachment and scales the controller to 1 again",
	Notice: "What a reader should see: the VolumeAttachment goes at once, and the wait goes on: nobody told the cloud to detach, and its " +
		"refusal (RESOURCE_IN_USE_BY_ANOTHER_RESOURCE) stands in the new VolumeAttachment. Only a detach at the cloud ends it.",
	Believed: []string{
		`"The object is gone, so the volume is free." The object is Kubernetes' memory of the attachment, and not the attachment.`,
		`"The attacher will clean up when it is back." It has no object left that tells it to.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.withoutAttacher(p)
		s.kubectl("patch", "volumeattachment", s.History.Blocking(s.volume(p), p.Spec.NodeName), "--type=merge",
			`-p={"metadata":{"finalizers":null}}`)
		s.kubectl("scale", "-n", "gce-pd-csi-driver", "deployment/csi-gce-pd-controller", "--replicas=1")
		s.moved(database.name, p.Spec.NodeName, 4*time.Minute)
	},
}

var controllerFailover = &Scenario{
	Name: "controller-failover", Class: "kcm-failover",
	Needs: Needs{Masters: 2},
	Title: "The controller manager fails over while the six minutes run, and they start again",
	What: "the machine of a worker is powered off; the operator force-deletes the old pod; " +
		"two minutes later the leading kube-controller-manager is killed",
	Notice: "What a reader should see: one incident that is over, and two leaders. The timer is kept in memory: the second leader starts it " +
		"anew, so that the wait is six minutes longer by what had already passed. Multi-Attach is reported once by each leader.",
	Believed: []string{
		`"The six minutes are in the API somewhere." They are in the memory of the leader.`,
		`"Two reports are two incidents." It is one wait, reported by two leaders.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		s.powerOff(p.Spec.NodeName)
		s.reported(1)
		s.sleep(20 * time.Second)
		s.forceDelete(p)
		s.sleep(2 * time.Minute)
		leader := s.Node(s.History.Leader())
		s.fault("the leading kube-controller-manager is killed", leader.Name)
		s.must(leader.Crash("kube-controller-manager"))
		s.moved(database.name, p.Spec.NodeName, 9*time.Minute)
	},
}
