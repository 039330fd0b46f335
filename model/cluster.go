package model

// OfCluster is the part of a snapshot that belongs to one of its Clusters, or with "" what belongs to none for certain.
// Lists, Layouts, Problems, NotCollected and the time of collection stay those of the whole bundle.
func (s *Snapshot) OfCluster(cluster string) *Snapshot {
	of := make(map[string]bool, len(s.Inputs))
	part := *s
	part.Clusters, part.Inputs, part.Observations = nil, nil, nil
	for _, in := range s.Inputs {
		if in.Cluster == cluster {
			of[in.Path] = true
			part.Inputs = append(part.Inputs, in)
		}
	}
	for _, o := range s.Observations {
		if of[o.Input] {
			part.Observations = append(part.Observations, o)
		}
	}
	part.Nodes = objectsOf(s.Nodes, of)
	part.Pods = objectsOf(s.Pods, of)
	part.PersistentVolumes = objectsOf(s.PersistentVolumes, of)
	part.PersistentVolumeClaims = objectsOf(s.PersistentVolumeClaims, of)
	part.Namespaces = objectsOf(s.Namespaces, of)
	part.VolumeAttachments = objectsOf(s.VolumeAttachments, of)
	part.CSINodes = objectsOf(s.CSINodes, of)
	part.CSIDrivers = objectsOf(s.CSIDrivers, of)
	part.StorageClasses = objectsOf(s.StorageClasses, of)
	part.Leases = objectsOf(s.Leases, of)
	part.Deployments = objectsOf(s.Deployments, of)
	part.ReplicaSets = objectsOf(s.ReplicaSets, of)
	part.StatefulSets = objectsOf(s.StatefulSets, of)
	part.DaemonSets = objectsOf(s.DaemonSets, of)
	part.Jobs = objectsOf(s.Jobs, of)
	part.ClusterVersions = objectsOf(s.ClusterVersions, of)
	return &part
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
