package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/kubestate"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// judge says which shares are used, and which of them are of one cluster. A central store holds the metrics of many clusters,
// and nothing of one explains the other: those that are of another cluster than the rest of the bundle are named and left out.
// Without anything to hold them against, each cluster is reported by itself.
func (r *reading) judge(shares []*share) {
	bundle := identityOf(r.s)
	var home []string // labels of shares that are the bundle's for certain
	for _, s := range shares {
		if common(s.Identity, bundle) {
			home = append(home, s.Cluster)
		}
	}
	for _, s := range shares {
		switch why := foreign(s.Identity, bundle); {
		case s.Mixed != "":
			s.refuse = "holds the metrics of two clusters that no label tells apart: " + s.Mixed + "; they are not used. " +
				"Export those of one cluster, or with the label that names it"
		case why != "":
			s.refuse = s.named() + " are of another cluster than the rest of the bundle, or of another time: nothing is in both, " +
				"and " + why + "; they are not used"
		case len(home) > 0 && s.Cluster != "" && !slices.Contains(home, s.Cluster):
			s.refuse = s.named() + " are of another cluster than the rest of the bundle, which is that of cluster " + home[0] + "; they are not used"
		case len(bundle.Unique) == 0 && len(bundle.Nodes) == 0:
			r.groups = s.joinTo(r.groups)
		}
	}
}

// named is the subject of a sentence about a share.
func (s *share) named() string {
	if s.Cluster == "" {
		return "the metrics"
	}
	return "the metrics of cluster " + s.Cluster
}

// joinTo puts a share to those of its cluster.
func (s *share) joinTo(groups [][]*share) [][]*share {
	if len(s.Identity.Unique) == 0 && len(s.Identity.Nodes) == 0 {
		return groups
	}
	for i, g := range groups {
		same := slices.ContainsFunc(g, func(o *share) bool { return common(s.Identity, o.Identity) })
		apart := slices.ContainsFunc(g, func(o *share) bool {
			return words.Differ(s.Cluster, o.Cluster) || foreign(s.Identity, o.Identity) != ""
		})
		if same || !apart {
			groups[i] = append(g, s)
			return groups
		}
	}
	return append(groups, []*share{s})
}

// identityOf is what of a bundle without its metrics distinguishes its clusters from others.
func identityOf(s *model.Snapshot) kubestate.Identity {
	out := kubestate.NewIdentity()
	for i := range s.Nodes {
		out.Node(s.Nodes[i].Ref.Name, s.Nodes[i].Value().Status.NodeInfo.SystemUUID)
	}
	for i := range s.Pods {
		born := s.Pods[i].Value().CreationTimestamp.Time
		out.Pod(s.Pods[i].Ref, born, born)
	}
	for i := range s.PersistentVolumes {
		out.Mark(s.PersistentVolumes[i].Ref.Name)
	}
	for i := range s.PersistentVolumeClaims {
		c := &s.PersistentVolumeClaims[i]
		out.Claim(c.Ref.Namespace+"/"+c.Ref.Name, c.Value().Spec.VolumeName)
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		out.Mark(o.Pod.UID)
		out.Mark(o.Volume.PersistentVolume)
		if o.Node != "" && len(s.Nodes) == 0 {
			out.Node(o.Node, "")
		}
	}
	return out
}

// common reports that two have something that no other cluster has.
func common(a, b kubestate.Identity) bool {
	if len(a.Unique) > len(b.Unique) {
		a, b = b, a
	}
	for u := range a.Unique {
		if b.Unique[u] {
			return true
		}
	}
	return false
}

// outlived is how long a pod lives beside a later one of its name, at least, if of two clusters: a dead server's samples last 5 min.
const outlived = 6 * time.Minute

