package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// claim is something that says which cluster a part of the bundle is of.
type claim struct {
	id   string // unique to the cluster
	path string // of the file, with archives as directories
	root string // of the collection that holds it
	rank int    // the lower, the better it names the cluster
}

// The ranks of what names a cluster.
const (
	byClusterID = iota
	byKubeSystem
	byNodes
)

// clusters separates the clusters of a bundle: by OpenShift's cluster id, the UID of kube-system, or else by lists of nodes that share no
// node. A re-created cluster has other UIDs. A file is of the cluster whose evidence is nearest to it in the tree.
func (r *reading) clusters() neighbours {
	s := r.s
	over := r.overlay()
	claims := over.without(append(identities(s), r.nodeClaims()...))
	if len(claims) == 0 {
		claims = r.contextClaims()
	}
	groups := joined(claims, s)
	claims = append(claims, r.collectorsClaims(groups, claims)...)
	claims = groups.sure(claims)
	best := slices.SortedFunc(slices.Values(claims), func(a, b claim) int { return cmp.Or(a.rank-b.rank, cmp.Compare(a.id, b.id)) })
	names := map[string]string{} // group → its best name
	for _, c := range slices.Backward(best) {
		names[groups.find(c.id)] = c.id
	}
	s.Clusters = slices.AppendSeq(over.clusters(), maps.Values(names))
	slices.Sort(s.Clusters)
	s.Clusters = slices.Compact(s.Clusters)
	if len(s.Clusters) < 2 {
		s.Clusters = r.metricClusters()
		claims = nil
	}
	if len(s.Clusters) == 0 {
		return nil
	}
	near := nearest(claims, func(c claim) string { return names[groups.find(c.id)] })
	for i := range s.Inputs {
		s.Inputs[i].Cluster = near.of(slashed(s.Inputs[i].Path))
	}
	over.place(near)
	r.attribute()
	r.reportClusters()
	return near
}

// reportClusters says that the bundle holds several clusters, and how much of it nothing ties to one.
func (r *reading) reportClusters() {
	s, unclear := r.s, 0
	for _, in := range s.Inputs {
		if in.Cluster == "" && len(in.Clusters) == 0 && in.Used > 0 {
			unclear++
		}
	}
	called := slices.Clone(s.Clusters)
	for i, id := range called {
		called[i] = model.ClusterName(id, s.Inputs)
	}
	s.Problems = append(s.Problems, model.Problem{Severity: model.Info, Path: ".",
		Message: fmt.Sprintf("the bundle holds %d clusters: %s", len(called), strings.Join(called, ", "))})
	if unclear > 0 {
		s.Problems = append(s.Problems, model.Problem{Severity: model.Warning, Path: ".",
			Message: fmt.Sprintf("nothing tells to which of the clusters %d of the inputs belong; "+
				"put them beside the collection of theirs", unclear)})
	}
}

// identities are the claims of objects that exist once in a cluster. A root with several of a kind is not cut up.
func identities(s *model.Snapshot) []claim {
	var claims []claim
	for _, v := range s.ClusterVersions {
		if id := v.Value().ClusterID; id != "" {
			claims = append(claims, newClaim(id, v.Input, byClusterID))
		}
	}
	for _, ns := range s.Namespaces {
		if ns.Ref.Name == "kube-system" && ns.Ref.UID != "" {
			claims = append(claims, newClaim("kube-system "+ns.Ref.UID, ns.Input, byKubeSystem))
		}
	}
	return claims
}

func newClaim(id, input string, rank int) claim {
	return claim{id: id, path: slashed(input), root: layout.Of(input).Root, rank: rank}
}

// contextClaims are pastes whose commands name a context of the kubeconfig; none where a volume is in two of them, which are of one cluster.
func (r *reading) contextClaims() []claim {
	var claims []claim
	of, first := map[string]string{}, map[string]string{} // input → context; volume → context
	for _, p := range r.parts {
		if p.context != "" {
			path := slashed(p.input.Path)
			claims = append(claims, claim{"context " + p.context, path, path, byKubeSystem})
			of[p.input.Path] = p.context
		}
	}
	for i := range r.s.Observations {
		o := &r.s.Observations[i]
		volume, context := o.Volume.PersistentVolume, of[o.Input]
		if volume == "" || context == "" {
			continue
		}
		if first[volume] != "" && first[volume] != context {
			return nil
		}
		first[volume] = context
	}
	return claims
}

