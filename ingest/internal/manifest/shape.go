package manifest

import "go.yaml.in/yaml/v3"

// shapes tell the kind of an object that does not say it, by fields that only this kind has together. Each row's fields
// must all be there and its absent one must not. The order matters: a PersistentVolumeClaim also has access modes.
var shapes = []struct {
	kind   string
	fields []string
	absent string
}{
	{"VolumeAttachment", []string{"spec.attacher", "spec.nodeName", "spec.source"}, ""},
	{"PersistentVolume", []string{"spec.capacity", "spec.accessModes"}, "spec.resources"},
	{"PersistentVolumeClaim", []string{"spec.accessModes", "spec.resources"}, "spec.capacity"},
	{"Pod", []string{"spec.containers"}, ""},
	{"Node", []string{"status.nodeInfo"}, ""},
	{"Event", []string{"involvedObject", "reason"}, ""},
	{"Event", []string{"regarding", "reason"}, ""},
	{"Lease", []string{"spec.leaseDurationSeconds"}, ""},
	{"Lease", []string{"spec.holderIdentity"}, ""},
	{"CSINode", []string{"spec.drivers"}, ""},
	{"ClusterVersion", []string{"spec.clusterID"}, ""},
}

// kindByShape answers "" when no row fits.
func kindByShape(root *yaml.Node) string {
	for _, s := range shapes {
		fits := s.absent == "" || !has(root, s.absent)
		for _, f := range s.fields {
			fits = fits && has(root, f)
		}
		if fits {
			return s.kind
		}
	}
	return ""
}

func has(root *yaml.Node, field string) bool {
	node, _ := descend(root, nil, field)
	return node != nil
}
