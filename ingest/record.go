package ingest

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// record files an object under its kind. An Event and a configuration are no objects of the snapshot:
// what they say is.
func (p *part) record(r manifest.Record) {
	made := r.Prepared.(prepared)
	switch c := made.content.(type) {
	case *manifest.Event:
		o := made.told[0]
		p.covers(&o)
		if e := (event{uid: c.Meta.UID, resourceVersion: r.ResourceVersion, observation: o}); p.take(&e) {
			p.events = append(p.events, e)
		}
	case *manifest.Configuration:
		p.Observations = append(p.Observations, p.affordable(made.told)...)
	case model.Content[*corev1.Node]:
		keep(p, &p.Nodes, r, c)
	case model.Content[*corev1.Pod]:
		keep(p, &p.Pods, r, c)
	case model.Content[*corev1.PersistentVolume]:
		keep(p, &p.PersistentVolumes, r, c)
	case model.Content[*corev1.PersistentVolumeClaim]:
		keep(p, &p.PersistentVolumeClaims, r, c)
	case model.Content[*corev1.Namespace]:
		keep(p, &p.Namespaces, r, c)
	case model.Content[*storagev1.VolumeAttachment]:
		keep(p, &p.VolumeAttachments, r, c)
	case model.Content[*storagev1.CSINode]:
		keep(p, &p.CSINodes, r, c)
	case model.Content[*storagev1.CSIDriver]:
		keep(p, &p.CSIDrivers, r, c)
	case model.Content[*storagev1.StorageClass]:
		keep(p, &p.StorageClasses, r, c)
	case model.Content[*coordinationv1.Lease]:
		keep(p, &p.Leases, r, c)
	case model.Content[*appsv1.Deployment]:
		keep(p, &p.Deployments, r, c)
	case model.Content[*appsv1.ReplicaSet]:
		keep(p, &p.ReplicaSets, r, c)
	case model.Content[*appsv1.StatefulSet]:
		keep(p, &p.StatefulSets, r, c)
	case model.Content[*appsv1.DaemonSet]:
		keep(p, &p.DaemonSets, r, c)
	case model.Content[*batchv1.Job]:
		keep(p, &p.Jobs, r, c)
	case model.Content[model.ClusterVersion]:
		keep(p, &p.ClusterVersions, r, c)
	case model.Content[[]model.RuleGroup]:
		keep(p, &p.PrometheusRules, r, c)
	case model.Content[model.VolumeSnapshot]:
		keep(p, &p.VolumeSnapshots, r, c)
	case model.Content[model.VolumeSnapshotContent]:
		keep(p, &p.VolumeSnapshotContents, r, c)
	}
}
