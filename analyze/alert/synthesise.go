package alert

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// How series are synthesised.
const (
	scrapeInterval = 30 * time.Second // the default of kube-prometheus
	lookBefore     = 15 * time.Minute // of the evaluation, before the incident
	lookAfter      = 10 * time.Minute // after it, so that alerts are seen to end
	longestBefore  = 2 * time.Hour    // before Multi-Attach began
	longestAfter   = 6 * time.Hour    // after it
	mostPods       = 50               // of each side: what more of them wait for is the same
	defaultGrace   = 30 * time.Second // of pods whose terminationGracePeriodSeconds is not known
	notKnown       = "(not known)"
)

// synthesised are the metrics that a timeline has something to say on.
var synthesised = []string{
	"kube_node_status_condition", "kube_persistentvolume_access_mode", "kube_persistentvolumeclaim_access_mode", "kube_persistentvolumeclaim_info",
	"kube_pod_container_status_waiting_reason", "kube_pod_deletion_timestamp", "kube_pod_info", "kube_pod_spec_volumes_persistentvolumeclaims_info",
	"kube_pod_status_phase",
	"kube_volumeattachment_created", "kube_volumeattachment_info", "kube_volumeattachment_spec_source_persistentvolume", "kube_volumeattachment_status_attached",
}

// canSynthesise reports that a case has a place in time and names what the metrics are about.
func canSynthesise(c *reconstruct.Case) bool {
	return c.Began.Missing() == "" && c.Volume.PersistentVolume != "" && c.From != "" && c.To != "" && len(c.NewPods) > 0
}

// caseWindow is the window in which rules are evaluated for a case.
func caseWindow(c *reconstruct.Case) window {
	w := window{c.Span.From.At.Add(-lookBefore), c.Span.To.At.Add(lookAfter), scrapeInterval}
	if earliest := c.Began.At.Add(-longestBefore); w.from.Before(earliest) {
		w.from = earliest
	}
	if latest := c.Began.At.Add(longestAfter); w.to.After(latest) {
		w.to = latest
	}
	if end := collected(c); w.to.After(end) {
		w.to = end
	}
	return w
}

// collected is up to when the bundle tells of a case: its collection, or, where nothing dates that, the end of the span.
func collected(c *reconstruct.Case) time.Time {
	if at := c.World.Axis.CapturedAt; at != nil && at.At.After(c.Span.To.At) {
		return at.At
	}
	return c.Span.To.At
}

// synthesise is what kube-state-metrics would have reported of a case's objects, and nothing else of the cluster.
func synthesise(c *reconstruct.Case, s Setup) []timed {
	start := caseWindow(c).from.Add(-maxLookback)
	out := []timed{nodeSeries(c, start), {series("kube_node_status_condition", "node", c.To, "condition", "Ready", "status", "true"), []stretch{{from: start, value: 1}}}}
	out = append(out, claimTimed(c, start)...)
	for _, p := range c.OldPods[:min(len(c.OldPods), mostPods)] {
		out = append(out, oldPodSeries(c, p, start)...)
	}
	for _, p := range c.NewPods[:min(len(c.NewPods), mostPods)] {
		out = append(out, newPodSeries(c, p)...)
	}
	if c.Attachment.Name == "" && c.Volume.Driver == "" {
		return merged(out) // an in-tree volume has no VolumeAttachment
	}
	out = append(out, attachmentTimed(c, s, name(c.Attachment), c.From, stretch{}, holds(c, start))...)
	if created := firstKnown(c.NewAttachment, c.Attached); created.Known() {
		waits := stretch{from: created.At, value: 0}
		var has stretch
		if c.Attached.Known() {
			has = stretch{from: c.Attached.At, value: 1}
		}
		out = append(out, attachmentTimed(c, s, name(c.NewAttachmentName()), c.To, waits, has)...)
	}
	return merged(out)
}