// collectorsClaims are the clusters that collectors name in their own output, which lies above the directories of one or several clusters.
func (r *reading) collectorsClaims(g groups, claims []claim) []claim {
	var out []claim
	for _, p := range r.parts {
		if p.clusterID == "" {
			continue
		}
		c := newClaim(p.clusterID, p.input.Path, byClusterID)
		dir := path.Dir(c.path)
		inside := ""
		several := false
		for _, other := range claims {
			if other.id == c.id || !within(other.path, dir) {
				continue
			}
			several = several || inside != "" && g.find(inside) != g.find(other.id)
			inside = other.id
		}
		if several {
			continue
		}
		if inside != "" {
			g.join(inside, c.id)
		}
		out = append(out, c)
	}
	return out
}

// nodeClaims are the roots that hold a list of nodes; none when a node has no UID, by which those that share a node are joined.
func (r *reading) nodeClaims() []claim {
	listedIn := map[string]bool{}
	for _, p := range r.parts {
		if p.place.Collection == "nodes" || slices.ContainsFunc(p.lists, func(l manifest.List) bool { return l.Kind == "Node" }) {
			listedIn[p.input.Path] = true
		}
	}
	var claims []claim
	for _, n := range r.s.Nodes {
		if !listedIn[n.Input] {
			continue
		}
		if n.Ref.UID == "" {
			return nil
		}
		c := newClaim("", n.Input, byNodes)
		c.id = "nodes of " + c.root
		claims = append(claims, c)
	}
	return claims
}

// joined says which claims are of one cluster: those of one root, and of roots that speak of the same objects: a must-gather of cluster-scoped
// objects and an inspection of namespaces share no claim, but volumes are bound to claims, and Nodes own Leases. Two clusters share no UID.
func joined(claims []claim, s *model.Snapshot) groups {
	g, first := groups{}, map[string]string{} // root → one of its claims
	for _, c := range claims {
		if first[c.root] == "" {
			first[c.root] = c.id
		}
		g.join(first[c.root], c.id)
	}
	if len(first) > 1 {
		g.byUID(s, func(input string) string { return first[layout.Of(input).Root] })
	}
	return g
}

// sure leaves out lists of nodes without an identity, beside an identity without a list of nodes: they may be of one cluster.
func (g groups) sure(claims []claim) []claim {
	listed, named := map[string]bool{}, map[string]bool{}
	for _, c := range claims {
		if c.rank == byNodes {
			listed[g.find(c.id)] = true
		} else {
			named[g.find(c.id)] = true
		}
	}
	for id := range named {
		if !listed[id] {
			return slices.DeleteFunc(claims, func(c claim) bool { return c.rank == byNodes && !named[g.find(c.id)] })
		}
	}
	return claims
}

// groups are sets of names that were joined pairwise; the least name of a set stands for it.
type groups map[string]string

func (g groups) find(name string) string {
	for {
		up, ok := g[name]
		if !ok || up == name {
			return name
		}
		name = up
	}
}

func (g groups) join(a, b string) {
	a, b = g.find(a), g.find(b)
	g[min(a, b)], g[max(a, b)] = min(a, b), min(a, b)
}

// byUID joins what speaks of the same objects. of is the name of what an input belongs to, "" when it is not to be joined.
func (g groups) byUID(s *model.Snapshot, of func(input string) string) {
	first := map[string]string{} // UID → the first that speaks of it
	eachUID(s, func(uid, input string) {
		name := of(input)
		if uid == "" || name == "" {
			return
		}
		if first[uid] == "" {
			first[uid] = name
		}
		g.join(first[uid], name)
	})
}

// neighbours says which cluster's evidence lies below a directory; "" when that of several does.
type neighbours map[string]string

func nearest(claims []claim, name func(claim) string) neighbours {
	near := neighbours{}
	for _, c := range claims {
		dir := path.Dir(c.path)
		if c.root == c.path { // a paste, beside those of other clusters
			dir = c.path
		}
		for ; ; dir = path.Dir(dir) {
			if was, ok := near[dir]; !ok {
				near[dir] = name(c)
			} else if was != name(c) {
				near[dir] = "" // and so it stays
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return near
}

func (n neighbours) of(p string) string {
	for dir := p; ; dir = path.Dir(dir) {
		if cluster, ok := n[dir]; ok || dir == "." || dir == "/" {
			return cluster
		}
	}
}
