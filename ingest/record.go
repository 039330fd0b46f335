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
	switch v := r.Value.(type) {
	case *manifest.Event:
		o := r.Prepared.(prepared).told[0]
		p.covers(&o)
		if e := (event{uid: v.Meta.UID, resourceVersion: r.ResourceVersion, observation: o}); p.take(&e) {
			p.events = append(p.events, e)
		}
	case *manifest.Configuration:
		p.Observations = append(p.Observations, p.affordable(r.Prepared.(prepared).told)...)
	case *corev1.Node:
		keep(p, &p.Nodes, r, v)
	case *corev1.Pod:
		keep(p, &p.Pods, r, v)
	case *corev1.PersistentVolume:
		keep(p, &p.PersistentVolumes, r, v)
	case *corev1.PersistentVolumeClaim:
		keep(p, &p.PersistentVolumeClaims, r, v)
	case *corev1.Namespace:
		keep(p, &p.Namespaces, r, v)
	case *storagev1.VolumeAttachment:
		keep(p, &p.VolumeAttachments, r, v)
	case *storagev1.CSINode:
		keep(p, &p.CSINodes, r, v)
	case *storagev1.CSIDriver:
		keep(p, &p.CSIDrivers, r, v)
	case *storagev1.StorageClass:
		keep(p, &p.StorageClasses, r, v)
	case *coordinationv1.Lease:
		keep(p, &p.Leases, r, v)
	case *appsv1.Deployment:
		keep(p, &p.Deployments, r, v)
	case *appsv1.ReplicaSet:
		keep(p, &p.ReplicaSets, r, v)
	case *appsv1.StatefulSet:
		keep(p, &p.StatefulSets, r, v)
	case *appsv1.DaemonSet:
		keep(p, &p.DaemonSets, r, v)
	case *batchv1.Job:
		keep(p, &p.Jobs, r, v)
	case *model.ClusterVersion:
		keep(p, &p.ClusterVersions, r, *v)
	case *manifest.RuleSet:
		keep(p, &p.PrometheusRules, r, v.Groups)
	}
}
