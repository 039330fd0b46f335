// Package components builds Kubernetes, etcd, containerd, external-attacher, the lab's programs and node images from the Go module proxy.
package components

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// wrapperMod returns a throw-away module's go.mod for Kubernetes' commands: replacements, by own directories, count in a main module only.
func wrapperMod(upstream []byte, version string) ([]byte, error) {
	up, err := modfile.Parse("go.mod", upstream, nil)
	if err != nil {
		return nil, err
	}
	out := new(modfile.File)
	if err := out.AddModuleStmt("lab.example.com/kubernetes"); err != nil {
		return nil, err
	}
	if up.Go != nil {
		if err := out.AddGoStmt(up.Go.Version); err != nil {
			return nil, err
		}
	}
	for _, g := range up.Godebug {
		if err := out.AddGodebug(g.Key, g.Value); err != nil {
			return nil, err
		}
	}
	if err := out.AddRequire("k8s.io/kubernetes", version); err != nil {
		return nil, err
	}
	for _, r := range up.Replace {
		if err := replace(out, r, version); err != nil {
			return nil, err
		}
	}
	out.Cleanup()
	return out.Format()
}

// replace copies a replacement, with published modules for directories. Old pins of golang.org/x do not compile with today's Go.
func replace(out *modfile.File, r *modfile.Replace, version string) error {
	if modfile.IsDirectoryPath(r.New.Path) {
		return out.AddReplace(r.Old.Path, "", r.Old.Path, staging(version))
	}
	if strings.HasPrefix(r.Old.Path, "golang.org/x/") {
		return nil
	}
	return out.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
}

// staging is the version under which Kubernetes' libraries are published: v0.34.3 for v1.34.3.
func staging(version string) string {
	return "v0" + strings.TrimPrefix(version, semver.Major(version))
}

func minor(version string) int {
	var n int
	fmt.Sscanf(strings.TrimPrefix(semver.MajorMinor(version), "v1."), "%d", &n)
	return n
}

// upstreamMod reads the go.mod that Kubernetes was published with.
func upstreamMod(version string) ([]byte, error) {
	if err := module.Check("k8s.io/kubernetes", version); err != nil {
		return nil, err
	}
	cache, err := goOutput("", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	if err := goRun("", "mod", "download", "k8s.io/kubernetes@"+version); err != nil {
		return nil, err
	}
	generated := "pkg/generated/openapi/zz_generated.openapi.go"
	if _, err := os.Stat(filepath.Join(cache, "k8s.io/kubernetes@"+version, generated)); err != nil {
		return nil, fmt.Errorf("Kubernetes %s was published without %s, which its API server needs", version, generated)
	}
	return os.ReadFile(filepath.Join(cache, "cache/download/k8s.io/kubernetes/@v", version+".mod"))
}
