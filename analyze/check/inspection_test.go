package check_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// The files of bundles of one piece of evidence.
const (
	kubeletLine = "-- kubelet.log --\n2026-03-14T10:00:00.100000441Z E0314 10:00:00.100000    1234 nestedpendingoperations.go:348] " +
		"Operation for \"{volumeName:kubernetes.io/csi/ebs.csi.aws.com^vol-1 podName: nodeName:}\" failed. No retries permitted until " +
		"2026-03-14 10:00:01.1 +0000 UTC m=+9.1 (durationBeforeRetry 1s). Error: "
	ofVolume   = `for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") pod "web-0" (UID: "u-1") : `
	boundClaim = "-- pvc.yaml --\napiVersion: v1\nkind: PersistentVolumeClaimList\nitems:\n- apiVersion: v1\n  kind: " +
		"PersistentVolumeClaim\n  metadata: {name: data, namespace: prod, uid: u-c}\n" +
		"  spec: {volumeName: pvc-1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}\n  status: {phase: Bound, " +
		"capacity: {storage: 10Gi}}\n"
	oneVolume = "-- pv.yaml --\napiVersion: v1\nkind: PersistentVolumeList\nitems:\n- apiVersion: v1\n  kind: PersistentVolume\n  " +
		"metadata: {name: pvc-1}\n" +
		"  spec: {accessModes: [ReadWriteOnce], csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}, claimRef: {kind: PersistentVolumeClaim, " +
		"namespace: prod, name: data}}\n"
	node = "-- nodes.yaml --\napiVersion: v1\nkind: NodeList\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: node-a}\n  " +
		"%SPEC%\n  status: {conditions: [{type: Ready, status: \"%READY%\", lastTransitionTime: \"2026-03-14T09:00:00Z\"}]}\n"
)

func event(kind, namespace, name, reason, message string) string {
	return "-- events.yaml --\napiVersion: v1\nkind: EventList\nitems:\n- apiVersion: v1\n  kind: Event\n  metadata: {name: e.1, namespace: " +
		namespace + ", uid: u-e}\n  involvedObject: {kind: " + kind + ", namespace: " + namespace +
		", name: " + name + "}\n  reason: " + reason + "\n  type: Warning\n  message: '" + message +
		"'\n  source: {component: x}\n  count: 1\n  firstTimestamp: \"2026-03-14T10:00:00Z\"\n  lastTimestamp: \"2026-03-14T10:00:00Z\"\n"
}

// inspect returns the answers to the questions of a snapshot, with some incidents.
func inspect(s *model.Snapshot, incidents ...model.Incident) []model.InspectionItem {
	var l evidence.Ledger
	w := facts.NewWorld(s)
	return check.Inspection(w, check.Findings(w, cases.Waits(w), &l), incidents, &l)
}

