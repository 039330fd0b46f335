package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// sampledWaits are the waits that metrics show and no report names: at a scrape a pod waits on one node for its containers, while the
// volume of its claim is attached on another node only. A volume of unknown access modes gives one only when the attach to the pod's node
// is not even begun for two scrapes.
func sampledWaits(w *World, reported []*demand) []*demand {
	var out []*demand
	for _, o := range w.byKind[model.PodWaiting] {
		node := o.Node
		if node == "" {
			node = nodeOfPods(w, []model.Ref{o.Pod}, o.Last.At)
		}
		for _, v := range w.used[o.Pod.String()] {
			if node == "" || !w.users[v].has(o.Pod) {
				continue
			}
			if d := sampledWait(w, v, node, o); d != nil && !reportedWait(w, reported, d) && !joined(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// sampledWait is the wait of a pod for a volume on a node; nil when no scrape shows the volume elsewhere meanwhile.
func sampledWait(w *World, v *Volume, node string, o *model.Observation) *demand {
	exclusive, known := v.Exclusive()
	if known && !exclusive {
		return nil
	}
	for _, a := range w.byVolume[v] { // the first: one that was made anew meanwhile did not begin the wait
		if !attachedIn(a) || a.Source.Kind != model.SourceMetric || a.Node == "" || a.Node == node {
			continue
		}
		from, to := model.Later(o.At.Latest, a.At.Latest), o.Last.Earliest
		gone := first(w.byAttach[a.Attachment], after(a.At.At), kinds(model.AttachmentGone))
		if gone != nil && gone.Source.Kind != model.SourceMetric && gone.At.Earliest.Before(to) {
			to = gone.At.Earliest // the samples end by themselves, at a step that is as old as the one that shows the pod
		}
		if a.Last.Latest.Before(to) {
			to = a.Last.Latest
		}
		if to.Before(from) || attachedOn(w, v, node, from) || !known && !refused(w, v, o, node, from, to) {
			continue
		}
		d := &demand{volume: v, node: node, pods: refsOf(o.Pod), reports: []*model.Observation{o}, from: a.Node}
		d.began = sampledBegin(w, d, o, a, from)
		return d
	}
	return nil
}

// refused reports that the metrics go on to show the wait while no attachment of the volume to the node is made, which the controller
// makes at once for a volume that several nodes may have.
func refused(w *World, v *Volume, o *model.Observation, node string, from, to time.Time) bool {
	atOnce := max(30*time.Second, 2*w.interval(o))
	made := and(kinds(model.AttachmentCreated, model.AttachmentAttached, model.AttachmentSampled), onNode(node))
	return to.Sub(from) >= atOnce && last(w.byVolume[v], before(from.Add(atOnce)), made) == nil
}

// MetricsCover are metrics that would show a wait of a scrape's length, and leave none undecided; else nil.
func (w *World) MetricsCover() *model.Observation {
	list := w.byKind[model.WaitsSampled]
	paused := func(o *model.Observation) bool { return o.Detail != "" }
	if slices.ContainsFunc(list, paused) || slices.ContainsFunc(w.byKind[model.PodWaiting], w.undecided) {
		return nil
	}
	return find(list, func(o *model.Observation) bool { return o.Last.At.Sub(o.At.At) >= minCovered })
}

// undecided reports that a pod waits for a volume that is attached elsewhere, and that several nodes may have or not.
func (w *World) undecided(o *model.Observation) bool {
	return slices.ContainsFunc(w.used[o.Pod.String()], func(v *Volume) bool {
		_, known := v.Exclusive()
		return !known && slices.ContainsFunc(w.byVolume[v], func(a *model.Observation) bool {
			return attachedIn(a) && a.Node != o.Node && !a.Last.Latest.Before(o.At.Earliest) && !a.At.Earliest.After(o.Last.Latest)
		})
	})
}

// attachedIn tests for statements that an attachment is attached, since a known time or one that samples do not show.
var attachedIn = kinds(model.AttachmentAttached, model.AttachmentSampled)

// attachedOn reports that the volume was attached on a node at a time, too.
func attachedOn(w *World, v *Volume, node string, at time.Time) bool {
	a := last(w.byVolume[v], before(at), and(attachedIn, onNode(node)))
	return a != nil && first(w.byAttach[a.Attachment], window{from: a.At.At, to: at}, kinds(model.AttachmentGone)) == nil
}

// sampledBegin is when the wait began: when the pod got its node, or the volume was attached elsewhere if that was later; not after the
// first scrape that shows both, which stands for it where the samples begin in the middle of the wait.
func sampledBegin(w *World, d *demand, o, attached *model.Observation, seenAt time.Time) Instant {
	witness := []*model.Observation{o, attached}
	of := func(kind model.Kind) *model.Observation {
		return last(w.byPod[o.Pod.String()], before(seenAt), func(s *model.Observation) bool {
			return s.Kind == kind && (s.Node == d.node || kind == model.PodCreated) && s.Pod.Is(o.Pod)
		})
	}
	var from time.Time // the wait is not older
	if attached.Kind == model.AttachmentAttached {
		from = attached.At.Earliest
	}
	m := model.Moment{At: seenAt, Latest: seenAt, Basis: model.Derived}
	if scheduled := of(model.PodScheduled); scheduled != nil {
		witness = append(witness, scheduled)
		from = model.Later(from, scheduled.At.Earliest)
		m.At = model.Later(from, scheduled.At.At)
	} else if created := of(model.PodCreated); created != nil {
		witness = append(witness, created)
		from = model.Later(from, created.At.Earliest)
	}
	if m.Earliest = from; from.IsZero() {
		m.Earliest = model.Earlier(seenAt, time.Date(2017, time.December, 15, 0, 0, 0, 0, time.UTC)) // 1.9 brought VolumeAttachments
		return derived(m.As(model.Assumed),
			"the metrics begin while a pod waits on one node for a volume that is attached on another: since when is not known", witness...)
	}
	return derived(m, "a pod waits on one node for a volume that is attached on another: the metrics show both at one scrape", witness...)
}

// reportMargin is how far a report may lie outside of the samples that show its wait.
const reportMargin = 2 * time.Minute

// reportedWait reports that reports name the wait, or that a log covers its beginning, in which the controller had nothing to report.
func reportedWait(w *World, reported []*demand, d *demand) bool {
	from, to := d.began.Earliest.Add(-reportMargin), d.reports[0].Last.Latest.Add(sampleSlack)
	for _, r := range reported {
		if r.volume == d.volume && slices.ContainsFunc(r.reports, func(o *model.Observation) bool { return window{from, to}.holds(o.At.At) }) {
			r.sampled = append(r.sampled, d.reports...)
			return true
		}
	}
	return w.LogAt(ControllerManager, d.began)
}

// joined adds a wait to an earlier one of the volume on the node that had not ended: other containers, or another pod.
func joined(all []*demand, d *demand) bool {
	for _, e := range slices.Backward(all) {
		if e.volume == d.volume && e.node == d.node && e.from == d.from &&
			!e.reports[len(e.reports)-1].Last.At.Before(d.began.Earliest.Add(-sampleSlack)) {
			e.reports = append(e.reports, d.reports...)
			e.pods.add(d.pods.list...)
			return true
		}
	}
	return false
}

// indexUsers notes which pods use which volumes, as the statements of a binding name them.
func (w *World) indexUsers() {
	w.users, w.used = map[*Volume]refs{}, map[string][]*Volume{}
	for _, o := range w.byKind[model.VolumeBound] {
		v := w.Volumes.Find(o.Volume)
		if v == nil {
			continue
		}
		users := w.users[v]
		users.add(o.Pods...)
		w.users[v] = users
		for _, p := range o.Pods {
			if !slices.Contains(w.used[p.String()], v) {
				w.used[p.String()] = append(w.used[p.String()], v)
			}
		}
	}
}

// usersOn are the pods that metrics show to have used the volume on a node and to be there still at a time.
func (w *World) usersOn(v *Volume, node string, at time.Time) []model.Ref {
	var users refs
	for _, s := range v.Same() {
		users.add(w.users[s].list...)
	}
	return slices.DeleteFunc(users.list, func(p model.Ref) bool {
		return last(w.byPod[p.String()], before(at), and(kinds(model.PodScheduled, model.PodSampled), ofPod(p), onNode(node))) == nil
	})
}

// finer finds, for a sampled statement, one of a source with finer times that says the same: then that one dates it.
type finer map[string][]*model.Observation

func newFiner(all []model.Observation) finer {
	f := finer{}
	for i := range all {
		switch o := &all[i]; {
		case o.At.IsZero():
		case o.Source.Kind == model.SourceMetric:
			f[sampledKey(o)] = append(f[sampledKey(o)], o)
		default:
			for _, key := range finerKeys(o) {
				f[key] = append(f[key], o)
			}
		}
	}
	return f
}

// ofTheLiving tells of a pod that is there still.
var ofTheLiving = kinds(model.PodCreated, model.PodScheduled, model.PodReady, model.PodNotReady, model.PodEvictionDecided, model.PodDeletionRequested,
	model.PodKilling, model.ContainerDied, model.PodContainersStopped, model.PodFinished)

// endInOrder puts the end of a pod that is known only between two samples no earlier than what a more exact source tells of the same pod
// between them: the middle of two samples is no reason to have a pod gone that is being stopped. The bounds stay those of the samples, as a
// kubelet notices the end of a container only when it lists them.
// The list is copied before the first change.
func endInOrder(all []model.Observation) []model.Observation {
	told := index[string, model.Moment]{}
	for i := range all {
		if o := &all[i]; ofTheLiving(o) && o.Pod.UID != "" && o.At.Basis != model.Assumed {
			told.add(o.Pod.UID, o.At)
		}
	}
	out := all
	for i := range all {
		if all[i].Kind != model.PodGone || !fromMetric(&all[i]) {
			continue
		}
		gone := all[i].At
		for _, at := range told[all[i].Pod.UID] {
			if at.Latest.Sub(at.Earliest) < gone.Latest.Sub(gone.Earliest) && at.At.After(gone.At) && !at.At.After(gone.Latest) {
				gone.At = at.At
			}
		}
		if gone.At.Equal(all[i].At.At) {
			continue
		}
		if &out[0] == &all[0] {
			out = slices.Clone(all)
		}
		out[i].At = gone
	}
	return out
}

// sampledKey names what a sampled statement says, of which object.
func sampledKey(o *model.Observation) string {
	return "sampled|" + finerKeys(o)[0] + "|" + o.Pod.UID + "|" + o.Detail
}

// sampleSlack is how far a finer source's time may lie outside of the two samples: the exporter itself watches the API.
const sampleSlack = 5 * time.Second

// lookback is for how long a server answers with an old sample (--query.lookback-delta, by default).
const lookback = 5 * time.Minute

// again answers the statement that says the same; nil when none does.
func (f finer) again(o *model.Observation) *model.Observation {
	if !fromMetric(o) || o.At.IsZero() {
		return nil
	}
	for _, key := range finerKeys(o) {
		if same := find(f[key], func(p *model.Observation) bool {
			return !p.At.Latest.Before(o.At.Earliest.Add(-sampleSlack)) && !p.At.Earliest.After(o.At.Latest.Add(sampleSlack))
		}); same != nil {
			return same
		}
	}
	return find(f[sampledKey(o)], func(p *model.Observation) bool {
		inside := !p.At.Earliest.Before(o.At.Earliest) && !p.At.Latest.After(o.At.Latest)
		return inside && p.At.Latest.Sub(p.At.Earliest) < o.At.Latest.Sub(o.At.Earliest) && !p.Last.Latest.Add(lookback).Before(o.Last.Earliest)
	})
}

// likewise are the kinds of other sources that say what a metric's kind says.
var likewise = map[model.Kind][]model.Kind{
	model.AttachmentAttached:   {model.AttacherAttached, model.AttachSucceeded},
	model.AttachmentGone:       {model.AttacherDetached, model.DetachSucceeded, model.VolumeMarkedDetached},
	model.AttachmentCreated:    {model.AttachStarted, model.AttacherAttaching},
	model.PodDeletionRequested: {model.PodEvictionDecided, model.PodKilling, model.ReplicaDeleted},
	model.PodGone:              {model.PodForceDeleted, model.PodForceDeleting},
	model.PodCreated:           {model.ReplicaCreated},
	model.NodeDeleted:          {model.NodeDeleted},
}

// finerKeys name what an observation says, once for each kind that a metric has for it.
func finerKeys(o *model.Observation) []string {
	subject := o.Node
	switch {
	case o.Attachment != "":
		subject = o.Attachment
	case o.Pod.Name != "":
		subject = o.Pod.String()
	}
	out, others := []string{string(o.Kind) + "|" + subject}, []model.Kind{o.Kind}
	if fromMetric(o) {
		others = likewise[o.Kind]
	}
	for _, k := range others {
		if fromMetric(o) {
			out = append(out, string(k)+"|"+subject)
		}
		if o.Node != "" && o.Volume.PersistentVolume != "" {
			out = append(out, string(k)+"|"+o.Volume.PersistentVolume+"|"+o.Node)
		}
	}
	return out
}

// Agreed are the samples of metrics that say what a log, an event or an object says with a finer time.
func (w *World) Agreed(o *model.Observation) []*model.Observation { return w.agreed[o] }

// disagreeFor is how long the samples have to show the contrary, on both sides: the exporter may lag, and a state may come back.
const disagreeFor = 2 * time.Minute

// contrary are the states of which every scrape would show that a statement is not so.
var contrary = []struct {
	stated []model.Kind
	state  model.Kind
	key    func(*model.Observation) string
}{
	{[]model.Kind{model.AttachmentGone, model.AttacherDetached}, model.AttachmentAttached,
		func(o *model.Observation) string { return o.Attachment }},
	{[]model.Kind{model.NodeNotReady}, model.NodeSampledReady, func(o *model.Observation) string { return o.Node }},
	{[]model.Kind{model.PodGone, model.PodForceDeleted}, model.PodSampledReady, func(o *model.Observation) string { return o.Pod.UID }},
}

// Disagreements are the statements of other sources in the middle of stretches in which every scrape shows the contrary, with those.
func (w *World) Disagreements() map[*model.Observation]*model.Observation {
	out := map[*model.Observation]*model.Observation{}
	for _, c := range contrary {
		states := map[string][]*model.Observation{}
		for _, s := range w.byKind[c.state] {
			if key := c.key(s); key != "" && fromMetric(s) {
				states[key] = append(states[key], s)
			}
		}
		for _, kind := range c.stated {
			for _, o := range w.byKind[kind] {
				if fromMetric(o) || o.At.IsZero() {
					continue
				}
				if s := find(states[c.key(o)], func(s *model.Observation) bool { return w.contradicts(s, o) }); s != nil {
					out[o] = s
				}
			}
		}
	}
	return out
}

// contradicts reports that a sampled state goes on through the time of a statement. An attachment that was made again may have been away
// between two scrapes: it contradicts only when it was known to be made before.
func (w *World) contradicts(s, o *model.Observation) bool {
	if !s.At.Latest.Before(o.At.Earliest.Add(-disagreeFor)) || !s.Last.Earliest.After(o.At.Latest.Add(disagreeFor)) {
		return false
	}
	if o.Attachment == "" {
		return true
	}
	made := func(in window) bool {
		return first(w.byAttach[o.Attachment], in, kinds(model.AttachmentCreated, model.AttacherAttaching, model.AttachStarted)) != nil
	}
	return made(before(o.At.Earliest)) && !made(window{from: o.At.Earliest, to: s.Last.Latest})
}
