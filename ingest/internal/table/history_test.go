package table

import (
	"strings"
	"testing"
)

// TestHistory: a row of a shell's history is the act that its command asks for, as old as the last row is younger.
func TestHistory(t *testing.T) {
	const event = "9m   Warning   FailedAttachVolume   pod/db-0   Multi-Attach error for volume \"pv-1\" Volume is already used by pod(s) db-1\n"
	for _, c := range []struct{ text, want string }{
		{"  511  kubectl delete pod -n crm db-0 --grace-period=0 --force", "pod-deletion-requested Pod/crm/db-0 grace 0s 0..3600s"},
		{"  511  kubectl delete pod -n crm db-0 --grace-period=0", "pod-deletion-requested Pod/crm/db-0  0..3600s"},
		{"  511  kubectl delete po/db-0 --force=false", "pod-deletion-requested Pod/db-0  0..3600s"},
		{"  511* sudo kubectl cordon elm-1", "node-cordoned Node/elm-1  0..3600s"},
		{"  511  kubectl drain node/elm-1 --ignore-daemonsets", "node-cordoned Node/elm-1  0..3600s"},
		{"  511  kubectl taint nodes elm-1 a/b=c:NoExecute", "node-tainted Node/elm-1 a/b=c:NoExecute 0..3600s"},
		{"  511  kubectl taint nodes elm-1 a/b=c:NoExecute-", "node-untainted Node/elm-1 a/b=c:NoExecute 0..3600s"},
		{"  511  kubectl scale sts db -n crm --replicas=0", "workload-scaled StatefulSet/crm/db scaled to 0 replicas 0..3600s"},
		{"  511  kubectl rollout restart deployment/web", "workload-changed Deployment/web restart 0..3600s"},
		{"  511  2026-11-27 02:14:05 kubectl cordon elm-1\n  512  2026-11-27 02:21:58 history", "node-cordoned Node/elm-1  472.000001..473.999999s"},
		{"  511  2026-11-27T02:14:05 kubectl cordon elm-1", "node-cordoned Node/elm-1  0..0.999999s"},
		{"  511  kubectl delete node elm-1", ""}, {"  511  kubectl delete volumeattachment csi-1", ""}, {"  511  kubectl delete pvc/data", ""},
		{"  511  kubectl get pods", ""}, {"  511  kubectl delete pod", ""}, {"  511  kubectl delete pod $P", ""}, {"  511  rm pod", ""},
		{"1. we ran kubectl cordon elm-1", ""}, {"$ kubectl cordon elm-1", ""},
	} {
		got := ""
		for _, o := range Read(strings.NewReader(event+c.text+"\n"), "p", Hint{}).Observations {
			if o.Agent == kubectl {
				got = strings.Join([]string{string(o.Kind), key(o.Object), o.Detail, age(o.Age)}, " ")
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
