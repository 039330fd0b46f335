package manifest

import "strings"

// needs is a tree of the fields that are read of an object: what is not in it is dropped before decoding. Lists do not
// count as a level. nil stands for nothing.
type needs struct {
	whole  bool // with everything below
	fields map[string]*needs
}

// everything is what is needed of a kind that has no row in the table.
var everything = &needs{whole: true}

// field is what is needed below a key.
func (n *needs) field(key string) *needs {
	if n == nil || n.whole {
		return n
	}
	return n.fields[key]
}

// neededOf is what is read of each kind: by package statement, by package analyze, and by the citations of both, as
// TestNeeded finds it in their code. A path is written with spaces between its fields, because keys of labels hold dots;
// its last field is needed with all that it holds, or, before a "…", only in so far as it is there.
var neededOf = func() map[string]*needs {
	metadata := within("metadata", "name", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "finalizers", "ownerReferences kind", "ownerReferences name", "ownerReferences uid", "ownerReferences controller")
	metadata = append(metadata, "apiVersion", "kind")
	podSpec := []string{"nodeName", "readinessGates", "nodeSelector", "tolerations", "terminationGracePeriodSeconds",
		"affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution", "securityContext fsGroup", "securityContext fsGroupChangePolicy",
		"volumes name", "volumes ephemeral …", "volumes persistentVolumeClaim", "volumes azureDisk readOnly", "volumes cinder readOnly",
		"containers name", "containers image", "containers command", "containers args", "containers readinessProbe …", "containers startupProbe …",
		"initContainers name", "initContainers image", "initContainers command", "initContainers args", "initContainers readinessProbe …", "initContainers startupProbe …"}
	claimSpec := []string{"accessModes", "resources requests", "selector", "storageClassName", "volumeMode", "volumeName"}
	managed := within("metadata managedFields", "manager", "subresource", "time", "fieldsV1 …")
	managedSpec := "metadata managedFields fieldsV1 f:spec "
	changes := append(managed, managedSpec+"f:replicas …", managedSpec+"f:selector …", managedSpec+"f:template …",
		managedSpec+"f:template f:metadata f:annotations f:kubectl.kubernetes.io/restartedAt …")
	template := within("spec template spec", podSpec...)
	return map[string]*needs{
		"Pod": tree(metadata, within("spec", podSpec...), []string{
			"metadata labels pod-template-hash",
			"metadata labels kubevirt.io", "metadata labels kubevirt.io/created-by", "metadata labels kubevirt.io/migrationJobUID", "metadata labels vm.kubevirt.io/name",
			"status phase", "status reason", "status conditions",
			"status containerStatuses name", "status containerStatuses state",
			"status initContainerStatuses name", "status initContainerStatuses state"}),
		"Node": tree(metadata, managed, []string{managedSpec + "f:taints …", managedSpec + "f:unschedulable …",
			"metadata labels", "spec taints", "spec unschedulable",
			"status conditions", "status nodeInfo bootID", "status nodeInfo kubeletVersion", "status nodeInfo systemUUID",
			"status volumesAttached name", "status volumesInUse"}),
		"PersistentVolume": tree(metadata, []string{"metadata labels", "metadata annotations pv.kubernetes.io/migrated-to",
			"metadata annotations pv.kubernetes.io/provisioned-by", "spec iscsi", "spec fc", "spec flexVolume",
			"spec accessModes", "spec capacity", "spec claimRef", "spec nodeAffinity", "spec persistentVolumeReclaimPolicy",
			"spec storageClassName", "spec volumeMode", "spec csi driver", "spec csi volumeHandle", "spec local path", "spec hostPath path",
			"status"}),
		"PersistentVolumeClaim": tree(metadata, within("spec", claimSpec...), []string{
			"metadata annotations volume.beta.kubernetes.io/storage-class", "metadata annotations volume.kubernetes.io/selected-node",
			"status allocatedResourceStatuses", "status capacity", "status conditions", "status phase"}),
		"Namespace": tree(metadata),
		"VolumeAttachment": tree(metadata, managed, []string{"metadata managedFields fieldsV1 f:status f:attached …",
			"spec attacher", "spec nodeName", "spec source persistentVolumeName",
			"spec source inlineVolumeSpec csi driver", "spec source inlineVolumeSpec csi volumeHandle",
			"status attached", "status attachError", "status detachError"}),
		"CSINode":   tree(metadata, []string{"spec drivers name", "spec drivers nodeID", "spec drivers allocatable"}),
		"CSIDriver": tree(metadata, []string{"spec attachRequired"}),
		"StorageClass": tree(metadata, []string{"provisioner", "parameters", "reclaimPolicy", "allowVolumeExpansion", "allowedTopologies", "volumeBindingMode",
			"metadata annotations"}),
		"Lease":      tree(metadata, []string{"spec acquireTime", "spec holderIdentity", "spec renewTime"}),
		"Deployment": tree(metadata, changes, template, []string{"spec replicas", "spec strategy"}),
		"ReplicaSet": tree(metadata, template, []string{"spec replicas"}),
		"StatefulSet": tree(metadata, changes, template, within("spec volumeClaimTemplates spec", claimSpec...), []string{"spec replicas", "spec ordinals start",
			"spec volumeClaimTemplates metadata name", "spec persistentVolumeClaimRetentionPolicy",
			"spec volumeClaimTemplates metadata annotations volume.beta.kubernetes.io/storage-class"}),
		"DaemonSet": tree(metadata, template, []string{"status desiredNumberScheduled"}),
		"Job":       tree(metadata),
		"Event": tree([]string{"apiVersion", "kind", "reason", "type", "message", "note", "action", "eventTime", "firstTimestamp", "lastTimestamp",
			"deprecatedFirstTimestamp", "deprecatedLastTimestamp", "count", "deprecatedCount", "reportingComponent", "reportingController", "reportingInstance",
			"source component", "source host", "deprecatedSource component", "deprecatedSource host", "series count", "series lastObservedTime"},
			within("metadata", "name", "namespace", "uid", "resourceVersion", "creationTimestamp"),
			within("involvedObject", "kind", "namespace", "name", "uid"), within("regarding", "kind", "namespace", "name", "uid")),
	}
}()

// neededBy is what is needed of a kind.
func neededBy(kindName string) *needs {
	if n, ok := neededOf[kindName]; ok {
		return n
	}
	return everything
}

// within puts a prefix before paths.
func within(prefix string, paths ...string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = prefix + " " + p
	}
	return out
}

// tree joins lists of paths.
func tree(lists ...[]string) *needs {
	root := &needs{fields: map[string]*needs{}}
	for _, paths := range lists {
		for _, path := range paths {
			at := root
			path, onlyThere := strings.CutSuffix(path, " …")
			for field := range strings.SplitSeq(path, " ") {
				next := at.fields[field]
				if next == nil {
					next = &needs{fields: map[string]*needs{}}
					at.fields[field] = next
				}
				at = next
			}
			at.whole = !onlyThere
		}
	}
	return root
}
