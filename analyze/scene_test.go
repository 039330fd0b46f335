package analyze_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// scene is a bundle that is made for one incident: volume pvc-1 is on node-a and wanted on node-b, and somebody does something about it.
// Times are seconds after 10:00:00, and the collection is at 10:30:00. Its methods write what control loops and people leave behind.
type scene struct {
	version      string
	lines, audit []written
	items        map[string][]string
	extra        fstest.MapFS
}

// written is a line with its time.
type written struct {
	at   float64
	text string
}

var sceneBegan = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)

const (
	sceneEnd  = 1800.0
	sceneVA   = "csi-faf54a99660988fced4952b3867dd338e8e8dfd4911246906988e46f79632045" // of the volume on node-a
	sceneVAb  = "csi-d9456f2c9a5e7d9bcacaf260bc809ea11c954d2d7d75d29fed6926d38ba3c832" // on node-b
	sceneName = "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b"
	heldPod   = "web-6c5d7f9b84-xk2lp"
	nextPod   = "web-6c5d7f9b84-p9vqt"
	surgePod  = "web-7b4d6c9f58-tn7wz"
)

func rfc(at float64) string { return sceneTime(at).Format("2006-01-02T15:04:05Z") }

func micro(at float64) string { return sceneTime(at).Format("2006-01-02T15:04:05.000000Z") }

func sceneTime(at float64) time.Time { return sceneBegan.Add(time.Duration(at * float64(time.Second))) }

// log adds a line of the controller manager, out of one of its files.
func (s *scene) log(at float64, file, text string, args ...any) {
	s.lines = append(s.lines, written{at, fmt.Sprintf("I%s       1 %s] %s", sceneTime(at).Format("0102 15:04:05.000000"), file, fmt.Sprintf(text, args...))})
}

// ask adds a request of the audit log.
func (s *scene) ask(at float64, verb, path, ref, body string) {
	if body != "" {
		body = `,"requestObject":` + body
	}
	s.audit = append(s.audit, written{at, fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a-%.3f-%s",`+
		`"stage":"ResponseComplete","requestURI":"%s","verb":"%s","user":{"username":"alice"},"userAgent":"kubectl/v1.30.1 (linux/amd64)",`+
		`"objectRef":{%s},"responseStatus":{"code":200}%s,"requestReceivedTimestamp":"%s","stageTimestamp":"%s"}`,
		at, verb, path, verb, ref, body, micro(at), micro(at))})
}

// object adds one to what was collected.
func (s *scene) object(kind, api, text string, args ...any) {
	s.items[kind] = append(s.items[kind], fmt.Sprintf(`{"apiVersion":%q,"kind":%q,`, api, kind)+fmt.Sprintf(text, args...)+"}")
}

func (s *scene) event(at float64, kind, name, component, reason, message string) {
	s.object("Event", "v1", `"metadata":{"name":"%s.%d","namespace":"prod"},"involvedObject":{"kind":%q,"namespace":"prod","name":%q,"uid":"u-%s"},`+
		`"reason":%q,"message":%q,"type":"Normal","source":{"component":%q},"count":1,"firstTimestamp":%q,"lastTimestamp":%q`,
		name, len(s.items["Event"]), kind, name, name, reason, message, component, rfc(at), rfc(at))
}

// newScene has the volume on node-a since 08:30.
func newScene(version string) *scene {
	s := &scene{version: version, items: map[string][]string{}, extra: fstest.MapFS{}}
	s.log(-7200, "controllermanager.go:191", `"Starting" version=%q`, version)
	s.log(-5400, "operation_generator.go:393", `AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: %q) from node "node-a" `, sceneName)
	s.object("PersistentVolume", "v1", `"metadata":{"name":"pvc-1"},"spec":{"accessModes":["ReadWriteOnce"],"claimRef":{"kind":"PersistentVolumeClaim",`+
		`"namespace":"prod","name":"data"},"csi":{"driver":"ebs.csi.aws.com","volumeHandle":"vol-0a1b"}}`)
	s.node("node-b", "True", -7200, "")
	return s
}

// node is a Node, Ready or not since a time.
func (s *scene) node(name, ready string, since float64, taints string) {
	s.object("Node", "v1", `"metadata":{"name":%q,"uid":"u-%s","creationTimestamp":"2026-03-01T08:00:00Z"},"spec":{"providerID":"aws:///us-east-1a/i-0%s","taints":[%s]},"status":{"conditions":`+
		`[{"type":"Ready","status":%q,"lastTransitionTime":%q}],"nodeInfo":{"kubeletVersion":%q}}`, name, name, name[5:], taints, ready, rfc(since), s.version)
}

