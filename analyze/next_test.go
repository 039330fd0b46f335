package analyze_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
)

// TestNextOfANamelessVolume: where the author left the name out, the list of attachments is asked for behind what tells the name; with a name
// it is looked up by it. Which pod waits is asked where no list beside the report shows the one that does.
func TestNextOfANamelessVolume(t *testing.T) {
	const all, report = "kubectl get volumeattachment", "kubectl get events -A --field-selector reason=FailedAttachVolume"
	const named = "kubectl get events -A | grep -e NAME -e pvc-4d1e"
	for pods, want := range map[string]string{
		"pvc-xxx":  report + "\n" + all,
		"pvc-4d1e": all + " | grep -e NAME -e pvc-4d1e\n" + named, // of whatever reason
		"pvc-4d1e\n\nNAME READY STATUS RESTARTS AGE\nweb-0 0/1 ContainerCreating 0 9m": all + " | grep -e NAME -e pvc-4d1e",
		"pvc-4d1e\n\nNAME READY STATUS RESTARTS AGE\nweb-0 1/1 Running 0 9m":           all + " | grep -e NAME -e pvc-4d1e\n" + named,
	} {
		volume, list, _ := strings.Cut(pods, "\n")
		text := `Multi-Attach error for volume "` + volume + `" Volume is already exclusively attached to one node and can't be attached to another` + "\n" + list
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text + "\n")}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next {
			got = append(got, n.Command)
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q", pods, got)
		}
	}
}

// What tables show already is not asked for again: of a node that is Ready and has the volume, whether it still uses it.
func TestNextOfAReadyHolder(t *testing.T) {
	const use = `kubectl get node oak-1 -o jsonpath='{.status.volumesInUse}{"\n"}'`
	for status, want := range map[string]string{
		"Ready,SchedulingDisabled": use,
		"NotReady":                 "",
		"":                         "kubectl describe node oak-1",
	} {
		text := "$ kubectl get volumeattachments\nNAME ATTACHER PV NODE ATTACHED AGE\ncsi-9c8d9e ebs.csi.aws.com pvc-4d1e oak-1 true 25m\n" +
			"Warning  FailedAttachVolume  9m  attachdetach-controller  Multi-Attach error for volume \"pvc-4d1e\" Volume is already exclusively " +
			"attached to one node and can't be attached to another\n"
		if status != "" {
			text = "$ kubectl get nodes\nNAME STATUS ROLES AGE VERSION\noak-1 " + status + " <none> 25d v1.26.9\n" + text
		}
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next {
			got = append(got, n.Command)
		}
		if first := append(got, "")[0]; want != first && (want != "" || strings.Contains(first, "volumesInUse")) {
			t.Errorf("%q: %q", status, got)
		}
	}
}

