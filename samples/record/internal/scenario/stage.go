package scenario

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/volpost/volpost/samples/record/internal/cluster"
	"github.com/volpost/volpost/samples/record/internal/truth"
)

// Stage is what a scenario acts on: the cluster, and the truth in which each act is written down.
type Stage struct {
	*cluster.Cluster
	Truth *truth.Truth
}

// taint is the taint that says that a machine is off.
func (s *Stage) taint(node string) {
	s.kubectl("taint", "node", node, "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")
}

// failed ends a recording that cannot become what it should be. The recorder stops the cluster.
type failed struct{ error }

func (s *Stage) must(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// Perform plays a scenario and returns an error if it could not be played.
func (s *Stage) Perform(sc *Scenario) (err error) {
	defer func() {
		if f, ok := recover().(failed); ok {
			err = f.error
		}
	}()
	s.setup()
	sc.Play(s)
	return nil
}

// Say writes a line of the recorder's own log.
func Say(format string, args ...any) {
	fmt.Fprintln(os.Stdout, time.Now().UTC().Format("15:04:05.000"), fmt.Sprintf(format, args...))
}

// kubectl is an act of the operator. A call that failed and changed nothing is a note: it was no act.
func (s *Stage) kubectl(args ...string) {
	a := truth.Action{At: truth.Now(), What: "kubectl " + strings.Join(args, " ")}
	out, err := s.Kubectl(args...)
	a.Done, a.Detail = truth.Now(), out
	if err != nil && !changed.MatchString(out) {
		s.note("failed: %s: %s (%v)", a.What, out, err)
		return
	}
	if err != nil { // a drain that ran out of time has evicted pods all the same
		a.Detail += " (" + err.Error() + ")"
	}
	Say("%s: %s", a.What, a.Detail)
	s.Truth.OperatorActions = append(s.Truth.OperatorActions, a)
}

// changed matches what kubectl prints of an object that it has changed.
var changed = regexp.MustCompile(`(?m)^[a-z][a-z0-9.]*(/\S+| "\S+")( \w+)* ` +
	`(cordoned|evicted|tainted|untainted|patched|scaled|updated|restarted|deleted|back)( from .*)?$`)

// fault writes down what the recorder broke or mended.
func (s *Stage) fault(what, where string) {
	Say("%s: %s", what, where)
	s.Truth.Faults = append(s.Truth.Faults, truth.Action{At: truth.Now(), Done: truth.Now(), What: what, Detail: where})
}

func (s *Stage) note(format string, args ...any) {
	Say(format, args...)
	s.Truth.Notes = append(s.Truth.Notes, fmt.Sprintf(format, args...))
}

// wait waits for something that should happen; that it did not is a note, for many a scenario is about what does not happen.
func (s *Stage) wait(what string, patience time.Duration, done func() bool) bool {
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(250 * time.Millisecond) {
		if done() {
			Say("%s after %s", what, time.Since(begin).Round(100*time.Millisecond))
			return true
		}
	}
	s.note("after %s still not: %s", patience, what)
	return false
}

// need is wait for what the recording makes no sense without.
func (s *Stage) need(what string, patience time.Duration, done func() bool) {
	if !s.wait(what, patience, done) {
		s.must(fmt.Errorf("never: %s", what))
	}
}

func (s *Stage) sleep(d time.Duration) { Say("%s pass", d); time.Sleep(d) }

// pods of a workload, the oldest first.
func (s *Stage) pods(namespace, app string) []*v1.Pod {
	l, err := s.Watch.Core().V1().Pods().Lister().Pods(namespace).List(labels.SelectorFromSet(labels.Set{"app": app}))
	s.must(err)
	slices.SortFunc(l, func(a, b *v1.Pod) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	return l
}

func ready(p *v1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == v1.PodReady {
			return c.Status == v1.ConditionTrue && p.DeletionTimestamp == nil
		}
	}
	return false
}

// count says how many pods of a workload are Ready elsewhere than on a node.
func (s *Stage) count(namespace, app, not string) int {
	n := 0
	for _, p := range s.pods(namespace, app) {
		if ready(p) && p.Spec.NodeName != not {
			n++
		}
	}
	return n
}

func (s *Stage) needReady(namespace, app string, n int) {
	s.need(fmt.Sprintf("%d pods of %s/%s are Ready", n, namespace, app), 4*time.Minute,
		func() bool { return s.count(namespace, app, "") >= n })
}

// aftermath is what is recorded of the time after the end.
const aftermath = 25 * time.Second

// moved waits until a workload is Ready away from a node.
func (s *Stage) moved(app, from string, patience time.Duration) {
	if s.wait(shop+"/"+app+" is Ready on another node", patience, func() bool { return s.count(shop, app, from) > 0 }) {
		s.sleep(aftermath)
	}
}

func (s *Stage) reported(n int) {
	patience := time.Duration(s.Tolerance)*time.Second + 2*time.Minute
	s.need(fmt.Sprintf("%d Multi-Attach reports", n), patience, func() bool { return len(s.History.Reports()) >= n })
}

// lose makes a node's kubelet fall silent in the given way and waits until the control plane has noticed.
func (s *Stage) lose(name string, how func(*cluster.Node) error, what string) {
	s.Truth.LostNode = name
	s.fault(what, name)
	s.must(how(s.Node(name)))
	s.need(name+" is NotReady", 3*time.Minute, func() bool { return s.History.NotReady(name) })
}

func (s *Stage) powerOff(name string) {
	s.lose(name, func(n *cluster.Node) error { n.PowerOff(); return nil }, "the machine is powered off")
}

func (s *Stage) unplug(name string) {
	s.lose(name, (*cluster.Node).Unplug, "the machine is cut off from the network; everything on it runs on")
}

// forceDelete is what operators do first.
func (s *Stage) forceDelete(p *v1.Pod) {
	s.kubectl("delete", "pod", "-n", p.Namespace, p.Name, "--grace-period=0", "--force")
}

func (s *Stage) drain(node string) {
	s.kubectl("drain", node, "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=150s")
}
