package cluster

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
)

//go:embed boot.sh
var bootScript []byte

// Node is one machine: a kubelet, containerd and runc in namespaces and cgroups of their own, with a cable to the cluster's bridge.
type Node struct {
	Name, Zone, IP string
	Master         bool
	// LastLease and LastStatus are what the kubelet had last posted when it was lost: the fault's own traces in the API.
	LastLease, LastStatus time.Time
	// Mute: its kubelet serves no logs.
	Mute bool

	cluster *Cluster
	dir     string
	index   int
	init    int // process id of the node's init, as seen from outside
	boots   int
}

// mounts are the node's own directories, which bootScript mounts at the usual paths.
var mounts = []string{"kubelet", "containerd", "log-pods", "log-containers", "cni/net.d", "kubernetes/manifests",
	"kubernetes/pki", "cnilib", "images"}

func (n *Node) prepare() error {
	for _, d := range mounts {
		if err := os.MkdirAll(filepath.Join(n.dir, d), 0o755); err != nil {
			return err
		}
	}
	if err := n.configure(); err != nil {
		return err
	}
	if err := n.cgroups(); err != nil {
		return err
	}
	c := n.cluster
	images := []string{"worker.tar"}
	if n.Master {
		images = append(images, "master-"+c.Version+".tar")
	}
	for _, i := range images {
		if err := os.Symlink(filepath.Join(c.Images, i), filepath.Join(n.dir, "images", i)); err != nil {
			return err
		}
	}
	_, err := shell("cp %[1]s/ca.crt %[1]s/sa.key %[2]s/kubernetes/pki/", c.Dir, n.dir)
	return err
}

// On boots the machine; it may have been on before.
func (n *Node) On() error {
	n.boots++
	if err := os.WriteFile(filepath.Join(n.dir, "boot_id"), []byte(string(uuid.NewUUID())+"\n"), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("unshare", "-m", "-u", "-i", "-n", "-p", "--fork", "--mount-proc", "bash", filepath.Join(n.dir, "boot.sh"),
		n.dir, n.Name, n.IP, gateway)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(n.cluster.Bin, "containerd")+":"+os.Getenv("PATH"))
	f, err := os.OpenFile(filepath.Join(n.dir, "boot.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	if n.init, err = child(cmd.Process.Pid); err != nil {
		return err
	}
	n.Mute = false
	return n.Plug()
}

// child waits for the first child of a process: unshare's, which is init in the new PID namespace.
func child(pid int) (int, error) {
	for range 100 {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		if f := strings.Fields(string(b)); len(f) > 0 {
			return strconv.Atoi(f[0])
		}
		time.Sleep(50 * time.Millisecond)
	}
	return 0, fmt.Errorf("process %d has no child", pid)
}

// Run executes a script on the node.
func (n *Node) Run(script string, args ...any) (string, error) {
	s := fmt.Sprintf(script, args...)
	out, err := exec.Command("nsenter", "-t", strconv.Itoa(n.init), "-m", "-u", "-i", "-n", "-p", "bash", "-c", s).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("on %s: %s: %w: %s", n.Name, s, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// Dir is where the node keeps its files, seen from outside.
func (n *Node) Dir() string { return n.dir }

// cgroup v1 has a hierarchy for each controller.
var controllers = []string{"cpu", "cpuacct", "cpuset", "memory", "devices", "freezer", "blkio", "pids", "systemd"}

func (n *Node) group() string { return "lab-" + n.cluster.Name + "-" + n.Name }

func (n *Node) cgroups() error {
	for _, s := range controllers {
		if err := os.MkdirAll(filepath.Join("/sys/fs/cgroup", s, n.group()), 0o755); err != nil {
			return err
		}
	}
	// A new cpuset is empty, and nothing can run in an empty one.
	for _, f := range []string{"cpuset.cpus", "cpuset.mems"} {
		b, err := os.ReadFile("/sys/fs/cgroup/cpuset/" + f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join("/sys/fs/cgroup/cpuset", n.group(), f), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// scrap ends the node for good.
func (n *Node) scrap() {
	if n.init != 0 {
		syscall.Kill(n.init, syscall.SIGKILL)
	}
	// runc makes a group in every hierarchy that is mounted, cgroup v2's too. On a busy machine their last processes take seconds to end.
	for range 50 {
		if _, err := shell("find /sys/fs/cgroup/*/%s -depth -type d -exec rmdir {} + 2>/dev/null; ! ls -d /sys/fs/cgroup/*/%[1]s", n.group()); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}
