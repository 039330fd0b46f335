package manifest

import (
	"encoding/json"
	"errors"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// kind is one row of the table of what volpost reads.
type kind struct {
	name       string
	groups     []string // API groups in which the kind means this; versions do not matter, v1beta1 reads as v1
	plural     string   // as files and directories are named
	aliases    []string // other names that collectors give files
	namespaced bool
	decode     func(data []byte) (metav1.Object, any, error)
	// assign makes the same of nodes; it answers false when decode has to judge. nil for kinds that are rare.
	assign func(*assigner, *yaml.Node) (metav1.Object, any, bool)
}

// kinds is what volpost reads. The field names of VolumeAttachment, CSINode and CSIDriver did not change from v1alpha1 and
// v1beta1 to v1, nor those of the workloads that are read from extensions/v1beta1 on.
var kinds = []kind{
	{"Pod", []string{""}, "pods", []string{"pod", "po"}, true, typed[corev1.Pod], assigned[corev1.Pod]()},
	{"Node", []string{""}, "nodes", []string{"node", "no"}, false, typed[corev1.Node], assigned[corev1.Node]()},
	{"PersistentVolume", []string{""}, "persistentvolumes", []string{"pvs", "pv"}, false, typed[corev1.PersistentVolume], assigned[corev1.PersistentVolume]()},
	{"PersistentVolumeClaim", []string{""}, "persistentvolumeclaims", []string{"pvcs", "pvc"}, true, typed[corev1.PersistentVolumeClaim], assigned[corev1.PersistentVolumeClaim]()},
	{"Namespace", []string{""}, "namespaces", []string{"namespace", "ns"}, false, typed[corev1.Namespace], assigned[corev1.Namespace]()},
	{"Event", []string{"", "events.k8s.io"}, "events", []string{"event"}, true, decodeEvent, assignEvent()},
	{"VolumeAttachment", []string{"storage.k8s.io"}, "volumeattachments", []string{"volumeattachment", "volume-attachments", "va"}, false, typed[storagev1.VolumeAttachment], assigned[storagev1.VolumeAttachment]()},
	{"CSINode", []string{"storage.k8s.io"}, "csinodes", []string{"csinode"}, false, typed[storagev1.CSINode], assigned[storagev1.CSINode]()},
	{"CSIDriver", []string{"storage.k8s.io"}, "csidrivers", []string{"csidriver"}, false, typed[storagev1.CSIDriver], assigned[storagev1.CSIDriver]()},
	{"StorageClass", []string{"storage.k8s.io"}, "storageclasses", []string{"storageclass", "storage-classes", "sc"}, false, typed[storagev1.StorageClass], assigned[storagev1.StorageClass]()},
	{"Lease", []string{"coordination.k8s.io"}, "leases", []string{"lease"}, true, typed[coordinationv1.Lease], assigned[coordinationv1.Lease]()},
	{"Deployment", []string{"apps", "extensions"}, "deployments", []string{"deployment"}, true, typed[appsv1.Deployment], assigned[appsv1.Deployment]()},
	{"ReplicaSet", []string{"apps", "extensions"}, "replicasets", []string{"replicaset"}, true, typed[appsv1.ReplicaSet], assigned[appsv1.ReplicaSet]()},
	{"StatefulSet", []string{"apps"}, "statefulsets", []string{"statefulset"}, true, typed[appsv1.StatefulSet], assigned[appsv1.StatefulSet]()},
	{"DaemonSet", []string{"apps", "extensions"}, "daemonsets", []string{"daemonset"}, true, typed[appsv1.DaemonSet], assigned[appsv1.DaemonSet]()},
	{"Job", []string{"batch"}, "jobs", []string{"job"}, true, typed[batchv1.Job], assigned[batchv1.Job]()},
	{"ClusterVersion", []string{"config.openshift.io"}, "clusterversions", []string{"clusterversion"}, false, decodeClusterVersion, nil},
	{"PrometheusRule", []string{"monitoring.coreos.com"}, "prometheusrules", []string{"prometheusrule"}, true, decodeRules, nil},
	{"VolumeSnapshot", []string{snapshotGroup}, "volumesnapshots", []string{"volumesnapshot"}, true, decodeSnapshot, nil},
	{"VolumeSnapshotContent", []string{snapshotGroup}, "volumesnapshotcontents", []string{"volumesnapshotcontent"}, false, decodeSnapshotContent, nil},
}

// kindNamed finds a row. An empty apiVersion matches any group: items of typed lists have none.
func kindNamed(name, apiVersion string) (kind, bool) {
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup {
		group = "" // v1, or nothing
	}
	for _, table := range [...][]kind{kinds, configurations} {
		for _, k := range table {
			if k.name == name && (apiVersion == "" || slices.Contains(k.groups, group)) {
				return k, true
			}
		}
	}
	return kind{}, false
}

// KindOfPlural names the kind whose objects a collector keeps in files or directories of this name; "" when volpost reads
// none of that name.
func KindOfPlural(plural string) string {
	for _, k := range kinds {
		if k.plural == plural {
			return k.name
		}
	}
	return ""
}

// Namespaced reports whether objects of the kind live in namespaces.
func Namespaced(kindName string) bool {
	k, _ := kindNamed(kindName, "")
	return k.namespaced
}

// KindByName is what the name of a file or of its directory suggests; "" when it suggests nothing.
func KindByName(p string) string { return kindByName(p) }

// kindByName is what a file's name suggests: pvs.json, volumeattachments.yaml, pvcs/shop.json.
func kindByName(p string) string {
	base := strings.ToLower(path.Base(strings.ReplaceAll(p, "!", "/")))
	base, _, _ = strings.Cut(base, ".")
	for _, name := range []string{base, strings.ToLower(path.Base(path.Dir(p)))} {
		for _, k := range kinds {
			if name == k.plural || slices.Contains(k.aliases, name) {
				return k.name
			}
		}
	}
	return ""
}

// typed decodes into a Kubernetes type. A field of the wrong type leaves that field empty and is reported; the object
// still counts.
func typed[T any, P interface {
	*T
	metav1.Object
}](data []byte) (metav1.Object, any, error) {
	value := P(new(T))
	err := json.Unmarshal(data, value)
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) {
		return nil, nil, err
	}
	return value, (*T)(value), err
}

// assigned does the same with nodes.
func assigned[T any, P interface {
	*T
	metav1.Object
}]() func(*assigner, *yaml.Node) (metav1.Object, any, bool) {
	of := sync.OnceValue(func() *plan { return planner{}.plan(reflect.TypeFor[T]()) })
	return func(a *assigner, root *yaml.Node) (metav1.Object, any, bool) {
		value := P(new(T))
		ok := a.value(root, reflect.ValueOf((*T)(value)).Elem(), of())
		return value, (*T)(value), ok
	}
}

// decodeClusterVersion reads OpenShift's identity: spec.clusterID, and the version that the cluster runs or goes to.
func decodeClusterVersion(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct{ ClusterID string }
		Status            struct {
			Desired struct{ Version string }
			History []struct{ State, Version string }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	v := &model.ClusterVersion{ClusterID: doc.Spec.ClusterID, Version: doc.Status.Desired.Version}
	// The newest completed update is what runs; desired is what is being installed.
	for _, h := range doc.Status.History {
		if h.State == "Completed" {
			v.Version = h.Version
			break
		}
	}
	return &doc.ObjectMeta, v, nil
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
