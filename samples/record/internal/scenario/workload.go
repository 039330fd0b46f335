package scenario

import (
	"fmt"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/samples/record/internal/cluster"
)

// shop is the namespace of the workloads that things happen to; nothing happens to those in office.
const (
	shop   = "shop"
	office = "backoffice"
)

// workload describes a Deployment, StatefulSet or DaemonSet of the lab's database; by default a Deployment of one pod without a volume.
type workload struct {
	namespace, name string
	kind            string // Deployment if empty
	replicas        int
	claims          int    // volumes of each pod
	access          string // ReadWriteOnce if empty
	strategy        string
	stop            time.Duration // what the program takes to stop
	grace           int           // seconds; 30 if 0
	apart           bool          // no two pods on one node
	spread          bool          // if it can be, no two pods on one node
	selector        string        // of nodes
	policy          string        // podManagementPolicy of a StatefulSet
	tolerations     string        // in the braces of YAML's flow style, without the list's brackets
	preStop         string        // likewise: a handler, as in "sleep: {seconds: 60}"
}

func (s *Stage) create(w workload) {
	w = w.defaults()
	var b strings.Builder
	if w.kind == "StatefulSet" {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: Service\nmetadata: {name: %[1]s, namespace: %[2]s}\nspec: {clusterIP: None, selector: {app: "+
			"%[1]s}, ports: [{port: 8080}]}\n---\n", w.name, w.namespace)
	} else {
		for _, c := range w.claimNames() {
			fmt.Fprintf(&b, "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: %s}\nspec: %s\n---\n", c,
				w.namespace, w.claimSpec())
		}
	}
	b.WriteString(w.object())
	s.must(s.Apply(b.String()))
}

func (w workload) defaults() workload {
	def := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	def(&w.namespace, shop)
	def(&w.kind, "Deployment")
	def(&w.access, "ReadWriteOnce")
	def(&w.selector, "lab.example.com/pool: apps")
	w.replicas, w.stop = max(w.replicas, 1), max(w.stop, time.Second)
	if w.grace == 0 {
		w.grace = 30
	}
	return w
}

func (w workload) claimNames() []string {
	var l []string
	for i := range w.claims {
		if w.claims == 1 {
			return []string{w.name + "-data"}
		}
		l = append(l, fmt.Sprintf("%s-data-%02d", w.name, i))
	}
	return l
}

func (w workload) claimSpec() string {
	return fmt.Sprintf("{accessModes: [%s], storageClassName: balanced, resources: {requests: {storage: 10Gi}}}", w.access)
}

func (w workload) object() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("apiVersion: apps/v1\nkind: %s\nmetadata: {name: %[2]s, namespace: %[3]s, labels: {app: %[2]s}}\nspec:", w.kind, w.name, w.namespace)
	line("  selector: {matchLabels: {app: %s}}", w.name)
	if w.kind != "DaemonSet" {
		line("  replicas: %d", w.replicas)
	}
	if w.kind == "StatefulSet" {
		line("  serviceName: %s", w.name)
	}
	if w.policy != "" {
		line("  podManagementPolicy: %s", w.policy)
	}
	if w.kind == "StatefulSet" && w.claims > 0 {
		line("  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: %s", w.claimSpec())
	}
	if w.strategy != "" {
		line("  strategy: %s", w.strategy)
	}
	line("  template:\n    metadata: {labels: {app: %s}}\n    spec:\n      terminationGracePeriodSeconds: %d\n      nodeSelector: {%s}",
		w.name, w.grace, w.selector)
	if strings.Contains(w.selector, "control-plane") {
		w.tolerations = "{key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}"
	}
	if w.tolerations != "" {
		line("      tolerations: [%s]", w.tolerations)
	}
	others := fmt.Sprintf("labelSelector: {matchLabels: {app: %s}}, topologyKey: kubernetes.io/hostname", w.name)
	if w.apart {
		line("      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{%s}]}}", others)
	}
	if w.spread {
		line("      affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "+
			"[{weight: 100, podAffinityTerm: {%s}}]}}", others)
	}
	w.container(line)
	return b.String()
}

func (w workload) container(line func(string, ...any)) {
	args := "-stop=" + w.stop.String()
	if w.claims > 0 {
		args += `", "-data=/var/lib/data/journal`
	}
	line("      containers:\n      - name: app\n        image: %s/%s:1.4.2\n        args: [\"%s\"]\n        resources: {requests: {cpu: "+
		"50m, memory: 64Mi}}", cluster.Registry, w.image(), args)
	if w.preStop != "" {
		line("        lifecycle: {preStop: {%s}}", w.preStop)
	}
	if w.claims == 0 {
		return
	}
	mounts, volumes := "        volumeMounts:", "      volumes:"
	for i, c := range w.claimNames() {
		name, path := "data", "/var/lib/data"
		if i > 0 {
			name, path = fmt.Sprintf("data-%02d", i), fmt.Sprintf("/var/lib/data-%02d", i)
		}
		mounts += fmt.Sprintf("\n        - {name: %s, mountPath: %s}", name, path)
		volumes += fmt.Sprintf("\n      - {name: %s, persistentVolumeClaim: {claimName: %s}}", name, c)
	}
	line("%s", mounts)
	if w.kind != "StatefulSet" {
		line("%s", volumes)
	}
}

// image: workloads that come in numbers share one.
func (w workload) image() string { return strings.TrimRight(w.name, "-0123456789") }

// start creates a workload in the shop, waits for it, and lets it run for a quiet time before the incident.
func (s *Stage) start(w workload) *v1.Pod {
	s.create(w)
	s.needReady(shop, w.name, max(1, w.replicas))
	s.sleep(25 * time.Second)
	return s.pods(shop, w.name)[0]
}

// database is the workload that most scenarios are about.
var database = workload{name: "orders-db", claims: 1}
