package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// joinMetric ties a VolumeAttachment to its PersistentVolume; kube-state-metrics 1.8 and later, with the rights to list VolumeAttachments.
const joinMetric = "kube_volumeattachment_spec_source_persistentvolume"

// stateMetric is one that every kube-state-metrics exports: with it and without the other, the other is lacking.
const stateMetric = "kube_node_info"

// attachmentMetrics looks for the metric that ties a volume to its attachment in what the bundle holds of metrics.
func attachmentMetrics(w *facts.World) answer {
	var lacking []string
	for _, m := range w.Snapshot.Metrics {
		if n, ok := seriesOf(m, joinMetric); ok && n > 0 {
			return answer{no: true, text: fmt.Sprintf("%s has %s of %s.", m.Path, words.Plural(n, "series", "series"), joinMetric)}
		}
		n, ok := seriesOf(m, stateMetric)
		attachments, known := seriesOf(m, "kube_volumeattachment_info")
		switch {
		case !ok || n == 0 || !known || !complete(m):
		case attachments > 0 || len(w.Attachments) > 0: // else there was nothing to export
			lacking = append(lacking, m.Path)
		}
	}
	if len(lacking) == 0 {
		return answer{}
	}
	return answer{yes: true, text: fmt.Sprintf("%s has series of kube-state-metrics (%s) and none of %s, although there are "+
		"VolumeAttachments.", lacking[0], stateMetric, joinMetric)}
}

// complete reports that metrics hold all that the server scraped: a dump or an answer may be of some metrics only.
func complete(m model.MetricSource) bool {
	return m.Form == model.MetricBlock || m.Form == model.MetricHead
}

// errEnough ends a selection early.
var errEnough = errors.New("enough")

// maxSeries bounds how many series are counted.
const maxSeries = 1000

// seriesOf counts the series of a metric; false when they cannot be read.
func seriesOf(m model.MetricSource, name string) (n int, ok bool) {
	if m.Select == nil {
		return 0, false
	}
	named := []model.Matcher{{Name: model.MetricName, Type: model.MatchEqual, Value: name}}
	err := m.Select(named, time.Time{}, time.Time{}, func(model.Labels, model.Samples) error {
		if n++; n == maxSeries {
			return errEnough
		}
		return nil
	})
	return n, err == nil || errors.Is(err, errEnough)
}

// Metrics by which alerting rules see how full volumes are, and attachments that do not move.
var (
	usageMetrics = []string{"kubelet_volume_stats_"}
	stuckMetrics = []string{"kube_volumeattachment_", "attachdetach_controller_", "storage_operation_", "volume_manager_total_volumes",
		"VolumeAttachment"}
)

// alertingRules looks for alerts on volume usage and stuck attachments in PrometheusRules and in servers' answers. Only a whole list
// without one is a yes: rules can lie in Prometheus' own files.
func alertingRules(w *facts.World) answer {
	var found ruleSearch
	for _, o := range model.Newest(w.Snapshot.PrometheusRules) {
		found.look("PrometheusRules of the bundle", o.Value(), func(g, r int) *model.Observation {
			return facts.Cite(o, fmt.Sprintf("spec.groups[%d].rules[%d].expr", g, r))
		})
	}
	whole := w.Listed("PrometheusRule", "")
	for _, f := range w.Snapshot.RuleFiles {
		found.look(f.Path, f.Groups, func(int, int) *model.Observation { return nil })
		whole = whole || !f.Part
	}
	text, without := found.text()
	switch {
	case len(found.places) == 0:
		return answer{}
	case len(without) == 0:
		return answer{no: true, text: text + ".", shown: found.shown}
	case whole:
		return answer{yes: true, text: text + "; none on " + strings.Join(without, " or on ") + ".", shown: append(found.shown, firstRule(w))}
	}
	return answer{shown: found.shown,
		text: text + "; none on " + strings.Join(without, " or on ") + ", and the bundle does not hold the PrometheusRules of all namespaces."}
}

// ruleSearch is what is found among alerting rules.
type ruleSearch struct {
	places       []place
	usage, stuck []string
	shown        []*model.Observation
}

// place is where alerting rules are, and how many.
type place struct {
	name  string
	rules int
}

// look goes through the rules of a place.
func (s *ruleSearch) look(where string, groups []model.RuleGroup, cite func(group, rule int) *model.Observation) {
	if n := len(s.places); n == 0 || s.places[n-1].name != where {
		s.places = append(s.places, place{where, 0})
	}
	for g, group := range groups {
		for r, rule := range group.Rules {
			if rule.Alert == "" {
				continue
			}
			s.places[len(s.places)-1].rules++
			of, about := &s.usage, usageMetrics
			if containsAny(rule.Expr, stuckMetrics) {
				of, about = &s.stuck, stuckMetrics
			}
			if !containsAny(rule.Expr, about) || slices.Contains(*of, rule.Alert) {
				continue
			}
			if *of = append(*of, rule.Alert); len(*of) == 1 {
				s.shown = append(s.shown, cite(g, r))
			}
		}
	}
}

