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
		{": 1764324660:0;kubectl cordon elm-1", ""},
		{"  511  openstack server remove volume elm-1 0f1e-2d", "Disk/0f1e-2d openstack server remove volume 0f1e-2d 0..3600s"},
		{"  511  sudo az vm disk detach -g rg --vm-name elm-1 -n pvc-1 --force-detach", "Disk/pvc-1 az vm disk detach pvc-1 --force 0..3600s"},
		{"  511  doctl compute volume-action detach 0f1e-2d 11", "Disk/0f1e-2d doctl compute volume-action detach 0f1e-2d 0..3600s"},
		{"  511  aws --region x ec2 reboot-instances --instance-ids i-0a1b", "Machine/i-0a1b aws --region x ec2 reboot-instances i-0a1b 0..3600s"},
		{"  511  aws --no-paginate --region=x ec2 detach-volume --volume-id vol-0a1b", "Disk/vol-0a1b aws --no-paginate --region=x ec2 detach-volume vol-0a1b 0..3600s"},
		{"  511  az --subscription s vm stop -n elm-1", "Machine/elm-1 az --subscription s vm stop elm-1 0..3600s"},
		{"  511  openstack --os-cloud c server reboot --hard elm-1", "Machine/elm-1 openstack --os-cloud c server reboot elm-1 0..3600s"},
		{"  511  gcloud --project p compute instances reset elm-1", "Machine/elm-1 gcloud --project p compute instances reset elm-1 0..3600s"},
		{"  511  aws --region x ssm start --document ec2 detach-volume --volume-id vol-0a1b", ""}, {"  511  echo aws ec2 detach-volume --volume-id vol-0a1b", ""},
		{"  511  aws ec2 reboot-instances --region x --instance-ids i-0a1b", "Machine/i-0a1b aws ec2 reboot-instances i-0a1b 0..3600s"},
		{"  511  gcloud compute instances reset elm-1 --zone z", "Machine/elm-1 gcloud compute instances reset elm-1 0..3600s"},
		{"  511  ssh elm-1 systemctl restart kubelet", "Node/elm-1 ssh elm-1 systemctl restart kubelet 0..3600s"}, {"  511  ssh elm-1", ""},
		{"$ kubectl cordon elm-1\nError from server (Forbidden): nodes \"elm-1\" is forbidden\n  511  kubectl cordon elm-1", ""},
		{"$ kubectl cordon elm-1\n  511  kubectl cordon elm-1", "Node/elm-1 kubectl cordon node elm-1 0..3600s"},
		{"$ aws ec2 detach-volume --volume-id vol-0a1b", "Disk/vol-0a1b aws ec2 detach-volume vol-0a1b 0..3600s"},
		{"$ aws ec2 detach-volume --volume-id vol-0a1b\nAn error occurred (IncorrectState) when calling the DetachVolume operation: x", ""},
		{"$ aws ec2 detach-volume --volume-id vol-0a1b\n^C", ""},
		{"$ kubectl drain elm-1\nerror when evicting pods/\"db-0\" -n \"crm\" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.",
			"eviction-refusedPod/crm/db-0  0..600s"},
		{"$ kubectl drain elm-1\nerror when evicting pods/\"db-0\" -n \"crm\": pods \"db-0\" is forbidden", ""},
		{"  511  kubectl cordon elm-1 --dry-run=server", ""}, {"  511  kubectl cordon elm-1 --dry-run", ""}, {"  511  kubectl label node elm-1 a=b", ""},
		{"  511  kubectl get pods", ""}, {"  511  kubectl delete pod", ""}, {"  511  kubectl delete pod $P", ""}, {"  511  rm pod", ""},
		{"1. we ran kubectl cordon elm-1", ""}, {"$ kubectl cordon elm-1", ""},
	} {
		got := ""
		for _, o := range Read(strings.NewReader(event+c.text+"\n"), "p", Hint{}).Observations {
			if inSession(o) {
				got = strings.Join([]string{strings.TrimPrefix(string(o.Kind), string(model.CommandTyped)) + key(o.Object), o.Detail, age(o.Age) + moment(o.At)}, " ")
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
