package scenario

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

// virtLauncher is a pod as KubeVirt makes them: without a controller, it ends when its machine has moved on.
const virtLauncher = `apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: shop, labels: {app: vm-orders, kubevirt.io: virt-launcher, vm.kubevirt.io/name: vm-orders}}
spec:
  restartPolicy: Never
  nodeName: ""
  nodeSelector: {kubernetes.io/hostname: %[2]s}
  containers:
  - name: compute
    image: %[3]s/virt-launcher:1.4.2
    args: ["-data=/var/lib/data/journal"%[4]s]
    resources: {requests: {cpu: 50m, memory: 64Mi}}
    volumeMounts: [{name: disk, mountPath: /var/lib/data}]
  volumes: [{name: disk, persistentVolumeClaim: {claimName: vm-orders-disk}}]
`

const vmDisk = `---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: vm-orders-disk, namespace: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: balanced, resources: {requests: {storage: 20Gi}}}
`

func launcher(name, node, life string) string {
	if life != "" {
		life = `, "-life=` + life + `"`
	}
	return fmt.Sprintf(virtLauncher, name, node, cluster.Registry, life)
}

var virtualMachine = &Scenario{
	Name: "virtual-machine", Class: "slow-termination",
	Title: "A virtual machine moves: two virt-launcher pods, one ReadWriteOnce disk",
	What: "two bare pods named as KubeVirt names them; the second is made on another node while the first still runs; " +
		"the first ends by itself a minute later",
	Notice: "What a reader should see: a wait that lasted as long as the first pod ran, and that ended when its containers had ended. The " +
		"first pod is Completed and still there: it does not hold the volume any more. Neither pod has a controller.",
	Believed: []string{
		`"A Completed pod must be deleted to free its volume." The controller counts pods whose containers run.`,
		`"A live migration works on ReadWriteOnce." It needs both nodes at once: with one it is a restart.`,
	},
	Play: func(s *Stage) {
		s.must(s.Apply(launcher("virt-launcher-vm-orders-7xk2p", "worker-0", "150s") + vmDisk))
		s.needReady(shop, "vm-orders", 1)
		s.sleep(60 * time.Second)
		s.must(s.Apply(launcher("virt-launcher-vm-orders-q9d4m", "worker-1", "")))
		s.fault("a second virt-launcher pod is made", "worker-1")
		s.reported(1)
		s.moved("vm-orders", "worker-0", 6*time.Minute)
	},
}