// holds is while the volume was attached to the old node: until its VolumeAttachment was gone, else until the next attach succeeded.
func holds(c *reconstruct.Case, start time.Time) stretch {
	if made := c.AttachmentCreated(); made.Known() && made.At.After(start) && made.At.Before(c.Began.At) {
		start = made.At
	}
	return stretch{from: start, to: firstKnown(c.Gone, c.Attached).At, value: 1}
}

// merged joins series with the same labels: a pod can be both old and new.
func merged(list []timed) []timed {
	var out []timed
	for _, s := range list {
		i := slices.IndexFunc(out, func(o timed) bool { return o.labels.Compare(s.labels) == 0 })
		if i < 0 {
			out = append(out, s)
			continue
		}
		out[i].stretches = append(out[i].stretches, s.stretches...)
	}
	return out
}

func name(a reconstruct.Attachment) string {
	return cmp.Or(a.Name, notKnown)
}

func firstKnown(list ...reconstruct.Instant) reconstruct.Instant {
	for _, i := range list {
		if i.Known() {
			return i
		}
	}
	return reconstruct.Instant{}
}

// nodeSeries is the Ready condition of the old node.
func nodeSeries(c *reconstruct.Case, start time.Time) timed {
	out := timed{series("kube_node_status_condition", "node", c.From, "condition", "Ready", "status", "true"), []stretch{{from: start, value: 1}}}
	if c.NotReady.Known() {
		out.stretches = append(out.stretches, stretch{from: c.NotReady.At, to: c.BackReady.At, value: 0})
	}
	if c.NodeGone.Known() {
		out.stretches = append(out.stretches, stretch{from: c.NodeGone.At, value: math.NaN()})
	}
	return out
}

func claimTimed(c *reconstruct.Case, start time.Time) []timed {
	claim := claimName(c)
	always := []stretch{{from: start, value: 1}}
	out := []timed{{series("kube_persistentvolumeclaim_info", "namespace", claim.Namespace, "persistentvolumeclaim", claim.Name, "volumename", c.Volume.PersistentVolume), always}}
	for _, mode := range c.Volume.Access {
		out = append(out,
			timed{series("kube_persistentvolumeclaim_access_mode", "namespace", claim.Namespace, "persistentvolumeclaim", claim.Name, "access_mode", mode), always},
			timed{series("kube_persistentvolume_access_mode", "persistentvolume", c.Volume.PersistentVolume, "access_mode", mode), always})
	}
	return out
}

func claimName(c *reconstruct.Case) model.Ref {
	claim := c.Volume.Claim
	if claim.Name == "" {
		claim = model.Ref{Namespace: c.NewPods[0].Namespace, Name: notKnown}
	}
	return claim
}

func podSeries(c *reconstruct.Case, p model.Ref, node string, when []stretch) []timed {
	kind := "ReplicaSet"
	if c.Workload != nil && c.Workload.Kind != "Deployment" {
		kind = c.Workload.Kind
	}
	return []timed{
		{series("kube_pod_info", "namespace", p.Namespace, "pod", p.Name, "uid", p.UID, "node", node, "created_by_kind", kind), when},
		{series("kube_pod_spec_volumes_persistentvolumeclaims_info", "namespace", p.Namespace, "pod", p.Name, "uid", p.UID, "volume", "data", "persistentvolumeclaim", claimName(c).Name), when},
	}
}

// oldPodSeries is a pod that held the volume, until it is seen gone or, if the bundle lacks it, until the controller releases it.
func oldPodSeries(c *reconstruct.Case, p model.Ref, start time.Time) []timed {
	gone := c.OldPodsGone().At
	if _, held := c.World.Pod(p); gone.IsZero() && !held {
		gone = c.Released.At
	}
	there := stretch{from: start, to: gone, value: 1}
	out := append(podSeries(c, p, c.From, []stretch{there}), phaseSeries(p, there)...)
	if c.DeletionRequested.Known() && (gone.IsZero() || c.DeletionRequested.At.Before(gone)) {
		deadline := c.DeletionRequested.At.Add(grace(c, p))
		out = append(out, timed{series("kube_pod_deletion_timestamp", "namespace", p.Namespace, "pod", p.Name, "uid", p.UID),
			[]stretch{{from: c.DeletionRequested.At, to: gone, value: float64(deadline.Unix())}}})
	}
	return out
}