// TestInspectionEvidence: each kind of evidence that volpost reads answers the questions that it is about, and a near miss
// does not.
func TestInspectionEvidence(t *testing.T) {
	nodeOf := func(ready, spec string) string {
		return strings.NewReplacer("%READY%", ready, "%SPEC%", spec).Replace(node)
	}
	held := func(objects, since string) string {
		return strings.Replace(objects, "metadata: {", `metadata: {finalizers: [kubernetes.io/in-use], deletionTimestamp: "`+since+`", `, 1) +
			"-- timestamp --\n2026-03-14 09:59:58.000000 +0000 UTC m=+0.1\n2026-03-14 10:00:00.000000 +0000 UTC m=+2.1\n"
	}
	classOf := func(name string) string {
		name, allow, _ := strings.Cut(name, ",")
		return "-- class.yaml --\napiVersion: storage.k8s.io/v1\nkind: StorageClassList\nitems:\n- {apiVersion: storage.k8s.io/v1, kind: StorageClass, " +
			"metadata: {name: " + name + "}, provisioner: ebs.csi.aws.com, " + allow + "}\n"
	}
	inUse := strings.Replace(oneVolume, "spec: {", "spec: {storageClassName: fast, ", 1) + "  status: {phase: Bound}\n"
	const noZone = "0/3 nodes are available: 3 node(s) had no available volume zone."
	const expand, mount = "NodeExpandVolume.NodeExpandVolume failed " + ofVolume, "MountVolume.SetUp failed " + ofVolume
	const growFails = "rpc error: code = Internal desc = xfs_growfs failed: exit status 1\n"
	for _, c := range []struct{ bundle, item, answer, text string }{
		// the kubelet's words
		{kubeletLine + expand + "rpc error: code = Internal desc = resize of device /dev/nvme1n1 failed: exec: \"xfs_growfs\": executable file not found " +
			"in $PATH\n", "file-system-tools", "yes", "xfs_growfs"},
		{kubeletLine + expand + growFails, "file-system-tools", "cannot-tell", "no error in the bundle"},
		{kubeletLine + expand + growFails, "expansion", "yes", "keeps its old size"},
		{kubeletLine + expand + growFails, "file-system-size", "yes", "keeps its old size"},
		{kubeletLine + expand + growFails + boundClaim + oneVolume, "expansion", "no", "Nothing says so in the PersistentVolumeClaims."},
		{kubeletLine + mount + "rpc error: code = Internal desc = mount failed: exit status 32: Structure needs cleaning\n", "io-errors", "yes",
			"Structure needs cleaning"},
		{kubeletLine + mount + "rpc error: code = Internal desc = mount failed: exit status 1: unknown filesystem type\n", "io-errors", "cannot-tell",
			"kernel"},
		{event("Node", "default", "node-a", "Ext4Error", "EXT4-fs error (device nvme1n1): ext4_find_entry"), "io-errors", "yes", "EXT4-fs error"},
		{kubeletLine + mount + "mount.nfs: Connection timed out\n", "backend-reachable", "yes", "timed out"},
		{kubeletLine + mount + "rpc error: code = Unavailable desc = connection error: dial unix /var/lib/kubelet/plugins/ebs/csi.sock: connect: " +
			"connection refused\n", "backend-reachable", "cannot-tell", "Only the node"},
		{kubeletLine + mount + "write /data/x: no space left on device\n", "volume-usage", "yes", "no space left"},
		{kubeletLine + "UnmountVolume.TearDown failed " + ofVolume + "device busy\n", "unmount-errors", "yes", "device busy"},
		// Events without the objects that they are about
		{event("PersistentVolumeClaim", "prod", "data", "ProvisioningFailed", "failed to provision volume: rpc error"), "claim-pending", "yes",
			"prod/data"},
		{event("PersistentVolumeClaim", "prod", "data", "ProvisioningFailed", "failed to provision volume: VolumeLimitExceeded"), "quota", "yes",
			"VolumeLimitExceeded"},
		{event("PersistentVolumeClaim", "prod", "data", "ProvisioningFailed", "failed to provision volume: rpc error"), "quota", "cannot-tell",
			"does not hold the quota"},
		{boundClaim, "file-system-size", "cannot-tell", "Only the pod or its node"},
		{boundClaim, "claim-pending", "no", "Nothing says so in the PersistentVolumeClaims."},
		{strings.Replace(boundClaim, "Bound", "Pending", 1), "claim-pending", "yes", "PersistentVolumeClaim prod/data is Pending."},
		{event("PersistentVolumeClaim", "prod", "data", "ExternalProvisioning",
			"Waiting for a volume to be created either by the external provisioner or manually by the system administrator."), "claim-pending",
			"cannot-tell", "Not collected"},
		{event("Pod", "prod", "web-0", "FailedScheduling", noZone), "pod-unscheduled", "yes", "no available volume zone"},
		{event("Pod", "prod", "web-0", "FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu."), "pod-unscheduled", "cannot-tell",
			"Not collected"},
		// nodes
		{nodeOf("True", "spec: {}"), "node-off", "cannot-tell", "proves no end"},
		{nodeOf("True", "spec: {}"), "node-not-ready", "no", "Nothing says so in the Nodes."},
		{nodeOf("Unknown", "spec: {}"), "node-not-ready", "yes", "Node node-a is not Ready."},
		{"-- nodes.txt --\nNAME     STATUS     ROLES    AGE   VERSION\nnode-b   NotReady   worker   9d    v1.34.3\n", "node-not-ready", "yes",
			"node-b"},
		{"-- nodes.txt --\nNAME     STATUS     ROLES    AGE   VERSION\nnode-b   Ready      worker   9d    v1.34.3\n", "node-not-ready",
			"cannot-tell", "Not collected"},
		// objects
		{strings.Replace(boundClaim, "Bound", "Lost", 1), "claim-lost", "yes", "Claim prod/data is Lost"},
		{held(boundClaim, "2026-03-14T09:40:00Z"), "stuck-terminating", "yes", "PersistentVolumeClaim prod/data is Terminating"},
		{held(oneVolume, "2026-03-14T09:40:00Z") + boundClaim, "stuck-terminating", "yes", "PersistentVolume pvc-1 is Terminating"},
		{held(boundClaim, "2026-03-14T09:59:00Z") + oneVolume, "stuck-terminating", "no", "the PersistentVolumes"},
		{strings.Replace(oneVolume, "csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}", "local: {path: /data}", 1), "no-attachments", "yes",
			"Volume pvc-1: a local volume is not attached."},
		{oneVolume, "no-attachments", "no", "the PersistentVolumes"},
		{classOf("fast") + inUse, "expansion-allowed", "yes", "StorageClass fast, of volumes in use"},
		{classOf("fast, allowVolumeExpansion: true") + inUse, "expansion-allowed", "no", "the StorageClasses"},
		{classOf("other") + inUse, "expansion-allowed", "no", "the StorageClasses"},
		// rows
		{"-- pv.txt --\nNAME    CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM       STORAGECLASS   REASON   AGE\npvc-1   10Gi   " +
			"    RWO            Retain           Released   prod/data   fast                    9d\n", "claim-lost", "yes", "pvc-1 is Released"},
		{"-- pv.txt --\nNAME    CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM       STORAGECLASS   REASON   AGE\npvc-1   10Gi   " +
			"    RWO            Retain           Bound      prod/data   fast                    9d\n", "claim-lost", "cannot-tell", "Not collected"},
	} {
		files := fstest.MapFS{"readme": {Data: []byte("x")}}
		for _, f := range txtar.Parse([]byte(c.bundle)).Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		s, err := read(files)
		if err != nil {
			t.Fatal(c.bundle, err)
		}
		list := inspect(s)
		i := slices.IndexFunc(list, func(i model.InspectionItem) bool { return i.ID == c.item })
		if i < 0 {
			t.Fatalf("there is no item %s", c.item)
		}
		if got := list[i]; got.Answer != c.answer || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s\nof\n%s\n%s: %s", c.item, c.bundle, got.Answer, got.Text)
		}
	}
}

