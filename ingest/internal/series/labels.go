package series

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// targetLabels are added by service discovery: where the exporter runs. job and instance stay: they tell exporters apart.
var targetLabels = []string{"namespace", "pod", "container", "service", "node", "endpoint"}

// ownLabels are such labels that kube-state-metrics itself gives to metrics, longest prefix first (internal/store, 1.9.0–2.20.0).
var ownLabels = []struct {
	prefix string
	own    []string
}{
	{"kube_volumeattachment_info", []string{"node"}},
	{"kube_volumeattachment_", nil},
	{"kube_persistentvolumeclaim_", []string{"namespace"}},
	{"kube_persistentvolume_", nil},
	{"kube_node_", []string{"node"}},
	{"kube_pod_info", []string{"namespace", "pod", "node"}},
	{"kube_pod_container_", []string{"namespace", "pod", "container"}},
	{"kube_pod_init_container_", []string{"namespace", "pod", "container"}},
	{"kube_pod_", []string{"namespace", "pod"}},
	{"kube_lease_", []string{"namespace"}},
}

// exporterLabels restores the exporter's labels. honor_labels: false renames clashing ones to exported_…; honor_labels: true adds the
// target's where the exporter has none; kube-state-metrics 1.9 calls an attachment's node nodeName.
func exporterLabels(raw model.Labels) model.Labels {
	name := raw.Get(model.MetricName)
	if strings.HasPrefix(name, "kubelet_volume_stats_") && raw.Has("exported_namespace") {
		return kubeletLabels(raw)
	}
	if !strings.HasPrefix(name, "kube_") {
		return raw
	}
	own, known := owned(name)
	out := make(model.Labels, 0, len(raw))
	for _, l := range raw {
		base, exported := strings.CutPrefix(l.Name, "exported_")
		switch {
		case exported && isTargets(base):
			out = append(out, model.Label{Name: base, Value: l.Value})
		case slices.Contains(targetLabels, l.Name) && (raw.Has("exported_"+l.Name) || known && !slices.Contains(own, l.Name)):
		case l.Name == "instance" && raw.Has("exported_instance"), l.Name == "job" && raw.Has("exported_job"):
			out = append(out, l) // the exporter's own is of no use here
		case l.Name == "nodeName" && strings.HasPrefix(name, "kube_volumeattachment_info"):
			out = append(out, model.Label{Name: "node", Value: l.Value})
		default:
			out = append(out, l)
		}
	}
	return sorted(out)
}

// kubeletLabels gives the statistics of a volume the namespace of its claim; the other labels are the kubelet's or its target's.
func kubeletLabels(raw model.Labels) model.Labels {
	out := make(model.Labels, 0, len(raw))
	for _, l := range raw {
		switch l.Name {
		case "namespace":
		case "exported_namespace":
			out = append(out, model.Label{Name: "namespace", Value: l.Value})
		default:
			out = append(out, l)
		}
	}
	return sorted(out)
}

func owned(name string) (own []string, known bool) {
	for _, o := range ownLabels {
		if strings.HasPrefix(name, o.prefix) {
			return o.own, true
		}
	}
	return nil, false
}

func isTargets(label string) bool { return slices.Contains(targetLabels, label) }

// relabelled reports whether reading may change a label of this name, so that an index cannot be asked for it.
func relabelled(name string) bool { return isTargets(name) || name == "nodeName" }

// sorted orders labels by name; of two with one name the first stays.
func sorted(l model.Labels) model.Labels {
	if increasing(l) {
		return l
	}
	slices.SortStableFunc(l, func(a, b model.Label) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(l, func(a, b model.Label) bool { return a.Name == b.Name })
}

func increasing(l model.Labels) bool {
	for i := 1; i < len(l); i++ {
		if l[i-1].Name >= l[i].Name {
			return false
		}
	}
	return true
}

// with adds the external labels of a server where a series has none of that name.
func with(l, external model.Labels) model.Labels {
	if len(external) == 0 {
		return l
	}
	return sorted(append(slices.Clone(l), external...))
}
