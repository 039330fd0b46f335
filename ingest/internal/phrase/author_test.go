package phrase

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestAuthor has sentences of authors in each language, and near misses: denials, questions, conditions, wishes, documentation.
func TestAuthor(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"I powered off node2 and waited.", "node-off node2"},
		{"We shut down the node worker-3 from the console", "node-off worker-3"},
		{"Node `ip-10-0-3-17` is down and its pod is Terminating", "node-off ip-10-0-3-17"},
		{"Node ip-10-0-3-17 is down, and its pod moved to ip-10-0-3-18", "node-off ip-10-0-3-17"},
		{"昨晚 k8s-node3 物理机断电关机了，pod 漂移到 k8s-node2 后起不来", "node-off k8s-node3"},
		{"Nodes k8s-node3 and k8s-node4 went down, the pod moved to k8s-node2", "node-off"},
		{"After a node shutdown, the application is stuck.", "node-off"},
		{"One of our nodes crashed last night", "node-off"},
		{"- The worker k8s-w2 went NotReady at 10:03", "node-off k8s-w2"},
		{"This started after an unexpected node failure", "node-off"},
		{"There was a power outage in the rack", "node-off"},
		{"the autoscaler? Cluster-autoscaler removed node-7", "node-removed node-7"},
		{"We recently replaced our worker nodes.", "node-removed"},
		{"after the spot interruption the pod moved: our Spot instance was reclaimed", "node-reclaimed"},
		{"I drained the node for maintenance", "node-drained"},
		{"Usually it is fine. It happened after we drained node-4.", "node-drained node-4"},
		{"I stopped the kubelet on node-1", "kubelet-stopped node-1"},
		{"AWS terminated the spot node.", "node-reclaimed"}, {"GKE preempted the node overnight", "node-reclaimed"},
		{"I simulated a node failure", "node-off"}, {"The node rebooted unexpectedly", "node-off"},
		{"The volume is shared between two deployments", "shared"}, {"I scaled the deployment to 2 replicas", "shared"},
		{"I updated the image of the deployment and it hangs", "rolling-update"}, {"kubectl drain node-1 was executed", "node-drained node-1"},
		{"the disk is still attached to the old VM in vCenter", "storage-differs"}, {"nach einem Stromausfall", "node-off"},
		{"aks: to instance aks-node000 failed with Retriable: true", ""}, {"the instance failed to attach the volume", ""},
		{"I updated the documentation", ""}, {"scaled the deployment to 0 replicas", ""}, {"the spot price rose after we stopped buying", ""},
		{"two Deployments share the same PVC", "shared"},
		{"Both `api` and `worker` mount the **same PVC** `data`", "shared"},
		{"Where two Deployments mount the same `ReadWriteOnce` PVC, they deadlock", "shared"},
		{"a rolling update never finishes", "rolling-update"},
		{"k8s thinks the pvc is attached to a worker, but the openstack commands think it's not.", "storage-differs"},
		{"节点 node-3 昨晚断电，之后容器组一直无法启动。", "node-off node-3"},
		{"我们关闭了节点", "node-off"},
		{"删除节点后挂载存储卷失败", "node-removed"},
		{"两个 Deployment 挂载同一个 PVC", "shared"},
		{"竞价实例被回收", "node-reclaimed"},
		{"ノードを停止した後、Podが起動しない。", "node-off"},
		{"スポットインスタンスが中断された", "node-reclaimed"},
		{"2つのDeploymentが同じPVCを使っている", "shared"},
		{"grafanaをRollingUpdateしようとすると進まない", "rolling-update"},
		{"EKS Spot 인스턴스 인터럽션으로 인한 장애였어요", "node-reclaimed"},
		{"노드 worker-2를 종료했더니 파드가 멈췄습니다", "node-off worker-2"},
		{"두 개의 Deployment가 같은 PVC를 사용합니다", "shared"},
		{"O nó worker-2 foi desligado ontem", "node-off worker-2"},
		{"Dois deployments compartilham o mesmo PVC", "shared"},
		{"Il nodo worker-2 è stato spento", "node-off worker-2"},
		{"Due deployment usano lo stesso volume", "shared"},
		{"Der Knoten worker-2 ist ausgefallen", "node-off worker-2"},
		{"Zwei Deployments teilen sich denselben PVC", "shared"},
		{"Subject: [RESOLVED] VolumeStuck (prod)", "resolved"}, {"✅ [RESOLVED:2] x", "resolved"}, {"Status: resolved", "resolved"},
		{"[FIRING:1] VolumeStuck", "firing"}, {"is this [RESOLVED] now?", ""}, {"I resolved: nothing", ""}, {"status: not resolved", ""},
		{"ok it came up, pod is Running now", "over"}, {"postgres-0 is running again", "over"}, {"the pod came up after six minutes", "over"},
		{"and it came up 40s later", "over"}, {"the pod came up a few minutes later", "over"}, {"it came up with the same error later", ""},
		{"pg-main-0 ist seit 03:40 Uhr wieder Running", "over"}, {"danach lief alles wieder", "over"}, {"if it came up, tell me", ""},
		{"node-7 is Ready again but pg-0 still ContainerCreating", ""}, {"the pod is up again, still looking for the reason", "over"},
		{"web-0 läuft wieder, aber web-1 hängt", ""},
		{"der wurde gestern vom Autoscaler gelöscht", "node-removed"}, {"der Autoscaler läuft", ""},
		{"das VolumeAttachment hängt beim Löschen", "attachment-left"}, {"das VolumeAttachment ist neu", ""},
		{"db-0 was stuck from 22:10 until 22:41 UTC", "resolved"}, {"the shop was down from 22:10 to about 22:41", "resolved"},
		{"back at 22:41", "over"}, {"service recovered at 22:41", "over"}, {"db-0 has been stuck from 22:10 until now", ""},
		{"it is not back at 22:41", ""}, {"rolled back at 22:41", ""},
		{"[09:15] maria: running again now", "over"}, {"up and running again!", "over"}, {"[09:15] node-7: running again now", ""},
		{"[09:15] ann: grafana is Running again", "over"}, {"09:15 pay-db-0 on elm-x is up again", "over"}, {"redis-master-0 is running again", "over redis-master-0"}, {"ip-10-0-3-7.ec2.internal is up again", ""}, {"Prometheus is Ready again", "over"}, {"09:15 node-3 is running again", ""},
		{"the vm pay-db is up again", ""}, {"ebs-csi-controller is running again", ""}, {"the network is up again", ""}, {"is grafana up again?", ""}, {"grafana is up", ""},
		{"kubelet is running again", ""}, {"wk-2 answers to ping again and is Ready", ""}, {"wk-2 answers to ping", "machine-runs"}, {"wk-2 answers to pings and ssh", "machine-runs"},
		{"it never came up", ""}, {"it came up with a Multi-Attach error", ""}, {"läuft nicht wieder", ""}, {"is it running now?", ""},
		{"Knoten rz2-w05 ist NotReady, ping und ssh gehen aber noch", "machine-runs rz2-w05"}, {"ssh auf den Knoten geht noch", "machine-runs"},
		{"Die VM läuft noch", "machine-runs"}, {"ssh geht nicht mehr", ""}, {"Wenn ssh geht, neu starten", ""},
		{"The node is NotReady but ping and ssh still work", "machine-runs"}, {"it still answers to pings", "machine-runs"},
		{"neither ssh nor ping works", ""}, {"ssh to it does not work", ""},
		{"PLEG is not healthy: pleg was last seen active 21m0s ago; threshold is 3m0s", "machine-runs"},
		{"Apagamos el nodo worker-2", "node-off worker-2"},
		{"Le nœud worker-2 est tombé", "node-off worker-2"},
		{"i'm stop only kubelet process, on 1 node", "kubelet-stopped"}, {"then some reason Node A stopped.", "node-off"},
		{"Now I do a hard shutdown on worker-node-2 (power off)", "node-off worker-node-2"}, {"I resized the node pools from the console", "node-removed"},
		{"The node on which the app was running, has been deleted.", "node-removed"},
		{"It fails when trying to use same rwo pvc on two pods", "shared"}, {"must be set to avoid this on an update", ""}, {" on an update", "rolling-update"},
		{"We update the upgrade strategy from rolling to recreate", "rolling-update"}, {"After `helm upgrade x` there is one for the pod that I want to upgrade to", "rolling-update"},
		{"it was caused by a stale VolumeAttachment", "attachment-left"}, {"Fixed by deleting the four VolumeAttachments", "over, unattached"},
		{"some VolumeAttachments remain in attached: true", "attachment-left"},
		{"Since the upgrade our pods are stuck with a Multi-Attach error.", "multi-attach"},
		{"`attachdetach-controller    Multi-Attach error for volume \"data` and `Volume is already used by pod(s) db-767db88d9d-t8d55`", "multi-attach"},
		{"`attachdetach-controller    Multi-Attach error for volume \"data` and `Volume is already used by pod(s) X`", ""},
		{"08:20 UTC — `FailedAttachVolume`: Multi-Attach error para `pvc-421d1f1f-f879`, pod `redis-0`, nó `i-0ba5`.", "multi-attach i-0ba5"},
		{"after we lost node stor-3 it never came back", "node-off stor-3"}, {"节点 cn-east.10.0.8.77 昨天晚上宕机", "node-off cn-east.10.0.8.77"},
		{"we lost the connection to the node", ""},
		{"Usually it happens after we drain nodes for host updates.", "node-drained"},
		// how it ended
		{"In the end restarting the kubelet on node-2 fixed it", "over node-2"}, {"Solved by rebooting worker-3", "over worker-3"},
		{"after about 11 hours, the pod is running.", "over"}, {"after 9 min the old pod is running still", ""}, {"after 11 hours the pod is not running", ""},
		{"the ledger pod started successfully within 80 seconds", "over"}, {"the ledger pod started failing in 80 seconds", ""},
		{"the pod started successfully on k8s-2", ""}, {"Eventually the volume gets moved as it ought to", "over"}, {"Eventually the volume gets full", ""},
		{"it finally attached by itself", "over"}, {"After 6 minutes the volume was attached", "over"}, {"The problem resolved itself", "over"},
		{"The issue went away", "over"}, {"restarting the kubelet did not help", ""}, {"This can be solved by deleting the pod", ""},
		{"Managed to fix it after manually deleting the pod on it", "over"}, {"Nobody managed to fix it after deleting the pod", ""}, {"It was not fixed by restarting the kubelet", ""}, {"the bug was fixed by changing the code", ""}, {"After 6 minutes it was not attached", ""},
		{"后来手动删除 volumeattachment 之后，pod 恢复正常了", "over"}, {"问题解决了", "over"}, {"pod 没有恢复正常", ""}, {"如何恢复正常？", ""},
		{"6分後にPodが起動しました", "over"}, {"問題は解決した", "over"}, {"Podが起動しない", ""}, {"解決していません", ""},
		{"파드가 다시 실행됐습니다", "over"}, {"파드가 다시 실행되지 않습니다", ""},
		{"O pod voltou depois de 6 minutos", "over"}, {"O pod não voltou", ""}, {"Il pod è ripartito", "over"}, {"Il pod non è ripartito", ""},
		{"El pod arrancó después de 6 minutos", "over"}, {"El pod no arrancó", ""}, {"Solucionado reiniciando kubelet", "over"},
		{"Le pod a redémarré", "over"}, {"Le pod n'a pas redémarré", ""}, {"Problème résolu en redémarrant kubelet", "over"},
		{"Nach 6 Minuten hat sich das Volume von selbst angehängt", "over"}, {"Das Problem ist behoben", "over"}, {"Das Problem ist nicht behoben", ""},
		{"Через 7 минут том подключился сам, и под запустился", "over"}, {"Проблема решена", "over"}, {"под не запустился", ""}, {"Если под запустился, всё хорошо", ""},
		{"После выключения узла node-2 под завис", "node-off node-2"}, {"узел node-2 не выключали", ""}, {"два пода используют один и тот же том", "shared"},
		{"Мы обновили образ деплоймента", "rolling-update"}, {"We changed the Deployment's image and the new pod hangs", "rolling-update"},
		{"We changed the image of the Deployment", "rolling-update"}, {"We changed the replicas of the Deployment", ""},
		// what is only suspected
		{"I think the old node k8s-1 still has it mounted", "suspected k8s-1"}, {"Maybe node-3 crashed", "suspected node-3"},
		{"node-3 crashed, maybe of heat", "node-off node-3"}, {"I think it is time for lunch", ""}, {"I think you should drain the node", ""},
		{"ノードが停止したと思います", "suspected"}, {"Vielleicht ist der Knoten worker-2 ausgefallen", "suspected worker-2"}, {"Похоже, узел node-2 упал", "suspected node-2"},
		// near misses
		{"Usually it happens after a drain.", ""}, {"Usually the host is drained before the update.", ""},
		{"Pods will be stuck with a Multi-Attach error if the node is lost.", ""}, {"This fixes the Multi-Attach error.", ""},
		{"We never got a Multi-Attach error.", ""}, {"Se o nó cair, Multi-Attach error para o pod `redis-0`", ""}, {"see the docs on RWO", ""},
		{"We want to upgrade the chart", ""}, {"the pods of node A stopped the service", ""}, {"the node stopped the pod", ""},
		{"kubectl get volumeattachments", ""}, {"no stale VolumeAttachment was found", ""}, {"use the same PVC name", ""},
		{"We never powered off node2", ""}, {"the node was not shut down", ""}, {"The node wasn't shut down at any time.", ""},
		{"No node was drained.", ""}, {"should I power off the node?", ""}, {"Is node2 down?", ""},
		{"if the node is shut down, the pod stays Terminating", ""}, {"When a node goes down, Kubernetes waits five minutes", ""},
		{"The volume should be detached after node shutdown", ""}, {"You can drain the node with kubectl drain", ""},
		{"Two pods cannot share the same RWO volume unless they run on one node", ""}, {"two pods never share the same PVC", ""},
		{"To avoid this, drain the node first", ""}, {"Shut down the node.", ""}, {"kubelet is running on node-1", ""},
		{"Multi-Attach error for volume", ""}, {"the spot price went up", ""}, {"两个节点都正常", ""}, {"如果节点断电，容器组会怎样", ""},
		{"节点没有关机", ""}, {"ノードを停止した場合、Podは動かない", ""}, {"ノードは停止していない", ""}, {"노드를 종료하면 파드가 멈춥니까?", ""},
		{"O nó não foi desligado", ""}, {"Se o nó for desligado, o pod para", ""}, {"Il nodo non è stato spento", ""},
		{"Der Knoten wurde nicht heruntergefahren", ""}, {"Wenn der Knoten ausgefallen ist, wartet man", ""}, {"El nodo no está apagado", ""},
		{"Le nœud n'est pas tombé", ""},
	} {
		if got := toldIn(c.line, false); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
	for line, want := range map[string]string{"09:15 Grafana is Running again": "grafana", "pod pay-db-0 on elm-1 is up again": "pay-db-0", "the database is up again": "", "it is up again": ""} {
		if got := Author(line, false); len(got) != 1 || got[0].Pod.Name != want {
			t.Errorf("%q: %+v, want the name %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"2. Shutdown the node which is running the pod.": "node-off", "- Power down node 1": "node-off", "Then delete the shutdown node from cluster.": "node-removed",
		"3. Drain the node": "node-drained", "Should we drain the node?": "", "1. Create a PVC": "", "If needed, shut down the node": "",
	} {
		if got := toldIn(line, true); got != want {
			t.Errorf("step %q: %q, want %q", line, got, want)
		}
	}
	if !StepsHeading("**To Reproduce**") || !StepsHeading("## 复现步骤") || StepsHeading("## Expected behavior") {
		t.Error("headings of steps")
	}
}

// TestSentenceOfAuthor: an abbreviation ends no sentence; the controller's report with its volume is left out, its first words alone are not.
func TestSentenceOfAuthor(t *testing.T) {
	for line, want := range map[string]string{
		"Each merge (e.g. today's) breaks the rolling update. Then it heals.":                               "Each merge (e.g. today's) breaks the rolling update",
		"The pods then get a \"Multi-Attach error for volume\" when coming up.":                             "The pods then get a \"Multi-Attach error for volume\" when coming up",
		"After the rolling update it fails: Multi-Attach error for volume \"pvc-1\" Volume is already used": "After the rolling update it fails: …",
	} {
		list := Author(line, false)
		if len(list) != 1 {
			t.Errorf("%s: %+v", line, list)
			continue
		}
		if _, got, _ := strings.Cut(list[0].Detail, ": "); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func toldIn(line string, step bool) string {
	var out []string
	for _, o := range Author(line, step) {
		if o.Kind != model.AuthorSaid {
			return "kind " + string(o.Kind)
		}
		what, _, _ := strings.Cut(o.Detail, ": ")
		out = append(out, strings.TrimSpace(what+" "+o.Node))
	}
	return strings.Join(out, ", ")
}

func FuzzAuthor(f *testing.F) {
	f.Add("I powered off node2. 节点断电。 O nó foi desligado? 노드를 종료했다", true)
	f.Fuzz(func(t *testing.T, line string, step bool) {
		for _, o := range Author(line, step) {
			if o.Detail == "" || len(o.Node) > len(line) || len(o.Detail) > 4*maxTold {
				t.Errorf("%q: %+v", line, o)
			}
		}
	})
}

// TestDeeds has what authors tell that somebody did by hand, beside what else the sentence tells, and near misses.
func TestDeeds(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"bob force deleted the old pod till-6b7-x2 on node elm-3", "forced till-6b7-x2"},
		{"I force-deleted pod `till-0`.", "forced till-0"}, {"the pod was forcefully deleted at 10:02", "forced"},
		{"we deleted the stuck pod with --grace-period=0 --force", "forced"}, {"I ran `kubectl delete pod till-0 --force --grace-period=0`", "forced till-0"},
		{"der Pod wurde mit --force gelöscht", "forced"},
		{"In the end I removed the finalizer of the VolumeAttachment by hand and the pod came up", "over; unheld"},
		{"after removing the finalizers it went away", "unheld"}, {"the finalizer was manually removed", "unheld"}, {"Finalizer am PV entfernt", "unheld"},
		{"Set the policy to do-nothing and shut the node down, after 5 minutes, force delete the stuck pod, volume stuck at attaching", "forced"},
		{"force delete the pod, the node drains then", ""}, {"force delete the pod when the volume is stuck", ""},
		{"Workaround is delete the `volumeattachment` then it attaches", "unattached"}, {"deleting VolumeAttachment csi-1 helped", "unattached"},
		{"the workaround is in the VolumeAttachment", ""}, {"finalizer removed, VolumeAttachment kept", ""}, {"the controller deleted the VolumeAttachment", ""},
		{"anna detached the volume in the AWS console", "detached"}, {"I manually detached the disk", "detached"},
		{"I scaled it to 0 but ArgoCD put it back to 1 within a minute", "reverted"}, {"Flux reverted our change", "reverted"}, {"ArgoCD syncs every three minutes", ""},
		{"pod GC force deleted the pod", ""}, {"the controller force deleted pod till-0", ""}, {"should I force delete the pod?", ""},
		{"I did not force-delete the pod", ""}, {"we want to force delete the pod", ""}, {"if you removed the finalizer, check it", ""},
		{"I deleted the pod", ""}, {"the finalizer is never removed", ""}, {"the controller detached the volume from the node", ""}, {"bob force-pushed the branch", ""},
		{"I think bob force deleted the old pod", ""},
	} {
		var got []string
		for _, o := range Author(c.line, false) {
			what, _, _ := strings.Cut(o.Detail, ": ")
			got = append(got, strings.TrimSpace(what+" "+o.Pod.Name))
			if o.Deed() == (what == "over" || what == "reverted") {
				t.Errorf("%s: %+v", c.line, o)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
