package components

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Registry is the first part of the images' names. There is no such registry.
const Registry = "lab.example.com"

// epoch makes an image the same bytes each time it is built.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// workloads are names of the one workload image: databases and brokers, and two versions for a rollout.
var workloads = []string{"orders-db:1.4.2", "orders-db:1.5.0", "billing-db:1.4.2", "billing-db:1.5.0", "ledger:1.4.2",
	"reports:1.4.2", "cache:1.4.2",
	"frontend:1.4.2", "kafka:1.4.2", "log-index:1.4.2", "virt-launcher:1.4.2"}

// image is one root file system with its names.
type image struct {
	root  *root
	entry []string
	names []string
}

// Images writes DIR/images/worker.tar, which every node imports, and master-<version>.tar with the control plane of one version.
func Images(dir, version string) error {
	bin := func(n ...string) string { return filepath.Join(append([]string{dir, "bin"}, n...)...) }
	app := newRoot().file("app", bin("app")).file("pause", bin("app"))
	driver := newRoot().file("driver", bin("driver"))
	for _, t := range mountTools {
		driver.tool(t)
	}
	var apps []string
	for _, w := range workloads {
		apps = append(apps, Registry+"/"+w)
	}
	if err := archive(filepath.Join(dir, "images", "worker.tar"), []image{
		{app, []string{"/pause"}, []string{Registry + "/pause:3.10"}},
		{app, []string{"/app"}, apps},
		{driver, []string{"/driver"}, []string{Registry + "/gcp-compute-persistent-disk-csi-driver:" + DriverVersion}},
	}); err != nil {
		return err
	}
	return archive(filepath.Join(dir, "images", "master-"+version+".tar"), []image{
		{newRoot().file("usr/bin/kube-controller-manager", bin(version, "kube-controller-manager")), nil,
			[]string{Registry + "/kube-controller-manager:" + version}},
		{newRoot().file("usr/bin/kube-scheduler", bin(version, "kube-scheduler")), nil, []string{Registry + "/kube-scheduler:" + version}},
		{newRoot().file("csi-attacher", bin("csi-attacher")), []string{"/csi-attacher"}, []string{Registry + "/csi-attacher:" + AttacherVersion}},
	})
}

// archive writes the images in the form of `docker save`, which containerd imports.
func archive(file string, images []image) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	var manifest []map[string]any
	layers := map[*root]string{}
	for _, i := range images {
		if layers[i.root] == "" {
			b, err := i.root.layer()
			if err != nil {
				return err
			}
			layers[i.root] = fmt.Sprintf("%x", sha256.Sum256(b))
			put(w, layers[i.root]+"/layer.tar", b)
		}
		layer := layers[i.root]
		config := imageConfig(i.entry, layer)
		name := fmt.Sprintf("%x.json", sha256.Sum256(config))
		put(w, name, config)
		manifest = append(manifest, map[string]any{"Config": name, "RepoTags": i.names, "Layers": []string{layer + "/layer.tar"}})
	}
	b, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	put(w, "manifest.json", b)
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, buf.Bytes(), 0o644)
}

func imageConfig(entry []string, layer string) []byte {
	b, _ := json.Marshal(map[string]any{ // maps of strings: it cannot fail
		"architecture": "amd64", "os": "linux", "created": epoch,
		"config":  map[string]any{"Entrypoint": entry, "Env": []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + layer}},
		"history": []map[string]any{{"created": epoch}},
	})
	return b
}

// put cannot fail: it writes to memory.
func put(w *tar.Writer, name string, b []byte) {
	w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(b)), ModTime: epoch})
	w.Write(b)
}
