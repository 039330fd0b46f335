package ingest

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// merge makes the snapshot of everything that was read and sorts it as model promises.
func (r *reading) merge() *model.Snapshot {
	s := r.s
	slices.SortFunc(r.parts, func(a, b *part) int { return cmp.Compare(a.input.Path, b.input.Path) })
	r.concern()
	events(s, r.parts)
	audit := false
	for _, p := range r.parts {
		s.Inputs = append(s.Inputs, *p.input)
		audit = audit || p.audit
	}
	s.Inputs = append(s.Inputs, r.inputs...)
	s.Inputs = append(s.Inputs, r.quietInputs()...)
	s.Layouts = r.layouts.Names()
	r.placeholders()
	r.fillNamespaces()
	r.understand()
	r.captured()
	r.placeAges()
	s.Lists = r.listed(r.clusters())
	sortSnapshot(s)
	s.Problems = fewProblems(s.Problems)
	s.Unreadable = sortUnreadable(s.Unreadable)
	s.MoreMetrics, _ = noMetrics(collectedSet{Snapshot: s, tool: toolOf(s)})
	s.NotCollected = notCollected(s, audit, r.refused)
	return s
}

// join appends one part's share of everything to the snapshot.
func join(s, p *model.Snapshot) {
	s.Nodes = append(s.Nodes, p.Nodes...)
	s.Pods = append(s.Pods, p.Pods...)
	s.PersistentVolumes = append(s.PersistentVolumes, p.PersistentVolumes...)
	s.PersistentVolumeClaims = append(s.PersistentVolumeClaims, p.PersistentVolumeClaims...)
	s.Namespaces = append(s.Namespaces, p.Namespaces...)
	s.VolumeAttachments = append(s.VolumeAttachments, p.VolumeAttachments...)
	s.CSINodes = append(s.CSINodes, p.CSINodes...)
	s.CSIDrivers = append(s.CSIDrivers, p.CSIDrivers...)
	s.StorageClasses = append(s.StorageClasses, p.StorageClasses...)
	s.Leases = append(s.Leases, p.Leases...)
	s.Deployments = append(s.Deployments, p.Deployments...)
	s.ReplicaSets = append(s.ReplicaSets, p.ReplicaSets...)
	s.StatefulSets = append(s.StatefulSets, p.StatefulSets...)
	s.DaemonSets = append(s.DaemonSets, p.DaemonSets...)
	s.Jobs = append(s.Jobs, p.Jobs...)
	s.ClusterVersions = append(s.ClusterVersions, p.ClusterVersions...)
	s.PrometheusRules = append(s.PrometheusRules, p.PrometheusRules...)
	s.RuleFiles = append(s.RuleFiles, p.RuleFiles...)
	s.ActiveAlerts = append(s.ActiveAlerts, p.ActiveAlerts...)
	s.VolumeSnapshots = append(s.VolumeSnapshots, p.VolumeSnapshots...)
	s.VolumeSnapshotContents = append(s.VolumeSnapshotContents, p.VolumeSnapshotContents...)
	s.Observations = joinStatements(s.Observations, p.Observations)
	s.Aged = append(s.Aged, p.Aged...)
	s.Problems = append(s.Problems, p.Problems...)
	s.Unreadable = append(s.Unreadable, p.Unreadable...)
}

// joinStatements appends a list, and takes the first without copying it: a log may have given most of what is in memory.
func joinStatements(all, more []model.Observation) []model.Observation {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// events adds the observations of Event objects, one for each UID: collectors write the same event as core/v1 and as
// events.k8s.io/v1, and two collections of one cluster share most. The newest copy counts most repetitions and stays;
// the others are skipped records of their files.
func events(s *model.Snapshot, parts []*part) {
	type place struct{ part, index int }
	newest := map[string]place{}
	drop := map[place]bool{}
	for i, p := range parts {
		for j, e := range p.events {
			if e.uid == "" {
				continue
			}
			here := place{i, j}
			was, again := newest[e.uid]
			switch {
			case !again:
				newest[e.uid] = here
			case e.resourceVersion > parts[was.part].events[was.index].resourceVersion:
				drop[was], newest[e.uid] = true, here
			default:
				drop[here] = true
			}
		}
	}
	for i, p := range parts {
		for j, e := range p.events {
			if drop[place{i, j}] {
				p.input.Used--
				p.input.Skipped++
				continue
			}
			s.Observations = append(s.Observations, e.observation)
		}
	}
}

func sortSnapshot(s *model.Snapshot) {
	sortObjects(s.Nodes)
	sortObjects(s.Pods)
	sortObjects(s.PersistentVolumes)
	sortObjects(s.PersistentVolumeClaims)
	sortObjects(s.Namespaces)
	sortObjects(s.VolumeAttachments)
	sortObjects(s.CSINodes)
	sortObjects(s.CSIDrivers)
	sortObjects(s.StorageClasses)
	sortObjects(s.Leases)
	sortObjects(s.Deployments)
	sortObjects(s.ReplicaSets)
	sortObjects(s.StatefulSets)
	sortObjects(s.DaemonSets)
	sortObjects(s.Jobs)
	sortObjects(s.ClusterVersions)
	sortObjects(s.PrometheusRules)
	slices.SortStableFunc(s.RuleFiles, func(a, b model.RuleFile) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(s.ActiveAlerts, func(a, b model.ActiveAlert) int { return cmp.Compare(a.Input, b.Input) })
	sortObjects(s.VolumeSnapshots)
	sortObjects(s.VolumeSnapshotContents)
	model.SortObservations(s.Observations)
	slices.SortStableFunc(s.Aged, func(a, b model.Aged) int { return cmp.Compare(a.Input, b.Input) })
	slices.SortStableFunc(s.Inputs, func(a, b model.Input) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(s.Problems, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
}

// sortObjects orders copies as model.Snapshot says; the place breaks ties.
func sortObjects[T any](list []model.Object[T]) {
	slices.SortStableFunc(list, func(a, b model.Object[T]) int {
		return cmp.Or(
			cmp.Compare(a.Ref.Namespace, b.Ref.Namespace),
			cmp.Compare(a.Ref.Name, b.Ref.Name),
			cmp.Compare(a.Ref.UID, b.Ref.UID),
			cmp.Compare(a.ResourceVersion, b.ResourceVersion),
			cmp.Compare(a.Input, b.Input),
			cmp.Compare(a.Line, b.Line),
		)
	})
}
