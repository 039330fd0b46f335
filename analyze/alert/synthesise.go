package alert

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"

	"github.com/volpost/volpost/analyze/lanes"
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
	return c.Began.Missing() == "" && len(c.NewPods) > 0 && !slices.Contains([]string{c.Volume.PersistentVolume, c.From, c.To}, "")
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
	list    []drawn
}

// drawn is a series with its value at each scrape.
type drawn struct {
	labels model.Labels
	values []float64
}

// never is the end of what does not end.
var never time.Time

// add gives a series a value from a time on and before another, instead of what it had.
func (e *exposed) add(from, to time.Time, value float64, metric string, pairs ...string) {
	l := series(metric, pairs...)
	i := slices.IndexFunc(e.list, func(p drawn) bool { return p.labels.Compare(l) == 0 })
	if i < 0 {
		i = len(e.list)
		e.list = append(e.list, drawn{l, e.scrapes.nothing()})
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
	e.claim()
	of := map[model.LaneRole]int{}
	for _, l := range lanes.Of(c) {
		if of[l.Role]++; of[l.Role] <= lanes.MostPods {
			e.lane(l, s)
		}
	}
	slices.SortFunc(e.list, func(a, b drawn) int { return a.labels.Compare(b.labels) })
	for _, p := range e.list {
		made, err := sampled(promLabels(p.labels), p.values, e.scrapes)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// ofLane is what a state makes of the value of the metric that shows it; what is not here is as before.
var (
	readyIn    = map[model.StateWord]float64{model.StateReady: 1, model.StateAlive: 1, model.StateNotReady: 0, model.StateDeleted: none}
	attachedIn = map[model.StateWord]float64{model.StateAttaching: 0, model.StateAttached: 1, model.StateBlocking: 1, model.StateDetaching: 1}
)

// lane are the series of an object of the case, by its states.
func (e *exposed) lane(l *lanes.Lane, s Setup) {
	switch l.Role {
	case model.RoleOldNode, model.RoleNewNode:
		ready := []string{"node", l.Object.Name, "condition", "Ready", "status", "true"}
		e.add(e.start, never, 1, "kube_node_status_condition", ready...) // before the first word of it
		for _, st := range l.States {
			if value, ok := readyIn[cmp.Or(model.StateWord(st.Reported), st.Word)]; ok {
				e.add(st.From.At, never, value, "kube_node_status_condition", ready...)
			}
		}
	case model.RoleBlocking, model.RoleAttachment:
		if e.Attachment.Name == "" && e.Volume.Driver == "" {
			return // an in-tree volume has no VolumeAttachment
		}
		for _, st := range l.States {
			if value, ok := attachedIn[st.Word]; ok {
				e.attachment(l, model.Later(st.From.At, e.start), st.To.At, value, s)
			}
		}
	case model.RoleOldPod, model.RoleNewPod:
		e.pod(l)
	}
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

// pod is a pod, until it is gone or, if the bundle lacks it, until the controller releases it. One that had the volume ran before the
// first word of it.
func (e *exposed) pod(l *lanes.Lane) {
	reason, grace, kind := "ContainerCreating", defaultGrace, "ReplicaSet"
	pod, held := e.World.Pod(l.Object)
	if held && len(pod.Value().Spec.InitContainers) > 0 {
		reason = "PodInitializing"
	}
	if held && pod.Value().Spec.TerminationGracePeriodSeconds != nil {
		grace = time.Duration(*pod.Value().Spec.TerminationGracePeriodSeconds) * time.Second
	}
	if w := e.Workload; w != nil && w.Kind != "Deployment" {
		kind = w.Kind
	}
	states, asked := l.States, never
	if l.Role == model.RoleOldPod {
		states = slices.Insert(slices.Clone(states), 0, lanes.State{Word: model.StateRunning})
	}
	for i, s := range states {
		from, to := model.Later(s.From.At, e.start), s.To.At
		if i+1 < len(states) {
			to = states[i+1].From.At
		}
		if to.IsZero() && !held && l.Role == model.RoleOldPod {
			to = e.Released.At
		}
		if s.Word == model.StateGone || s.Word == model.StatePending && s.Reported == "created" {
			continue // it has no node yet
		}
		add := func(value float64, metric string, pairs ...string) {
			e.add(from, to, value, metric, append([]string{"namespace", l.Object.Namespace, "pod", l.Object.Name, "uid", l.Object.UID}, pairs...)...)
		}
		add(1, "kube_pod_info", "node", l.Node, "created_by_kind", kind)
		add(1, "kube_pod_spec_volumes_persistentvolumeclaims_info", "volume", "data", "persistentvolumeclaim", claimName(e.Case).Name)
		pending := 0.0
		if l.Role == model.RoleNewPod && (s.Word == model.StatePending || s.Word == model.StateWaiting) {
			pending = 1
			add(1, "kube_pod_container_status_waiting_reason", "container", notKnown, "reason", reason)
		}
		add(pending, "kube_pod_status_phase", "phase", "Pending")
		add(1-pending, "kube_pod_status_phase", "phase", "Running")
		if s.Word == model.StateTerminating && asked.IsZero() {
			asked = s.From.At
		}
		if !asked.IsZero() {
			add(float64(asked.Add(grace).Unix()), "kube_pod_deletion_timestamp")
		}
	}
}

// attachment is a VolumeAttachment in one of its states.
func (e *exposed) attachment(l *lanes.Lane, from, to time.Time, attached float64, s Setup) {
	const metric = "kube_volumeattachment_"
	name := cmp.Or(l.Object.Name, notKnown)
	e.add(from, to, 1, metric+"info", "volumeattachment", name, "node", l.Node, "attacher", e.Volume.Driver)
	e.add(from, to, 1, metric+"spec_source_persistentvolume", "volumeattachment", name, "volumename", e.Volume.PersistentVolume)
	e.add(from, to, attached, metric+"status_attached", "volumeattachment", name)
	if !s.OpenShift { // which drops it
		e.add(from, to, float64(model.Later(l.States[0].From.At, e.start).Unix()), metric+"created", "volumeattachment", name)
	}
}

func name(a wait.Attachment) string { return cmp.Or(a.Name, notKnown) }

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
