package scenario

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
)

// volume is the name of the first PersistentVolume of a pod.
func (s *Stage) volume(p *v1.Pod) string {
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		c, err := s.Watch.Core().V1().PersistentVolumeClaims().Lister().PersistentVolumeClaims(p.Namespace).Get(v.PersistentVolumeClaim.ClaimName)
		s.must(err)
		return c.Spec.VolumeName
	}
	s.must(fmt.Errorf("%s has no claim", p.Name))
	return ""
}

var unmountStuck = &Scenario{
	Name: "unmount-stuck", Class: "stuck-unmount",
	Title: "A healthy node cannot unmount the volume",
	What:  "the node is Ready; a foreign process keeps the mount busy, so that every umount answers EBUSY; nobody ends the process",
	Notice: "What a reader should see: an incident on a node that is healthy. Its kubelet says `target is busy` again and again; the pod is " +
		"Terminating with its containers ended, and no event tells of it. What happens after six minutes depends on the version of Kubernetes.",
	Believed: []string{
		`"After six minutes the controller detaches anyway." ` +
			`It did so up to v1.24.8, from under a mounted file system; since then not while the node is Ready.`,
		`"The driver is broken." It passes on what the kernel says: somebody has a file or a directory of the volume open.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		pid, _, err := node.Hold(p, s.volume(p))
		s.must(err)
		s.fault("a foreign process, backup-agent, pid "+pid+", keeps the mount busy", node.Name)
		s.kubectl("cordon", node.Name)
		s.kubectl("delete", "pod", "-n", shop, p.Name, "--wait=false")
		s.reported(1)
		s.moved(database.name, node.Name, 7*time.Minute)
	},
}

var holderEnded = &Scenario{
	Name: "holder-ended", Class: "stuck-unmount",
	Title: "A healthy node cannot unmount the volume until somebody ends the process that uses it",
	What: "the node is Ready; a foreign process keeps the mount busy; " +
		"three minutes after the report the operator finds it with fuser and ends it",
	Notice: "What a reader should see: one incident that is over within the kubelet's next try. The pauses between its tries have grown to " +
		"two minutes by then, so that the volume does not follow at once.",
	Believed: []string{
		`"Nothing happened after the kill: it was something else." The kubelet unmounts at its next try, up to two minutes later.`,
		`"Deleting the VolumeAttachment is quicker." It takes the device away from under a mounted file system.`,
	},
	Play: func(s *Stage) {
		p := s.start(database)
		node := s.Node(p.Spec.NodeName)
		pid, release, err := node.Hold(p, s.volume(p))
		s.must(err)
		s.fault("a foreign process, backup-agent, pid "+pid+", keeps the mount busy", node.Name)
		s.kubectl("cordon", node.Name)
		s.kubectl("delete", "pod", "-n", shop, p.Name, "--wait=false")
		s.reported(1)
		s.sleep(watched)
		s.must(release())
		s.fault("the operator ends the process that kept the mount busy", node.Name)
		s.moved(database.name, node.Name, 6*time.Minute)
	},
}
