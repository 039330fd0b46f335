package analyze_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// TestSaidBack: an answer that cannot tell begins with what was pasted, by name and state.
func TestSaidBack(t *testing.T) {
	vector := func(metric string) string {
		return `{"status":"success","data":{"resultType":"vector","result":[{"metric":{` + metric + `},"value":[1773482700,"2"]}]}}`
	}
	rules := "groups:\n- name: volumes\n  rules:\n  - alert: StuckCreating\n    expr: up == 0\n  - alert: LostNode\n    expr: up == 1\n"
	for _, c := range []struct{ name, file, text, want string }{
		{"a deletion", "a.txt", "volumeattachment.storage.k8s.io \"csi-a1\" deleted\n", "VolumeAttachment csi-a1 was deleted."},
		{"a claim", "a.txt", "$ kubectl get pvc data -n shop -o jsonpath='{.status.phase}'\nPending\n", "Claim shop/data is Pending."},
		{"a class", "a.txt",
			"$ kubectl get sc\nNAME   PROVISIONER       VOLUMEBINDINGMODE   AGE\ngp3    ebs.csi.aws.com   Immediate           10d\n",
			"StorageClass gp3: provisioner=ebs.csi.aws.com, volumeBindingMode=Immediate."},
		{"a volume that is Released", "a.txt",
			"$ kubectl get pv\nNAME   CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM       AGE\n" +
				"pv-1   8Gi        RWO            Retain           Released   shop/data   3d\n", "Volume pv-1 is Released (PersistentVolumeClaim shop/data)."},
		{"pods with a claim", "a.txt",
			"$ kubectl get pods -o custom-columns=A:.metadata.name,B:.spec.volumes[*].persistentVolumeClaim.claimName\n" +
				"db-0 data\n", "Pod db-0 with claim data."},
		{"an attachment without its volume", "a.txt", "$ kubectl get volumeattachment -o custom-columns=A:.metadata.name,B:.status.attached," +
			"C:.spec.nodeName\ncsi-a1 false node-b\n", "VolumeAttachment csi-a1 is not attached on node-b."},
		{"a mount", "a.txt", "/dev/vdc /var/lib/kubelet/plugins/kubernetes.io/csi/pv/pv-1/globalmount ext4 rw\n", "Volume pv-1 is mounted."},
		{"a file of rules", "rules.yaml", rules, "2 alerting rules: StuckCreating, LostNode."},
		{"no file of rules", "a.yaml",
			"groups:\n- name: volumes\n  members: 2\n", "What was read tells no state of a pod, volume, VolumeAttachment or node."},
		{"the result of an expression", "q.json", vector(`"volumename":"pv-1"`), "Volume pv-1: value=2."},
		{"one that joins", "q.json", vector(`"volumename":"pv-1","node":"node-a","volumeattachment":"csi-a1"`),
			"VolumeAttachment csi-a1: volumename=pv-1, node=node-a, value=2."},
		{"one without an object", "q.json", vector(`"job":"x"`), "What was read tells no state of a pod, volume, VolumeAttachment or node."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{c.file: {Data: []byte(c.text)}}, "test"), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			v := analyze.Run(t.Context(), s, caseOptions).Verdict
			if v.Status != model.StatusInsufficient || strings.TrimSpace(v.Headline) != c.want {
				t.Errorf("%s: %s\nwant %s", v.Status, v.Headline, c.want)
			}
		})
	}
}

// TestEqualAges: two ages of one minute are equal to their minute only; two of one second tell the seconds.
func TestEqualAges(t *testing.T) {
	const head = "Name:         db-0\nNamespace:    shop\nNode:         node-b/10.0.0.2\nStatus:       Running\nEvents:\n" +
		"  Type     Reason                  Age   From                     Message\n" +
		"  ----     ------                  ----  ----                     -------\n"
	row := func(age, rest string) string { return strings.ReplaceAll(rest, "AGE", age) }
	for age, want := range map[string]string{
		"23m": "in at most 1 min 1 s. The volume was detached and attached to node-b within 1 min 1 s of the report",
		"23s": "in at most ",
	} {
		text := head + row(age, "  Normal   Scheduled               AGE   default-scheduler        Successfully assigned shop/db-0 to node-b\n"+
			"  Warning  FailedAttachVolume      AGE   attachdetach-controller  Multi-Attach error for volume \"pvc-1\" Volume is already "+
			"exclusively attached to one node and can't be attached to another\n"+
			"  Normal   SuccessfulAttachVolume  AGE   attachdetach-controller  AttachVolume.Attach succeeded for volume \"pvc-1\"\n")
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"a.txt": {Data: []byte(text)}}, "test"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := analyze.Run(t.Context(), s, caseOptions).Verdict
		if got := v.Headline + " " + v.Why; v.Status != model.StatusHandover || !strings.Contains(got, want) {
			t.Errorf("%s: %s: %s", age, v.Status, got)
		}
	}
}

// TestStorageSaysOtherwise: where an author says that the storage has a volume on no machine, the storage is asked; where he does not, or no
// command asks it, for the pods that wait.
func TestStorageSaysOtherwise(t *testing.T) {
	const says = "Kubernetes still shows the volume as attached, but `openstack volume list` says it is not attached.\n"
	const list = "NAME   ATTACHER   PV   NODE   ATTACHED   AGE\ncsi-0b   DRIVER   pvc-77ab12cd-3333-4444-8555-abcdefabcdef   willow-1   true   12d\n"
	for _, c := range []struct{ driver, said, want string }{
		{"cinder.csi.openstack.org", says, "openstack volume show pvc-77ab12cd-3333-4444-8555-abcdefabcdef "},
		{"cinder.csi.openstack.org", "", "kubectl get events "}, {"other.csi", says, "kubectl get events "},
	} {
		text := c.said + "\n$ kubectl get volumeattachments\n" + strings.Replace(list, "DRIVER", c.driver, 1)
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text)}}, "test"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := analyze.Run(t.Context(), s, caseOptions).Verdict.Steps; len(got) != 1 || !strings.HasPrefix(got[0].Command, c.want) {
			t.Errorf("%s, %q: %+v", c.driver, c.said, got)
		}
	}
}
