package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PowerOff ends every process of the node at once.
func (n *Node) PowerOff() {
	syscall.Kill(n.init, syscall.SIGKILL)
	n.init = 0
	n.lost()
}

// Unplug takes the node off the network; everything on it runs on.
func (n *Node) Unplug() error {
	_, err := shell("ip link set v%d down", n.index)
	n.lost()
	return err
}

// Plug connects the node, for the first time or again.
func (n *Node) Plug() error {
	n.Mute = false
	if n.boots > 0 && n.cabled() {
		_, err := shell("ip link set v%d up", n.index)
		return err
	}
	_, err := shell(`ip link del v%[1]d 2>/dev/null
set -e
ip link add v%[1]d type veth peer name eth0 netns %[2]d
ip link set v%[1]d master br0 up`, n.index, n.init)
	return err
}

// cabled: the other end of a cable goes with the namespace that it is in.
func (n *Node) cabled() bool {
	out, _ := shell("nsenter -t %d -n ip -o link show eth0 2>/dev/null; true", n.init)
	return out != ""
}

// StopKubelet freezes the kubelet; containers run on.
func (n *Node) StopKubelet() error {
	err := n.signal("STOP")
	n.lost()
	return err
}

// ResumeKubelet lets a frozen kubelet run on.
func (n *Node) ResumeKubelet() error {
	n.Mute = false
	return n.signal("CONT")
}

// RestartKubelet ends the kubelet, frozen or not; init starts another.
func (n *Node) RestartKubelet() error {
	n.Mute = false
	return n.signal("KILL")
}

func (n *Node) signal(s string) error {
	_, err := n.Run(`kill -%s "$(cat %s)"`, s, filepath.Join(n.dir, "kubelet.pid"))
	return err
}

// Crash kills a program on the node; the kubelet starts its container again. Linux keeps only 15 characters of a program's name.
func (n *Node) Crash(program string) error {
	_, err := n.Run("kill -KILL $(pgrep -x %s)", program[:min(15, len(program))])
	return err
}

// lost notes what the kubelet had posted last. What was on its way when the fault struck gets half a second to arrive.
func (n *Node) lost() {
	n.Mute = true
	time.Sleep(500 * time.Millisecond)
	api, ctx := n.cluster.Admin, context.Background()
	if l, err := api.CoordinationV1().Leases("kube-node-lease").Get(ctx, n.Name, metav1.GetOptions{}); err == nil && l.Spec.RenewTime != nil {
		n.LastLease = l.Spec.RenewTime.Time
	}
	o, err := api.CoreV1().Nodes().Get(ctx, n.Name, metav1.GetOptions{})
	if err != nil {
		return
	}
	for _, c := range o.Status.Conditions {
		if c.Type == v1.NodeReady {
			n.LastStatus = c.LastHeartbeatTime.Time
		}
	}
}

// Hold makes a foreign process keep a volume of the pod busy, as a backup agent or forgotten shell does. The returned function ends it.
func (n *Node) Hold(p *v1.Pod, volume string) (pid string, release func() error, err error) {
	dir := filepath.Join("/var/lib/kubelet/pods", string(p.UID), "volumes/kubernetes.io~csi", volume, "mount")
	pid, err = n.Run("cd %s && { setsid bash -c 'exec -a backup-agent sleep 100000' </dev/null >/dev/null 2>&1 & echo $!; }", dir)
	return pid, func() error { _, err := n.Run("kill -KILL %s", pid); return err }, err
}

// Cloud is what the CSI driver's cloud is set to do wrong.
type Cloud struct{ dir string }

// Cloud returns the switches of the played cloud.
func (c *Cluster) Cloud() Cloud { return Cloud{filepath.Join(c.Dir, "cloud")} }

// RefuseDetach makes every detach fail with this text; the empty text ends it.
func (c Cloud) RefuseDetach(text string) error { return c.set("refuse-detach", text) }

// RefuseAttach makes every attach fail with this text, as one without the permission; the empty text ends it.
func (c Cloud) RefuseAttach(text string) error { return c.set("refuse-attach", text) }

// SlowDetach makes every detach take this long.
func (c Cloud) SlowDetach(d time.Duration) error { return c.set("slow-detach", d.String()) }

// Detach takes a disk from a node at the cloud, past Kubernetes. It is done before the cloud answers the next call.
func (c Cloud) Detach(disk, node string) error { return c.set("detach", disk+" "+node) }

func (c Cloud) set(name, value string) error {
	f := filepath.Join(c.dir, name)
	if strings.TrimSpace(value) == "" {
		return os.Remove(f)
	}
	return os.WriteFile(f, []byte(value), 0o644)
}