// TestInspectionUnreadable: what was collected and could not be read is not called not collected.
func TestInspectionUnreadable(t *testing.T) {
	s := &model.Snapshot{Unreadable: []model.Unreadable{{Path: "x/persistentvolumeclaims.yaml", Why: "permission denied",
		Holds: "PersistentVolumeClaim"}}}
	text := func(item string) string {
		list := inspect(s)
		return list[slices.IndexFunc(list, func(i model.InspectionItem) bool { return i.ID == item })].Text
	}
	if got := text("claim-pending"); !strings.Contains(got,
		"Could not be read (permission denied): the PersistentVolumeClaims (x/persistentvolumeclaims.yaml)") || strings.Contains(got,
		"Not collected: the PersistentVolumeClaims") {
		t.Errorf("claim-pending: %s", got)
	}
	if got := text("node-not-ready"); got != "Not collected: the Nodes." {
		t.Errorf("node-not-ready: %s", got)
	}
	s.Unreadable = []model.Unreadable{{Path: "cluster-scoped-resources", Why: "permission denied"}}
	if got := text("node-not-ready"); !strings.Contains(got,
		"Or it lies in cluster-scoped-resources, which could not be read (permission denied)") {
		t.Errorf("node-not-ready, a directory: %s", got)
	}
}

// TestInspectionOfIncidents: an incident answers questions by its causes, its length and its reports.
func TestInspectionOfIncidents(t *testing.T) {
	made := func(open bool, reports int, verdict model.Verdict, causes ...string) model.Incident {
		in := model.Incident{ID: "i1", MultiAttach: model.MultiAttachWait{Reports: reports}}
		in.Span.Open = open
		in.MultiAttach.Began, in.Span.To = model.WholeSecond(model.T), model.WholeSecond(model.T.Add(6*time.Minute))
		for _, id := range causes {
			in.Causes = append(in.Causes, model.Cause{ID: id, Verdict: verdict, Summary: "It was so."})
		}
		return in
	}
	for _, c := range []struct {
		in   model.Incident
		want string
	}{
		{made(false, 0, model.Confirmed, model.CauseNodeDown), ""},
		{made(false, 2, model.Confirmed, model.CauseNodeDown), "multi-attach"},
		{made(true, 0, model.Likely, model.CauseNodeDown), "pod-not-starting pod-terminating attached-to-unready"},
		{made(true, 0, model.Undecidable, model.CauseNodeDown), "pod-not-starting"},
		{made(false, 0, model.Likely, model.CauseSharedClaim, model.CauseRolloutSurge), "shared-volume rollout"},
		{made(true, 0, model.Likely, model.CauseKubeletDown), "pod-not-starting pod-terminating attached-to-unready node-off"},
	} {
		var got []string
		for _, i := range inspect(&model.Snapshot{}, c.in) {
			if i.Answer == model.Yes {
				got = append(got, i.ID)
				if i.Text != "Incident i1: It was so." {
					t.Errorf("%s: %s", i.ID, i.Text)
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %q, want %q", strings.Join(got, " "), c.want)
		}
	}
}
