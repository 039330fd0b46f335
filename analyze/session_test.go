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
			"pod ora-0 was deleted 420 s"},
		{"of its other pod", again + "kubectl drain elm-1 --disable-eviction --force\nnode/elm-1 cordoned\npod/ora-1 deleted\n", ""},
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
		{"restarted above", "$ kubectl -n erp rollout restart deployment ora\ndeployment.apps/ora restarted\n" + before + "exit\n",
			"a rollout restart of Deployment erp/ora was requested 3600 s"},
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
