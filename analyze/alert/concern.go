package alert

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// against is a firing with its place in a case that it concerns; nil for none.
func against(f model.Firing, c *wait.Case) model.Firing {
	if c == nil {
		return f
	}
	f.Incident, f.LeadSeconds = new(c.ID()), new(c.Began.At.Sub(f.From).Seconds())
	if ended := c.Ended(); ended.Known() {
		f.BeforeEndSeconds = new(ended.At.Sub(f.From).Seconds())
	}
	return f
}

// concerned are the cases that a firing is about, nearest start first: its labels name one of their objects and it fired during them.
func concerned(f model.Firing, cases []*wait.Case) []*wait.Case {
	var out []*wait.Case
	for _, c := range cases {
		from, to := c.Span.From.Earliest, c.Span.To.Latest.Add(maxLookback) // or right after it
		if !f.From.After(to) && !endsBefore(f, from) && concerns(f.Labels, c) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *wait.Case) int {
		return int(a.Began.At.Sub(f.From).Abs() - b.Began.At.Sub(f.From).Abs())
	})
	return out
}

// concerns reports that labels name an object of a case. The most specific label decides.
func concerns(labels map[string]string, c *wait.Case) bool {
	// Where scraping renamed the exporter's labels, those without exported_ are of the exporter itself.
	namespace := first(labels, "exported_namespace", "namespace")
	if v := first(labels, "volumename", "persistentvolume"); v != "" {
		return v == c.Volume.PersistentVolume
	}
	if v := labels["volumeattachment"]; v != "" {
		return v == name(c.Attachment) || v == name(c.NewAttachmentName())
	}
	if v := labels["persistentvolumeclaim"]; v != "" {
		return v == c.Volume.Claim.Name && namespace == c.Volume.Claim.Namespace
	}
	if p := first(labels, "exported_pod", "pod"); p != "" && namespace != "" {
		return slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), model.PodRef(namespace, p, labels["uid"]).Is)
	}
	if w := c.Workload; w != nil && namespace == w.Namespace {
		if v := labels[strings.ToLower(w.Kind)]; v != "" {
			return v == w.Name
		}
	}
	node := first(labels, "exported_node", "node")
	return node != "" && node == c.From
}

// first is the value of the first of some labels that is there.
func first(labels map[string]string, names ...string) string {
	for _, n := range names {
		if v := labels[n]; v != "" {
			return v
		}
	}
	return ""
}

// bounds are from the beginning of the wait of a case to its end or, while it has none, to the end of its evidence.
func bounds(c *wait.Case) (from, to time.Time) {
	to = c.Span.To.At
	if ended := c.Ended(); ended.Known() {
		to = ended.At
	}
	return c.Began.At, to
}
