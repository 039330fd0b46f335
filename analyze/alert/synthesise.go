package alert

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
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
	"kube_node_status_condition", "kube_persistentvolume_access_mode", "kube_persistentvolumeclaim_access_mode",
	"kube_persistentvolumeclaim_info", "kube_pod_container_status_waiting_reason", "kube_pod_deletion_timestamp", "kube_pod_info",
	"kube_pod_spec_volumes_persistentvolumeclaims_info", "kube_pod_status_phase", "kube_volumeattachment_created",
	"kube_volumeattachment_info", "kube_volumeattachment_spec_source_persistentvolume", "kube_volumeattachment_status_attached",
}

// canSynthesise reports that a case has a place in time and names what the metrics are about.
func canSynthesise(c *wait.Case) bool {
	return c.Began.Missing() == "" && c.Volume.PersistentVolume != "" && c.From != "" && c.To != "" && len(c.NewPods) > 0
}

// caseWindow is when rules are evaluated for a case: not beyond the collection or, where nothing dates that, the end of the span.
func caseWindow(c *wait.Case) window {
	end := c.Span.To.At
	if at := c.World.Axis.CapturedAt; at != nil {
		end = model.Later(end, at.At)
	}
	return window{
		model.Later(c.Span.From.At.Add(-lookBefore), c.Began.At.Add(-longestBefore)),
		model.Earlier(model.Earlier(c.Span.To.At.Add(lookAfter), c.Began.At.Add(longestAfter)), end), scrapeInterval,
	}
}

// exposed is what kube-state-metrics would have reported of a case's objects, and nothing else of the cluster, at every scrape.
type exposed struct {
	*wait.Case
	start   time.Time
	scrapes window // since the Unix epoch
	list    []painted
}

// painted is a series with its value at each scrape.
type painted struct {
	labels model.Labels
	values []float64
}

// never is the end of what does not end.
var never time.Time

// add gives a series a value from a time on and before another, instead of what it had.
func (e *exposed) add(from, to time.Time, value float64, metric string, pairs ...string) {
	l := series(metric, pairs...)
	i := slices.IndexFunc(e.list, func(p painted) bool { return p.labels.Compare(l) == 0 })
	if i < 0 {
		i = len(e.list)
		e.list = append(e.list, painted{l, e.scrapes.nothing()})
	}
	for step := range e.list[i].values {
		if at := e.scrapes.at(step); !at.Before(from) && (to.IsZero() || at.Before(to)) {
			e.list[i].values[step] = value
		}
	}
}