// pod is one as it was collected; deleted is the time of the request, or 0.
func (s *scene) pod(name, node string, created, ready, deleted float64) {
	owner := name[:len(name)-6]
	meta, status := "", `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":"`+rfc(created)+
		`"}],"containerStatuses":[{"name":"web","state":{"waiting":{"reason":"ContainerCreating"}}}]`
	if deleted != 0 {
		meta = fmt.Sprintf(`,"deletionTimestamp":%q,"deletionGracePeriodSeconds":30`, rfc(deleted+30))
	}
	if ready != 0 {
		status = fmt.Sprintf(`"phase":"Running","conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":%q},{"type":"Ready","status":"True",`+
			`"lastTransitionTime":%q}],"containerStatuses":[{"name":"web","state":{"running":{"startedAt":%q}}}]`, rfc(created), rfc(ready), rfc(ready))
	}
	s.object("Pod", "v1", `"metadata":{"name":%q,"namespace":"prod","uid":"u-%s","creationTimestamp":%q%s,"labels":{"pod-template-hash":%q},"ownerReferences":`+
		`[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":%q,"uid":"u-%s","controller":true}]},"spec":{"nodeName":%q,"containers":[{"name":"web"}],`+
		`"tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}],`+
		`"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data"}}]},"status":{%s}`, name, name, rfc(created), meta, owner[4:], owner, owner, node, status)
}

// deployment is the workload with its ReplicaSets.
func (s *scene) deployment(replicas int, strategy string, sets ...string) {
	s.object("Deployment", "apps/v1", `"metadata":{"name":"web","namespace":"prod","uid":"u-web"},"spec":{"replicas":%d,"strategy":{"type":%q}}`, replicas, strategy)
	for _, set := range sets {
		s.object("ReplicaSet", "apps/v1", `"metadata":{"name":%q,"namespace":"prod","uid":"u-%s","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment",`+
			`"name":"web","uid":"u-web","controller":true}]}`, set, set)
	}
}

// attachment is a VolumeAttachment that is attached.
func (s *scene) attachment(node, name string, created float64) {
	s.object("VolumeAttachment", "storage.k8s.io/v1", `"metadata":{"name":%q,"uid":"u-va-%s-%.0f","creationTimestamp":%q,"finalizers":["external-attacher/ebs-csi-aws-com"],`+
		`"managedFields":[{"apiVersion":"storage.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:attached":{}}},"manager":"csi-attacher","operation":"Update",`+
		`"subresource":"status","time":%q}]},"spec":{"attacher":"ebs.csi.aws.com","nodeName":%q,"source":{"persistentVolumeName":"pvc-1"}},"status":{"attached":true}`,
		name, node, created, rfc(created), rfc(created+3), node)
}

// moves has the volume detached, attached to node-b, and its pod Ready 8 s after the detach began.
func (s *scene) moves(at float64, how string) {
	text := map[string]string{"": `"attacherDetacher.DetachVolume started" node="node-a" volumeName=%q`,
		"timer": `"attacherDetacher.DetachVolume started: this volume is not safe to detach, but maxWaitForUnmountDuration expired, force detaching" duration="6m0s" node="node-a" volumeName=%q`,
		"taint": `"attacherDetacher.DetachVolume started: node has out-of-service taint, force detaching" node="node-a" volumeName=%q`}[how]
	s.log(at, "reconciler.go:283", text, sceneName)
	s.log(at+2, "operation_generator.go:393", `DetachVolume.Detach succeeded for volume "pvc-1" (UniqueName: %q) on node "node-a" `, sceneName)
	s.attached(at + 5)
}

// attached has the volume attached to node-b, and its pod Ready 3 s later.
func (s *scene) attached(at float64) {
	s.log(at-2.7, "reconciler.go:283", `"attacherDetacher.AttachVolume started" volumeName=%q nodeName="node-b" scheduledPods=["prod/%s"]`, sceneName, nextPod)
	s.log(at, "operation_generator.go:393", `AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: %q) from node "node-b" `, sceneName)
}

// explain reads the bundle. Without the audit log, acts are known by objects and logs alone.
func (s *scene) explain(t *testing.T, audited bool) *model.Report {
	t.Helper()
	files := fstest.MapFS{"timestamp": {Data: []byte("2026-03-14 10:30:00.000000 +0000 UTC m=+0.1\n")}}
	put := func(name string, list []written) {
		slices.SortStableFunc(list, func(a, b written) int { return cmp.Compare(a.at, b.at) })
		var b strings.Builder
		for _, w := range list {
			fmt.Fprintln(&b, w.text)
		}
		files[name] = &fstest.MapFile{Data: []byte(b.String())}
	}
	put("kube-controller-manager.log", s.lines)
	if audited && len(s.audit) > 0 {
		put("audit.log", s.audit)
	}
	for kind, list := range s.items {
		text := `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(list, ",") + "]}"
		if !json.Valid([]byte(text)) {
			t.Fatal(text)
		}
		files[strings.ToLower(kind)+"s.json"] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, f := range s.extra {
		files[name] = f
	}
	snapshot, err := ingest.Read(t.Context(), ingest.OpenFS(files, "scene"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{})
}
