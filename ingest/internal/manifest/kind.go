package manifest

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// kind is a row of the one table of what is read. Its plural and singular names follow from its name.
type kind struct {
	name       string
	groups     []string // API groups in which the kind means this, none for core; versions do not matter, v1beta1 reads as v1
	names      []string // short names of kubectl, and what else collectors call its files
	namespaced bool
	settings   bool     // read for the settings in it, and not listed
	audited    bool     // what an audit log says of it is read
	needs      *needs   // the fields that are read; nil for all
	truncated  []string // fields that an object has to have before its end may be missing; see truncated.go

	decode func(data []byte) (metav1.Object, any, error)
	assign func(root *yaml.Node, isJSON bool, memory *scratch) (metav1.Object, any, bool) // decode, of nodes; false when decode has to judge. nil for rare kinds
	hold   func(*Record) (content any, bytes int)                                         // its value as it is kept, and its size beside the store
	list   list                                                                           // where a snapshot keeps it; nil for what is not kept
}

// kinds is the table. Since v1alpha1, v1beta1 and extensions/v1beta1 no field that is read has changed its name.
var kinds = []*kind{
	object(func(s *model.Snapshot) *[]model.Object[*storagev1.VolumeAttachment] { return &s.VolumeAttachments }, kind{
		name: "VolumeAttachment", audited: true, groups: storage, names: []string{"va", "volume-attachments"},
		needs: tree(metadata, managed, []string{"metadata managedFields fieldsV1 f:status f:attached …",
			"spec attacher", "spec nodeName", "spec source persistentVolumeName",
			"spec source inlineVolumeSpec csi driver", "spec source inlineVolumeSpec csi volumeHandle",
			"status attached", "status attachError", "status detachError"}),
		truncated: []string{"metadata.name", "spec.attacher", "spec.nodeName", "spec.source", "status.attached"},
	}),
	object(func(s *model.Snapshot) *[]model.Object[*corev1.PersistentVolume] { return &s.PersistentVolumes }, kind{
		name: "PersistentVolume", names: []string{"pv", "pvs"},
		needs: tree(metadata, []string{"metadata labels", "metadata annotations pv.kubernetes.io/migrated-to",
			"metadata annotations pv.kubernetes.io/provisioned-by", "spec iscsi", "spec fc", "spec flexVolume",
			"spec accessModes", "spec capacity", "spec claimRef", "spec nodeAffinity", "spec persistentVolumeReclaimPolicy",
			"spec storageClassName", "spec volumeMode", "spec csi driver", "spec csi volumeHandle", "spec local path", "spec hostPath path",
			"status"}),
		truncated: []string{"metadata.name", "spec.volumeMode", "status"},
	}),
	object(func(s *model.Snapshot) *[]model.Object[*corev1.PersistentVolumeClaim] {
		return &s.PersistentVolumeClaims
	}, kind{
		name: "PersistentVolumeClaim", names: []string{"pvc", "pvcs"}, namespaced: true,
		needs: tree(metadata, within("spec", claimSpec...), []string{
			"metadata annotations volume.beta.kubernetes.io/storage-class", "metadata annotations volume.kubernetes.io/selected-node",
			"status allocatedResourceStatuses", "status capacity", "status conditions", "status phase"}),
		truncated: []string{"metadata.name", "spec.volumeName", "status"},
	}),
	object(func(s *model.Snapshot) *[]model.Object[*corev1.Pod] { return &s.Pods }, kind{
		name: "Pod", audited: true, names: []string{"po"}, namespaced: true, hold: holdPod,
		needs: tree(metadata, within("spec", podSpec...), []string{"metadata labels pod-template-hash",
			"metadata labels kubevirt.io", "metadata labels kubevirt.io/created-by", "metadata labels kubevirt.io/migrationJobUID",
			"metadata labels vm.kubevirt.io/name", "status phase", "status reason", "status conditions",
			"status containerStatuses name", "status containerStatuses state", "status containerStatuses restartCount",
			"status initContainerStatuses name", "status initContainerStatuses state", "status initContainerStatuses restartCount"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*corev1.Node] { return &s.Nodes }, kind{
		name: "Node", audited: true, names: []string{"no"},
		needs: tree(metadata, managed, []string{managedSpec + "f:taints …", managedSpec + "f:unschedulable …",
			"metadata labels", "spec providerID", "spec taints", "spec unschedulable",
			"status conditions", "status nodeInfo bootID", "status nodeInfo kubeletVersion", "status nodeInfo systemUUID",
			"status volumesAttached name", "status volumesInUse"}),
	}),
	{
		name: "Event", groups: []string{"", "events.k8s.io"}, names: []string{"ev"}, namespaced: true, decode: decodeEvent,
		assign: assigned((*Event).meta),
		needs: tree([]string{"apiVersion", "kind", "reason", "message", "note", "eventTime", "firstTimestamp", "lastTimestamp",
			"deprecatedFirstTimestamp", "deprecatedLastTimestamp", "count", "deprecatedCount", "reportingComponent", "reportingController",
			"source component", "source host", "deprecatedSource component", "deprecatedSource host", "series count",
			"series lastObservedTime"},
			within("metadata", "name", "namespace", "uid", "resourceVersion", "creationTimestamp"),
			within("involvedObject", "kind", "namespace", "name", "uid"), within("regarding", "kind", "namespace", "name", "uid")),
		truncated: []string{"involvedObject.kind", "involvedObject.name", "reason", "message"},
	},
	object(func(s *model.Snapshot) *[]model.Object[*coordinationv1.Lease] { return &s.Leases }, kind{
		name: "Lease", groups: []string{"coordination.k8s.io"}, namespaced: true,
		needs: tree(metadata, []string{"spec acquireTime", "spec holderIdentity", "spec renewTime"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*corev1.Namespace] { return &s.Namespaces }, kind{
		name: "Namespace", names: []string{"ns"}, needs: tree(metadata),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*storagev1.CSINode] { return &s.CSINodes }, kind{
		name: "CSINode", groups: storage,
		needs: tree(metadata, []string{"spec drivers name", "spec drivers nodeID", "spec drivers allocatable"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*storagev1.CSIDriver] { return &s.CSIDrivers }, kind{
		name: "CSIDriver", groups: storage, needs: tree(metadata, []string{"spec attachRequired"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*storagev1.StorageClass] { return &s.StorageClasses }, kind{
		name: "StorageClass", groups: storage, names: []string{"sc", "storage-classes"},
		needs: tree(metadata, []string{"provisioner", "parameters", "reclaimPolicy", "allowVolumeExpansion", "allowedTopologies",
			"volumeBindingMode", "metadata annotations"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*appsv1.Deployment] { return &s.Deployments }, kind{
		name: "Deployment", audited: true, groups: workloads, names: []string{"deploy"}, namespaced: true,
		needs: tree(metadata, changes, template, []string{"spec replicas", "spec strategy"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*appsv1.ReplicaSet] { return &s.ReplicaSets }, kind{
		name: "ReplicaSet", audited: true, groups: workloads, names: []string{"rs"}, namespaced: true,
		needs: tree(metadata, template, []string{"spec replicas"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*appsv1.StatefulSet] { return &s.StatefulSets }, kind{
		name: "StatefulSet", audited: true, groups: workloads, names: []string{"sts"}, namespaced: true,
		needs: tree(metadata, changes, template, within("spec volumeClaimTemplates spec", claimSpec...), []string{
			"spec replicas", "spec ordinals start", "spec volumeClaimTemplates metadata name", "spec persistentVolumeClaimRetentionPolicy",
			"spec volumeClaimTemplates metadata annotations volume.beta.kubernetes.io/storage-class"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*appsv1.DaemonSet] { return &s.DaemonSets }, kind{
		name: "DaemonSet", groups: workloads, names: []string{"ds"}, namespaced: true,
		needs: tree(metadata, template, []string{"status desiredNumberScheduled"}),
	}),
	object(func(s *model.Snapshot) *[]model.Object[*batchv1.Job] { return &s.Jobs }, kind{
		name: "Job", groups: []string{"batch"}, namespaced: true, needs: tree(metadata),
	}),
	custom(func(s *model.Snapshot) *[]model.Object[model.ClusterVersion] { return &s.ClusterVersions }, kind{
		name: "ClusterVersion", groups: []string{"config.openshift.io"}, decode: decodeClusterVersion,
	}),
	custom(func(s *model.Snapshot) *[]model.Object[[]model.RuleGroup] { return &s.PrometheusRules }, kind{
		name: "PrometheusRule", groups: []string{"monitoring.coreos.com"}, namespaced: true, decode: decodeRules, hold: holdRules,
	}),
	{name: "KubeControllerManager", groups: []string{"operator.openshift.io"}, settings: true, decode: decodeOperator},
}

var (
	storage   = []string{"storage.k8s.io"}
	workloads = []string{"apps", "extensions"}
)

// rowOf is the first row that fits; nil when none does.
func rowOf(fits func(*kind) bool) *kind {
	if i := slices.IndexFunc(kinds, fits); i >= 0 {
		return kinds[i]
	}
	return nil
}

// called is the name of a kind; "" for none.
func (k *kind) called() string {
	if k == nil {
		return ""
	}
	return k.name
}

// kindNamed finds a row; nil for a kind that is not read. An empty apiVersion matches any group: items of typed lists have none.
func kindNamed(name, apiVersion string) *kind {
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup {
		group = "" // v1, or nothing
	}
	return rowOf(func(k *kind) bool {
		return k.name == name && (apiVersion == "" || slices.Contains(k.groups, group) || k.groups == nil && group == "")
	})
}

// calls reports whether kubectl or a collector calls the kind so, in lower case.
func (k *kind) calls(name string) bool {
	return name == k.plural() || name == strings.ToLower(k.name) || slices.Contains(k.names, name)
}

func (k *kind) plural() string {
	name := strings.ToLower(k.name)
	if strings.HasSuffix(name, "s") {
		name += "e"
	}
	return name + "s"
}

// KindCalled is the kind that kubectl calls so: pods, po, persistentvolume; "" for a kind that is not read.
func KindCalled(name string) string {
	return rowOf(func(k *kind) bool { return k.calls(name) }).called()
}

// KindOfPlural is the kind whose objects a collector keeps in files or directories of this name; "" when such are not kept.
func KindOfPlural(plural string) string {
	return rowOf(func(k *kind) bool { return k.plural() == plural && !k.settings }).called()
}

// Audited is the kind of a resource whose requests in an audit log are read; "" for others, such as the nodes of metrics.k8s.io.
func Audited(resource, group string) string {
	return rowOf(func(k *kind) bool {
		return k.audited && k.plural() == resource && (k.groups == nil && group == "" || k.groups != nil && k.groups[0] == group)
	}).called()
}

// ClusterScoped reports whether a kind is read and its objects are in no namespace.
func ClusterScoped(kindName string) bool {
	k := kindNamed(kindName, "")
	return k != nil && !k.namespaced
}

// KindByName is what the name of a file or of its directory suggests, such as pvs.json and pvcs/shop.json; "" when it suggests nothing.
func KindByName(p string) string {
	base := strings.ToLower(path.Base(strings.ReplaceAll(p, "!", "/")))
	base, _, _ = strings.Cut(base, ".")
	suggests := func(name string) string {
		return rowOf(func(k *kind) bool { return k.calls(name) && !k.settings }).called()
	}
	return cmp.Or(suggests(base), suggests(strings.ToLower(path.Base(path.Dir(p)))))
}

func refOf(kindName string, m metav1.Object) model.Ref {
	return model.Ref{Kind: kindName, Namespace: m.GetNamespace(), Name: m.GetName(), UID: string(m.GetUID())}
}

func resourceVersion(m metav1.Object) uint64 {
	n, err := strconv.ParseUint(m.GetResourceVersion(), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
