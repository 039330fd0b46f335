package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/volpost/volpost/samples/record/internal/bundle"
	"github.com/volpost/volpost/samples/record/internal/cluster"
	"github.com/volpost/volpost/samples/record/internal/components"
	"github.com/volpost/volpost/samples/record/internal/readme"
	"github.com/volpost/volpost/samples/record/internal/scenario"
	"github.com/volpost/volpost/samples/record/internal/truth"
)

// tolerance is how many seconds pods tolerate a lost node: a tenth of the default, as nothing is learned from waiting.
const tolerance = 30

type recording struct {
	scenario      *scenario.Scenario
	name, version string
	dir, out      string
	verbosity     int
	cluster       *cluster.Cluster
}

func (r *recording) make() error {
	begin := truth.Now()
	n := r.scenario.Needs
	c, err := cluster.New(cluster.Options{Name: r.name, Version: r.version, Workers: cmp.Or(n.Workers, 2), Masters: n.Masters, Zones: n.Zones,
		Tolerance: tolerance, ControllerV: r.verbosity, Controller: n.ControllerFlags, Metrics: n.Metrics, KubeletV: 2}, r.dir, r.out)
	if err != nil {
		return err
	}
	r.cluster = c
	if err := c.Start(); err != nil {
		return err
	}
	t := r.truth(begin)
	if err := (&scenario.Stage{Cluster: c, Truth: t}).Perform(r.scenario); err != nil {
		return err
	}
	c.History.Conclude(t, r.signs)
	if err := bundle.Collect(c, filepath.Join(r.out, "bundle")); err != nil {
		return err
	}
	if err := t.Write(filepath.Join(r.out, "truth.json")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, "README.md"), []byte(readme.Write(r.scenario, t)), 0o644); err != nil {
		return err
	}
	return r.check(t)
}

func (r *recording) truth(begin truth.Time) *truth.Truth {
	parts := map[string]string{"etcd": components.EtcdVersion, "external-attacher": components.AttacherVersion,
		"containerd": components.ContainerdVersion, "runc": output("runc", "--version"), "kernel": output("uname", "-r"), "provisioner": "lab",
		"csi-driver": "gcp-compute-persistent-disk-csi-driver " + components.DriverVersion + " on loop devices"}
	for _, p := range components.Commands {
		parts[p] = r.version
	}
	if r.scenario.Needs.Metrics {
		parts["kube-state-metrics"], parts["prometheus"] = components.StateVersion, output("prometheus", "--version")
	}
	return &truth.Truth{Recording: r.name, Scenario: r.scenario.Name, CauseClass: r.scenario.Class, Description: r.scenario.What,
		Version: r.version, Components: parts,
		ControllerFlags: append([]string{"kube-controller-manager"}, r.cluster.ControllerArgs()...), Tolerance: r.cluster.Tolerance, Begin: begin,
		OperatorActions: []truth.Action{}, Faults: []truth.Action{}, Innocent: []string{}}
}

func output(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

func (r *recording) signs(node string) (lease, status time.Time) {
	n := r.cluster.Node(node)
	return n.LastLease, n.LastStatus
}

// check compares the truth with the API server's audit log, which is kept beside the recording and is no part of the bundle.
func (r *recording) check(t *truth.Truth) error {
	f, err := os.Open(filepath.Join(r.out, "logs", "audit.log"))
	if err != nil {
		return err
	}
	defer f.Close()
	worst, wrong, err := t.Check(f)
	if err != nil {
		return err
	}
	verdict := fmt.Sprintf("truth and audit log: at most %s apart, %d contradictions\n%s\n", worst.Round(time.Millisecond), len(wrong),
		strings.Join(wrong, "\n"))
	fmt.Print(verdict)
	return os.WriteFile(filepath.Join(r.out, "logs", "check.txt"), []byte(verdict), 0o644)
}

// cleanUp stops the cluster. After a failure the nodes' files are kept.
func (r *recording) cleanUp(failed error) {
	if r.cluster == nil {
		return
	}
	r.cluster.Stop()
	if r.cluster.History != nil {
		r.cluster.History.Close()
	}
	if failed == nil {
		os.RemoveAll(r.cluster.Dir)
	}
}
