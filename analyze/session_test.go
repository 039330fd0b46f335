package analyze_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// TestSessionActs: what a pasted session answers to a command is an act of the incident, between what was printed above it and the end.
func TestSessionActs(t *testing.T) {
	const table = `NAME               READY   STATUS              RESTARTS   AGE   IP         NODE
ora-7c9b8d-8wzxr   1/1     Terminating         0          20d   10.0.0.4   elm-1
ora-6d5f4c-xk2lp   0/1     ContainerCreating   0          6m    <none>     elm-3
`
	const report = "6m   Warning   FailedAttachVolume   pod/ora-6d5f4c-xk2lp   " +
		"Multi-Attach error for volume \"pv-ora\" Volume is already used by pod(s) ora-7c9b8d-8wzxr\n"
	const before = "$ kubectl -n erp get pods -o wide\n" + table + "$ kubectl -n erp get events\n" + report + "$ "
	again := "$ kubectl -n erp get events\n" + strings.NewReplacer("ora-6d5f4c-xk2lp", "ora-0", "used by pod(s) ora-7c9b8d-8wzxr",
		"exclusively attached to one node and can't be attached to another").Replace(report) + "$ "
	const works = before + "kubectl get nodes\nNAME    STATUS   ROLES    AGE   VERSION\nelm-1   Ready    <none>   80d   v1.31.4\n$ "
	const tainted = "kubectl taint nodes elm-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\nnode/elm-1 tainted\n"
	for _, c := range []struct{ name, text, want string }{
		{"forced", before + "kubectl -n erp delete pod ora-7c9b8d-8wzxr --force --grace-period=0\npod \"ora-7c9b8d-8wzxr\" force deleted\n",
			"pod erp/ora-7c9b8d-8wzxr was deleted by force though nothing showed that its containers had stopped 420 s"},
		{"deleted", before + "kubectl -n erp delete pod ora-7c9b8d-8wzxr\npod \"ora-7c9b8d-8wzxr\" deleted\n",
			"pod erp/ora-7c9b8d-8wzxr was deleted 420 s"},
		{"of a StatefulSet, by a drain", again + "kubectl drain elm-1 --disable-eviction --force\nnode/elm-1 cordoned\npod/ora-0 deleted\n",
			"node elm-1 was cordoned 420 s; pod ora-0 was deleted 420 s"},
		{"of its other pod", again + "kubectl drain elm-1 --disable-eviction --force\nnode/elm-1 cordoned\npod/ora-1 deleted\n", "node elm-1 was cordoned 420 s"},
		{"of another", before + "kubectl -n erp delete pod other-0\npod \"other-0\" deleted\n", ""},
		{"cordoned", before + "kubectl cordon elm-1\nnode/elm-1 cordoned\n", "node elm-1 was cordoned 420 s"},
		{"Node deleted", before + "kubectl delete node elm-1\nnode \"elm-1\" deleted\n", "Node elm-1 was deleted 420 s"},
		{"tainted", before + "kubectl taint nodes elm-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\nnode/elm-1 tainted\n",
			"node elm-1 was tainted out-of-service 420 s"},
		{"tainted while it is Ready", works + tainted, "node elm-1 was tainted out-of-service 420 s, data at risk"},
		{"tainted and untainted, in this order", works + tainted + "$ kubectl taint nodes elm-1 node.kubernetes.io/out-of-service-\nnode/elm-1 untainted\n",
			"node elm-1 was tainted out-of-service 420 s; the out-of-service taint was removed from node elm-1 420 s"},
		{"tainted with what is not shown", before + "./taint.sh elm-1\nnode/elm-1 tainted\n", ""},
		{"scaled", before + "kubectl -n erp scale deployment ora --replicas=0\ndeployment.apps/ora scaled\n",
			"Deployment erp/ora was scaled to 0 replicas 420 s"},
		{"scaled, and the wait ended in between", before + "kubectl -n erp scale deployment ora --replicas=0\ndeployment.apps/ora scaled\n" +
			"$ kubectl -n erp get events\n5m   Normal   SuccessfulAttachVolume   pod/ora-6d5f4c-xk2lp   AttachVolume.Attach succeeded for volume \"pv-ora\"\n",
			"Deployment erp/ora was scaled to 0 replicas 420 s"},
		{"restarted above", "$ kubectl -n erp rollout restart deployment ora\ndeployment.apps/ora restarted\n" + before + "exit\n",
			"a rollout restart of Deployment erp/ora was requested 3600 s"},
		{"typed, as a history has it", works + "history\n  511  kubectl taint nodes elm-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n" +
			"  512  kubectl cordon elm-2\n  513  kubectl delete pod -n erp other-0\n  514  kubectl scale -n web deployment ora --replicas=0\n  515  kubectl delete pv pv-web\n",
			"the command “kubectl taint node elm-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute” was typed 3600 s"},
		{"typed twice, and taken back", works + "history\n  511  kubectl taint node elm-1 a/b:NoExecute\n  512  kubectl taint node elm-1 a/b:NoExecute\n" +
			"  513  kubectl taint node elm-1 a/b:NoExecute-\n",
			"the command “kubectl taint node elm-1 a/b:NoExecute” was typed 3600 s; " +
				"the command “kubectl taint node elm-1 a/b:NoExecute-” was typed 3600 s"},
		{"typed for the pod, the volume and the workload", before + "history\n  511  kubectl delete pod ora-7c9b8d-8wzxr --force\n  512  kubectl patch pv pv-ora -p x\n" +
			"  513  kubectl rollout restart deployment ora -n erp\n",
			"the command “kubectl rollout restart deployment ora” was typed 3600 s; " +
				"the command “kubectl patch persistentvolume pv-ora” was typed 3600 s; " +
				"the command “kubectl delete pod ora-7c9b8d-8wzxr --force” was typed 3600 s"},
		{"in a chat", "06:13 ora-0 is stuck, Multi-Attach error for volume \"pv-ora\"\n06:20 bob: kubectl delete pod ora-0 --force\n06:21 bob: aws ec2 detach-volume --volume-id vol-1\n",
			"the command “kubectl delete pod ora-0 --force” may have been run 120 s; the command “aws ec2 detach-volume vol-1” may have been run 60 s"},
		{"in a chat, behind a prompt and done", "06:13 ora-0 is stuck, Multi-Attach error for volume \"pv-ora\"\n06:20 bob: $ kubectl delete pod ora-0 --force\n06:21 bob: kubectl cordon elm-1\n" +
			"06:21 bob: done\n06:22 bob: kubectl cordon elm-1\n", "the command “kubectl delete pod ora-0 --force” was typed 120 s; " +
			"the command “kubectl cordon node elm-1” was typed 120 s"},
		{"a detach that the cloud has not finished", before + "$ aws ec2 detach-volume --volume-id vol-0a1b2c3d4e5f60718\n{\"State\": \"detaching\", \"VolumeId\": \"vol-0a1b2c3d4e5f60718\", \"InstanceId\": \"i-0a1b2c3d4e5f60718\", \"Device\": \"/dev/xvdba\"}\n",
			"the command “aws ec2 detach-volume vol-0a1b2c3d4e5f60718” was run and is not finished (the cloud says “detaching”) 3600 s"},
		{"one that it has", before + "$ aws ec2 detach-volume --volume-id vol-0a1b2c3d4e5f60718\n{\"State\": \"detached\", \"VolumeId\": \"vol-0a1b2c3d4e5f60718\", \"InstanceId\": \"i-0a1b2c3d4e5f60718\", \"Device\": \"/dev/xvdba\"}\n",
			"the command “aws ec2 detach-volume vol-0a1b2c3d4e5f60718” was run (the cloud says “detached”) 3600 s"},
		{"one of which it tells nothing yet", before + "$ aws ec2 detach-volume --volume-id vol-0a1b2c3d4e5f60718\n{\"State\": \"attached\", \"VolumeId\": \"vol-0a1b2c3d4e5f60718\", \"InstanceId\": \"i-0a1b2c3d4e5f60718\", \"Device\": \"/dev/xvdba\"}\n",
			"the command “aws ec2 detach-volume vol-0a1b2c3d4e5f60718” was typed 3600 s"},
		{"one of another disk", before + "$ aws ec2 detach-volume --volume-id vol-0a1b2c3d4e5f60719\n{\"State\": \"detaching\", \"VolumeId\": \"vol-0a1b2c3d4e5f60718\", \"InstanceId\": \"i-0a1b2c3d4e5f60718\", \"Device\": \"/dev/xvdba\"}\n",
			"the command “aws ec2 detach-volume vol-0a1b2c3d4e5f60719” was typed 3600 s"},
		{"in a chat, answered and refused", "06:13 Multi-Attach error for volume \"pv-ora\"\n06:20 bob: kubectl delete pod ora-0 --force\n06:20 bob: pod \"ora-0\" force deleted\n" +
			"06:21 bob: kubectl delete node elm-1\n06:21 bob: Error from server (Forbidden): nodes \"elm-1\" is forbidden\n",
			"pod ora-0 was deleted by force though nothing showed that its containers had stopped 60 s"},
		{"a drain that is refused", before + "kubectl drain elm-1\nnode/elm-1 cordoned\nerror when evicting pods/\"ora-7c9b8d-8wzxr\" -n \"erp\" (will retry after 5s): " +
			"Cannot evict pod as it would violate the pod's disruption budget.\nerror when evicting pods/\"ora-1\" -n \"erp\" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n",
			"node elm-1 was cordoned 420 s; the eviction of pod erp/ora-7c9b8d-8wzxr was refused, as it would violate a disruption budget 420 s"},
		{"its attachment, of a machine that nothing shows to be off", before + "kubectl delete volumeattachment csi-1\nvolumeattachment.storage.k8s.io \"csi-1\" deleted\n$ kubectl get volumeattachment\n" +
			"NAME  ATTACHER  PV  NODE  ATTACHED  AGE\ncsi-1  csi.example.com  pv-ora  elm-1  true  9d\n",
			"VolumeAttachment csi-1 was deleted, which detaches the disk though nothing showed that the machine of elm-1 was off (data risk) 420 s"},
		{"in a chat about two volumes", "06:13 Multi-Attach error for volume \"pv-ora\"\n06:14 Multi-Attach error for volume \"pv-web\"\n06:20 bob: kubectl delete pod ora-0 --force\n", ""},
		{"in a chat, below a report without a time", "Multi-Attach error for volume \"pv-ora\" Volume is already used by pod(s) ora-1\n06:20 bob: kubectl delete pod ora-1 --force\n", ""},
		{"not a session", before + "\nI typed kubectl delete pod and it printed deleted\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(c.text)}}, c.name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := analyze.Run(t.Context(), s, caseOptions)
			var got []string
			for _, a := range r.Incidents[0].Advice.Done {
				risked := map[bool]string{true: ", data at risk"}[a.Effect == model.ActRiskedData]
				got = append(got, fmt.Sprintf("%s %.0f s%s", a.What, a.At.Latest.Sub(a.At.Earliest).Seconds(), risked))
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTypedIsNotDone: what a history says to have been typed is no fact of the first screen; a forced deletion, done or not, is warned of.
func TestTypedIsNotDone(t *testing.T) {
	const lost = "$ kubectl get events -n erp\n6m   Warning   FailedAttachVolume   pod/ora-0   Multi-Attach error for volume \"pv-ora\" Volume is already exclusively " +
		"attached to one node and can't be attached to another\n$ kubectl get volumeattachment\nNAME    ATTACHER   PV       NODE    ATTACHED   AGE\n" +
		"csi-1   x.csi      pv-ora   elm-1   true       9d\n$ kubectl get nodes\nNAME    STATUS     ROLES    AGE   VERSION\nelm-1   NotReady   <none>   80d   v1.31.4\n"
	ready := strings.ReplaceAll(lost, "NotReady", "Ready   ")
	const taint = "kubectl taint nodes elm-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	const force = "kubectl delete pod ora-0 -n erp --force"
	for _, c := range []struct{ name, text, has, lacks string }{
		{"tainted by a session", lost + "$ " + taint + "\nnode/elm-1 tainted\n", "bears the out-of-service taint already", "Taint the lost node"},
		{"tainted by a history", lost + "  511  " + taint + "\n", "Likely a lost node", "bears the out-of-service taint already"},
		{"tainted by a history, and Ready", ready + "  511  " + taint + "\n", "volumesInUse", "bears the out-of-service taint"},
		{"forced by a session", lost + "$ " + force + "\npod \"ora-0\" force deleted\n", "Pod ora-0 was deleted by force", "typed"},
		{"forced by a history", lost + "  511  " + force + "\n", "A forced deletion of pod ora-0 was typed", "was deleted by force"},
		{"advised in a chat", lost + "06:20 bob: you could try\n06:20 bob: " + force + "\n06:21 ann: no wait\n", "A forced deletion of pod ora-0 may have been run", "typed"},
		{"a detach advised in a chat", ready + "06:20 bob: aws ec2 detach-volume --volume-id vol-1\n06:21 ann: don't\n", "Its detach at the storage may have been run", "typed"},
		{"and the author says that it is over", ready + "06:20 bob: aws ec2 detach-volume --volume-id vol-1\n06:21 ann: ora-0 is running again\n",
			"something may have been forced by hand", "nothing is to be done now"},
		{"a detach at the storage", lost + "  511  aws ec2 detach-volume --volume-id vol-1\n", "findmnt -rn | grep pv-ora", "was deleted by force"},
		{"and the node is Ready", ready + "  511  aws ec2 detach-volume --volume-id vol-1\n", "Its detach at the storage was typed", "was deleted by force"},
		{"the author forced it", lost + "\nbob force deleted the pod ora-0\n", "crictl ps", "typed"},
		{"and the node is Ready", ready + "\nbob force deleted the pod ora-0\n", "The author writes “bob force deleted the pod ora-0”: nothing shows that", "typed"},
		{"and it is put back", ready + "\nArgoCD scaled it back to 1\n", "change it in Git", "typed"},
		{"of another by a history", lost + "  511  " + strings.ReplaceAll(force, "ora-0", "ora-1") + "\n", "Likely a lost node", "typed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(c.text)}}, c.name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := analyze.Run(t.Context(), s, caseOptions)
			got := fmt.Sprint(r.Verdict.Why, r.Incidents[0].Next, r.Incidents[0].Advice.Now)
			if !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
				t.Errorf("want %q and not %q: %s", c.has, c.lacks, got)
			}
		})
	}
}

// TestTaintStands: what shows the state of the lost node after a wait says that it bears the out-of-service taint still; a command does not.
func TestTaintStands(t *testing.T) {
	const began = "W0314 10:05:52.800000       1 reconciler.go:395] Multi-Attach error for volume \"pvc-lab\" (UniqueName: \"kubernetes.io/csi/ebs.csi.aws.com^vol-0a\") " +
		"from node \"elm-5\" Volume is already exclusively attached to node elm-4 and can't be attached to another\n"
	const over = "I0314 10:09:57.300000       1 operation_generator.go:358] AttachVolume.Attach succeeded for volume \"pvc-lab\" " +
		"(UniqueName: \"kubernetes.io/csi/ebs.csi.aws.com^vol-0a\") from node \"elm-5\"\n"
	const taint = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	const shown = "$ kubectl describe node elm-4 | grep Taints\nTaints:             " + taint + "\n"
	for _, c := range []struct {
		log, text string
		want      bool
	}{
		{began + over, shown, true}, {began, shown, false},
		{began + over, "$ kubectl taint nodes elm-4 " + taint + "\nnode/elm-4 tainted\n", false},
	} {
		files := fstest.MapFS{"kcm.log": {Data: []byte(c.log)}, "paste.txt": {Data: []byte(c.text)}}
		s, err := ingest.Read(t.Context(), ingest.OpenFS(files, "p"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		why := analyze.Run(t.Context(), s, caseOptions).Verdict.Why
		if strings.Contains(why, "The out-of-service taint still stands: take it off before elm-4 comes back") != c.want {
			t.Errorf("%s%s: %s", c.log, c.text, why)
		}
	}
}

// TestOverIsAsked: where the author says that a wait is over, that is all that is asked.
func TestOverIsAsked(t *testing.T) {
	const report = "Multi-Attach error for volume \"pv-ora\" Volume is already used by pod(s) ora-0\n"
	for text, want := range map[string]bool{"10:08 ada: ora-0 is up again now\n": true, "10:08 ada: ora-0 is stuck again\n": false} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(report + text)}}, "p"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next
		if got := len(list) == 1 && list[0].Decides == "whether it is over, as the text says"; got != want {
			t.Errorf("%s: %+v", text, list)
		}
	}
}

// TestOverFromALostNode: that the pod runs again proves nothing of the node that had the volume, unless that is Ready.
func TestOverFromALostNode(t *testing.T) {
	const text = "Multi-Attach error for volume \"pv-ora\" Volume is already exclusively attached to one node and can't be attached to another\n" +
		"$ kubectl get volumeattachment\nNAME    ATTACHER   PV       NODE    ATTACHED   AGE\ncsi-1   x.csi      pv-ora   elm-1   true       9d\n" +
		"$ kubectl get nodes\nNAME    STATUS     ROLES    AGE   VERSION\nelm-1   NotReady   <none>   80d   v1.31.4\n" +
		"\nI deleted the VolumeAttachment by hand and ora-0 is up again now\n"
	for status, want := range map[string]string{"NotReady": "nothing shows how the volume left elm-1, ", "Ready   ": "something was forced by hand, and nothing shows that elm-1 let go",
		"Ready,looked at": "nothing is to be done now", "Ready,removed the finalizer of": "something was forced by hand, and nothing shows that elm-1 let go"} {
		status, did, _ := strings.Cut(status, ",")
		pasted := strings.ReplaceAll(text, "NotReady", status)
		if did != "" {
			pasted = strings.Replace(pasted, "deleted the Vol", did+" the Vol", 1)
		}
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(pasted)}}, "p"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list := analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next
		if len(list) != 1 || !strings.HasPrefix(list[0].Answers[0].Then, want) {
			t.Errorf("%s: %+v", status, list)
		}
	}
}

