package table

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestHistory: a row of a shell's history is the command that was typed, as old as the last row is younger, and never what the command is to do.
func TestHistory(t *testing.T) {
	const event = "9m   Warning   FailedAttachVolume   pod/db-0   Multi-Attach error for volume \"pv-1\" Volume is already used by pod(s) db-1\n"
	for _, c := range []struct{ text, want string }{
		{"  511  kubectl delete pod -n crm db-0 --grace-period=0 --force", "Pod/crm/db-0 kubectl delete pod db-0 --force 0..3600s"},
		{"  511  kubectl delete pod -n crm db-0 --grace-period=0", "Pod/crm/db-0 kubectl delete pod db-0 0..3600s"},
		{"  511  kubectl delete po/db-0 --force=false", "Pod/db-0 kubectl delete pod db-0 0..3600s"},
		{"  511* sudo kubectl cordon elm-1", "Node/elm-1 kubectl cordon node elm-1 0..3600s"},
		{"  511  kubectl drain node/elm-1 --ignore-daemonsets", "Node/elm-1 kubectl drain node elm-1 0..3600s"},
		{"  511  kubectl taint nodes elm-1 a/b=c:NoExecute", "Node/elm-1 kubectl taint node elm-1 a/b=c:NoExecute 0..3600s"},
		{"  511  kubectl taint nodes elm-1 a/b=c:NoExecute-", "Node/elm-1 kubectl taint node elm-1 a/b=c:NoExecute- 0..3600s"},
		{"  511  kubectl scale sts db -n crm --replicas=0", "StatefulSet/crm/db kubectl scale statefulset db --replicas=0 0..3600s"},
		{"  511  kubectl rollout restart deployment/web", "Deployment/web kubectl rollout restart deployment web 0..3600s"},
		{"  511  2026-11-27 02:14:05 kubectl cordon elm-1\n  512  2026-11-27 02:21:58 history", "Node/elm-1 kubectl cordon node elm-1 472.000001..473.999999s"},
		{"  511  2026-11-27T02:14:05 kubectl cordon elm-1", "Node/elm-1 kubectl cordon node elm-1 0..0.999999s"},
		{"  511  kubectl delete node elm-1 -n crm", "Node/elm-1 kubectl delete node elm-1 0..3600s"},
		{"  511  kubectl delete volumeattachments.storage.k8s.io csi-1", "VolumeAttachment/csi-1 kubectl delete volumeattachment csi-1 0..3600s"},
		{`  511  kubectl patch pvc/data -p '{"metadata":{"finalizers":null}}'`,
			"PersistentVolumeClaim/data kubectl patch persistentvolumeclaim data without finalizers 0..3600s"},
		{"  511  kubectl cordon elm-1 --dry-run=none", "Node/elm-1 kubectl cordon node elm-1 0..3600s"},
		{"  511  kubectl cordon elm-1 --dry-run=server", ""}, {"  511  kubectl cordon elm-1 --dry-run", ""}, {"  511  kubectl label node elm-1 a=b", ""},
		{"  511  kubectl get pods", ""}, {"  511  kubectl delete pod", ""}, {"  511  kubectl delete pod $P", ""}, {"  511  rm pod", ""},
		{"1. we ran kubectl cordon elm-1", ""}, {"$ kubectl cordon elm-1", ""},
	} {
		got := ""
		for _, o := range Read(strings.NewReader(event+c.text+"\n"), "p", Hint{}).Observations {
			if o.Agent == kubectl {
				got = strings.Join([]string{strings.TrimPrefix(string(o.Kind), string(model.CommandTyped)) + key(o.Object), o.Detail, age(o.Age)}, " ")
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
