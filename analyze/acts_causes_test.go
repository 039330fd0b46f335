package analyze_test

import (
	"fmt"
	"strings"
	"testing/fstest"
)

// drained is a scene in which the pod on a node that works is evicted by somebody, and its successor waits; then act happens.
func drained(act func(*scene)) *scene {
	s := newScene("v1.33.4")
	s.ask(100, "create", "/api/v1/namespaces/prod/pods/"+heldPod+"/eviction", `"resource":"pods","subresource":"eviction","namespace":"prod","name":"`+heldPod+`","apiVersion":"v1"`, "")
	s.event(100, "Pod", nextPod, "default-scheduler", "Scheduled", "Successfully assigned prod/"+nextPod+" to node-b")
	s.event(101, "Pod", nextPod, "attachdetach-controller", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) `+heldPod)
	s.deployment(1, "RollingUpdate", "web-6c5d7f9b84")
	act(s)
	return s
}

// released is the line of the controller when no pod on node-a uses the volume any more.
func (s *scene) released(at float64) {
	s.log(at, "actual_state_of_world.go:560", `"Set detach request time to current time for volume on node" node="node-a" volumeName=%q`, sceneName)
}

// refuses has the detach fail from a time on with an answer of the driver, every two minutes.
func (s *scene) refuses(at, until float64, answer string) {
	s.released(at - 6)
	for ; at < until; at += 122 {
		s.log(at, "reconciler.go:276", `"attacherDetacher.DetachVolume started" node="node-a" volumeName=%q`, sceneName)
		s.log(at+3, "nestedpendingoperations.go:348", `Operation for "{volumeName:%s podName: nodeName:}" failed. No retries permitted until 2026-03-14 10:59:00 +0000 UTC m=+86400.1 `+
			`(durationBeforeRetry 2m2s). Error: DetachVolume.Detach failed for volume "pvc-1" (UniqueName: %q) on node "node-a" : %s`, sceneName, sceneName, answer)
	}
}

// deletedAttachment is the VolumeAttachment on node-a that the driver does not let go.
func (s *scene) deletedAttachment(at float64, answer string) {
	s.attachment("node-a", sceneVA, -5400)
	list := s.items["VolumeAttachment"]
	last := strings.Replace(list[len(list)-1], `"metadata":{`, fmt.Sprintf(`"metadata":{"deletionTimestamp":%q,"deletionGracePeriodSeconds":0,`, rfc(at)), 1)
	list[len(list)-1] = strings.Replace(last, `"status":{`, fmt.Sprintf(`"status":{"detachError":{"message":%q,"time":%q},`, answer, rfc(sceneEnd-60)), 1)
}

// kubeletSays is the journal of node-a's kubelet.
func (s *scene) kubeletSays(times []float64, file, text string) {
	var b strings.Builder
	for _, at := range times {
		fmt.Fprintf(&b, "%s node-a kubelet[61]: E%s      61 %s] %s\n", sceneTime(at).Format("Jan 02 15:04:05.000000"), sceneTime(at).Format("0102 15:04:05.000000"), file, text)
	}
	s.extra["node-a-kubelet.log"] = &fstest.MapFile{Data: []byte(b.String())}
}

// nodeEvent is one of node-a.
func (s *scene) nodeEvent(at float64, reason, message string) {
	s.object("Event", "v1", `"metadata":{"name":"node-a.%d","namespace":"default"},"involvedObject":{"kind":"Node","name":"node-a","uid":"u-node-a"},"reason":%q,"message":%q,`+
		`"type":"Normal","source":{"component":"kubelet","host":"node-a"},"count":1,"firstTimestamp":%q,"lastTimestamp":%q`, len(s.items["Event"]), reason, message, rfc(at), rfc(at))
}

// back is a node that came back, and what its kubelet did then.
func (s *scene) back(at float64) {
	s.nodeEvent(at, "Starting", "Starting kubelet.")
	s.node("node-a", "True", at+3, "")
	s.released(at + 5)
	s.moves(at+7, "")
	s.left(true, at+15)
}

// inUse has node-a say that it has the volume mounted.
func (s *scene) inUse() {
	list := s.items["Node"]
	list[len(list)-1] = strings.Replace(list[len(list)-1], `"status":{`, fmt.Sprintf(`"status":{"volumesInUse":[%q],`, sceneName), 1)
}

// causeRows are the situations in which something else than the loss of a machine keeps the volume, and what people do then.
func causeRows() []actRow {
	const (
		refusal = `rpc error: code = Internal desc = back end: the volume is locked by another task`
		busy    = `Operation for "{volumeName:` + sceneName + ` podName:u-` + heldPod + ` nodeName:}" failed. No retries permitted until 2026-03-14 10:59:00 +0000 UTC m=+86400.1 ` +
			`(durationBeforeRetry 2m2s). Error: UnmountVolume.TearDown failed for volume "data" (UniqueName: "` + sceneName + `") pod "u-` + heldPod + `" (UID: "u-` + heldPod +
			`") : kubernetes.io/csi: Unmounter.TearDownAt failed: rpc error: code = Internal desc = umount: /var/lib/kubelet/pods/u-web/volumes/kubernetes.io~csi/pvc-1/mount: target is busy`
		noForce = "out-of-service-taint force-delete-pod-and-volume-attachment delete-node shared-access-mode"
		never   = "shared-access-mode scale-to-zero rollout-undo"
	)
	lost := func(act func(*scene)) *scene { return lostWith("v1.33.4", act) }
	unforced := func(act func(*scene)) *scene {
		s := lost(act)
		s.log(-7200, "flags.go:64", `FLAG: --disable-force-detach-on-timeout="true"`)
		return s
	}
	shared := func(act func(*scene)) *scene {
		s := newScene("v1.33.4")
		s.node("node-a", "True", -7200, "")
		s.pod(heldPod, "node-a", -5400, -5390, 0)
		s.attachment("node-a", sceneVA, -5400)
		s.onWorkload(100, "/scale", `{"spec":{"replicas":2}}`)
		s.event(100, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled up replica set web-6c5d7f9b84 from 1 to 2")
		s.event(100, "Pod", nextPod, "default-scheduler", "Scheduled", "Successfully assigned prod/"+nextPod+" to node-b")
		s.event(101, "Pod", nextPod, "attachdetach-controller", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) `+heldPod)
		act(s)
		return s
	}
	hangs := func(s *scene) {
		s.kubeletSays([]float64{140, 262, 384}, "nestedpendingoperations.go:348", busy)
		s.node("node-a", "True", -7200, "")
		s.inUse()
		s.released(106)
	}
	return []actRow{
		{"kubelet none", lost(func(s *scene) {
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.nodeEvent(30, "ContainerGCFailed", "rpc error: code = DeadlineExceeded")
			s.pod(heldPod, "node-a", -5400, -5390, 102.5)
			s.left(false, 0)
		}), "", "out-of-service-taint", "", "automate-out-of-service", 0, 0, never},
		{"kubelet started", lost(func(s *scene) { // it stops the container that ran all the time
			s.event(404, "Pod", heldPod, "kubelet", "Killing", "Stopping container web")
			s.back(400)
		}), "restart-kubelet@400 shortened", "", "restart-kubelet", "earlier-alert", 180, 215, noForce},
		{"reboot", lost(func(s *scene) {
			s.nodeEvent(actAt, "Rebooted", "Node node-a has been rebooted, boot id: 0d3bbf6e-8b1e-4a6c-9a51-0c1b6a1d2f34")
			s.back(actAt)
		}), "", "", "repair-node", "drain-before-shutdown", 0, 0, never},
		{"flag changed", lost(func(s *scene) {
			s.log(-7200, "flags.go:64", `FLAG: --disable-force-detach-on-timeout="false"`)
			s.log(actAt, "controllermanager.go:191", `"Starting" version="v1.33.4"`)
			s.log(actAt, "flags.go:64", `FLAG: --disable-force-detach-on-timeout="true"`)
			acts["none"](s)
		}), "-@240 none", "out-of-service-taint", "", "automate-out-of-service", 0, 0, never},
		{"no force none", unforced(acts["none"]), "", "out-of-service-taint", "", "automate-out-of-service", 0, 0, never},
		{"no force force", unforced(func(s *scene) {
			s.force(actAt)
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.pod(nextPod, "node-b", 102.6, 0, 0)
			s.attachment("node-a", sceneVA, -5400)
		}), "force-delete-pod@240 none started-timer shortened", "out-of-service-taint", "", "automate-out-of-service", 0, 0, never},
		{"refused none", drained(func(s *scene) {
			s.node("node-a", "True", -7200, "")
			s.refuses(110, sceneEnd, refusal)
			s.pod(nextPod, "node-b", 100, 0, 0)
			s.deletedAttachment(110, refusal)
		}), "delete-old-pod@100 caused", "fix-backend-detach", "", "earlier-alert", 0, 0, noForce},
		{"refused healed", drained(func(s *scene) {
			s.node("node-a", "True", -7200, "")
			s.refuses(110, 700, refusal)
			s.moves(actAt+600, "")
			s.pod(nextPod, "node-b", 100, actAt+608, 0)
			s.attachment("node-b", sceneVAb, actAt+603)
		}), "delete-old-pod@100 caused", "", "fix-backend-detach", "earlier-alert", 0, 0, noForce},
		{"refused finalizer", drained(func(s *scene) {
			s.node("node-a", "True", -7200, "")
			s.refuses(110, actAt, refusal)
			s.dropAttachment(110)
			s.audit[len(s.audit)-1].text = strings.NewReplacer("alice", "system:serviceaccount:kube-system:attachdetach-controller", "kubectl/", "kube-controller-manager/").
				Replace(s.audit[len(s.audit)-1].text)
			s.ask(actAt, "patch", "/apis/storage.k8s.io/v1/volumeattachments/"+sceneVA, `"resource":"volumeattachments","name":"`+sceneVA+`","apiGroup":"storage.k8s.io","apiVersion":"v1"`,
				`{"metadata":{"finalizers":null}}`)
			for _, at := range []float64{actAt + 3, actAt + 125, actAt + 247} {
				s.log(at, "reconciler.go:364", `"attacherDetacher.AttachVolume started" volumeName=%q nodeName="node-b" scheduledPods=["prod/%s"]`, sceneName, nextPod)
				s.log(at+2, "nestedpendingoperations.go:348", `Operation for "{volumeName:%s podName: nodeName:node-b}" failed. No retries permitted until 2026-03-14 10:59:00 +0000 UTC m=+86400.1 `+
					`(durationBeforeRetry 2m2s). Error: AttachVolume.Attach failed for volume "pvc-1" (UniqueName: %q) from node "node-b" : rpc error: code = FailedPrecondition desc = the volume is attached to node-a`,
					sceneName, sceneName)
			}
			s.pod(nextPod, "node-b", 100, 0, 0)
		}), "delete-old-pod@100 caused,delete-volume-attachment@110 none,remove-attachment-finalizer@240 lengthened", "fix-backend-detach", "", "", 0, 0, noForce},
		{"unmount none", drained(func(s *scene) {
			hangs(s)
			s.pod(nextPod, "node-b", 100, 0, 0)
			s.attachment("node-a", sceneVA, -5400)
		}), "delete-old-pod@100 caused", "find-mount-holder", "", "keep-mounts-free", 0, 0, noForce},
		{"unmount ended", drained(func(s *scene) {
			hangs(s)
			s.moves(500, "")
			s.pod(nextPod, "node-b", 100, 508, 0)
			s.attachment("node-b", sceneVAb, 503)
		}), "delete-old-pod@100 caused", "", "find-mount-holder", "keep-mounts-free", 0, 0, noForce},
		{"shared none", shared(func(s *scene) {
			s.pod(nextPod, "node-b", 100, 0, 0)
			s.deployment(2, "RollingUpdate", "web-6c5d7f9b84")
		}), "-@100 caused", "single-writer-replicas", "", "single-writer-replicas", 0, 0, noForce[:len(noForce)-len(" shared-access-mode")]},
		{"shared to one", shared(func(s *scene) {
			s.onWorkload(actAt, "/scale", `{"spec":{"replicas":1}}`)
			s.event(actAt, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled down replica set web-6c5d7f9b84 from 2 to 1")
			s.deletes(actAt+0.2, nextPod)
			s.deployment(1, "RollingUpdate", "web-6c5d7f9b84")
		}), "-@100 caused,single-writer-replicas@240 ended", "", "single-writer-replicas", "single-writer-replicas", 101, 0, noForce[:len(noForce)-len(" shared-access-mode")]},
		{"slow stop", drained(func(s *scene) {
			s.node("node-a", "True", -7200, "")
			s.event(110, "Pod", heldPod, "kubelet", "Killing", "Stopping container web")
			s.released(215)
			s.moves(225, "")
			s.pod(nextPod, "node-b", 100, 233, 0)
			s.attachment("node-b", sceneVAb, 228)
		}), "delete-old-pod@100 caused", "", "", "faster-stop", 0, 0, noForce},
	}
}
