package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// sameCluster says whether both sides are of one cluster: by its identities, else by its Nodes.
func sameCluster(a, b *Side) model.SameAs {
	if keyOf(a) != keyOf(b) {
		return model.SameAs{Value: model.Unknown, Text: "a side has pseudonyms of its own in place of names"}
	}
	first, second := a.Report.Bundle.Identities, b.Report.Bundle.Identities
	for _, kind := range []struct{ id, text string }{
		{model.IdentityOpenShift, "OpenShift's cluster id"}, {model.IdentityKubeSystem, "the UID of the namespace kube-system"},
	} {
		x, y := ofKind(first, kind.id), ofKind(second, kind.id)
		switch {
		case len(x) == 0 || len(y) == 0:
		case slices.ContainsFunc(x, func(id string) bool { return slices.Contains(y, id) }):
			return model.SameAs{Value: model.True, Text: kind.text + " is the same in both"}
		default:
			return model.SameAs{Value: model.False, Text: kind.text + " is another one in each"}
		}
	}
	return sameNodes(a, b)
}

// keyOf is the key of a side's pseudonyms; "" where names stand as they are.
func keyOf(s *Side) string {
	if r := s.Report.Redaction; r != nil {
		return "key " + r.Key
	}
	return ""
}

// sameNodes compares the Nodes and, if none are shared, the volumes: all nodes of a cluster can be replaced.
func sameNodes(a, b *Side) model.SameAs {
	same, others, names := 0, 0, 0 // Nodes of one name with one UID, with two, and with one that a report does not tell
	for name, uid := range a.Nodes {
		there, ok := b.Nodes[name]
		switch {
		case !ok:
		case uid == "" || there == "":
			names++
		case uid == there:
			same++
		default:
			others++
		}
	}
	volumes := sharedVolumes(a, b)
	if same > 0 {
		return model.SameAs{Value: model.True, Text: "Nodes with the same UID are in both"}
	}
	if others > 0 && volumes == 0 {
		return model.SameAs{Value: model.False, Text: "Nodes of the same name are in both, and each has another UID, as in a cluster that was installed again"}
	}
	if volumes+names > 0 {
		return model.SameAs{Value: model.Unknown, Text: "nothing identifies it but the names of Nodes or volumes that are in both"}
	}
	return model.SameAs{Value: model.False, Text: "they share no Node and no volume, and nothing else in both identifies it"}
}

// sharedVolumes counts the volumes that both sides name.
func sharedVolumes(a, b *Side) int {
	first, second := a.volumes(), b.volumes()
	maps.DeleteFunc(first, func(name string, _ bool) bool { return !second[name] })
	return len(first)
}

// volumes are the volumes of a side's VolumeAttachments, incidents and faults.
func (s *Side) volumes() map[string]bool {
	out := map[string]bool{}
	for _, a := range s.Attachments {
		out[a.Volume] = true
	}
	for _, in := range s.Report.Incidents {
		out[in.Volume.PersistentVolume] = true
	}
	for _, f := range open(s) {
		for _, o := range f.Objects {
			if o.Kind == "PersistentVolume" || o.Kind == "PersistentVolumeClaim" {
				out[o.Name] = true
			}
		}
	}
	delete(out, "")
	return out
}

// ofKind are the identities of one kind: those of two kinds cannot contradict each other.
func ofKind(ids []string, kind string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.HasPrefix(id, kind+"-") })
}
