package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// oldControllerLog is what Kubernetes 1.14 wrote, without a thread in the head of its lines, when a node was deleted, its pods were
// garbage-collected and a volume was force-detached six minutes later.
const oldControllerLog = `I0308 21:14:03.118204 1 attach_detach_controller.go:573] error removing node "blade-7.lab.example" from desired-state-of-world: failed to delete node "blade-7.lab.example" from list of nodes managed by attach/detach controller--the node still contains 1 volumes in its list of volumes to attach
I0308 21:14:04.000917 1 event.go:258] Event(v1.ObjectReference{Kind:"Node", Namespace:"", Name:"blade-7.lab.example", UID:"7a1d7bd6-53c2-4c13-8e27-6d5b0c0d7f10", APIVersion:"", ResourceVersion:"", FieldPath:""}): type: 'Normal' reason: 'RemovingNode' Node blade-7.lab.example event: Removing Node blade-7.lab.example from Controller
I0308 21:14:11.402311 1 gc_controller.go:62] PodGC is force deleting Pod: kube-system/kube-proxy-xk2vv
I0308 21:14:11.431870 1 gc_controller.go:166] Forced deletion of orphaned Pod kube-system/kube-proxy-xk2vv succeeded
I0308 21:14:11.432004 1 gc_controller.go:62] PodGC is force deleting Pod: shop/ledger-5f7c6d9b4-tq8mz
I0308 21:14:11.498115 1 event.go:258] Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"ledger-5f7c6d9b4-tq8mz", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}): type: 'Normal' reason: 'TaintManagerEviction' Cancelling deletion of Pod shop/ledger-5f7c6d9b4-tq8mz
I0308 21:14:11.540246 1 gc_controller.go:166] Forced deletion of orphaned Pod shop/ledger-5f7c6d9b4-tq8mz succeeded
I0308 21:14:11.551020 1 event.go:258] Event(v1.ObjectReference{Kind:"ReplicaSet", Namespace:"shop", Name:"ledger-5f7c6d9b4", UID:"d4c0a2ce-98f7-4a3b-9a52-1f6d6d6d8f55", APIVersion:"apps/v1", ResourceVersion:"510233", FieldPath:""}): type: 'Normal' reason: 'SuccessfulCreate' Created pod: ledger-5f7c6d9b4-9wzcl
W0308 21:14:11.560399 1 reconciler.go:328] Multi-Attach error for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21") from node "blade-3.lab.example" Volume is already exclusively attached to node blade-7.lab.example and can't be attached to another
I0308 21:14:11.568714 1 event.go:258] Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"ledger-5f7c6d9b4-9wzcl", UID:"b0f6a0b7-2a51-44d7-8b8e-3b3f6a9f0c77", APIVersion:"v1", ResourceVersion:"510260", FieldPath:""}): type: 'Warning' reason: 'FailedAttachVolume' Multi-Attach error for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" Volume is already exclusively attached to one node and can't be attached to another
W0308 21:20:11.571933 1 reconciler.go:232] attacherDetacher.DetachVolume started for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21") on node "blade-7.lab.example" This volume is not safe to detach, but maxWaitForUnmountDuration 6m0s expired, force detaching
I0308 21:20:11.613008 1 operation_generator.go:526] DetachVolume.Detach succeeded for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21") on node "blade-7.lab.example"
I0308 21:20:11.672540 1 reconciler.go:288] attacherDetacher.AttachVolume started for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21") from node "blade-3.lab.example"
I0308 21:20:11.694402 1 operation_generator.go:358] AttachVolume.Attach succeeded for volume "pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21") from node "blade-3.lab.example"
`

// TestOldControllerLog: a log alone, which names no VolumeAttachment, is enough for the blocker's name and for what the six minutes ran
// from.
func TestOldControllerLog(t *testing.T) {
	const released, detached = "21:14:11", "21:20:11"
	blocker := fmt.Sprintf("csi-%x",
		sha256.Sum256([]byte("pvc-1f0c8c55-0d0e-4f7b-8f0a-6f6f2b9f3a21"+"disk.csi.example.com"+"blade-7.lab.example")))
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kcm.log", []byte(oldControllerLog), 0o644); err != nil {
		t.Fatal(err)
	}
	got := volpost("analyze", "kcm.log", "-o", "json", "-o", "text=report.txt")
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	r := decoded(t, []byte(got.stdout))
	if len(r.Incidents) != 1 {
		t.Fatalf("%d incidents, want one: %s", len(r.Incidents), r.Verdict.Headline)
	}
	i := r.Incidents[0]
	if i.BlockingAttachment.Name == nil || *i.BlockingAttachment.Name != blocker || i.BlockingAttachment.NameBasis != model.NameDerived {
		t.Errorf("the blocker is %+v", i.BlockingAttachment)
	}
	if i.MultiAttach.Ended == nil || i.From.Node != "blade-7.lab.example" || i.To.Node != "blade-3.lab.example" {
		t.Errorf("ended %v, from %s to %s", i.MultiAttach.Ended, i.From.Node, i.To.Node)
	}
	told := false
	for _, c := range i.Causes {
		told = told || (strings.Contains(c.Summary, released) && strings.Contains(c.Summary, detached))
	}
	for _, o := range i.WhyNotDetached {
		told = told || (strings.Contains(o.Text, released) && strings.Contains(o.Text, detached))
	}
	if !told {
		t.Errorf("no text says that the six minutes ran from %s to %s", released, detached)
	}
	text, err := os.ReadFile("report.txt")
	if err != nil || !strings.Contains(string(text), blocker[:20]) {
		t.Errorf("the text does not name the blocker (%v)", err)
	}
}

// TestLooseFile reads a file of the working directory like a bundle of one.
func TestLooseFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kcm.log", bareControllerLog(t, "node-deleted"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := volpost("inspect", "kcm.log", "-o", "json")
	if whole.code != exitOK {
		t.Fatalf("exit code %d: %s", whole.code, whole.stderr)
	}
	var bundle model.Bundle
	if err := json.Unmarshal([]byte(whole.stdout), &bundle); err != nil {
		t.Fatal(err)
	}
	if len(bundle.Inputs) != 1 || filepath.Base(bundle.Inputs[0].Path) != "kcm.log" || bundle.Inputs[0].Used == 0 ||
		bundle.Inputs[0].Clock == nil {
		t.Errorf("inputs: %+v", bundle.Inputs)
	}
}
