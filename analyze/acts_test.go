package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze/advice/advicetest"
	"github.com/volpost/volpost/model"
)

// actAt is when somebody acts in a scene: 198 s after the node was found lost, 138 s after the first report.
const actAt = 240.0

const (
	unreachable  = `{"effect":"NoExecute","key":"node.kubernetes.io/unreachable","timeAdded":"2026-03-14T10:00:42Z"}`
	outOfService = `,{"effect":"NoExecute","key":"node.kubernetes.io/out-of-service","value":"nodeshutdown"}`
)

// lostWith is a scene in which node-a is lost, its pod evicted after 60 s, and its successor waits; then act happens.
func lostWith(version string, act func(*scene)) *scene {
	s := newScene(version)
	s.object("Lease", "coordination.k8s.io/v1", `"metadata":{"name":"node-a","namespace":"kube-node-lease"},"spec":{"holderIdentity":"node-a",`+
		`"leaseDurationSeconds":40,"renewTime":%q}`, micro(1.9))
	s.log(42.4, "node_lifecycle_controller.go:1130", `"Node is unresponsive. Adding it to the Taint queue" node="node-a" timeStamp="2026-03-14 10:00:42.400000 +0000 UTC m=+600.1"`)
	s.onNode(42.5, "patch", `{"spec":{"taints":[`+unreachable+`]}}`)
	s.log(102.5, "taint_manager.go:105", `"NoExecuteTaintManager is deleting pod" pod="prod/%s"`, heldPod)
	s.event(103, "Pod", nextPod, "default-scheduler", "Scheduled", "Successfully assigned prod/"+nextPod+" to node-b")
	s.event(103, "Pod", nextPod, "attachdetach-controller", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) `+heldPod)
	s.deployment(1, "RollingUpdate", "web-6c5d7f9b84")
	act(s)
	return s
}

// left is what is left of a lost node's incident that has ended, or not.
func (s *scene) left(ended bool, ready float64) {
	if !ended {
		s.pod(nextPod, "node-b", 102.6, 0, 0)
		s.attachment("node-a", sceneVA, -5400)
		return
	}
	s.pod(nextPod, "node-b", 102.6, ready, 0)
	s.attachment("node-b", sceneVAb, ready-6)
}

func (s *scene) dropPod(at float64, body string) {
	s.ask(at, "delete", "/api/v1/namespaces/prod/pods/"+heldPod, `"resource":"pods","namespace":"prod","name":"`+heldPod+`","apiVersion":"v1"`, body)
}

func (s *scene) force(at float64) {
	s.dropPod(at, `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}`)
	s.log(at+0.2, "actual_state_of_world.go:560", `"Set detach request time to current time for volume on node" node="node-a" volumeName=%q`, sceneName)
}

func (s *scene) dropAttachment(at float64) {
	s.ask(at, "delete", "/apis/storage.k8s.io/v1/volumeattachments/"+sceneVA, `"resource":"volumeattachments","name":"`+sceneVA+`","apiGroup":"storage.k8s.io","apiVersion":"v1"`, "")
}

func (s *scene) onNode(at float64, verb, body string) {
	s.ask(at, verb, "/api/v1/nodes/node-a", `"resource":"nodes","name":"node-a","apiVersion":"v1"`, body)
}

func (s *scene) onWorkload(at float64, sub, body string) {
	s.ask(at, "patch", "/apis/apps/v1/namespaces/prod/deployments/web"+sub, `"resource":"deployments","namespace":"prod","name":"web","apiGroup":"apps","apiVersion":"v1"`+
		strings.Replace(sub, "/scale", `,"subresource":"scale"`, 1), body)
}

func (s *scene) tainted(at float64) {
	s.onNode(at, "patch", `{"spec":{"taints":[`+unreachable+outOfService+`]}}`)
	s.log(at+8, "gc_controller.go:338", `"PodGC is force deleting Pod" pod="prod/%s"`, heldPod)
	s.moves(at+10, "taint")
}

// acts are what people do of a lost node, and what comes of it.
var acts map[string]func(*scene)

func init() {
	acts = lostActs()
}

func lostActs() map[string]func(*scene) {
	return map[string]func(*scene){
		"none": func(s *scene) {
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.pod(heldPod, "node-a", -5400, -5390, 102.5)
			s.left(false, 0)
		},
		"taint": func(s *scene) {
			s.tainted(actAt)
			s.node("node-a", "Unknown", 42.4, unreachable+outOfService)
			s.left(true, actAt+18)
		},
		"taint-and-untaint": func(s *scene) {
			s.tainted(actAt)
			s.onNode(actAt+12, "patch", `{"spec":{"taints":[`+unreachable+`]}}`)
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.left(true, actAt+18)
		},
		"force": func(s *scene) {
			s.force(actAt)
			s.moves(actAt+360.3, "timer")
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.left(true, actAt+368.3)
		},
		"force-then-taint": func(s *scene) {
			s.force(actAt)
			s.onNode(actAt+120, "patch", `{"spec":{"taints":[`+unreachable+outOfService+`]}}`)
			s.moves(actAt+121, "taint")
			s.node("node-a", "Unknown", 42.4, unreachable+outOfService)
			s.left(true, actAt+129)
		},
		"node": func(s *scene) {
			s.onNode(actAt, "delete", "")
			s.log(actAt+58, "gc_controller.go:338", `"PodGC is force deleting Pod" pod="prod/%s"`, heldPod)
			s.moves(actAt+418.3, "timer")
			s.left(true, actAt+426.3)
		},
		"pod-and-attachment": func(s *scene) {
			s.force(actAt)
			s.dropAttachment(actAt + 4)
			s.log(actAt+36, "operation_generator.go:220", `"VerifyVolumesAreAttached determined volume is no longer attached to node" volumeName=%q node="node-a"`, sceneName)
			s.attached(actAt + 40)
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.left(true, actAt+43)
		},
		"attachment": func(s *scene) { // it comes back
			s.dropAttachment(actAt)
			s.node("node-a", "Unknown", 42.4, unreachable)
			s.pod(heldPod, "node-a", -5400, -5390, 102.5)
			s.pod(nextPod, "node-b", 102.6, 0, 0)
			s.attachment("node-a", sceneVA, actAt+30)
		},
		"cordon": func(s *scene) {
			s.onNode(actAt, "patch", `{"spec":{"unschedulable":true}}`)
			acts["none"](s)
		},
		"delete-pod": func(s *scene) { // in the ordinary way, which nobody carries out
			s.dropPod(actAt, `{"kind":"DeleteOptions","apiVersion":"v1"}`)
			acts["none"](s)
		},
		"cloud-stop-and-taint": func(s *scene) {
			s.extra["trail.json"] = cloudTrail(actAt, "StopInstances", `"instancesSet":{"items":[{"instanceId":"i-0a"}]},"force":true`)
			s.tainted(actAt + 60)
			s.node("node-a", "Unknown", 42.4, unreachable+outOfService)
			s.left(true, actAt+78)
		},
		"cloud-detach": func(s *scene) {
			s.extra["trail.json"] = cloudTrail(actAt, "DetachVolume", `"volumeId":"vol-0a1b","instanceId":"i-0a","force":true`)
			acts["none"](s)
		},
	}
}

func cloudTrail(at float64, name, parameters string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"Records":[{"eventVersion":"1.09","userIdentity":{"type":"IAMUser","arn":"arn:aws:iam::111122223333:user/alice","userName":"alice"},`+
		`"eventTime":%q,"eventSource":"ec2.amazonaws.com","eventName":%q,"userAgent":"aws-cli/2.15","requestParameters":{%s}}]}`, rfc(at), name, parameters) + "\n")}
}

