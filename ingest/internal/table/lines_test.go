package table

import (
	"strings"
	"testing"
)

// TestLines: what single lines say, each with its near miss: the number of the line, the kind, and every field that has a value.
func TestLines(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"nodes",
			"NAME   STATUS   ROLES   AGE   VERSION\n" +
				"a   Ready   <none>   5d   v1.34.0\n" +
				"b   NotReady   <none>   5d   v1.34.0\n" +
				"c   Ready,SchedulingDisabled   <none>   5d   v1.34.0\n" +
				"d   Unknown   <none>   5d   v1.34.0\n" +
				"e   Odd   <none>   5d   v1.34.0\n",
			"2 node-ready object=Node/a node=a\n" +
				"2 process-version object=Node/a node=a by=kubelet detail=v1.34.0\n" +
				"3 node-not-ready object=Node/b node=b\n" +
				"3 process-version object=Node/b node=b by=kubelet detail=v1.34.0\n" +
				"4 node-ready object=Node/c node=c\n" +
				"4 node-cordoned object=Node/c node=c\n" +
				"4 process-version object=Node/c node=c by=kubelet detail=v1.34.0\n" +
				"5 process-version object=Node/d node=d by=kubelet detail=v1.34.0\n"},
		{"nodes of no version",
			"NAME   STATUS   ROLES   AGE\n" +
				"a   NotReady,SchedulingDisabled   worker   5d\n",
			"2 node-not-ready object=Node/a node=a\n" +
				"2 node-cordoned object=Node/a node=a\n"},
		{"a node without a header",
			"a   NotReady,SchedulingDisabled   <none>   5d   v1.34.0\n",
			"1 node-not-ready object=Node/a node=a\n" +
				"1 node-cordoned object=Node/a node=a\n" +
				"1 process-version object=Node/a node=a by=kubelet detail=v1.34.0\n"},
		{"a word and a version",
			"a   Sleepy   <none>   5d   v1.34.0\n",
			""},
		{"pods",
			"NAME   READY   STATUS   RESTARTS   AGE\n" +
				"a   1/1   Running   0   5d\n" +
				"b   0/1   Running   3   5d\n" +
				"c   0/1   Terminating   0   5d\n" +
				"d   1/1   Unknown   0   5d\n" +
				"e   0/1   Evicted   0   5d\n" +
				"f   0/1   Completed   0   5d\n" +
				"g   0/1   Init:0/1   0   5d\n" +
				"h   0/1   CrashLoopBackOff   12 (3m ago)   5d\n" +
				"i   0/1   Pending   0   5d\n" +
				"j   0/1   ContainerCreating   0   5d\n",
			"2 pod-created object=Pod/a pod=Pod/a age=431999..518400s\n" +
				"2 pod-ready object=Pod/a pod=Pod/a\n" +
				"3 pod-created object=Pod/b pod=Pod/b age=431999..518400s\n" +
				"3 object-shown object=Pod/b pod=Pod/b detail=restarts=3\n" +
				"3 pod-not-ready object=Pod/b pod=Pod/b detail=Running\n" +
				"4 pod-created object=Pod/c pod=Pod/c age=431999..518400s\n" +
				"4 pod-deletion-requested object=Pod/c pod=Pod/c\n" +
				"5 pod-created object=Pod/d pod=Pod/d age=431999..518400s\n" +
				"5 pod-deletion-requested object=Pod/d pod=Pod/d detail=NodeLost\n" +
				"6 pod-created object=Pod/e pod=Pod/e age=431999..518400s\n" +
				"6 pod-finished object=Pod/e pod=Pod/e detail=Failed/Evicted\n" +
				"7 pod-created object=Pod/f pod=Pod/f age=431999..518400s\n" +
				"7 pod-finished object=Pod/f pod=Pod/f detail=Succeeded\n" +
				"8 pod-created object=Pod/g pod=Pod/g age=431999..518400s\n" +
				"8 pod-not-ready object=Pod/g pod=Pod/g detail=Init:0/1\n" +
				"9 pod-created object=Pod/h pod=Pod/h age=431999..518400s\n" +
				"9 object-shown object=Pod/h pod=Pod/h detail=restarts=12\n" +
				"9 pod-not-ready object=Pod/h pod=Pod/h detail=CrashLoopBackOff\n" +
				"10 pod-created object=Pod/i pod=Pod/i age=431999..518400s\n" +
				"10 pod-not-ready object=Pod/i pod=Pod/i detail=Pending\n" +
				"11 pod-created object=Pod/j pod=Pod/j age=431999..518400s\n" +
				"11 pod-not-ready object=Pod/j pod=Pod/j detail=ContainerCreating\n"},
		{"pods on nodes, of namespaces",
			"NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE   IP   NODE\n" +
				"prod   a   1/1   Running   0   5d   10.0.0.1   n1\n" +
				"prod   b   0/1   Pending   0   5d   <none>   <none>\n",
			"2 pod-created object=Pod/prod/a pod=Pod/prod/a age=431999..518400s\n" +
				"2 pod-scheduled object=Pod/prod/a pod=Pod/prod/a node=n1\n" +
				"2 pod-ready object=Pod/prod/a pod=Pod/prod/a node=n1\n" +
				"3 pod-created object=Pod/prod/b pod=Pod/prod/b age=431999..518400s\n" +
				"3 pod-not-ready object=Pod/prod/b pod=Pod/prod/b detail=Pending\n"},
		{"a second list of pods, of two commands in one line",
			"$ date; kubectl get pods -n prod -o wide; kubectl get nodes\n" +
				"NAME   READY   STATUS   RESTARTS   AGE\n" +
				"a   1/1   Running   0   <unknown>\n" +
				"NAME   STATUS   ROLES   AGE   VERSION\n" +
				"$ date; kubectl get pods -n prod\n" +
				"NAME   READY   STATUS   RESTARTS   AGE\n" +
				"$ kubectl get pods -A\n" +
				"NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\n" +
				"$ kubectl get pods -A | grep b\n" +
				"NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\n",
			"3 pod-ready object=Pod/prod/a pod=Pod/prod/a\n" +
				"6 object-shown object=Pod/prod/ detail=listed\n" +
				"8 object-shown object=Pod/ detail=listed all-namespaces=true\n"},
		{"Longhorn's volumes",
			"NAME    DATA ENGINE   STATE      ROBUSTNESS   SCHEDULED   SIZE     NODE   AGE\n" +
				"pvc-1   v1            detached   faulted                  107374          144d\n" +
				"pvc-2   v1            attached   degraded                 107374   a      144d\n" +
				"pvc-3   v1            attached   healthy                  107374   a      144d\n" +
				"pvc-4   v1            detached   unknown                  107374          144d\n",
			"2 object-shown pv=pvc-1 object=Longhorn volume/pvc-1 detail=Faulted\n" +
				"3 object-shown pv=pvc-2 object=Longhorn volume/pvc-2 detail=Degraded\n"},
		{"LINSTOR's nodes and resources",
			"┊ Node ┊ NodeType  ┊ Addresses             ┊ State                                        ┊\n" +
				"┊ a    ┊ SATELLITE ┊ 10.0.0.1:3366 (PLAIN) ┊ Online                                       ┊\n" +
				"┊ b    ┊ COMBINED  ┊ 10.0.0.2:3366 (PLAIN) ┊ OFFLINE (Auto-eviction: 2026-11-20 03:12:11) ┊\n" +
				"┊ ResourceName ┊ Node ┊ Port ┊ Usage  ┊ Conns         ┊    State ┊ CreatedOn           ┊\n" +
				"┊ pvc-1        ┊ a    ┊ 7001 ┊ Unused ┊ Connecting(b) ┊ UpToDate ┊ 2026-01-20 12:00:01 ┊\n" +
				"┊ pvc-1        ┊ b    ┊ 7001 ┊        ┊               ┊  Unknown ┊ 2026-01-20 12:00:02 ┊\n" +
				"┊ pvc-2        ┊ a    ┊ 7002 ┊ InUse  ┊ Ok            ┊ UpToDate ┊ 2026-01-20 12:00:02 ┊\n" +
				"| pvc-3        | a    | DRBD,STORAGE | Unused | Ok | Inconsistent | 2026-01-20 12:00:02 |\n" +
				"the pod web failed on node a: Failed, Unknown\n",
			"3 object-shown object=LINSTOR node/b node=b detail=OFFLINE\n" +
				"5 object-shown pv=pvc-1 object=LINSTOR resource/pvc-1 node=a detail=Connecting(b)\n" +
				"6 object-shown pv=pvc-1 object=LINSTOR resource/pvc-1 node=b detail=Unknown\n" +
				"8 object-shown pv=pvc-3 object=LINSTOR resource/pvc-3 node=a detail=Inconsistent\n"},
		{"a pod of a command's namespace",
			"$ kubectl get pods -n prod\n" +
				"NAME   READY   STATUS   RESTARTS   AGE\n" +
				"a   1/1   Running   0   <unknown>\n",
			"3 pod-ready object=Pod/prod/a pod=Pod/prod/a\n"},
		{"no count of what is ready",
			"NAME   READY   STATUS   RESTARTS   AGE\n" +
				"a   yes   Running   0   5d\n",
			""},
		{"volumes",
			"NAME   CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS   CLAIM   STORAGECLASS   AGE\n" +
				"pv-1   1Gi   RWO   Delete   Bound   prod/data   fast   5d\n" +
				"pv-2   1Gi   RWX,ROX   Delete   Released   prod/old   fast   5d\n" +
				"pv-3   1Gi   RWO   Retain   Available      fast   5d\n" +
				"pv-4   1Gi   -   Retain   Bound   prod/x   fast   5d\n",
			"2 volume-bound pv=pv-1 object=PersistentVolume/pv-1 claim=PersistentVolumeClaim/prod/data access=ReadWriteOnce detail=Bound\n" +
				"3 volume-bound pv=pv-2 object=PersistentVolume/pv-2 claim=PersistentVolumeClaim/prod/old access=ReadWriteMany,ReadOnlyMa" +
				"ny detail=Released\n"},
		{"claims",
			"NAME   STATUS   VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\n" +
				"data   Bound   pv-1   1Gi   RWO   fast   5d\n" +
				"lost   Lost   pv-2   0      fast   5d\n" +
				"next   Sleeping   pv-3   1Gi   RWO   fast   5d\n",
			"2 volume-bound pv=pv-1 object=PersistentVolumeClaim/data claim=PersistentVolumeClaim/data access=ReadWriteOnce detail=Bound\n"},
		{"a pending claim below its command",
			"$ kubectl get pvc -n prod\n" +
				"data   Pending   fast   5d\n",
			"2 object-shown object=PersistentVolumeClaim/prod/data detail=Pending\n"},
		{"and below none",
			"data   Pending   fast   5d\n",
			""},
		{"classes",
			"NAME   PROVISIONER   RECLAIMPOLICY   VOLUMEBINDINGMODE   ALLOWVOLUMEEXPANSION   AGE\n" +
				"fast (default)   ebs.csi.aws.com   Delete   WaitForFirstConsumer   true   5d\n" +
				"slow   ebs.csi.aws.com   Delete   Immediate   false   5d\n" +
				"odd   ebs.csi.aws.com   Delete   Sometimes   maybe   5d\n",
			"2 object-shown object=StorageClass/fast detail=provisioner=ebs.csi.aws.com, volumeBindingMode=WaitForFirstConsumer, allo" +
				"wVolumeExpansion=true, default=true\n" +
				"3 object-shown object=StorageClass/slow detail=provisioner=ebs.csi.aws.com, volumeBindingMode=Immediate, allowVolumeExpa" +
				"nsion=false\n" +
				"4 object-shown object=StorageClass/odd detail=provisioner=ebs.csi.aws.com\n"},
		{"drivers",
			"NAME   ATTACHREQUIRED   PODINFOONMOUNT   MODES   AGE\n" +
				"ebs.csi.aws.com   true   false   Persistent   5d\n" +
				"nfs.csi.k8s.io   false   false   Persistent   5d\n" +
				"odd.csi.k8s.io   maybe   false   Persistent   5d\n",
			"2 object-shown object=CSIDriver/ebs.csi.aws.com detail=attachRequired=true\n" +
				"3 object-shown object=CSIDriver/nfs.csi.k8s.io detail=attachRequired=false\n"},
		{"attachments",
			"NAME   ATTACHER   PV   NODE   ATTACHED   AGE\n" +
				"csi-1   ebs.csi.aws.com   pv-1   a   true   5d\n" +
				"csi-2   ebs.csi.aws.com   pv-2   b   false   5d\n" +
				"csi-...   ebs.csi.aws.com   pv-3   c   true   5d\n" +
				"csi-4   ebs.csi.aws.com   pv-4   d   perhaps   5d\n" +
				"csi-5   ebs.csi.aws.com      e   true   5d\n",
			"2 attachment-created pv=pv-1 object=VolumeAttachment/csi-1 node=a attachment=csi-1 attacher=ebs.csi.aws.com age=431999.." +
				"518400s\n" +
				"2 attachment-attached pv=pv-1 object=VolumeAttachment/csi-1 node=a attachment=csi-1 attacher=ebs.csi.aws.com\n" +
				"3 attachment-created pv=pv-2 object=VolumeAttachment/csi-2 node=b attachment=csi-2 attacher=ebs.csi.aws.com age=431999.." +
				"518400s\n" +
				"3 attachment-pending pv=pv-2 object=VolumeAttachment/csi-2 node=b attachment=csi-2 attacher=ebs.csi.aws.com\n" +
				"4 attachment-created pv=pv-3 node=c attacher=ebs.csi.aws.com age=431999..518400s\n" +
				"4 attachment-attached pv=pv-3 node=c attacher=ebs.csi.aws.com\n"},
		{"attachments by custom columns",
			"NAME   PV   NODE\n" +
				"csi-1   pv-1   a\n",
			"2 attachment-created pv=pv-1 object=VolumeAttachment/csi-1 node=a attachment=csi-1\n"},
		{"of another column",
			"NAME   PV   NODE   COLOUR\n" +
				"csi-1   pv-1   a   red\n",
			""},
		{"acts",
			"pod \"db-0\" force deleted\n" +
				"pod \"db-1\" deleted from prod namespace\n" +
				"node/a cordoned\n" +
				"statefulset.apps/db scaled\n" +
				"pod/db-0\n" +
				"configmap/x deleted\n" +
				"po/da.po\n" +
				"event/x\n" +
				"Error from server (NotFound): pods \"db-0\" not found\n",
			"1 object-shown object=Pod/db-0 detail=force deleted\n" +
				"2 object-shown object=Pod/prod/db-1 detail=deleted\n" +
				"3 object-shown object=Node/a detail=cordoned\n" +
				"4 object-shown object=StatefulSet/db detail=scaled\n" +
				"5 object-shown object=Pod/db-0\n" +
				"9 object-shown object=Pod/db-0 detail=not found\n"},
		{"a taint",
			"$ kubectl taint node a node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n" +
				"node/a tainted\n",
			"2 object-shown object=Node/a detail=tainted\n" +
				"2 node-tainted object=Node/a node=a detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n"},
		{"a taint that is taken away by its key",
			"$ kubectl taint node a node.kubernetes.io/out-of-service-\n" +
				"node/a untainted\n",
			"2 object-shown object=Node/a detail=untainted\n" +
				"2 node-untainted object=Node/a node=a detail=node.kubernetes.io/out-of-service\n"},
		{"finalizers that are taken away, and a patch of something else",
			`$ kubectl patch pv pv-1 -p '{"metadata":{"finalizers":null}}' --type=merge` + "\n" +
				"persistentvolume/pv-1 patched\n" +
				`$ kubectl patch pv pv-2 --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'` + "\n" +
				"persistentvolume/pv-2 patched\n" +
				`$ kubectl patch pv pv-3 -p '{"metadata":{"finalizers":["a/b"]}}'` + "\n" +
				"persistentvolume/pv-3 patched\n",
			"2 object-shown object=PersistentVolume/pv-1 detail=stripped of its finalizers\n" +
				"4 object-shown object=PersistentVolume/pv-2 detail=stripped of its finalizers\n" +
				"6 object-shown object=PersistentVolume/pv-3 detail=patched\n"},
		{"a taint of an unknown command",
			"node/a tainted\n",
			"1 object-shown object=Node/a detail=tainted\n"},
		{"a chain",
			"PVC: data\n" +
				"PV: pv-1\n" +
				"PV: pv-2\n",
			"1 object-shown object=PersistentVolumeClaim/data\n" +
				"2 volume-bound pv=pv-1 object=PersistentVolume/pv-1 claim=PersistentVolumeClaim/data\n" +
				"3 object-shown object=PersistentVolume/pv-2\n"},
		{"a chain that is broken",
			"PVC: data\n" +
				"some words\n" +
				"PV: pv-1\n",
			"1 object-shown object=PersistentVolumeClaim/data\n" +
				"3 object-shown object=PersistentVolume/pv-1\n"},
		{"mounts",
			"/dev/sdb on /var/lib/kubelet/pods/00000000-0000-0000-0000-000000000001/volumes/kubernetes.io~csi/pv-1/mount type ext4 (r" +
				"w,relatime)\n" +
				"tmpfs on /var/lib/kubelet/pods/00000000-0000-0000-0000-000000000001/volumes/kubernetes.io~csi/pv-2/mount type tmpfs (rw)\n" +
				"/dev/sdc on /data type ext4 (rw)\n" +
				"/dev/sdb on /var/lib/kubelet/plugins/kubernetes.io/csi/pv/pv-3/globalmount type xfs (rw)\n" +
				"/dev/sdb on /var/lib/kubelet/plugins/kubernetes.io/csi/ebs.csi.aws.com/0123456789abcdef0123456789abcdef0123456789abcdef0" +
				"123456789abcdef/globalmount type xfs (rw)\n",
			"1 volume-mounted pv=pv-1 pod=Pod/@00000000-0000-0000-0000-000000000001\n" +
				"4 volume-mounted pv=pv-3\n" +
				"5 volume-mounted attacher=ebs.csi.aws.com detail=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"},
		{"a full volume",
			"Filesystem      Size  Used Avail Use% Mounted on\n" +
				"/dev/sdb         10G   9G   1G   95% /var/lib/kubelet/pods/00000000-0000-0000-0000-000000000001/volumes/kubernetes.io~cs" +
				"i/pv-1/mount\n" +
				"/dev/sdc         10G   9G   1G   94% /data\n",
			"2 volume-mounted pv=pv-1 pod=Pod/@00000000-0000-0000-0000-000000000001\n" +
				"2 volume-usage pv=pv-1 pod=Pod/@00000000-0000-0000-0000-000000000001 detail=95% of its bytes\n"},
		{"inodes",
			"Filesystem      Inodes IUsed IFree IUse% Mounted on\n" +
				"/dev/sdb         10K   9K   1K   95% /var/lib/kubelet/pods/00000000-0000-0000-0000-000000000001/volumes/kubernetes.io~cs" +
				"i/pv-1/mount\n",
			"2 volume-mounted pv=pv-1 pod=Pod/@00000000-0000-0000-0000-000000000001\n" +
				"2 volume-usage pv=pv-1 pod=Pod/@00000000-0000-0000-0000-000000000001 detail=95% of its inodes\n"},
		{"a full volume in a pod",
			"$ kubectl exec -n prod db-0 -- df -h\n" +
				"Filesystem      Size  Used Avail Use% Mounted on\n" +
				"overlay          50G   9G   1G   90% /\n" +
				"/dev/sdb         10G   9G   1G   95% /data\n" +
				"/dev/sdc         10G   9G   1G   95% /etc/hosts\n",
			"4 volume-usage object=Pod/prod/db-0 pod=Pod/prod/db-0 detail=95% of its bytes at /data\n"},
		{"a disk that was grown",
			"sdb    8:16   0   20G  0 disk\n" +
				"sdc    8:32   0   14G  0 disk\n" +
				"Filesystem      Size  Used Avail Use% Mounted on\n" +
				"/dev/sdb         10G   9G   1G   95% /data\n" +
				"/dev/sdc         10G   9G   1G   95% /more\n",
			"1 object-shown object=disk/sdb detail=size=20G\n" +
				"2 object-shown object=disk/sdc detail=size=14G\n" +
				"4 resize-pending object=disk/sdb detail=the disk has 20G, its file system has 10G\n"},
		{"a disk that was grown half as much again",
			"sdb    8:16   0   15G  0 disk\n" +
				"Filesystem      Size  Used Avail Use% Mounted on\n" +
				"/dev/sdb         10G   9G   1G   95% /data\n",
			"1 object-shown object=disk/sdb detail=size=15G\n" +
				"3 resize-pending object=disk/sdb detail=the disk has 15G, its file system has 10G\n"},
		{"what ls shows",
			"/var/lib/kubelet/pods/00000000-0000-0000-0000-000000000001/volumes/kubernetes.io~csi/pv-1:\n" +
				"lrwxrwxrwx 1 root root 9 Mar 14 10:00 nvme-Amazon_vol1 -> ../../nvme1n1\n",
			"1 object-shown object=PersistentVolume/pv-1 detail=pod-uid=00000000-0000-0000-0000-000000000001\n" +
				"2 object-shown object=disk/nvme-Amazon_vol1 detail=device=/dev/nvme1n1\n"},
		{"a pod that ends",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Terminating (lasts 5m)\n" +
				"Termination Grace Period:  30s\n" +
				"IP:           10.1.1.1\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"4 pod-deletion-requested object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a age=329..390s detail=grace 30s\n"},
		{"of no grace period",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Terminating (lasts 5m)\n" +
				"IP:           10.1.1.1\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"4 pod-deletion-requested object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n"},
		{"a pod that waits",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Pending\n" +
				"Containers:\n" +
				"  db:\n" +
				"    State:          Waiting\n" +
				"      Reason:       ContainerCreating\n" +
				"IP:           10.1.1.1\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"8 pod-not-ready object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a detail=ContainerCreating\n"},
		{"a pod that waits for a node",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         <none>\n" +
				"Status:       Pending\n" +
				"IP:           10.1.1.1\n",
			""},
		{"a pod that failed",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Failed\n" +
				"Reason:       Evicted\n" +
				"IP:           10.1.1.1\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"4 pod-finished object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a detail=Failed/Evicted\n"},
		{"of a node, what a program passes on", "$ kubectl describe node elm-1 | grep -A1 Taints\n" +
			"Taints:             node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\nUnschedulable:      false\n",
			"2 node-tainted object=Node/elm-1 node=elm-1 detail=node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n"},
		{"of any node", "$ kubectl describe nodes | grep Taints\nTaints:             node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n", ""},
		{"a pod that ended, one of whose containers has a reason",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Succeeded\n" +
				"IP:           10.1.1.1\n" +
				"Containers:\n" +
				"  db:\n" +
				"    State:          Terminated\n" +
				"      Reason:       Completed\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"4 pod-finished object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a detail=Succeeded\n"},
		{"a pod of a workload, with a claim and conditions",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Running\n" +
				"Controlled By:  StatefulSet/db\n" +
				"Conditions:\n" +
				"  Type    Status\n" +
				"  Ready   False \n" +
				"Volumes:\n" +
				"  data:\n" +
				"    Type:       PersistentVolumeClaim\n" +
				"    ClaimName:  data\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a claim=PersistentVolumeClaim/prod/data owner=StatefulSet/pr" +
				"od/db\n" +
				"12 pod-uses object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a claim=PersistentVolumeClaim/prod/data owner=StatefulSet/prod/db\n" +
				"8 pod-not-ready object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a claim=PersistentVolumeClaim/prod/data owner=StatefulSet/pr" +
				"od/db\n"},
		{"a pod without a claim",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Running\n" +
				"IP:           10.1.1.1\n" +
				"Volumes:\n" +
				"  tmp:\n" +
				"    Type:       EmptyDir\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"6 pod-uses object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n"},
		{"a pod of a volume of its own",
			"Name:         db-0\n" +
				"Namespace:    prod\n" +
				"Node:         a/10.0.0.1\n" +
				"Status:       Running\n" +
				"IP:           10.1.1.1\n" +
				"Volumes:\n" +
				"  tmp:\n" +
				"    Type:       EphemeralVolume (an inline specification)\n",
			"3 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n"},
		{"a node",
			"Name:               a\n" +
				"Roles:              <none>\n" +
				"Taints:             node.kubernetes.io/unreachable:NoExecute\n" +
				"                    key=value:NoSchedule\n" +
				"                    odd:Sometimes\n" +
				"Unschedulable:      true\n" +
				"Lease:\n" +
				"  HolderIdentity:  a\n" +
				"  RenewTime:       Sat, 14 Mar 2026 09:20:00 +0000\n" +
				"Conditions:\n" +
				"  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                   " +
				"    Message\n" +
				"  ----             ------  -----------------                 ------------------                ------                   " +
				"    -------\n" +
				"  MemoryPressure   False   Sat, 14 Mar 2026 09:20:00 +0000   Sat, 14 Mar 2026 09:00:00 +0000   KubeletHasSufficientMemor" +
				"y   fine\n" +
				"  Ready            Unknown   Sat, 14 Mar 2026 09:20:00 +0000   Sat, 14 Mar 2026 09:26:00 +0000   NodeStatusUnknown   Kub" +
				"elet stopped\n" +
				"ProviderID:                   aws:///eu-west-1a/i-0abc\n" +
				"System Info:\n" +
				"  Kubelet Version:  v1.34.0\n",
			"3 node-tainted object=Node/a node=a detail=node.kubernetes.io/unreachable=:NoExecute\n" +
				"4 node-tainted object=Node/a node=a detail=key=value:NoSchedule\n" +
				"6 node-cordoned object=Node/a node=a\n" +
				"9 node-heartbeat object=Node/a node=a at=2026-03-14T09:20:00Z detail=lease\n" +
				"14 node-heartbeat object=Node/a node=a at=2026-03-14T09:20:00Z detail=condition\n" +
				"14 node-not-ready object=Node/a node=a at=2026-03-14T09:26:00Z detail=Unknown\n" +
				"15 object-shown object=Node/a node=a detail=providerID=aws:///eu-west-1a/i-0abc\n" +
				"17 process-version object=Node/a node=a by=kubelet detail=v1.34.0\n"},
		{"the pods on a node",
			"Name:               a\n" +
				"Taints:             <none>\n" +
				"Unschedulable:      false\n" +
				"Non-terminated Pods:          (2 in total)\n" +
				"  Namespace                   Name                        CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age\n" +
				"  ---------                   ----                        ------------  ----------  ---------------  -------------  ---\n" +
				"  prod                        db-0                        0 (0%)        0 (0%)      0 (0%)           0 (0%)         17d\n" +
				"  prod                        web-0                       250m (12%)    0 (0%)      0 (0%)           0 (0%)         17d\n" +
				"Allocated resources:\n" +
				"  Resource           Requests    Limits\n" +
				"  cpu                250m (12%)  0 (0%)\n" +
				"  ephemeral-storage  0 (0%)      0 (0%)\n",
			"7 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n" +
				"8 pod-scheduled object=Pod/prod/web-0 pod=Pod/prod/web-0 node=a\n"},
		{"a node that can be scheduled",
			"Name:               a\n" +
				"Roles:              <none>\n" +
				"Taints:             <none>\n" +
				"Unschedulable:      false\n" +
				"ProviderID:\n" +
				"Conditions:\n" +
				"  Ready   True   Mon, 01 Jan 0001 00:00:00 +0000   Sat, 14 Mar 2026 09:26:00 +0000   KubeletReady   fine\n" +
				"System Info:\n" +
				"  Kubelet Version:  unknown\n",
			"7 node-ready object=Node/a node=a at=2026-03-14T09:26:00Z\n"},
		{"a lease of a node",
			"Name:         a\n" +
				"Namespace:    kube-node-lease\n" +
				"API Version:  coordination.k8s.io/v1\n" +
				"Kind:         Lease\n" +
				"Spec:\n" +
				"  Holder Identity:  a\n" +
				"  Renew Time:       2026-03-14T09:20:00.000000Z\n",
			"7 node-heartbeat object=Lease/kube-node-lease/a node=a at=2026-03-14T09:20:00Z detail=lease\n"},
		{"a lease of the controller",
			"Name:         kube-controller-manager\n" +
				"Namespace:    kube-system\n" +
				"API Version:  coordination.k8s.io/v1\n" +
				"Kind:         Lease\n" +
				"Spec:\n" +
				"  Acquire Time:     2026-03-14T09:00:00.000000Z\n" +
				"  Holder Identity:  m1\n" +
				"  Renew Time:       2026-03-14T09:20:00.000000Z\n",
			"6 leader-acquired object=Lease/kube-system/kube-controller-manager by=kube-controller-manager at=2026-03-14T09:00:00Z de" +
				"tail=m1\n"},
		{"a lease of another",
			"Name:         other\n" +
				"Namespace:    kube-system\n" +
				"API Version:  coordination.k8s.io/v1\n" +
				"Kind:         Lease\n" +
				"Spec:\n" +
				"  Acquire Time:     2026-03-14T09:00:00.000000Z\n",
			""},
		{"a claim",
			"Name:          data\n" +
				"Namespace:     prod\n" +
				"StorageClass:  fast\n" +
				"Status:        Bound\n" +
				"Volume:        pv-1\n" +
				"Access Modes:  RWO\n" +
				"Used By:       db-0\n" +
				"               db-1\n",
			"5 volume-bound pv=pv-1 object=PersistentVolumeClaim/prod/data pods=Pod/prod/db-0,Pod/prod/db-1 claim=PersistentVolumeCla" +
				"im/prod/data access=ReadWriteOnce detail=Bound\n"},
		{"a claim of no volume",
			"Name:          data\n" +
				"Namespace:     prod\n" +
				"StorageClass:  fast\n" +
				"Status:        Pending\n" +
				"Volume:\n" +
				"Used By:       <none>\n",
			"4 object-shown object=PersistentVolumeClaim/prod/data claim=PersistentVolumeClaim/prod/data detail=Pending\n"},
		{"a volume",
			"Name:            pv-1\n" +
				"Reclaim Policy:  Delete\n" +
				"Status:          Bound\n" +
				"Claim:           prod/data\n" +
				"Access Modes:    RWO\n" +
				"Source:\n" +
				"    Type:              CSI\n" +
				"    Driver:            ebs.csi.aws.com\n" +
				"    VolumeHandle:      vol-1\n",
			"4 volume-bound pv=pv-1 unique=kubernetes.io/csi/ebs.csi.aws.com^vol-1 object=PersistentVolume/pv-1 claim=PersistentVolum" +
				"eClaim/prod/data access=ReadWriteOnce detail=Bound\n"},
		{"an inline attachment",
			"Name:         csi-1\n" +
				"Namespace:\n" +
				"API Version:  storage.k8s.io/v1\n" +
				"Kind:         VolumeAttachment\n" +
				"Metadata:\n" +
				"  Creation Timestamp:  2026-03-14T09:26:53Z\n" +
				"Spec:\n" +
				"  Attacher:   ebs.csi.aws.com\n" +
				"  Node Name:  a\n" +
				"  Source:\n" +
				"    Inline Volume Spec:\n" +
				"      Csi:\n" +
				"        Driver:         ebs.csi.aws.com\n" +
				"        Volume Handle:  vol-1\n" +
				"Status:\n" +
				"  Attached:  false\n" +
				"  Attach Error:\n" +
				"    Message:  it broke\n" +
				"    Time:     2026-03-14T09:27:00Z\n",
			"6 attachment-created unique=kubernetes.io/csi/ebs.csi.aws.com^vol-1 object=VolumeAttachment/csi-1 node=a attachment=csi-" +
				"1 attacher=ebs.csi.aws.com at=2026-03-14T09:26:53Z\n" +
				"16 attachment-pending unique=kubernetes.io/csi/ebs.csi.aws.com^vol-1 object=VolumeAttachment/csi-1 node=a attachment=csi" +
				"-1 attacher=ebs.csi.aws.com\n" +
				"18 attachment-attach-error unique=kubernetes.io/csi/ebs.csi.aws.com^vol-1 object=VolumeAttachment/csi-1 node=a attachmen" +
				"t=csi-1 attacher=ebs.csi.aws.com at=2026-03-14T09:27:00Z detail=it broke\n"},
		{"a detach error of no message",
			"Name:         csi-1\n" +
				"API Version:  storage.k8s.io/v1\n" +
				"Kind:         VolumeAttachment\n" +
				"Metadata:\n" +
				"  Annotations:  csi.alpha.kubernetes.io/node-id: a\n" +
				"Status:\n" +
				"  Attached:  true\n" +
				"  Detach Error:\n" +
				"    Time:     2026-03-14T09:27:00Z\n",
			"7 attachment-attached object=VolumeAttachment/csi-1 node=a attachment=csi-1\n" +
				"9 attachment-detach-error object=VolumeAttachment/csi-1 node=a attachment=csi-1 at=2026-03-14T09:27:00Z\n"},
		{"a node by a machine's identifier",
			"Name:         csi-1\n" +
				"API Version:  storage.k8s.io/v1\n" +
				"Kind:         VolumeAttachment\n" +
				"Metadata:\n" +
				"  Annotations:  csi.alpha.kubernetes.io/node-id: i-0123456789abcdef0\n" +
				"Status:\n" +
				"  Attached:  true\n",
			"7 attachment-attached object=VolumeAttachment/csi-1 attachment=csi-1\n"},
		{"an answer",
			"$ kubectl get pod db-0 -n prod -o jsonpath='{.spec.nodeName}'\n" +
				"a\n",
			"2 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n"},
		{"a phase",
			"$ kubectl get pod db-0 -n prod -o jsonpath='{.status.phase}'\n" +
				"Running\n",
			"2 object-shown object=Pod/prod/db-0 detail=Running\n"},
		{"a field of its own",
			"$ kubectl get pv pv-1 -o jsonpath='{.spec.storageClassName}'\n" +
				"fast\n",
			"2 object-shown object=PersistentVolume/pv-1 detail=storageClassName=fast\n"},
		{"the answer of a node's condition",
			"$ kubectl get node a -o jsonpath='{.status.conditions[?(@.type==\"Ready\")].status}'\n" +
				"Unknown\n",
			"2 node-not-ready object=Node/a node=a detail=Unknown\n"},
		{"an answer that is no value",
			"$ kubectl get pv pv-1 -o jsonpath='{.spec.storageClassName}'\n" +
				"{\"a\": 1}\n",
			""},
		{"columns of a template",
			"$ kubectl get volumeattachments -o custom-columns=A:.metadata.name,B:.spec.source.persistentVolumeName,C:.spec.nodeName," +
				"D:.status.attached\n" +
				"A       B      C   D\n" +
				"csi-1   pv-1   a   true\n",
			"3 attachment-created pv=pv-1 object=VolumeAttachment/csi-1 node=a attachment=csi-1\n" +
				"3 attachment-attached pv=pv-1 object=VolumeAttachment/csi-1 node=a attachment=csi-1\n"},
		{"lines of a range",
			"$ kubectl get pods -n prod -o jsonpath='{range .items[*]}{.metadata.name}{\"\\t\"}{.spec.nodeName}{\"\\n\"}{end}'\n" +
				"db-0\ta\n",
			"2 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a\n"},
		{"a command over two lines",
			"$ kubectl get pod \\\n" +
				"  db-0 -o jsonpath='{.status.phase}'\n" +
				"Running\n",
			"3 object-shown object=Pod/db-0 detail=Running\n"},
		{"an event of a program",
			"2024-02-01T10:00:00Z\tDEBUG\tevents\tMulti-Attach error for volume \"pv\" Volume is already used by pod(s) a\t{\"type\": \"Warnin" +
				"g\", \"object\": {\"kind\":\"Pod\",\"namespace\":\"prod\",\"name\":\"db-0\"}, \"reason\": \"FailedAttachVolume\"}\n",
			"1 multi-attach pv=pv variant=used-by-pods object=Pod/prod/db-0 pod=Pod/prod/db-0 pods=Pod/prod/a at=2024-02-01T10:00:00Z\n"},
		{"of an older one",
			"1.6783916437612605e+09\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\",\"namespace\":\"prod\",\"name\":\"db-0\"}, \"reason\": \"Faile" +
				"dAttachVolume\", \"message\": \"Multi-Attach error for volume \\\"pv\\\" Volume is already used by pod(s) a\"}\n",
			"1 multi-attach pv=pv variant=used-by-pods object=Pod/prod/db-0 pod=Pod/prod/db-0 pods=Pod/prod/a at=2023-03-09T19:54:03." +
				"76126Z\n"},
		{"of one that repeats it",
			"1678391643\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"StatefulSet\",\"namespace\":\"prod\",\"name\":\"db\"}, \"reason\": \"FailedAttac" +
				"hVolume\", \"message\": \"Reissued from pod/db-0: Multi-Attach error for volume \\\"pv\\\" Volume is already used by pod(s) a\"}\n",
			"1 multi-attach pv=pv variant=used-by-pods object=Pod/prod/db-0 pod=Pod/prod/db-0 pods=Pod/prod/a at=2023-03-09T19:54:03Z\n"},
		{"of no object",
			"1678391643\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\"}, \"reason\": \"FailedAttachVolume\", \"message\": \"Multi-Attach erro" +
				"r for volume \\\"pv\\\" Volume is already used by pod(s) a\"}\n",
			"1 multi-attach pv=pv variant=used-by-pods pods=Pod/a\n"},
		{"of no reason",
			"1678391643\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\",\"name\":\"db-0\"}, \"message\": \"AttachVolume.Attach succeeded\"}\n",
			""},
		{"of another century",
			"4100000000\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\",\"name\":\"db-0\"}, \"reason\": \"FailedAttachVolume\", \"message\": \"Mul" +
				"ti-Attach error for volume \\\"pv\\\" Volume is already used by pod(s) a\"}\n",
			"1 multi-attach pv=pv variant=used-by-pods pods=Pod/a\n"},
		{"events that are wide",
			"LAST SEEN   TYPE      REASON               OBJECT     SUBOBJECT   SOURCE                    MESSAGE                     " +
				"                                FIRST SEEN   COUNT   NAME\n" +
				"5m          Warning   FailedAttachVolume   pod/db-0               attachdetach-controller   Multi-Attach error for volum" +
				"e \"pv\" Volume is already used by pod(s) a   9m           3       db-0.17a\n",
			"2 multi-attach pv=pv variant=used-by-pods object=Pod/db-0 pod=Pod/db-0 pods=Pod/a by=attachdetach-controller age=539..60" +
				"0s count=3 last= lastAge=299..360s\n"},
		{"rows of several sources",
			"Events:\n" +
				"  Type     Reason              Age    From                     Message\n" +
				"  ----     ------              ----   ----                     -------\n" +
				"  Normal   Scheduled           5m     default-scheduler        Successfully assigned prod/db-0 to a\n" +
				"  Warning  FailedAttachVolume  4m     attachdetach-controller  Multi-Attach error for volume \"pv\" Volume is already used" +
				" by pod(s) b\n" +
				"  Warning  FailedMount         3m     kubelet, a               Unable to attach or mount volumes: unmounted volumes=[data]\n",
			"4 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a by=default-scheduler age=299..360s\n" +
				"5 multi-attach pv=pv variant=used-by-pods object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a pods=Pod/prod/b by=attachdetach-" +
				"controller age=239..300s\n" +
				"6 mount-failed object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a by=kubelet age=179..240s detail=Unable to attach or mount v" +
				"olumes: unmounted volumes=[data]\n"},
		{"rows of two nodes",
			"Events:\n" +
				"  Type     Reason              Age    From                     Message\n" +
				"  ----     ------              ----   ----                     -------\n" +
				"  Normal   Scheduled           5m     default-scheduler        Successfully assigned prod/db-0 to a\n" +
				"  Normal   Scheduled           4m     default-scheduler        Successfully assigned prod/db-0 to b\n" +
				"  Warning  FailedAttachVolume  4m     attachdetach-controller  Multi-Attach error for volume \"pv\" Volume is already used" +
				" by pod(s) b\n",
			"4 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=a by=default-scheduler age=299..360s\n" +
				"5 pod-scheduled object=Pod/prod/db-0 pod=Pod/prod/db-0 node=b by=default-scheduler age=239..300s\n" +
				"6 multi-attach pv=pv variant=used-by-pods object=Pod/prod/db-0 pod=Pod/prod/db-0 pods=Pod/prod/b by=attachdetach-control" +
				"ler age=239..300s\n"},
		{"workloads",
			"NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n" +
				"csi-a   0/0   0   0   5d\n" +
				"\n" +
				"NAMESPACE   NAME                         READY   AGE\n" +
				"kube        statefulset.apps/csi-b       1/2     5d\n" +
				"\n" +
				"NAME   READY   SECRET   AGE\n" +
				"cert   True    tls      5d\n",
			"2 object-shown object=Deployment/csi-a detail=ready=0/0\n" +
				"5 object-shown object=StatefulSet/kube/csi-b detail=ready=1/2\n"},
		{"a name that a narrow line broke",
			"  Warning  FailedAttachVolume  7m   attachdetach-controller  Multi-Attach\n" +
				"error for volume \"pv-0123456789\n" +
				"ab\" Volume is already exclusively attached to one node\n",
			"1 multi-attach pv=pv-0123456789ab variant=exclusively-attached by=attachdetach-controller age=419..480s\n"},
		{"a pod with its kind, without a header",
			"pod/a-0   0/1   Running   0   5d\n" +
				"job/a-0   0/1   Running   0   5d\n",
			"1 pod-created object=Pod/a-0 pod=Pod/a-0 age=431999..518400s\n" +
				"1 pod-not-ready object=Pod/a-0 pod=Pod/a-0 detail=Running\n"},
		{"a workload without a header",
			"deployment.apps/csi-a   0/2   2   0   5d\n" +
				"csi-a   0/2   Running   0   5d\n" +
				"csi-a   0/2   2   0   0   5d\n",
			"1 object-shown object=Deployment/csi-a detail=ready=0/2\n" +
				"2 pod-created object=Pod/csi-a pod=Pod/csi-a age=431999..518400s\n" +
				"2 pod-not-ready object=Pod/csi-a pod=Pod/csi-a detail=Running\n"},
		{"custom columns of instants",
			"NAME                     FIRSTTIMESTAMP         LASTTIMESTAMP          COUNT   REASON               KIND   MESSAGE\n" +
				"db-0.17a0000000000000   2026-03-14T09:00:00Z   2026-03-14T09:10:00Z   3       FailedAttachVolume   Pod    Multi-Attach e" +
				"rror for volume \"pv\" Volume is already used by pod(s) a\n",
			"2 multi-attach pv=pv variant=used-by-pods object=Pod/db-0 pod=Pod/db-0 pods=Pod/a at=2026-03-14T09:00:00Z count=3 last=2" +
				"026-03-14T09:10:00Z lastAge=\n"},
		{"ages the other way round",
			"FIRSTSEEN   LASTSEEN   COUNT   NAME   KIND   SUBOBJECT   TYPE   REASON   SOURCE   MESSAGE\n" +
				"5m   9m   3   db-0   Pod      Warning   FailedAttachVolume   attachdetach-controller   Multi-Attach error for volume \"pv" +
				"\" Volume is already used by pod(s) a\n",
			"2 multi-attach pv=pv variant=used-by-pods object=Pod/db-0 pod=Pod/db-0 pods=Pod/a by=attachdetach-controller age=539..60" +
				"0s count=3 last= lastAge=299..360s\n"},
	} {
		res := Read(strings.NewReader(c.text), "p", Hint{})
		got, _, _ := strings.Cut(told(res), string(res.Input.Kind)+": ")
		if got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.what, got, c.want)
		}
		quotesStand(t, []byte(c.text), res)
	}
}