// text says what was found, and what not.
func (s *ruleSearch) text() (found string, without []string) {
	found = words.List(each(s.places, func(p place) string { return words.Count(p.rules, "alerting rule") + " in " + p.name }))
	for _, part := range []struct {
		of   []string
		what string
	}{{s.usage, "the usage of volumes"}, {s.stuck, "VolumeAttachments or their operations"}} {
		if len(part.of) > 0 {
			found += fmt.Sprintf("; on %s: %s", part.what, words.List(part.of))
		} else {
			without = append(without, part.what)
		}
	}
	return found, without
}

// firstRule quotes a PrometheusRule, for an answer that is about all of them; nil without one.
func firstRule(w *facts.World) *model.Observation {
	for _, o := range w.Snapshot.PrometheusRules {
		return facts.Cite(o, "metadata.name")
	}
	return nil
}

// snapshots compares the bound claims with the VolumeSnapshots.
func snapshots(w *facts.World) answer {
	copies := model.Newest(w.Snapshot.VolumeSnapshots)
	if len(copies) == 0 && !listedSomewhere(w, "VolumeSnapshot") {
		return answer{}
	}
	copied, failed := restorable(copies)
	without, claims := seen{}, 0
	for _, c := range w.Claims {
		if c.Value().Spec.VolumeName == "" || !w.Listed("VolumeSnapshot", c.Ref.Namespace) && !copied[c.Ref.String()] {
			continue // whether it has one is not in the bundle
		}
		claims++
		if !copied[c.Ref.String()] {
			addObject(&without, c.Ref.String(), c, "spec.volumeName")
		}
	}
	shown, bound := append(failed.shown, without.shown...), words.Count(claims, "bound claim")
	bad := words.If(len(failed.names) > 0, fmt.Sprintf(" Failed: %s.", words.List(failed.names)))
	switch {
	case len(without.names) > 0:
		return answer{yes: true, shown: shown, text: fmt.Sprintf("%d of %s have no VolumeSnapshot that can be restored: %s. Which of them are "+
			"important is not written anywhere.%s", len(without.names), bound, words.List(without.names), bad)}
	case bad != "":
		return answer{yes: true, shown: shown, text: strings.TrimSpace(bad)}
	case claims > 0:
		return answer{no: true, text: fmt.Sprintf("Each of %s has a VolumeSnapshot; how often one is created, the bundle does not tell.", bound)}
	}
	return answer{text: fmt.Sprintf("%s in the bundle, and no bound claims to compare them with.", words.Count(len(copies), "VolumeSnapshot"))}
}

// restorable are the claims with a VolumeSnapshot that is ready, or that does not say otherwise, and the VolumeSnapshots that failed.
func restorable(copies []model.Object[model.VolumeSnapshot]) (claims map[string]bool, failed seen) {
	claims = map[string]bool{}
	for _, s := range copies {
		switch v := s.Value(); {
		case v.Error != "" && !deref(v.Ready, false):
			failed.names = append(failed.names, s.Ref.String())
			failed.shown = append(failed.shown, facts.Cite(s, "status.error.message"))
		case deref(v.Ready, true):
			claims[s.Ref.Namespace+"/"+v.Claim] = true
		}
	}
	return claims, failed
}

// volumesWithoutAttachment finds volumes without a VolumeAttachment: in-tree plugins, local disks, drivers with attachRequired false.
func volumesWithoutAttachment(w *facts.World) answer {
	skip := map[string]bool{}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		skip[d.Ref.Name] = !deref(d.Value().Spec.AttachRequired, true)
	}
	var found seen
	for _, pv := range w.PVs {
		if csi := pv.Value().Spec.CSI; (csi == nil || skip[csi.Driver]) && !migrated(pv.Value()) {
			addObject(&found, pv.Ref.Name, pv, "metadata.name", "spec.csi.driver")
		}
	}
	for _, v := range w.Volumes.All { // those that only lines and Events name
		if why, shown := w.Attachless(v); v.PV == nil && why != "" && v.Key() != "" {
			found.add(v.Key(), shown)
		}
	}
	return found.yes(words.Count(len(found.names), "volume") +
		" of an in-tree plugin, a local disk or a driver that needs no attachment (%s): VolumeAttachments say nothing of them.")
}

// migrated reports that an in-tree volume is handled by a CSI driver, and so has a VolumeAttachment.
func migrated(pv *corev1.PersistentVolume) bool {
	return pv.Annotations["pv.kubernetes.io/migrated-to"] != ""
}

func expansionForbidden(w *facts.World) answer {
	used := map[string]int{}
	for _, pv := range boundVolumes(w) {
		used[pv.Value().Spec.StorageClassName]++
	}
	var found seen
	for _, c := range w.Classes {
		if used[c.Ref.Name] > 0 && !deref(c.Value().AllowVolumeExpansion, false) {
			addObject(&found, fmt.Sprintf("%s (%s)",
				c.Ref.Name, words.Count(used[c.Ref.Name], "volume")), c, "metadata.name", "allowVolumeExpansion")
		}
	}
	return found.yes("allowVolumeExpansion is not true of %s.")
}
