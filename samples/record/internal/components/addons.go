package components

import (
	"os"
	"path/filepath"
)

// The versions of what is not Kubernetes. They are raised by hand: a recording names them.
const (
	EtcdVersion       = "v3.5.21"
	ContainerdVersion = "v2.2.9"
	AttacherVersion   = "v4.12.0"
	DriverVersion     = "v1.28.1"
	StateVersion      = "v2.18.0" // of kube-state-metrics
)

const etcdMain = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`

// Addons builds etcd, containerd, external-attacher and kube-state-metrics into dir/bin.
func Addons(dir string) error {
	for _, f := range []func(string) error{etcd, containerd, attacher, stateMetrics} {
		if err := f(dir); err != nil {
			return err
		}
	}
	return nil
}

// etcd is built from a main of our own: the module that holds its main cannot be required by another module.
func etcd(dir string) error {
	src := filepath.Join(dir, "build", "etcd")
	if err := scratch(src, "etcd", "go.etcd.io/etcd/server/v3", EtcdVersion); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(src, "main.go"), []byte(etcdMain), 0o644); err != nil {
		return err
	}
	return binary{dir: src, pkg: ".", out: filepath.Join(dir, "bin", "etcd")}.build()
}

// containerd is newer than Debian's, which the kubelet of v1.36 and later refuses.
func containerd(dir string) error {
	const mod = "github.com/containerd/containerd/v2"
	src := filepath.Join(dir, "build", "containerd")
	if err := scratch(src, "containerd", mod, ContainerdVersion); err != nil {
		return err
	}
	for _, c := range []string{"containerd", "containerd-shim-runc-v2", "ctr"} {
		b := binary{dir: src, pkg: mod + "/cmd/" + c, out: filepath.Join(dir, "bin", "containerd", c),
			values: map[string]string{mod + "/version.Version": ContainerdVersion}}
		if err := b.build(); err != nil {
			return err
		}
	}
	return nil
}

func attacher(dir string) error {
	const mod = "github.com/kubernetes-csi/external-attacher/v4"
	src := filepath.Join(dir, "build", "attacher")
	if err := scratch(src, "attacher", mod, AttacherVersion); err != nil {
		return err
	}
	return binary{dir: src, pkg: mod + "/cmd/csi-attacher", out: filepath.Join(dir, "bin", "csi-attacher"),
		values: map[string]string{"main.version": AttacherVersion}}.build()
}

func stateMetrics(dir string) error {
	const mod = "k8s.io/kube-state-metrics/v2"
	src := filepath.Join(dir, "build", "kube-state-metrics")
	if err := scratch(src, "kube-state-metrics", mod, StateVersion); err != nil {
		return err
	}
	return binary{dir: src, pkg: mod, out: filepath.Join(dir, "bin", "kube-state-metrics"),
		values: map[string]string{"github.com/prometheus/common/version.Version": StateVersion}}.build()
}

// Tools builds the lab's own programs, from its module in src.
func Tools(dir, src string) error {
	for _, c := range []string{"app", "driver", "record"} {
		out := filepath.Join(dir, "bin", c)
		if err := goRun(src, "build", "-ldflags", "-s -w", "-o", out, "./cmd/"+c); err != nil {
			return err
		}
	}
	return nil
}