func grace(c *reconstruct.Case, p model.Ref) time.Duration {
	pod, ok := c.World.Pod(p)
	if !ok || pod.Value().Spec.TerminationGracePeriodSeconds == nil {
		return defaultGrace
	}
	return time.Duration(*pod.Value().Spec.TerminationGracePeriodSeconds) * time.Second
}

// newPodSeries is a pod that waits: from its scheduling until it is Ready or, where nothing tells that, the volume is attached.
func newPodSeries(c *reconstruct.Case, p model.Ref) []timed {
	from := firstKnown(c.Scheduled, c.Began).At
	there := []stretch{{from: from, to: c.DemandEnded.At, value: 1}}
	until := firstKnown(c.Ready, c.Ended()).At
	reason := "ContainerCreating"
	if pod, ok := c.World.Pod(p); ok && len(pod.Value().Spec.InitContainers) > 0 {
		reason = "PodInitializing"
	}
	waits := stretch{from: from, to: until, value: 1}
	if end := there[0].to; !end.IsZero() && (until.IsZero() || end.Before(until)) {
		waits.to = end
	}
	out := append(podSeries(c, p, c.To, there), phaseSeries(p, there[0], waits)...)
	return append(out, timed{series("kube_pod_container_status_waiting_reason", "namespace", p.Namespace, "pod", p.Name, "uid", p.UID, "container", notKnown, "reason", reason), []stretch{waits}})
}

// phaseSeries are the phases of a pod, which runs while it is there and does not wait.
func phaseSeries(p model.Ref, there stretch, waits ...stretch) []timed {
	phase := func(name string, otherwise, then float64) timed {
		out := timed{labels: series("kube_pod_status_phase", "namespace", p.Namespace, "pod", p.Name, "uid", p.UID, "phase", name)}
		there.value = otherwise
		out.stretches = append(out.stretches, there)
		for _, w := range waits {
			w.value = then
			out.stretches = append(out.stretches, w)
		}
		return out
	}
	return []timed{phase("Pending", 0, 1), phase("Running", 1, 0)}
}

// attachmentTimed is a VolumeAttachment: waits is while it is not attached, has while it is; either may be unknown.
func attachmentTimed(c *reconstruct.Case, s Setup, name, node string, waits, has stretch) []timed {
	whole := stretch{from: has.from, to: has.to, value: 1}
	status := []stretch{has}
	if !waits.from.IsZero() {
		whole.from, status = waits.from, []stretch{waits}
		if !has.from.IsZero() {
			status = []stretch{waits, has}
		}
	}
	out := []timed{
		{series("kube_volumeattachment_info", "volumeattachment", name, "node", node, "attacher", c.Volume.Driver), []stretch{whole}},
		{series("kube_volumeattachment_spec_source_persistentvolume", "volumeattachment", name, "volumename", c.Volume.PersistentVolume), []stretch{whole}},
		{series("kube_volumeattachment_status_attached", "volumeattachment", name), status},
	}
	if !s.OpenShift { // which drops it
		made := whole
		made.value = float64(whole.from.Unix())
		out = append(out, timed{series("kube_volumeattachment_created", "volumeattachment", name), []stretch{made}})
	}
	return out
}

// series are labels by name and value; those without a value are left out, as in Prometheus.
func series(metric string, pairs ...string) model.Labels {
	out := model.Labels{{Name: model.MetricName, Value: metric}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, model.Label{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	slices.SortFunc(out, func(a, b model.Label) int { return strings.Compare(a.Name, b.Name) })
	return out
}
