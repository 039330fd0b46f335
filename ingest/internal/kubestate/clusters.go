package kubestate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// clusterLabels identify the clusters of a store, best first: cluster (Prometheus Operator, Mimir, kubernetes-mixin), then those of Open
// Cluster Management and OpenTelemetry.
var clusterLabels = []string{"cluster", "clusterID", "cluster_id", "cluster_name", "k8s_cluster_name", "k8s_cluster", "kubernetes_cluster"}

// ClusterOf is the name of the cluster that a series is about; "" when no label names it.
func ClusterOf(l model.Labels) string {
	for _, name := range clusterLabels {
		if v := l.Get(name); v != "" {
			return v
		}
	}
	return ""
}

// clusters are the readers of each cluster of the source. Series without a label are of the one that there is.
func (r *reader) clusters() []*reader {
	var names []string
	for _, f := range families {
		for _, t := range r.of[f.name] {
			if !slices.Contains(names, t.cluster) {
				names = append(names, t.cluster)
			}
		}
	}
	slices.Sort(names)
	if len(names) < 2 || len(names) == 2 && names[0] == "" {
		r.res.Cluster = strings.Join(names, "")
		return []*reader{r}
	}
	var out []*reader
	for _, name := range names {
		one := *r
		one.of, one.kin, one.res.Cluster, one.res.Series = map[string][]*track{}, map[string]map[string]bool{}, name, 0
		gave := map[string]bool{}
		for family, tracks := range r.of {
			for _, t := range tracks {
				if t.cluster == name {
					one.of[family] = append(one.of[family], t)
					one.res.Series++
					gave[t.target] = true
				}
			}
		}
		one.targets = slices.DeleteFunc(slices.Clone(r.targets), func(target string) bool { return !gave[target] })
		out = append(out, &one)
	}
	return out
}

// Life is how long the metrics show something.
type Life struct {
	UID      string
	From, To time.Time
}

// Identity is what distinguishes a cluster from others: names that many have, with what only this one has.
type Identity struct {
	Nodes  map[string][]string // by name: the UUIDs of the machines, where they are known
	Pods   map[string][]Life   // by namespace and name
	Claims map[string][]string // by namespace and name: their volumes
	Unique map[string]bool     // UIDs of pods and machines, and names of volumes that are made of a UID
}

// NewIdentity makes an empty one.
func NewIdentity() Identity {
	return Identity{Nodes: map[string][]string{}, Pods: map[string][]Life{}, Claims: map[string][]string{}, Unique: map[string]bool{}}
}

// Node adds a node with the UUID of its machine, "" where that is not known.
func (i Identity) Node(name, machine string) {
	machine = strings.ToLower(machine)
	if list := i.Nodes[name]; !slices.Contains(list, machine) {
		i.Nodes[name] = append(list, machine)
	}
	i.Mark(machine)
}

// Pod adds a pod with the time in which it is seen.
func (i Identity) Pod(ref model.Ref, from, to time.Time) {
	if ref.UID != "" {
		name := ref.Namespace + "/" + ref.Name
		i.Pods[name] = append(i.Pods[name], Life{ref.UID, from, to})
		i.Mark(ref.UID)
	}
}

// Claim adds a claim that is bound to a volume.
func (i Identity) Claim(name, volume string) {
	if uidInside(volume) {
		i.Claims[name] = append(i.Claims[name], volume)
		i.Mark(volume)
	}
}

// Mark adds what no other cluster has.
func (i Identity) Mark(unique string) {
	if uidInside(unique) {
		i.Unique[unique] = true
	}
}

// uidInside reports that a text ends as a UUID does: that of a pod, of a machine, or the name that a provisioner makes of it.
func uidInside(text string) bool {
	if len(text) < 36 {
		return false
	}
	for i, c := range text[len(text)-36:] {
		dash := slices.Contains([]int{8, 13, 18, 23}, i)
		if dash != (c == '-') || !dash && !strings.ContainsRune("0123456789abcdef", c) {
			return false
		}
	}
	return true
}

func (r *reader) identity() Identity {
	out := NewIdentity()
	for _, t := range r.of["kube_node_info"] {
		out.Node(t.get("node"), t.get("system_uuid"))
	}
	for _, t := range r.of["kube_pod_info"] {
		out.Pod(podOf(t), t.runs[0].from, t.runs[len(t.runs)-1].to)
	}
	for _, t := range r.of["kube_persistentvolume_info"] {
		out.Mark(t.get("persistentvolume"))
	}
	for _, t := range r.of["kube_persistentvolumeclaim_info"] {
		out.Claim(claimOf(t), t.get("volumename"))
	}
	return out
}

// mixed says by what two clusters show that no label separates: a name is that of two objects at once; "" when none is.
func (r *reader) mixed() string {
	for _, c := range []struct{ family, what, uid, is string }{
		{"kube_node_info", "node", "system_uuid", "two machines"},
		{"kube_pod_info", "pod", "uid", "two pods"},
		{"kube_persistentvolumeclaim_info", "persistentvolumeclaim", "volumename", "bound to two volumes"},
	} {
		of := map[string][]*track{}
		for _, t := range r.of[c.family] {
			if t.get(c.uid) == "" {
				continue
			}
			name := strings.TrimPrefix(t.get("namespace")+"/"+t.get(c.what), "/")
			for _, other := range of[name] {
				if other.get(c.uid) != t.get(c.uid) && r.atOnce(other, t) {
					return fmt.Sprintf("%s is %s at once, %s and %s", name, c.is, other.get(c.uid), t.get(c.uid))
				}
			}
			of[name] = append(of[name], t)
		}
	}
	for i, t := range r.of[systemCreated] {
		for _, other := range r.of[systemCreated][:i] {
			if a, b := t.runs[0].value, other.runs[0].value; a != b && r.atOnce(other, t) {
				return fmt.Sprintf("the namespace kube-system was created twice, at %.0f and at %.0f", min(a, b), max(a, b))
			}
		}
	}
	return ""
}

// systemCreated has the age of a cluster.
const systemCreated = "kube_namespace_created"

// atOnce reports that two series overlap by more than two scrapes. In answers of the API an ended series lives on for five minutes.
func (r *reader) atOnce(a, b *track) bool {
	limit := 2 * r.res.Interval
	if r.src.Form == model.MetricAPI {
		limit += lookback
	}
	for _, x := range a.runs {
		for _, y := range b.runs {
			if model.Earlier(x.to, y.to).Sub(model.Later(x.from, y.from)) > limit {
				return true
			}
		}
	}
	return false
}