// TestClockRows: rows with a time of day alone show how long a wait was, and not how long before the printing it was.
func TestClockRows(t *testing.T) {
	const report = "14:03:11 Warning FailedAttachVolume pod/ora-0 Multi-Attach error for volume \"pv-ora\" Volume is already used by pod(s) ora-0\n"
	for _, c := range []struct {
		name, text string
		open       bool
		seconds    float64
	}{
		{"over", report + "14:30:50 Normal SuccessfulAttachVolume pod/ora-0 AttachVolume.Attach succeeded for volume \"pv-ora\"\n", false, 1659},
		{"another's", report + "14:30:50 Normal SuccessfulAttachVolume pod/ora-0 AttachVolume.Attach succeeded for volume \"pv-log\"\n", true, 1659},
		{"alone", report, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(c.text)}}, c.name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := analyze.Run(t.Context(), s, caseOptions)
			if span := r.Incidents[0].Span; span.Open != c.open || span.Seconds.Best != c.seconds {
				t.Errorf("%+v", span)
			}
			if strings.Contains(r.Verdict.Why, "printed") {
				t.Error(r.Verdict.Why)
			}
		})
	}
}

// TestMachineRows: what a cloud's list says of the machine of the lost node, and of none but that.
func TestMachineRows(t *testing.T) {
	paste := func(machine, state string) string {
		return "$ kubectl get events -n git\nLAST SEEN   TYPE      REASON               OBJECT      MESSAGE\n" +
			"3m20s       Warning   FailedAttachVolume   pod/lab-0   Multi-Attach error for volume \"pvc-lab\" Volume is already exclusively attached to one node and can't be attached to another\n" +
			"$ kubectl get volumeattachment\nNAME       ATTACHER                   PV        NODE    ATTACHED   AGE\n" +
			"csi-77a0   cinder.csi.openstack.org   pvc-lab   elm-4   true       33d\n" +
			"$ kubectl get node elm-4\nNAME    STATUS     ROLES    AGE    VERSION\nelm-4   NotReady   <none>   210d   v1.29.8\n" +
			"$ openstack server list\n| ID | Name | Status | Networks |\n| 6c6c6c6c-1111-4222-8333-aaaabbbbcccc | " + machine + " | " + state + " | k8s=10.6.0.14 |\n"
	}
	const unproven = "prove that its machine is off"
	for _, c := range []struct{ machine, state, want string }{
		{"elm-4", "SHUTOFF", "The cloud had the machine 6c6c6c6c-1111-4222-8333-aaaabbbbcccc as SHUTOFF"},
		{"elm-5", "SHUTOFF", unproven}, {"elm-4", "ACTIVE", unproven},
	} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"paste.txt": {Data: []byte(paste(c.machine, c.state))}}, "p"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r := analyze.Run(t.Context(), s, caseOptions); !strings.Contains(r.Verdict.Why, c.want) {
			t.Errorf("%s %s: %s", c.machine, c.state, r.Verdict.Why)
		}
	}
}

