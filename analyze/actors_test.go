package analyze_test

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestActorsEvents: what a failover controller says in its events of its own acts is an action of it, and no person's.
func TestActorsEvents(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "node-down", "yes-statefulset.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range append(archive.Files, txtar.File{Name: "actors.yaml", Data: []byte(actorsEvents)}) {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	want := map[wait.ActionKind]string{
		wait.ForceDeletedPod:     "podmon (CSM resiliency)",
		wait.DeletedAttachment:   "the Piraeus HA controller",
		wait.TaintedOutOfService: "self node remediation (medik8s)",
	}
	for _, a := range allActions(casesOf(t, files)) {
		if a.ByPerson == model.True {
			t.Errorf("%s of %s is called a person's", a.What, a.Object)
		}
		if by, ok := want[a.What]; ok && a.By == by && !a.Inferred {
			delete(want, a.What)
		}
	}
	for what, by := range want {
		t.Errorf("%s by %s is not told", what, by)
	}
}

// actorsEvents are of three controllers, which nobody would run at once.
const actorsEvents = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Event
  metadata: {name: db-0.1, namespace: prod}
  involvedObject: {apiVersion: v1, kind: Pod, namespace: prod, name: db-0, uid: u-db-0-first}
  reason: NodeUnreachable
  message: podmon cleaning pod [u-db-0-first node-a] with force delete
  source: {component: podmon}
  firstTimestamp: "2026-03-14T10:00:00Z"
- apiVersion: v1
  kind: Event
  metadata: {name: va.1, namespace: default}
  involvedObject: {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, name: csi-faf54a99660988fced4952b3867dd338e8e8dfd4911246906988e46f79632045}
  reason: VolumeWithoutQuorum
  message: Volume attachment was force-detached because node lost quorum
  source: {component: linstor.linbit.com/HighAvailabilityController}
  firstTimestamp: "2026-03-14T10:05:00Z"
- apiVersion: v1
  kind: Event
  metadata: {name: node-a.1, namespace: default}
  involvedObject: {apiVersion: v1, kind: Node, name: node-a}
  reason: AddOutOfService
  message: '[remediation] Remediation process - add out-of-service taint to unhealthy node'
  source: {component: SelfNodeRemediation}
  firstTimestamp: "2026-03-14T09:59:00Z"
`