// An author who tells of a lost node without its name: which node it is comes before what is attached to it, and fencing prevents it.
func TestNextOfANodeThatAnAuthorTells(t *testing.T) {
	for said, want := range map[string]string{
		"Power down node 1": "kubectl get nodes automate-out-of-service",
		"Power down elm-node-7, and the pod moves to elm-node-8": "kubectl get node elm-node-7 automate-out-of-service",
		"Power down elm-node-7 and elm-node-8":                   "kubectl get nodes automate-out-of-service",
		"Look at node 1":                                         "kubectl get volumeattachment | grep -e NAME -e pvc-4d1e earlier-alert",
	} {
		text := "**To Reproduce**\n\n- " + said + "\n- Error: `Multi-Attach error for volume \"pvc-4d1e\" Volume is already used by pod(s) web-5669c54dd5-wxr4z`\n"
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := analyze.Run(t.Context(), s, caseOptions).Incidents[0]
		if got := i.Next[1].Command + " " + i.Advice.Prevent[0].Remedy; got != want {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// TestNextOfANamedLostNode: of a node that its author says to be off only its state is asked before the proof, and not what its pods do; where no
// author says so, the pod that uses the volume is asked for first.
func TestNextOfANamedLostNode(t *testing.T) {
	const row = "NAME      ATTACHER          PV         NODE     ATTACHED   AGE\ncsi-8a1   ebs.csi.aws.com   pvc-4d1e   node-7   true       41d\n"
	for said, want := range map[string]string{
		"I powered off node-7 for the memory swap": "[kubectl describe node node-7]",
		"I looked at node-7": "[kubectl get pod -A -o wide | grep -e NAME -e pg-0 kubectl describe node node-7 " +
			"kubectl get events -A | grep -e NAME -e pvc-4d1e]",
	} {
		text := said + "\n\n`Multi-Attach error for volume \"pvc-4d1e\" Volume is already used by pod(s) pg-0`\n\n```\n$ kubectl get volumeattachment\n" + row + "```\n"
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next {
			got = append(got, n.Command)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// TestNextOfAnAnsweredCloud: what the cloud's own answer in the paste says is not asked again; whether that machine runs is.
func TestNextOfAnAnsweredCloud(t *testing.T) {
	const refused = "22m  Warning  FailedAttachVolume  pod/db-0  AttachVolume.Attach failed for volume \"pvc-4d1e\" : rpc error: code = Internal desc = " +
		"Could not attach volume \"vol-0fedcba9876543210\" to node \"i-0eeee111122223333\": VolumeInUse: vol-0fedcba9876543210 is already attached to an instance\n"
	for volume, want := range map[string]string{"vol-0fedcba9876543210": "aws ec2 describe-instances --instance-ids i-0aaaabbbbccccdddd ",
		"vol-0000000000000001a": "aws ec2 describe-volumes --volume-ids vol-0fedcba9876543210 "} {
		answer := `{"Volumes":[{"Attachments":[{"InstanceId":"i-0aaaabbbbccccdddd","State":"attached","VolumeId":"` + volume + `"}],"State":"in-use","VolumeId":"` + volume + `"}]}`
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"events.txt": {Data: []byte(refused)}, "vol.json": {Data: []byte(answer)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		next := analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next
		if got := next[len(next)-1].Command; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", volume, got)
		}
	}
}

// That no VolumeAttachment has a volume proves something of CSI volumes only: others have none.
func TestNextWithoutARow(t *testing.T) {
	const report = `Multi-Attach error for volume "pvc-4d1e" Volume is already exclusively attached to one node and can't be attached to another`
	for text, want := range map[string]bool{
		report: true,
		strings.Replace(report, `"pvc-4d1e"`, `"pvc-4d1e" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b2c3d4e5f60718") from node "oak-2"`, 1): false,
	} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text + "\n")}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		for _, n := range analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next {
			for _, a := range n.Answers {
				said.WriteString(a.Then + "\n")
			}
		}
		if got := strings.Contains(said.String(), "if it is a CSI volume"); got != want || !strings.Contains(said.String(), "Kubernetes has let go") {
			t.Errorf("%s\n%s", text, said.String())
		}
	}
}

// TestLetGo: a volume that its old node has let go is not said to be held, and whether it came since is asked first.
func TestLetGo(t *testing.T) {
	const report = `I1127 10:31:02.118820       1 event.go:307] "Event occurred" object="db/pg-1" kind="Pod" apiVersion="v1" type="Warning" ` +
		`reason="FailedAttachVolume" message="Multi-Attach error for volume \"pvc-abc\" Volume is already exclusively attached to one node and can't be ` +
		`attached to another"` + "\n"
	const volume = ` for volume "pvc-abc" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") `
	const began = `I1127 10:38:10.500000       1 reconciler.go:279] attacherDetacher.DetachVolume started` + volume + `on node "oak-9" ` + "\n"
	const gone = `I1127 10:38:25.000000       1 operation_generator.go:528] DetachVolume.Detach succeeded` + volume + `on node "oak-9" ` + "\n"
	const title, find = "See first whether the volume came", "Find out first what keeps the volume"
	for _, c := range []struct{ log, headline, command, title string }{
		{report + began + gone, "it was attached to oak-9, and detached at 10:38:25", "kubectl describe pod -n db pg-1", title},
		{report + began, "it is still attached to oak-9", "kubectl get volumeattachment | grep -e NAME -e pvc-abc", find},
	} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"kcm.log": {Data: []byte(c.log)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := analyze.Run(t.Context(), s, caseOptions)
		i := r.Incidents[0]
		if got := i.Next[0].Command; !strings.HasSuffix(r.Verdict.Headline, c.headline+".") || got != c.command || i.Advice.Now[0].Title != c.title {
			t.Errorf("%s\n%s\n%s", r.Verdict.Headline, got, i.Advice.Now[0].Title)
		}
	}
}

// TestNextOfADeletedAttachment: an attachment that was deleted by hand, of a node that is not Ready, is looked at itself, and the node is named.
func TestNextOfADeletedAttachment(t *testing.T) {
	for status, want := range map[string][2]string{
		"NotReady": {"its VolumeAttachment of oak-1, which is not Ready, is being deleted and does not end", "kubectl describe volumeattachment csi-77aa"},
		"Ready":    {"it is still attached to oak-1", `kubectl get node oak-1 -o jsonpath='{.status.volumesInUse}{"\n"}'`},
	} {
		text := "$ kubectl get nodes\nNAME STATUS ROLES AGE VERSION\noak-1 " + status + " <none> 25d v1.31.9\n" +
			"$ kubectl delete volumeattachment csi-77aa\nvolumeattachment.storage.k8s.io \"csi-77aa\" deleted\n$ kubectl get events -n bank\n" +
			"LAST SEEN   TYPE      REASON               OBJECT        MESSAGE\n4m          Warning   FailedAttachVolume   pod/bank-0    Multi-Attach error " +
			"for volume \"pv-bank\" Volume is already exclusively attached to one node and can't be attached to another\n$ kubectl get volumeattachment\n" +
			"NAME       ATTACHER          PV        NODE    ATTACHED   AGE\ncsi-77aa   ebs.csi.aws.com   pv-bank   oak-1   true       12d\n"
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := analyze.Run(t.Context(), s, caseOptions)
		next := r.Incidents[0].Next
		if !strings.Contains(r.Verdict.Headline, want[0]) || len(next) == 0 || next[0].Command != want[1] {
			t.Errorf("%s: %s %v", status, r.Verdict.Headline, next)
		}
	}
}

// TestNextOfAPodThatDoesNotStop: where its kubelet says that it cannot stop a pod, its node is asked first, and nothing but reads is advised.
func TestNextOfAPodThatDoesNotStop(t *testing.T) {
	const containers = "crictl ps | grep -e NAME -e ledger-0"
	for reason, want := range map[string]bool{"FailedKillPod": true, "Unhealthy": false} {
		text := "LAST SEEN  TYPE  REASON  OBJECT  MESSAGE\n" +
			"9m  Warning  FailedAttachVolume  pod/ledger-1  Multi-Attach error for volume \"pvc-4d1e\" Volume is already used by pod(s) ledger-0\n" +
			"1m  Warning  " + reason + "  pod/ledger-0  error killing pod: failed to \"KillContainer\" for \"db\": context deadline exceeded\n"
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := analyze.Run(t.Context(), s, caseOptions).Incidents[0]
		if got := i.Next[0].Command == containers; got != want {
			t.Errorf("%s: %q first", reason, i.Next[0].Command)
		}
	}
}

// TestNextOfAFailing: what goes on decides what is done: a damaged file system is no matter of the old machine alone, a full machine none of the storage.
func TestNextOfAFailing(t *testing.T) {
	const head = "Events:\n  Type  Reason  Age  From  Message\n  ----  ------  ----  ----  -------\n" +
		"  Normal  Scheduled  25m  default-scheduler  Successfully assigned prod/db-0 to node-b\n" +
		"  Warning  FailedAttachVolume  25m  attachdetach-controller  Multi-Attach error for volume \"pvc-4d1e\" Volume is already exclusively " +
		"attached to one node and can't be attached to another\n"
	const came = "  Normal  SuccessfulAttachVolume  19m  attachdetach-controller  AttachVolume.Attach succeeded for volume \"pvc-4d1e\"\n" +
		"  Warning  FailedMount  2m (x9 over 19m)  kubelet  MountVolume.MountDevice failed for volume \"pvc-4d1e\" : mount failed: "
	const tried = "  Warning  FailedAttachVolume  2m (x5 over 11m)  attachdetach-controller  AttachVolume.Attach failed for volume \"pvc-4d1e\" : rpc error: "
	for text, want := range map[string]string{
		came + "structure needs cleaning":                           "snapshot",
		came + "exit status 32":                                     "another machine as the writer",
		tried + "code = ResourceExhausted desc = too many volumes":  "the machine is full",
		tried + "code = Internal desc = the back end does not work": "repair what it names",
	} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(head + text + "\n")}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		next := analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next
		if len(next) == 0 || !strings.HasPrefix(next[0].Command, "kubectl describe pod -n prod db-0") || !strings.Contains(next[0].Answers[0].Then, want) {
			t.Errorf("%q: %+v", text, next)
		}
	}
}

// TestNextOfAnInTreeVolume: where the cloud answered the controller itself there is no VolumeAttachment: the cloud is asked first, then the machine that it
// names. The newest error and the longer wait of the pod are said. Through gRPC the same words are a CSI driver's.
func TestNextOfAnInTreeVolume(t *testing.T) {
	const set = "/subscriptions/0a1b/resourceGroups/rg/providers/Microsoft.Compute/"
	const held = "disk(" + set + "disks/dynamic-pvc-4d1e) already attached to node(" + set + "virtualMachineScaleSets/elm-vmss/virtualMachines/elm-vmss_62), " +
		"could not be attached to node(elm-vmss00001o)"
	const limited = "  Warning  FailedAttachVolume  7m (x66 over 20m)  attachdetach-controller  AttachVolume.Attach failed for volume \"pvc-4d1e\" : " +
		"azure - cloud provider rate limited(read) for operation:GetDisk\n"
	mount := func(volumes string) string {
		return "  Warning  FailedMount  9s (x900 over 2d)  kubelet, elm-vmss00001o  Unable to mount volumes for pod \"bank-0_till(6e1f)\": timeout expired waiting " +
			"for volumes to attach or mount for pod \"till\"/\"bank-0\". list of unmounted volumes=[" + volumes + "]\n"
	}
	const disk, machine = "az disk show ", "az vmss get-instance-view --subscription 0a1b --resource-group rg --name elm-vmss --instance-id 62 "
	for _, c := range []struct{ error, more, command, says string }{
		{held, limited + mount("data"), disk + "|" + machine + "|kubectl get nodes ", "error, 66 times: azure - cloud provider rate limited(read) for operation:GetDisk. " +
			"Reported 20 min before this was printed; its pod has waited 2 d."},
		{held, mount("data logs"), disk + "|" + machine + "|kubectl get nodes ", "Reported 20 min before this was printed."},
		{"rpc error: code = Internal desc = " + held, mount("data"), "kubectl get volumeattachment |" + disk + "|" + machine, "its pod has waited 2 d."},
	} {
		text := "  Warning  FailedAttachVolume  9m (x10 over 20m)  attachdetach-controller  AttachVolume.Attach failed for volume \"pvc-4d1e\" : " + c.error + "\n" + c.more
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := analyze.Run(t.Context(), s, caseOptions)
		next, want := r.Incidents[0].Next, strings.Split(c.command, "|")
		for i := range next {
			if len(next) != len(want) || !strings.HasPrefix(next[i].Command, want[i]) {
				t.Errorf("%s: %d: %s", c.error, i, next[i].Command)
			}
		}
		hurry := strings.Contains(next[0].Answers[0].Then, "restart nothing to hurry it")
		if !strings.HasSuffix(r.Verdict.Why, c.says) || hurry != strings.HasPrefix(c.more, limited) {
			t.Errorf("%s: %s %v", c.error, r.Verdict.Why, hurry)
		}
	}
}

// TestNextOfAMount: the mount of a volume that has come is repaired by what its error is known as; of any other error another machine may be the writer.
func TestNextOfAMount(t *testing.T) {
	const writer = "the storage may still count another machine as the writer"
	for fails, want := range map[string]string{
		"kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.example not found in the list of registered CSI drivers": "look at the driver's node pod on this node",
		"rpc error: code = Internal desc = 'fsck' found errors on device /dev/rbd3 but could not correct them":                                                      "read that node's kernel log",
		"rpc error: code = Internal desc = the node said no":                                                                                                        writer,
	} {
		text := `$ kubectl describe pod pg-0 -n shop
Name:             pg-0
Namespace:        shop
Node:             elm-2/192.168.7.12
Status:           Pending
Events:
  Type     Reason                  Age                 From                     Message
  ----     ------                  ----                ----                     -------
  Warning  FailedAttachVolume      33m                 attachdetach-controller  Multi-Attach error for volume "pv-pg" Volume is already exclusively attached to one node and can't be attached to another
  Normal   SuccessfulAttachVolume  27m                 attachdetach-controller  AttachVolume.Attach succeeded for volume "pv-pg"
  Warning  FailedMount             79s (x21 over 27m)  kubelet                  MountVolume.MountDevice failed for volume "pv-pg" : ` + fails + "\n"
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		next := analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next
		if len(next) == 0 || !strings.HasPrefix(next[0].Answers[0].Then, want) {
			t.Errorf("%s: %v", fails, next)
		}
	}
}