// synthesise makes the series of a case in the order of their labels.
func synthesise(c *wait.Case, s Setup) (out []*packed, err error) {
	w := caseWindow(c)
	e := &exposed{Case: c, start: w.from.Add(-maxLookback)}
	e.scrapes = window{e.start.Truncate(scrapeInterval), w.to, scrapeInterval}
	e.nodes()
	e.claim()
	for _, p := range c.OldPods[:min(len(c.OldPods), mostPods)] {
		e.oldPod(p)
	}
	for _, p := range c.NewPods[:min(len(c.NewPods), mostPods)] {
		e.newPod(p)
	}
	if c.Attachment.Name != "" || c.Volume.Driver != "" { // an in-tree volume has no VolumeAttachment
		e.attachments(s)
	}
	slices.SortFunc(e.list, func(a, b painted) int { return a.labels.Compare(b.labels) })
	for _, p := range e.list {
		made, err := sampled(promLabels(p.labels), p.values, e.scrapes)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// nodes are the Ready conditions of both nodes.
func (e *exposed) nodes() {
	ready := func(node string, from, to time.Time, value float64) {
		e.add(from, to, value, "kube_node_status_condition", "node", node, "condition", "Ready", "status", "true")
	}
	ready(e.From, e.start, never, 1)
	if e.NotReady.Known() {
		ready(e.From, e.NotReady.At, e.BackReady.At, 0)
	}
	if e.NodeGone.Known() {
		ready(e.From, e.NodeGone.At, never, none)
	}
	ready(e.To, e.start, never, 1)
}

func (e *exposed) claim() {
	claim, volume := claimName(e.Case), e.Volume.PersistentVolume
	add := func(metric, label, value string) {
		e.add(e.start, never, 1, metric, "namespace", claim.Namespace, "persistentvolumeclaim", claim.Name, label, value)
	}
	add("kube_persistentvolumeclaim_info", "volumename", volume)
	for _, mode := range e.Volume.Access {
		add("kube_persistentvolumeclaim_access_mode", "access_mode", mode)
		e.add(e.start, never, 1, "kube_persistentvolume_access_mode", "persistentvolume", volume, "access_mode", mode)
	}
}

func claimName(c *wait.Case) model.Ref {
	if c.Volume.Claim.Name == "" {
		return model.Ref{Namespace: c.NewPods[0].Namespace, Name: notKnown}
	}
	return c.Volume.Claim
}

type adder = func(from, to time.Time, value float64, metric string, pairs ...string)

// pod is a pod that waits up to a time, and runs from then on. It answers how to add a series of it.
func (e *exposed) pod(p model.Ref, node string, from, to, until time.Time) adder {
	add := func(from, to time.Time, value float64, metric string, pairs ...string) {
		e.add(from, to, value, metric, append([]string{"namespace", p.Namespace, "pod", p.Name, "uid", p.UID}, pairs...)...)
	}
	kind := "ReplicaSet"
	if w := e.Workload; w != nil && w.Kind != "Deployment" {
		kind = w.Kind
	}
	add(from, to, 1, "kube_pod_info", "node", node, "created_by_kind", kind)
	add(from, to, 1, "kube_pod_spec_volumes_persistentvolumeclaims_info", "volume", "data", "persistentvolumeclaim", claimName(e.Case).Name)
	for i, phase := range []string{"Pending", "Running"} {
		add(from, to, float64(i), "kube_pod_status_phase", "phase", phase)
		add(from, until, float64(1-i), "kube_pod_status_phase", "phase", phase)
	}
	return add
}

// oldPod is a pod that held the volume, until it is seen gone or, if the bundle lacks it, until the controller releases it.
func (e *exposed) oldPod(p model.Ref) {
	gone, grace := e.OldPodsGone().At, defaultGrace
	pod, held := e.World.Pod(p)
	if gone.IsZero() && !held {
		gone = e.Released.At
	}
	add := e.pod(p, e.From, e.start, gone, e.start)
	if asked := e.DeletionRequested; asked.Known() && (gone.IsZero() || asked.At.Before(gone)) {
		if held && pod.Value().Spec.TerminationGracePeriodSeconds != nil {
			grace = time.Duration(*pod.Value().Spec.TerminationGracePeriodSeconds) * time.Second
		}
		add(asked.At, gone, float64(asked.At.Add(grace).Unix()), "kube_pod_deletion_timestamp")
	}
}

// newPod is a pod that waits from its scheduling until it is Ready or, where that is not known, the volume is attached.
func (e *exposed) newPod(p model.Ref) {
	from, gone, until := firstKnown(e.Scheduled, e.Began).At, e.DemandEnded.At, firstKnown(e.Ready, e.Ended()).At
	if until.IsZero() || !gone.IsZero() && gone.Before(until) {
		until = gone
	}
	reason := "ContainerCreating"
	if pod, ok := e.World.Pod(p); ok && len(pod.Value().Spec.InitContainers) > 0 {
		reason = "PodInitializing"
	}
	e.pod(p, e.To, from, gone, until)(from, until, 1, "kube_pod_container_status_waiting_reason", "container", notKnown, "reason", reason)
}

// attachments are that of the old node, until it was gone or else the next attach succeeded, and that of the new one.
func (e *exposed) attachments(s Setup) {
	from := e.start
	if made := e.AttachmentCreated(); made.Known() && made.At.After(from) && made.At.Before(e.Began.At) {
		from = made.At
	}
	e.attachment(s, name(e.Attachment), e.From, from, firstKnown(e.Gone, e.Attached).At, from)
	if created := firstKnown(e.NewAttachment, e.Attached); created.Known() {
		e.attachment(s, name(e.NewAttachmentName()), e.To, created.At, never, e.Attached.At)
	}
}

// attachment is a VolumeAttachment, attached from a time on, if it is known.
func (e *exposed) attachment(s Setup, name, node string, from, to, attached time.Time) {
	const metric = "kube_volumeattachment_"
	e.add(from, to, 1, metric+"info", "volumeattachment", name, "node", node, "attacher", e.Volume.Driver)
	e.add(from, to, 1, metric+"spec_source_persistentvolume", "volumeattachment", name, "volumename", e.Volume.PersistentVolume)
	e.add(from, to, 0, metric+"status_attached", "volumeattachment", name)
	if !attached.IsZero() {
		e.add(attached, to, 1, metric+"status_attached", "volumeattachment", name)
	}
	if !s.OpenShift { // which drops it
		e.add(from, to, float64(from.Unix()), metric+"created", "volumeattachment", name)
	}
}

func name(a wait.Attachment) string { return cmp.Or(a.Name, notKnown) }

func firstKnown(a, b facts.Instant) facts.Instant {
	if a.Known() || !b.Known() {
		return a
	}
	return b
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

// sampled is a series of the values at each step, with a stale marker where it ends.
func sampled(l labels.Labels, values []float64, w window) (*packed, error) {
	var points []promql.FPoint
	for step, v := range values {
		if !value.IsStaleNaN(v) || step > 0 && !value.IsStaleNaN(values[step-1]) {
			points = append(points, promql.FPoint{T: w.at(step).UnixMilli(), F: v})
		}
	}
	return pack(l, points)
}
