package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Shares of a volume's bytes or inodes, in percent, from which on it is a finding.
const (
	filling  = 70
	nearFull = 90
)

var volumeFull = Check{
	ID: "volume-full", Severity: "warning",
	Title:  "A volume is nearly full",
	Remedy: "Expand the claim where its class allows it, or free space.",
	Doc: Doc{
		Means: `A file system that runs full ends its application, which then restarts and perhaps moves: a wait for the volume is then a
consequence. From 70 % on it is worth planning, from 90 % on worth acting.`,
		DecidedBy:  "The kubelet's last samples of kubelet_volume_stats_used_bytes and _capacity_bytes, or of the inodes: 90 % or more is a warning, 70 % or more is for information.",
		LeftAlone:  "Volumes below 70 %; volumes of which the driver gives no statistics, such as raw block volumes.",
		References: []string{"kubernetes pkg/kubelet/metrics/collectors/volume_stats.go (1.13–1.36)"},
	},
	Needs: []Need{{
		What: "the volume statistics of kubelets", Command: "promtool tsdb dump-openmetrics --match '{__name__=~\"kubelet_volume_stats_.*\"}' PROMETHEUS-DATA > metrics.openmetrics",
		Met:   func(w *reconstruct.World) bool { return len(w.Told(model.VolumeUsage)) > 0 },
		Holds: []string{model.HoldsMetrics},
	}},
	Look: lookVolumeFull,
}

func lookVolumeFull(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, o := range w.Told(model.VolumeUsage) {
		text, _, _ := strings.Cut(o.Detail, "%")
		share, err := strconv.Atoi(text)
		if err != nil || share < filling || newer(w, o) {
			continue
		}
		h := Hit{
			Objects: []model.Ref{o.Claim}, Shown: []*model.Observation{o},
			Text: fmt.Sprintf("The volume of claim %s was full to %s at %s, by the kubelet's last sample.", o.Claim, o.Detail, model.Stamp(o.At.At)),
		}
		if share < nearFull {
			h.Severity = "info"
		}
		out = append(out, h)
	}
	return out
}

// newer reports a later sample of the same: the volume moved to another node, or two servers scraped it.
func newer(w *reconstruct.World, o *model.Observation) bool {
	_, what, _ := strings.Cut(o.Detail, "% of its ")
	for _, p := range w.Told(model.VolumeUsage) {
		_, other, _ := strings.Cut(p.Detail, "% of its ")
		if p != o && p.Claim == o.Claim && other == what && p.Compare(o) > 0 {
			return true
		}
	}
	return false
}