// surge is a scene in which a rolling update waits for itself; then act happens.
func surge(act func(*scene)) *scene {
	s := newScene("v1.33.4")
	s.node("node-a", "True", -7200, "")
	s.onWorkload(0, "", `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`)
	s.event(0, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled up replica set web-7b4d6c9f58 from 0 to 1")
	s.event(0, "Pod", surgePod, "default-scheduler", "Scheduled", "Successfully assigned prod/"+surgePod+" to node-b")
	s.event(0, "Pod", surgePod, "attachdetach-controller", "FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) `+heldPod)
	act(s)
	return s
}

// waits is what is left of a rollout that waits on.
func (s *scene) waits() {
	s.pod(heldPod, "node-a", -5400, -5390, 0)
	s.pod(surgePod, "node-b", 0, 0, 0)
	s.attachment("node-a", sceneVA, -5400)
	s.deployment(1, "RollingUpdate", "web-6c5d7f9b84", "web-7b4d6c9f58")
}

// deletes is what a ReplicaSet does and tells.
func (s *scene) deletes(at float64, pod string) {
	s.event(at, "ReplicaSet", pod[:len(pod)-6], "replicaset-controller", "SuccessfulDelete", "Deleted pod: "+pod)
	s.log(at, "controller_utils.go:609", `"Deleting pod" logger="replicaset-controller" controller=%q pod="prod/%s"`, pod[:len(pod)-6], pod)
}

var rolloutActs = map[string]func(*scene){
	"none": (*scene).waits,
	"undo": func(s *scene) {
		s.onWorkload(actAt, "", `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`)
		s.event(actAt, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled down replica set web-7b4d6c9f58 from 1 to 0")
		s.deletes(actAt+0.2, surgePod)
		s.pod(heldPod, "node-a", -5400, -5390, 0)
		s.attachment("node-a", sceneVA, -5400)
		s.deployment(1, "RollingUpdate", "web-6c5d7f9b84", "web-7b4d6c9f58")
	},
	"pause": func(s *scene) {
		s.onWorkload(actAt, "", `{"spec":{"paused":true}}`)
		s.waits()
	},
	"restart": func(s *scene) { // of the new version, which waits as well
		s.onWorkload(actAt, "", `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-03-14T10:04:00Z"}}}}}`)
		s.waits()
	},
	"zero-and-back": func(s *scene) {
		s.onWorkload(actAt, "/scale", `{"spec":{"replicas":0}}`)
		s.event(actAt, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled down replica set web-7b4d6c9f58 from 1 to 0")
		s.event(actAt, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled down replica set web-6c5d7f9b84 from 1 to 0")
		s.deletes(actAt+0.2, surgePod)
		s.deletes(actAt+0.2, heldPod)
		s.log(actAt+10, "reconciler.go:283", `"attacherDetacher.DetachVolume started" node="node-a" volumeName=%q`, sceneName)
		s.log(actAt+12, "operation_generator.go:393", `DetachVolume.Detach succeeded for volume "pvc-1" (UniqueName: %q) on node "node-a" `, sceneName)
		s.onWorkload(actAt+15, "/scale", `{"spec":{"replicas":1}}`)
		s.event(actAt+15, "Deployment", "web", "deployment-controller", "ScalingReplicaSet", "Scaled up replica set web-7b4d6c9f58 from 0 to 1")
		s.log(actAt+18, "operation_generator.go:393", `AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: %q) from node "node-b" `, sceneName)
		s.pod("web-7b4d6c9f58-q24ng", "node-b", actAt+15, actAt+22, 0)
		s.attachment("node-b", sceneVAb, actAt+16)
		s.deployment(1, "RollingUpdate", "web-6c5d7f9b84", "web-7b4d6c9f58")
	},
	"recreate": func(s *scene) {
		s.onWorkload(actAt, "", `{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}`)
		s.deletes(actAt+0.2, heldPod)
		s.log(actAt+10, "reconciler.go:283", `"attacherDetacher.DetachVolume started" node="node-a" volumeName=%q`, sceneName)
		s.log(actAt+12, "operation_generator.go:393", `DetachVolume.Detach succeeded for volume "pvc-1" (UniqueName: %q) on node "node-a" `, sceneName)
		s.log(actAt+15, "operation_generator.go:393", `AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: %q) from node "node-b" `, sceneName)
		s.pod(surgePod, "node-b", 0, actAt+18, 0)
		s.attachment("node-b", sceneVAb, actAt+13)
		s.deployment(1, "Recreate", "web-6c5d7f9b84", "web-7b4d6c9f58")
	},
	"delete-old": func(s *scene) { // its ReplicaSet makes another on the same node
		s.dropPod(actAt, `{"kind":"DeleteOptions","apiVersion":"v1"}`)
		s.pod("web-6c5d7f9b84-m4r8v", "node-a", actAt+0.2, actAt+3, 0)
		s.pod(surgePod, "node-b", 0, 0, 0)
		s.attachment("node-a", sceneVA, -5400)
		s.deployment(1, "RollingUpdate", "web-6c5d7f9b84", "web-7b4d6c9f58")
	},
}

// actRow is what is to be said of a scene: each act at its time with its effect, and remedies one of which has to come first.
type actRow struct {
	name                 string
	scene                *scene
	done                 string // "remedy@seconds effect", one after the other; with - for an act that is no remedy
	now, better, prevent string // remedies, one of which is first
	at                   float64
	saved                float64 // 0: not asked
	anywhere             string  // remedies that no list has
}

func actRows() []actRow {
	const (
		fencing  = "automate-out-of-service earlier-alert graceful-node-shutdown shorten-tolerations"
		old      = "fence-node force-delete-pod-and-volume-attachment"
		never    = "shared-access-mode scale-to-zero rollout-undo"
		noForce  = "out-of-service-taint force-delete-pod force-delete-pod-and-volume-attachment delete-node delete-volume-attachment shared-access-mode"
		recreate = "recreate-strategy"
	)
	var rows []actRow
	for _, v := range []string{"v1.28.15", "v1.36.1"} {
		taint := "out-of-service-taint"
		add := func(act, done, now, better string, saved float64) {
			rows = append(rows, actRow{"lost " + v + " " + act, lostWith(v, acts[act]), done, now, better, fencing, actAt, saved, never})
		}
		add("none", "", taint, "", 0)
		add("force", "force-delete-pod@240 started-timer", "", taint, 351)
		add("node", "delete-node@240 started-timer", "", taint, 409)
		add("pod-and-attachment", "force-delete-pod@240 ended,delete-volume-attachment@244 shortened", "", taint, 0)
		add("attachment", "delete-volume-attachment@240 race", taint, "", 0)
		add("cordon", "-@240 none", taint, "", 0)
		add("delete-pod", "delete-old-pod@240 none", taint, "", 0)
		add("cloud-detach", "fix-backend-detach@240 none", taint, "", 0)
		rows = append(rows, actRow{"lost " + v + " taint", lostWith(v, acts["taint"]), "out-of-service-taint@240 ended", "", taint, fencing, 180, 0, never},
			actRow{"lost " + v + " taint-and-untaint", lostWith(v, acts["taint-and-untaint"]), "out-of-service-taint@240 ended,-@252 none", "", taint, fencing, 180, 0, never},
			actRow{"lost " + v + " force-then-taint", lostWith(v, acts["force-then-taint"]), "force-delete-pod@240 shortened none,out-of-service-taint@360 ended shortened", "", taint, fencing, 240, 0, never},
			actRow{"lost " + v + " cloud-stop-and-taint", lostWith(v, acts["cloud-stop-and-taint"]), "fence-node@240 none,out-of-service-taint@300 ended", "", taint, fencing, 0, 0, never})
	}
	for _, v := range []string{"v1.23.17", "v1.25.16"} {
		never := never
		if v == "v1.23.17" {
			never += " out-of-service-taint" // which 1.25 has behind a gate
		}
		rows = append(rows, actRow{"lost " + v + " none", lostWith(v, acts["none"]), "", old, "", fencing, 0, 0, never},
			actRow{"lost " + v + " force", lostWith(v, acts["force"]), "force-delete-pod@240 started-timer", "", old, fencing, actAt, 330, never},
			actRow{"lost " + v + " node", lostWith(v, acts["node"]), "delete-node@240 started-timer", "", old, fencing, actAt, 385, never},
			actRow{"lost " + v + " pod-and-attachment", lostWith(v, acts["pod-and-attachment"]), "force-delete-pod@240 ended,delete-volume-attachment@244 shortened", "", "", "", 0, 0, never})
	}
	began := "-@0 caused"
	rows = append(rows,
		actRow{"rollout none", surge(rolloutActs["none"]), began, "rollout-undo", "", recreate, 0, 0, noForce},
		actRow{"rollout undo", surge(rolloutActs["undo"]), began + ",rollout-undo@240 ended", "", "rollout-undo", recreate, 0, 0, noForce},
		actRow{"rollout pause", surge(rolloutActs["pause"]), began + ",-@240 none", "rollout-undo", "", recreate, 0, 0, noForce},
		actRow{"rollout restart", surge(rolloutActs["restart"]), began + ",-@240 none", "rollout-undo", "", recreate, 0, 0, noForce},
		actRow{"rollout zero-and-back", surge(rolloutActs["zero-and-back"]), began + ",scale-to-zero@240 shortened,-@255 ended", "", "rollout-undo", recreate, actAt, 21, noForce},
		actRow{"rollout recreate", surge(rolloutActs["recreate"]), began + ",recreate-strategy@240 ended", "", "rollout-undo", recreate, actAt, 17, noForce},
		actRow{"rollout delete-old", surge(rolloutActs["delete-old"]), began + ",delete-old-pod@240 none", "rollout-undo", "", recreate, 0, 0, noForce},
	)
	return rows
}

// TestActs: of each situation and each act in it, the act is told at its time with what it came to, and the first advice is an expert's, at the moment
// of the act, with the seconds that the act in its place takes on real nodes; with the audit log, and with objects and logs alone.
func TestActs(t *testing.T) {
	for _, row := range slices.Concat(actRows(), causeRows()) {
		for _, audited := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s audited=%v", row.name, audited), func(t *testing.T) {
				r := row.scene.explain(t, audited)
				if len(r.Incidents) != 1 {
					t.Fatalf("%d incidents: %s", len(r.Incidents), r.Verdict.Headline)
				}
				row.check(t, r.Incidents[0], audited)
			})
		}
	}
}

func (row actRow) check(t *testing.T, i model.Incident, audited bool) {
	a := i.Advice
	for _, fault := range advicetest.Faults(i) {
		t.Error(fault)
	}
	var done []string
	for _, d := range a.Done {
		id := "-"
		if d.Remedy != nil {
			id = *d.Remedy
		}
		done = append(done, fmt.Sprintf("%s@%.0f %s", id, d.At.At.Sub(sceneBegan).Seconds(), d.Effect))
	}
	told := strings.Join(done, ",")
	if audited && !sameDone(told, row.done) {
		t.Errorf("done %s, want %s", told, row.done)
	}
	first := func(name string, list []model.Option, want string) {
		got := ""
		if len(list) > 0 {
			got = list[0].Remedy
		}
		if want != "" && !slices.Contains(strings.Fields(want), got) {
			t.Errorf("%s %q, want one of %q", name, got, want)
		}
	}
	first("now", a.Now, row.now)
	first("better", a.Better, row.better)
	first("prevent", a.Prevent, row.prevent)
	if len(a.Better) > 0 && audited {
		b := a.Better[0]
		if at := b.At.At.Sub(sceneBegan).Seconds(); row.at != 0 && (at < row.at-1 || at > row.at+1) {
			t.Errorf("better at %.0f, want %.0f", at, row.at)
		}
		if row.saved != 0 && (b.Saved == nil || b.Saved.Best < row.saved-25 || b.Saved.Best > row.saved+25) {
			t.Errorf("better saves %v, want %.0f", b.Saved, row.saved)
		}
	}
	for _, o := range slices.Concat(a.Now, a.Better, a.Prevent) {
		if slices.Contains(strings.Fields(row.anywhere), o.Remedy) {
			t.Errorf("%s is offered", o.Remedy)
		}
	}
}

// sameDone compares what was done; of an act several effects may be right.
func sameDone(got, want string) bool {
	g, w := strings.Split(got, ","), strings.Split(want, ",")
	return len(g) == len(w) && !slices.ContainsFunc(g, func(s string) bool {
		name, effect, _ := strings.Cut(s, " ")
		return !slices.ContainsFunc(w, func(s string) bool {
			wanted, effects, _ := strings.Cut(s, " ")
			return wanted == name && slices.Contains(strings.Fields(effects), effect) || s == "" && got == ""
		})
	})
}
