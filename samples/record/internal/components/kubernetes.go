package components

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Commands are the programs of Kubernetes that a cluster of the lab runs.
var Commands = []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl"}

// oldest is the last minor version whose pins of golang.org/x must be raised to compile with today's Go.
const oldest = 28

// Kubernetes builds the commands of one version into dir/bin/<version>.
func Kubernetes(dir, version string) error {
	src := filepath.Join(dir, "build", version)
	if _, err := os.Stat(filepath.Join(src, "go.mod")); err != nil {
		if err := wrap(src, version); err != nil {
			return err
		}
	}
	for _, c := range Commands {
		b := binary{dir: src, pkg: "k8s.io/kubernetes/cmd/" + c, out: filepath.Join(dir, "bin", version, c), values: versionValues(version)}
		if err := b.build(); err != nil {
			return err
		}
	}
	return nil
}

func wrap(src, version string) error {
	upstream, err := upstreamMod(version)
	if err != nil {
		return err
	}
	mod, err := wrapperMod(upstream, version)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(src, 0o755); err != nil {
		return err
	}
	file := filepath.Join(src, "go.mod")
	if err := os.WriteFile(file, mod, 0o644); err != nil {
		return err
	}
	if minor(version) > oldest {
		return nil
	}
	if err := goRun(src, "get", "golang.org/x/sys@v0.31.0", "golang.org/x/net@v0.38.0", "golang.org/x/tools@v0.31.0"); err != nil {
		os.Remove(file) // or the next run would take it for a finished one
		return err
	}
	return nil
}

// versionValues makes the binaries report the version that they are of; a plain build reports v0.0.0-master.
func versionValues(version string) map[string]string {
	m := map[string]string{}
	for _, p := range []string{"k8s.io/component-base/version.", "k8s.io/client-go/pkg/version."} {
		m[p+"gitVersion"] = version
		m[p+"gitMajor"] = strings.TrimPrefix(version[:2], "v")
		m[p+"gitMinor"] = strconv.Itoa(minor(version))
		m[p+"gitTreeState"] = "clean"
	}
	return m
}
