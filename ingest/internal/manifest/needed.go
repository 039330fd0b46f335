package manifest

import (
	"slices"
	"strings"
)

// needs is a tree of the fields that are read; others are dropped before decoding. Lists are no level. nil stands for nothing.
type needs struct {
	whole  bool // with everything below
	fields map[string]*needs
}

// everything is what is needed of a kind that says nothing else.
var everything = &needs{whole: true}

// field is what is needed below a key.
func (n *needs) field(key string) *needs {
	if n == nil || n.whole {
		return n
	}
	return n.fields[key]
}

// What rows of the table of kinds have in common: what package statement, package analyze and the citations of both read, as TestNeeded
// finds it in their code. A path is written with spaces between its fields, because keys of labels hold dots; its last field is needed
// with all that it holds, or, before a "…", only in so far as it is there.
var (
	metadata = append(within("metadata", "name", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "finalizers", "ownerReferences kind", "ownerReferences name", "ownerReferences uid",
		"ownerReferences controller"), "apiVersion", "kind")
	podSpec = []string{"nodeName", "readinessGates", "nodeSelector", "tolerations", "terminationGracePeriodSeconds",
		"affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution", "securityContext fsGroup", "securityContext fsGroupChangePolicy",
		"volumes name", "volumes ephemeral …", "volumes persistentVolumeClaim", "volumes azureDisk readOnly", "volumes cinder readOnly",
		"containers name", "containers image", "containers command", "containers args", "containers readinessProbe …",
		"containers startupProbe …", "containers lifecycle preStop …",
		"initContainers name", "initContainers image", "initContainers command", "initContainers args", "initContainers readinessProbe …",
		"initContainers startupProbe …", "initContainers lifecycle preStop …"}
	template  = within("spec template spec", podSpec...)
	claimSpec = []string{"accessModes", "resources requests", "selector", "storageClassName", "volumeMode", "volumeName"}
	managed   = within("metadata managedFields", "manager", "subresource", "time", "fieldsV1 …")
	changes   = append(slices.Clone(managed), managedSpec+"f:replicas …", managedSpec+"f:selector …", managedSpec+"f:strategy …", managedSpec+"f:template …",
		managedSpec+"f:template f:metadata f:annotations f:kubectl.kubernetes.io/restartedAt …")
)

const managedSpec = "metadata managedFields fieldsV1 f:spec "

func neededBy(kindName string) *needs {
	if k := kindNamed(kindName, ""); k != nil && k.needs != nil {
		return k.needs
	}
	return everything
}

func within(prefix string, paths ...string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = prefix + " " + p
	}
	return out
}

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
