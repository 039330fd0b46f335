package bundle

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// pod writes a pod's object and, through its node's kubelet, its logs. The logs of a lost node cannot be had, here as in a cluster.
func (b *collector) pod(o unstructured.Unstructured) error {
	dir := filepath.Join("namespaces", o.GetNamespace(), "pods", o.GetName())
	if err := b.yaml(o.Object, dir, o.GetName()+".yaml"); err != nil {
		return err
	}
	p, err := b.Admin.CoreV1().Pods(o.GetNamespace()).Get(context.Background(), o.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil // it went away just now
	}
	for _, c := range p.Spec.Containers {
		if err := b.container(p, c.Name, filepath.Join(dir, c.Name, c.Name, "logs")); err != nil {
			return err
		}
	}
	return nil
}

func (b *collector) container(p *v1.Pod, name, dir string) error {
	current, err := b.log(p, name, false)
	if err != nil {
		fmt.Fprintf(&b.messages, "[must-gather      ] OUT error: unable to retrieve container logs of %s/%s/%s: %v\n",
			p.Namespace, p.Name, name, err)
		return nil
	}
	if err := b.write(current, dir, "current.log"); err != nil {
		return err
	}
	previous, err := b.log(p, name, true)
	if err != nil {
		return nil // most containers have no earlier one
	}
	return b.write(previous, dir, "previous.log")
}

func (b *collector) log(p *v1.Pod, container string, previous bool) ([]byte, error) {
	if n := b.Node(p.Spec.NodeName); n != nil && n.Mute {
		return nil, fmt.Errorf("Get \"https://%s:10250/containerLogs/%s/%s/%s\": dial tcp %s:10250: i/o timeout", n.IP,
			p.Namespace, p.Name, container, n.IP)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return b.Admin.CoreV1().Pods(p.Namespace).
		GetLogs(p.Name, &v1.PodLogOptions{Container: container, Previous: previous, Timestamps: true}).DoRaw(ctx)
}
