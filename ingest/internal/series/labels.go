package series

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// targetLabels are added by service discovery: where the exporter runs. job and instance stay: they separate exporters.
var targetLabels = []string{"namespace", "pod", "container", "service", "node", "endpoint"}

// ownLabels are such labels that kube-state-metrics itself gives to metrics, longest prefix first (internal/store, 1.9.0–2.20.0).
var ownLabels = []owner{
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

type owner struct {
	prefix string
	own    []string
}

// exporterLabels restores the exporter's labels. honor_labels: false renames clashing ones to exported_…; honor_labels: true adds the
// target's where the exporter has none; kube-state-metrics 1.9 calls an attachment's node nodeName.
func exporterLabels(raw model.Labels) model.Labels {
	name := raw.Get(model.MetricName)
	if !strings.HasPrefix(name, "kube_") && !strings.HasPrefix(name, "kubelet_volume_stats_") {
		return raw
	}
	known := slices.IndexFunc(ownLabels, func(o owner) bool { return strings.HasPrefix(name, o.prefix) })
	out := make(model.Labels, 0, len(raw))
	for _, l := range raw {
		base, exported := strings.CutPrefix(l.Name, "exported_")
		switch target := slices.Contains(targetLabels, l.Name); {
		case exported && slices.Contains(targetLabels, base):
			l.Name = base
		case target && (raw.Has("exported_"+l.Name) || known >= 0 && !slices.Contains(ownLabels[known].own, l.Name)):
			continue
		case l.Name == "nodeName" && strings.HasPrefix(name, "kube_volumeattachment_info"):
			l.Name = "node"
		}
		out = append(out, l)
	}
	return sorted(out)
}

// relabelled reports whether reading may change a label of this name, so that an index cannot be queried by it.
func relabelled(name string) bool { return slices.Contains(targetLabels, name) || name == "nodeName" }

// sorted orders labels by name; of two with one name the first stays.
func sorted(l model.Labels) model.Labels {
	byName := func(a, b model.Label) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(l, byName) {
		slices.SortStableFunc(l, byName)
	}
	return slices.CompactFunc(l, func(a, b model.Label) bool { return a.Name == b.Name })
}

// with adds the external labels of a server where a series has none of that name.
func with(l, external model.Labels) model.Labels {
	if len(external) == 0 {
		return l
	}
	return sorted(append(slices.Clone(l), external...))
}

func compile(matchers []model.Matcher) ([]*labels.Matcher, error) {
	kinds := []model.MatchType{model.MatchEqual, model.MatchNotEqual, model.MatchRegexp, model.MatchNotRegexp} // as labels.MatchType counts
	out := make([]*labels.Matcher, len(matchers))
	for i, m := range matchers {
		kind := slices.Index(kinds, m.Type)
		if kind < 0 {
			return nil, fmt.Errorf("%q compares no labels", m.Type)
		}
		var err error
		if out[i], err = labels.NewMatcher(labels.MatchType(kind), m.Name, m.Value); err != nil {
			return nil, fmt.Errorf("the expression of %s%s%q cannot be read: %w", m.Name, m.Type, m.Value, err)
		}
	}
	return out, nil
}

func allow(matchers []*labels.Matcher, l model.Labels) bool {
	return !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(l.Get(m.Name)) })
}