// TestToldWhy: beside what an author tells of a node stands that he forced something; of a Node that he deleted, that the timer runs, where no pod uses
// the volume and nothing says that it is over.
func TestToldWhy(t *testing.T) {
	const free = "6m   Warning   FailedAttachVolume   pod/ora-0   Multi-Attach error for volume \"pv-ora\" Volume is already exclusively attached to one node and can't " +
		"be attached to another\n"
	used := strings.Replace(free, "exclusively attached to one node and can't be attached to another", "used by pod(s) ora-0", 1)
	const timer, forced = "too late to taint; the controller detaches six minutes after its pod went", "; and of a forced deletion, which waits for no container"
	for _, c := range []struct{ text, has, lacks string }{
		{"We deleted the node elm-1\n\n" + free, timer, forced},
		{"We deleted the node elm-1\n\n" + used, "We deleted the node elm-1", timer},
		{"We deleted the node elm-1\n\n" + free + "\nora-0 is up again now\n", "", timer},
		{"Node elm-1 is down\n\n" + free, "Node elm-1 is down", timer},
		{"Node elm-1 is down, we force deleted the pod ora-0\n\n" + free, "Node elm-1 is down", timer},
		{"Node elm-1 is down\n\nWe force deleted the pod ora-0\n\n" + free, forced, timer},
		{"Node elm-1 is down\n\nWe restarted the pod ora-0\n\n" + free, "Node elm-1 is down", forced},
	} {
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(c.text)}}, "p"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := analyze.Run(t.Context(), s, caseOptions).Verdict.Why; !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%q: want %q and not %q: %s", c.text, c.has, c.lacks, got)
		}
	}
}
