package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/volpost/volpost/samples/record/internal/components"
)

// Registry is the first part of every image's name. No such registry exists: the images are imported on each node and never pulled.
const Registry = components.Registry

const containerdConfig = `version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.snapshotter.v1.erofs"]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd/opt"
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "` + Registry + `/pause:3.10"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
  enable_unprivileged_ports = false
  enable_unprivileged_icmp = false
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      SystemdCgroup = false
`

// kubeletConfig suits the lab's machine: cgroup v1, no right to lower an OOM score, a disk that nodes share.
const kubeletConfig = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
cgroupRoot: /%[1]s
cgroupsPerQOS: true
enforceNodeAllocatable: [none]
failSwapOn: false
oomScoreAdj: 0
staticPodPath: /etc/kubernetes/manifests
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
evictionHard: {memory.available: 50Mi, nodefs.available: 1%%, imagefs.available: 1%%}
providerID: gce://lab-project/%[2]s/%[3]s
readOnlyPort: 0
`

const network = `{"cniVersion": "0.4.0", "name": "lab", "plugins": [{"type": "ptp", "ipMasq": false,
  "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.88.%d.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
`

// configure writes the node's files in /etc/kubernetes and /etc/cni and the command that starts its kubelet.
func (n *Node) configure() error {
	cfg := fmt.Sprintf(kubeletConfig, n.group(), n.Zone, n.Name)
	if n.Master {
		cfg += "registerWithTaints:\n- {key: node-role.kubernetes.io/control-plane, effect: NoSchedule}\n"
	}
	if n.atLeast("v1.31") {
		cfg += "failCgroupV1: false\n"
	}
	files := []struct {
		name string
		text string
		mode os.FileMode
	}{
		{"boot.sh", string(bootScript), 0o755},
		{"cni/net.d/10-lab.conflist", fmt.Sprintf(network, n.index), 0o644},
		{"kubernetes/containerd.toml", containerdConfig, 0o644},
		{"kubernetes/kubelet.yaml", cfg, 0o644},
		{"kubernetes/kubelet.kubeconfig", string(kubeconfig("node-"+n.Name, gateway, "/etc/kubernetes/pki/ca.crt")), 0o600},
		{"start-kubelet", n.startKubelet(), 0o755},
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(n.dir, f.name), []byte(f.text), f.mode); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) startKubelet() string {
	args := []string{n.cluster.Command("kubelet"), "--config=/etc/kubernetes/kubelet.yaml", "--kubeconfig=/etc/kubernetes/kubelet.kubeconfig",
		"--hostname-override=" + n.Name, "--node-ip=" + n.IP, "--node-labels=" + n.labels(), "--root-dir=/var/lib/kubelet",
		"--container-runtime-endpoint=unix:///run/containerd/containerd.sock", fmt.Sprintf("-v=%d", n.cluster.KubeletV)}
	if !n.atLeast("v1.24") {
		args = append(args, "--container-runtime=remote") // the default was Docker
	}
	return "#!/bin/sh\nexec " + strings.Join(args, " ") + "\n"
}

func (n *Node) labels() string {
	pool := "apps"
	if n.Master {
		pool = "infra"
	}
	return strings.Join([]string{"topology.kubernetes.io/region=" + region, "topology.kubernetes.io/zone=" + n.Zone,
		"node.kubernetes.io/instance-type=n2-standard-4", "lab.example.com/pool=" + pool}, ",")
}

func (n *Node) atLeast(version string) bool { return semver.Compare(n.cluster.Version, version) >= 0 }