// foreign says by what metrics are of another cluster than something else; "" when they may be of the same.
func foreign(metrics, other kubestate.Identity) string {
	if common(metrics, other) {
		return ""
	}
	shared := false
	for _, name := range slices.Sorted(maps.Keys(metrics.Nodes)) {
		here, there := cmp.Or(metrics.Nodes[name]...), cmp.Or(other.Nodes[name]...) // a machine that is known
		shared = shared || other.Nodes[name] != nil
		if here != "" && there != "" {
			return fmt.Sprintf("the node %s is another machine in each (%s and %s)", name, here, there)
		}
	}
	if !shared && len(metrics.Nodes) > 0 && len(other.Nodes) > 0 {
		return fmt.Sprintf("the nodes are others (%s, and not %s)", fewOf(slices.Sorted(maps.Keys(metrics.Nodes))), fewOf(slices.Sorted(maps.Keys(other.Nodes))))
	}
	for _, name := range slices.Sorted(maps.Keys(metrics.Claims)) {
		if there := other.Claims[name]; there != nil {
			return fmt.Sprintf("the claim %s is bound to another volume in each (%s and %s)", name, metrics.Claims[name][0], there[0])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(metrics.Pods)) {
		for _, life := range metrics.Pods[name] {
			for _, there := range other.Pods[name] {
				if life.From.Before(there.From) && life.To.After(there.From.Add(outlived)) {
					return fmt.Sprintf("the pod %s is another one in each at the same time", name)
				}
			}
		}
	}
	return ""
}

// selectCluster selects from the series of one cluster.
func selectCluster(all selector, cluster string) selector {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return all(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			if kubestate.ClusterOf(l) != cluster {
				return nil
			}
			return each(l, samples)
		})
	}
}

type selector = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error

// metricClusters names the clusters of a bundle of which nothing but the metrics names any; nothing when they are of one.
func (r *reading) metricClusters() []string {
	if len(r.groups) < 2 {
		return nil
	}
	var names []string
	for _, g := range r.groups {
		name := ""
		for _, s := range g {
			name = cmp.Or(name, s.Cluster)
		}
		if name == "" || slices.Contains(names, name) {
			name = strings.TrimSpace(name + " " + g[0].source.Path)
		}
		names = append(names, name)
		for _, s := range g {
			s.cluster = name
		}
	}
	slices.Sort(names)
	return names
}

// placeShares finds the cluster of each share: the one with which it has something in common, else that of a share of the same label.
func (r *reading) placeShares() {
	if len(r.groups) < 2 {
		for _, cluster := range r.s.Clusters {
			own := identityOf(r.s.OfCluster(cluster))
			for _, s := range r.shares {
				if common(s.Identity, own) {
					s.cluster = cluster
				}
			}
		}
	}
	for _, s := range r.shares {
		i := slices.IndexFunc(r.shares, func(o *share) bool { return s.Cluster != "" && o.Cluster == s.Cluster && o.cluster != "" })
		if s.cluster == "" && i >= 0 {
			s.cluster = r.shares[i].cluster // it describes no object that would
		}
	}
}

// attribute says of which of several clusters the metrics are, in whatever directory they lie.
func (r *reading) attribute() {
	r.placeShares()
	of := map[string][]string{} // clusters by input
	for i, s := range r.shares {
		if s.cluster == "" {
			continue
		}
		m := &r.s.Metrics[i]
		for n := range r.s.Inputs {
			in := &r.s.Inputs[n]
			joined := m.Form == model.MetricAPI && in.Kind == model.InputMetrics && path.Dir(in.Path) == path.Dir(m.Input)
			if (in.Path == m.Input || joined) && !slices.Contains(of[in.Path], s.cluster) {
				of[in.Path] = append(of[in.Path], s.cluster)
			}
		}
		for n := range r.s.Observations {
			if o := &r.s.Observations[n]; o.Source.Kind == model.SourceMetric && o.Input == m.Input && o.Cluster == m.Cluster {
				o.Cluster = s.cluster
			}
		}
		m.Cluster = s.cluster
	}
	for i := range r.s.Inputs {
		switch in, clusters := &r.s.Inputs[i], of[r.s.Inputs[i].Path]; len(clusters) {
		case 0:
		case 1:
			in.Cluster = clusters[0]
		default:
			in.Cluster, in.Clusters = "", clusters
		}
	}
}
