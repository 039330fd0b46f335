package model

import (
	"slices"
	"strings"
)

// OfCluster is the part of a snapshot that belongs to one of its Clusters, with "" to none for certain. Problems and the like stay.
func (s *Snapshot) OfCluster(cluster string) *Snapshot {
	of := make(map[string]bool, len(s.Inputs))
	part := *s
	part.Clusters, part.Inputs, part.Observations, part.Aged = nil, nil, nil, nil
	for _, in := range s.Inputs {
		if shared := len(in.Clusters) > 0; shared && slices.Contains(in.Clusters, cluster) || !shared && in.Cluster == cluster {
			of[in.Path] = true
			in.Cluster, in.Clusters = cluster, nil
			part.Inputs = append(part.Inputs, in)
		}
	}
	for _, o := range s.Observations {
		if of[o.Input] && (o.Cluster == "" || o.Cluster == cluster) {
			part.Observations = append(part.Observations, o)
		}
	}
	for _, a := range s.Aged {
		if of[a.Input] {
			part.Aged = append(part.Aged, a)
		}
	}
	part.keepObjects(of)
	part.Metrics = nil
	for _, m := range s.Metrics {
		if of[m.Input] && (m.Cluster == "" || m.Cluster == cluster) {
			part.Metrics = append(part.Metrics, m)
		}
	}
	part.Lists = nil
	for _, l := range s.Lists {
		if l.Cluster == cluster {
			l.Cluster = ""
			part.Lists = append(part.Lists, l)
		}
	}
	part.keepCollections(of)
	return &part
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
	s.RuleFiles = slices.DeleteFunc(slices.Clone(s.RuleFiles), func(f RuleFile) bool { return !of[f.Path] })
	s.ActiveAlerts = slices.DeleteFunc(slices.Clone(s.ActiveAlerts), func(a ActiveAlert) bool { return !of[a.Input] })
}

func objectsOf[T any](all []Object[T], inputs map[string]bool) []Object[T] {
	var out []Object[T]
	for _, o := range all {
		if inputs[o.Input] {
			out = append(out, o)
		}
	}
	return out
}
