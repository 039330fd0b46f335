// Package bundle collects an OpenShift must-gather from a running cluster, and beside it the kubelets' journals and Prometheus' blocks.
package bundle

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

var clusterScoped = []schema.GroupVersionResource{
	resource("", "v1", "nodes"), resource("", "v1", "persistentvolumes"),
	resource("storage.k8s.io", "v1", "volumeattachments"), resource("storage.k8s.io", "v1", "storageclasses"),
	resource("storage.k8s.io", "v1", "csidrivers"), resource("storage.k8s.io", "v1", "csinodes"),
}

var namespaced = []schema.GroupVersionResource{
	resource("", "v1", "configmaps"), resource("", "v1", "events"), resource("", "v1", "persistentvolumeclaims"), resource("", "v1", "pods"),
	resource("", "v1", "services"), resource("apps", "v1", "daemonsets"), resource("apps", "v1", "deployments"),
	resource("apps", "v1", "replicasets"), resource("apps", "v1", "statefulsets"),
	resource("policy", "v1", "poddisruptionbudgets"), resource("coordination.k8s.io", "v1", "leases"),
}

type collector struct {
	*cluster.Cluster
	top, root string
	events    []unstructured.Unstructured
	messages  strings.Builder // what must-gather would have said
}

// Collect writes a bundle of the cluster's present state into dir.
func Collect(c *cluster.Cluster, dir string) error {
	begin := time.Now()
	image := fmt.Sprintf("quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-%x", sha256.Sum256([]byte(c.Name)))
	b := &collector{Cluster: c, top: dir, root: filepath.Join(dir, image)}
	for _, r := range clusterScoped {
		for _, o := range b.list(r, "").Items {
			if err := b.yaml(o.Object, "cluster-scoped-resources", group(r), r.Resource, o.GetName()+".yaml"); err != nil {
				return err
			}
		}
	}
	for _, n := range b.list(resource("", "v1", "namespaces"), "").Items {
		if err := b.namespace(n); err != nil {
			return err
		}
	}
	if err := b.journals(); err != nil {
		return err
	}
	if err := b.blocks(); err != nil {
		return err
	}
	return b.cover(begin)
}

// blocks writes what Prometheus has measured.
func (b *collector) blocks() error {
	dir, err := b.Snapshot()
	if dir == "" || err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(b.root, "monitoring", "prometheus"), os.DirFS(dir))
}

func group(r schema.GroupVersionResource) string {
	if r.Group == "" {
		return "core"
	}
	return r.Group
}

// list leaves out what this version of Kubernetes does not serve, as must-gather does.
func (b *collector) list(r schema.GroupVersionResource, namespace string) *unstructured.UnstructuredList {
	l, err := b.Dynamic.Resource(r).Namespace(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		fmt.Fprintf(&b.messages, "[must-gather      ] OUT error: %s: %v\n", r.Resource, err)
		return new(unstructured.UnstructuredList)
	}
	return l
}

func (b *collector) namespace(n unstructured.Unstructured) error {
	ns := n.GetName()
	if err := b.yaml(n.Object, "namespaces", ns, ns+".yaml"); err != nil {
		return err
	}
	for _, r := range namespaced {
		l := b.list(r, ns)
		if len(l.Items) == 0 {
			continue
		}
		if err := b.yaml(l.UnstructuredContent(), "namespaces", ns, group(r), r.Resource+".yaml"); err != nil {
			return err
		}
		switch r.Resource {
		case "events":
			b.events = append(b.events, l.Items...)
		case "pods":
			for _, p := range l.Items {
				if err := b.pod(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *collector) yaml(o any, path ...string) error {
	y, err := yaml.Marshal(o)
	if err != nil {
		return err
	}
	return b.write(append([]byte("---\n"), y...), path...)
}

func (b *collector) write(content []byte, path ...string) error {
	f := filepath.Join(append([]string{b.root}, path...)...)
	if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
		return err
	}
	return os.WriteFile(f, content, 0o644)
}
