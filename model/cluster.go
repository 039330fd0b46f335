package model

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// OfCluster is the part of a snapshot that belongs to one of its Clusters, with "" to none for certain. Problems and the like stay.
func (s *Snapshot) OfCluster(cluster string) *Snapshot {
	of := make(map[string]bool, len(s.Inputs))
	part := *s
	part.Clusters, part.Inputs = nil, nil
	for _, in := range s.Inputs {
		if shared := len(in.Clusters) > 0; shared && slices.Contains(in.Clusters, cluster) || !shared && in.Cluster == cluster {
			of[in.Path] = true
			in.Cluster, in.Clusters = cluster, nil
			part.Inputs = append(part.Inputs, in)
		}
	}
	ours := func(input, own string) bool { return of[input] && (own == "" || own == cluster) }
	part.Observations = kept(s.Observations, func(o *Observation) bool { return ours(o.Input, o.Cluster) })
	part.Aged = kept(s.Aged, func(a *Aged) bool { return of[a.Input] })
	part.Metrics = kept(s.Metrics, func(m *MetricSource) bool { return ours(m.Input, m.Cluster) })
	part.Lists = kept(s.Lists, func(l *Listed) bool { return l.Cluster == cluster })
	for i := range part.Lists {
		part.Lists[i].Cluster = ""
	}
	part.keepObjects(of)
	part.keepCollections(of)
	return &part
}

// kept are those of a list that pass a test.
func kept[T any](all []T, test func(*T) bool) (out []T) {
	for i := range all {
		if test(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// keepCollections leaves out the collections of other clusters: they date nothing here.
func (s *Snapshot) keepCollections(of map[string]bool) {
	all := s.Collections
	if all == nil && s.CapturedAt != nil {
		all = []Collection{{CapturedAt: *s.CapturedAt, From: s.CapturedFrom, How: s.CapturedHow}}
	}
	s.CapturedAt, s.CapturedFrom, s.CapturedHow, s.Collections = nil, Evidence{}, "", nil
	held := directories(of)
	for i := range all {
		if c := all[i]; of[c.From.Source.Path] || held[c.Root] {
			s.Collections = append(s.Collections, c)
			s.CapturedAt, s.CapturedFrom, s.CapturedHow = &c.CapturedAt, c.From, c.How
		}
	}
	if len(s.Collections) < 2 {
		s.Collections = nil
	}
}

// directories are those that hold one of some inputs, and the inputs; not the top, which holds those of other clusters, too.
func directories(inputs map[string]bool) map[string]bool {
	out := map[string]bool{}
	for path := range inputs {
		path = strings.ReplaceAll(path, "!", "/")
		for !out[path] {
			out[path] = true
			at := strings.LastIndexByte(path, '/')
			if at < 0 {
				break
			}
			path = path[:at]
		}
	}
	return out
}

// OfInputs is the snapshot with the objects of some inputs only, by their paths; all else is that of the whole.
func (s *Snapshot) OfInputs(paths map[string]bool) *Snapshot {
	part := *s
	part.keepObjects(paths)
	return &part
}

func (s *Snapshot) keepObjects(of map[string]bool) {
	s.Nodes = objectsOf(s.Nodes, of)
	s.Pods = objectsOf(s.Pods, of)
	s.PersistentVolumes = objectsOf(s.PersistentVolumes, of)
	s.PersistentVolumeClaims = objectsOf(s.PersistentVolumeClaims, of)
	s.Namespaces = objectsOf(s.Namespaces, of)
	s.VolumeAttachments = objectsOf(s.VolumeAttachments, of)
	s.CSINodes = objectsOf(s.CSINodes, of)
	s.CSIDrivers = objectsOf(s.CSIDrivers, of)
	s.StorageClasses = objectsOf(s.StorageClasses, of)
	s.Leases = objectsOf(s.Leases, of)
	s.Deployments = objectsOf(s.Deployments, of)
	s.ReplicaSets = objectsOf(s.ReplicaSets, of)
	s.StatefulSets = objectsOf(s.StatefulSets, of)
	s.DaemonSets = objectsOf(s.DaemonSets, of)
	s.Jobs = objectsOf(s.Jobs, of)
	s.ClusterVersions = objectsOf(s.ClusterVersions, of)
	s.PrometheusRules = objectsOf(s.PrometheusRules, of)
	s.RuleFiles = kept(s.RuleFiles, func(f *RuleFile) bool { return of[f.Path] })
	s.ActiveAlerts = kept(s.ActiveAlerts, func(a *ActiveAlert) bool { return of[a.Input] })
}

func objectsOf[T any](all []Object[T], inputs map[string]bool) []Object[T] {
	return kept(all, func(o *Object[T]) bool { return inputs[o.Input] })
}

// ClusterName is how people know one of several clusters of a bundle: by the directory that holds what was collected of it and nothing of
// another, or by the context that its commands name, else by its identifier.
func ClusterName(cluster string, inputs []Input) string {
	if context, ok := strings.CutPrefix(cluster, "context "); ok {
		return context
	}
	dirs := map[string]string{} // cluster → the directory that all of its files share
	for _, in := range inputs {
		if in.Cluster == "" {
			continue
		}
		dir := path.Dir(strings.NewReplacer(`\`, "/", "!", "/").Replace(in.Path)) + "/"
		if was, ok := dirs[in.Cluster]; ok {
			dir = shared(was, dir)
		}
		dirs[in.Cluster] = dir
	}
	own := dirs[cluster]
	above := own // what all clusters share
	for _, dir := range dirs {
		above = shared(above, dir)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(own, above), "/")
	if name == "" || name == "." {
		return cluster
	}
	for other, dir := range dirs {
		if first, _, _ := strings.Cut(strings.TrimPrefix(dir, above), "/"); other != cluster && first == name {
			return cluster
		}
	}
	return name
}

// shared is the directory, with the slash behind it, that two have in common.
func shared(a, b string) string {
	for !strings.HasPrefix(b, a) {
		a = a[:strings.LastIndexByte(strings.TrimSuffix(a, "/"), '/')+1]
	}
	return a
}

// Identities are fingerprints of what identifies a snapshot's cluster: OpenShift's cluster id and the UID of the namespace kube-system. One
// is the kind and the first twelve hexadecimal digits of the SHA-256. Sorted.
func (s *Snapshot) Identities() []string {
	var out []string
	add := func(kind, id string) {
		if id == "" {
			return
		}
		sum := sha256.Sum256([]byte(id))
		out = append(out, kind+"-"+hex.EncodeToString(sum[:6]))
	}
	for _, v := range s.ClusterVersions {
		add(IdentityOpenShift, v.Value().ClusterID)
	}
	for _, ns := range s.Namespaces {
		if ns.Ref.Name == "kube-system" {
			add(IdentityKubeSystem, ns.Ref.UID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The kinds of identity, which begin a fingerprint.
const (
	IdentityOpenShift  = "openshift"
	IdentityKubeSystem = "kube-system"
)
