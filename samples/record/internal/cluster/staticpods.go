package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ControllerArgs are the flags of kube-controller-manager.
func (c *Cluster) ControllerArgs() []string {
	address := "127.0.0.1"
	if c.Metrics {
		address = "0.0.0.0"
	}
	args := append(authArgs("kcm", address), "--use-service-account-credentials=true",
		"--service-account-private-key-file=/etc/kubernetes/pki/sa.key",
		"--root-ca-file=/etc/kubernetes/pki/ca.crt", "--cluster-name=lab", fmt.Sprintf("--v=%d", c.ControllerV))
	return append(args, c.Controller...)
}

func authArgs(user, address string) []string {
	f := "/etc/kubernetes/" + user + ".kubeconfig"
	return []string{"--kubeconfig=" + f, "--authentication-kubeconfig=" + f, "--authorization-kubeconfig=" + f,
		"--bind-address=" + address, "--leader-elect=true"}
}

// staticPods puts controller manager and scheduler onto a master as kubeadm does, so that their logs come through a kubelet.
func (c *Cluster) staticPods(n *Node) error {
	for user, args := range map[string][]string{"kcm": c.ControllerArgs(), "sched": append(authArgs("sched", "127.0.0.1"), "--v=2")} {
		cfg := kubeconfig(user, gateway, "/etc/kubernetes/pki/ca.crt")
		if err := os.WriteFile(filepath.Join(n.dir, "kubernetes", user+".kubeconfig"), cfg, 0o600); err != nil {
			return err
		}
		name := map[string]string{"kcm": "kube-controller-manager", "sched": "kube-scheduler"}[user]
		if err := os.WriteFile(filepath.Join(n.dir, "kubernetes/manifests", name+".yaml"), staticPod(name, c.Version, args), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func staticPod(name, version string, args []string) []byte {
	return fmt.Appendf(nil, `apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: kube-system, labels: {component: %[1]s, tier: control-plane}}
spec:
  hostNetwork: true
  priorityClassName: system-node-critical
  containers:
  - name: %[1]s
    image: lab.example.com/%[1]s:%[2]s
    command: [%[1]s, "%[3]s"]
    resources: {requests: {cpu: 100m}}
    volumeMounts: [{name: kubernetes, mountPath: /etc/kubernetes, readOnly: true}]
  volumes: [{name: kubernetes, hostPath: {path: /etc/kubernetes, type: Directory}}]
`, name, version, strings.Join(args, `", "`))
}
