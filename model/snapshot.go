package model

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// Snapshot is everything that a bundle says, before anything is compared. Lists of objects hold every copy, sorted by Ref and version.
type Snapshot struct {
	Root         string   // as the user named it
	Layouts      []string // collectors recognised, such as must-gather
	CapturedAt   *Moment  // when the bundle was collected; nil when unknown
	CapturedFrom Evidence // what shows it, without ID
	CapturedHow  CollectedHow
	Supplied     Supplied // by the user, where the evidence may lack it

	// Collections are the collections that the bundle holds, the newest last, when it holds several.
	Collections []Collection

	// Clusters are the identities of several clusters, sorted; empty for one. An object or observation is of its Input's.
	Clusters []string

	Nodes                  []Object[*corev1.Node]
	Pods                   []Object[*corev1.Pod]
	PersistentVolumes      []Object[*corev1.PersistentVolume]
	PersistentVolumeClaims []Object[*corev1.PersistentVolumeClaim]
	Namespaces             []Object[*corev1.Namespace]
	VolumeAttachments      []Object[*storagev1.VolumeAttachment]
	CSINodes               []Object[*storagev1.CSINode]
	CSIDrivers             []Object[*storagev1.CSIDriver]
	StorageClasses         []Object[*storagev1.StorageClass]
	Leases                 []Object[*coordinationv1.Lease]
	Deployments            []Object[*appsv1.Deployment]
	ReplicaSets            []Object[*appsv1.ReplicaSet]
	StatefulSets           []Object[*appsv1.StatefulSet]
	DaemonSets             []Object[*appsv1.DaemonSet]
	Jobs                   []Object[*batchv1.Job]
	ClusterVersions        []Object[ClusterVersion]
	PrometheusRules        []Object[[]RuleGroup]
	RuleFiles              []RuleFile    // that servers answered with, and rule files, sorted by Path
	ActiveAlerts           []ActiveAlert // sorted by Input

	// Lists says of which kinds the bundle holds a list, also an empty one: only then the absence of an object counts. Sorted.
	Lists []Listed

	// Metrics are the series, one source per server and form, sorted by Path, to be selected from until the bundle is closed.
	Metrics []MetricSource
	// MoreMetrics is how metrics are collected, for when those of the bundle begin or end inside of a wait.
	MoreMetrics NotCollected

	// Aged are the ages that tables show of objects, in the order of Inputs. They date the tables, not the objects.
	Aged []Aged

	Observations []Observation // sorted by Compare
	Inputs       []Input       // sorted by Path
	Problems     []Problem     // sorted by Path, Line, Message
	NotCollected []NotCollected

	Unreadable []Unreadable // sorted by Path
}

// Listed is a kind that the bundle holds a list of, or a directory with a file for each object; a loose object is no list.
type Listed struct {
	Kind      string
	Namespace string // "" for all, or for cluster-scoped kinds

	Cluster    string // whose objects these are, when the bundle holds several clusters
	Collection string // the Root of the collection that holds the list, when the bundle holds several
}

// ClusterVersion is what volpost reads of OpenShift's config.openshift.io/v1 ClusterVersion: the cluster's identity.
type ClusterVersion struct{ ClusterID string }
