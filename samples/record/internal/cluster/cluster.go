// Package cluster runs a Kubernetes cluster of real components on this machine: etcd and the API server as processes, all else as pods on
// nodes with their own kubelet, container runtime, namespaces, cgroups and cable. It needs root and a network namespace of its own.
package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/volpost/volpost/samples/record/internal/truth"
)

// Options say how a cluster differs from the usual one.
type Options struct {
	Name        string // of the recording; part of paths and cgroups
	Version     string // of Kubernetes
	Tolerance   int    // seconds that a pod tolerates a lost node
	Workers     int
	Masters     int      // more than one: a controller manager on each
	Zones       []string // of the workers, in turn; one zone if empty
	ControllerV int      // -v of kube-controller-manager
	Controller  []string // more of its flags
	Metrics     bool     // kube-state-metrics and Prometheus run beside it
	KubeletV    int
}

// Cluster is a running control plane with its nodes.
type Cluster struct {
	Options
	Dir     string // scratch: certificates, sockets, disks, node directories
	Logs    string // what is kept of the processes beside the recording
	Bin     string // binaries of every version
	Images  string
	Admin   *kubernetes.Clientset
	Dynamic dynamic.Interface
	Watch   informers.SharedInformerFactory
	History *truth.History
	Nodes   []*Node

	procs []*process
	users map[string]string
}

// The cluster is alone in its network namespace, so that every cluster has the same addresses.
const (
	gateway = "10.0.128.1"
	apiPort = "6443"
	region  = "europe-west1"
)

// Home is the zone of the masters, and of the workers if no other is given.
const Home = region + "-b"

// New prepares a cluster below dir and starts nothing.
func New(o Options, dir, recording string) (*Cluster, error) {
	c := &Cluster{
		Options: o,
		Dir:     filepath.Join(dir, "run", o.Name),
		Logs:    filepath.Join(recording, "logs"),
		Bin:     filepath.Join(dir, "bin"),
		Images:  filepath.Join(dir, "images"),
	}
	for _, d := range []string{c.Dir, recording} {
		if err := os.RemoveAll(d); err != nil {
			return nil, err
		}
	}
	for _, d := range []string{c.Dir + "/cloud", c.Dir + "/csi", c.Logs} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	c.plan()
	return c, nil
}

// plan lays out the nodes; nothing of them exists yet.
func (c *Cluster) plan() {
	add := func(name, zone string, master bool) {
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, &Node{Name: name, Zone: zone, Master: master, IP: fmt.Sprintf("10.0.128.%d", 10+i), index: i,
			cluster: c, dir: filepath.Join(c.Dir, "nodes", name)})
	}
	for i := range max(1, c.Masters) {
		add(fmt.Sprintf("master-%d", i), Home, true)
	}
	for i := range c.Workers {
		zone := Home
		if len(c.Zones) > 0 {
			zone = c.Zones[i%len(c.Zones)]
		}
		add(fmt.Sprintf("worker-%d", i), zone, false)
	}
}

// Start brings the cluster up: after it the API server answers and the nodes are booting.
func (c *Cluster) Start() error {
	for _, f := range []func() error{c.network, c.certificates, c.accounts, c.controlPlane, c.connect, c.inventory, c.metrics} {
		if err := f(); err != nil {
			return err
		}
	}
	for _, n := range c.Nodes {
		if err := n.prepare(); err != nil {
			return err
		}
		if n.Master {
			if err := c.staticPods(n); err != nil {
				return err
			}
		}
		if err := n.On(); err != nil {
			return err
		}
	}
	return nil
}

// network makes the bridge that the nodes are plugged into, and the directories over which every node mounts its own.
func (c *Cluster) network() error {
	_, err := shell(`sysctl -qw fs.inotify.max_user_instances=4096 fs.inotify.max_user_watches=1048576
ip link set lo up
ip link add br0 type bridge
ip addr add %s/24 dev br0
ip link set br0 up
echo 1 > /proc/sys/net/ipv4/ip_forward
mkdir -p /var/lib/kubelet /var/lib/containerd /var/log/pods /var/log/containers /etc/cni /etc/kubernetes /var/lib/cni`, gateway)
	return err
}

// connect makes the recorder's own clients and starts watching.
func (c *Cluster) connect() error {
	cfg := c.config("recorder", "recorder")
	var err error
	if c.Admin, err = kubernetes.NewForConfig(cfg); err != nil {
		return err
	}
	if c.Dynamic, err = dynamic.NewForConfig(cfg); err != nil {
		return err
	}
	c.Watch = informers.NewSharedInformerFactory(c.Admin, 0)
	c.History, err = truth.Watch(c.Watch, filepath.Join(c.Logs, "watch.jsonl.gz"))
	return err
}

// Node finds a node by name.
func (c *Cluster) Node(name string) *Node {
	for _, n := range c.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Stop ends every process of the cluster and gives its loop devices back.
func (c *Cluster) Stop() {
	for _, n := range c.Nodes {
		n.scrap()
	}
	for i := len(c.procs) - 1; i >= 0; i-- {
		c.procs[i].stop(10 * time.Second)
	}
	shell(`for f in %s/cloud/*.img; do losetup -j "$f" | cut -d: -f1 | xargs -r losetup -d; done; true`, c.Dir)
	unlink(filepath.Join(c.Dir, "cloud"), "/dev/disk/by-id")
	c.procs = nil
}

// unlink removes the names that the driver gave to the devices of the cluster's disks, and the directories that are empty then.
func unlink(cloud, byID string) {
	disks, _ := filepath.Glob(filepath.Join(cloud, "*.img")) // the pattern is no bad one
	for _, d := range disks {
		os.Remove(filepath.Join(byID, "google-"+strings.TrimSuffix(filepath.Base(d), ".img")))
	}
	if os.Remove(byID) == nil {
		os.Remove(filepath.Dir(byID))
	}
}
