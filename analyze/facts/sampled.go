package facts

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// MetricsCover are metrics that would show a wait of a scrape's length, and leave none undecided; else nil.
func (w *World) MetricsCover() *model.Observation {
	list := w.ByKind[model.WaitsSampled]
	paused := func(o *model.Observation) bool { return o.Detail != "" }
	if slices.ContainsFunc(list, paused) || slices.ContainsFunc(w.ByKind[model.PodWaiting], w.undecided) {
		return nil
	}
	return Find(list, func(o *model.Observation) bool { return o.Last.At.Sub(o.At.At) >= minCovered })
}

// undecided reports that a pod waits for a volume that is attached elsewhere, and that several nodes may have or not.
func (w *World) undecided(o *model.Observation) bool {
	return slices.ContainsFunc(w.Used[o.Pod.String()], func(v *Volume) bool {
		return len(v.Access) == 0 && slices.ContainsFunc(w.ByVolume[v], func(a *model.Observation) bool {
			meet := !a.Last.Latest.Before(o.At.Earliest) && !a.At.Earliest.After(o.Last.Latest)
			return AttachedIn(a) && a.Node != o.Node && meet
		})
	})
}

// AttachedIn tests for statements that an attachment is attached, since a known time or one that samples do not show.
var AttachedIn = Kinds(model.AttachmentAttached, model.AttachmentSampled)

// indexUsers notes which pods use which volumes, as the statements of a binding name them.
func (w *World) indexUsers() {
	w.Users, w.Used = map[*Volume]Refs{}, map[string][]*Volume{}
	for _, o := range w.ByKind[model.VolumeBound] {
		v := w.Volumes.Find(o.Volume)
		if v == nil {
			continue
		}
		users := w.Users[v]
		users.Add(o.Pods...)
		w.Users[v] = users
		for _, p := range o.Pods {
			if !slices.Contains(w.Used[p.String()], v) {
				w.Used[p.String()] = append(w.Used[p.String()], v)
			}
		}
	}
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
var ofTheLiving = Kinds(model.PodCreated, model.PodScheduled, model.PodReady, model.PodNotReady, model.PodEvictionDecided, model.PodDeletionRequested,
	model.PodKilling, model.ContainerDied, model.PodContainersStopped, model.PodFinished)

// endInOrder puts the end of a pod that is known only between two samples no earlier than what a more exact source tells of the same pod
// between them: the middle of two samples is no reason to have a pod gone that is being stopped. The bounds stay those of the samples, as a
// kubelet notices the end of a container only when it lists them.
// The list is copied before the first change.
func endInOrder(all []model.Observation) []model.Observation {
	told := Index[string, model.Moment]{}
	for i := range all {
		if o := &all[i]; ofTheLiving(o) && o.Pod.UID != "" && o.At.Basis != model.Assumed {
			told.Add(o.Pod.UID, o.At)
		}
	}
	out := all
	for i := range all {
		if all[i].Kind != model.PodGone || !FromMetric(&all[i]) {
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

// SampleSlack is how far a finer source's time may lie outside of the two samples: the exporter itself watches the API.
const SampleSlack = 5 * time.Second

// lookback is for how long a server answers with an old sample (--query.lookback-delta, by default).
const lookback = 5 * time.Minute

// again returns the statement that says the same; nil when none does.
func (f finer) again(o *model.Observation) *model.Observation {
	if !FromMetric(o) || o.At.IsZero() {
		return nil
	}
	for _, key := range finerKeys(o) {
		if same := Find(f[key], func(p *model.Observation) bool {
			return !p.At.Latest.Before(o.At.Earliest.Add(-SampleSlack)) && !p.At.Earliest.After(o.At.Latest.Add(SampleSlack))
		}); same != nil {
			return same
		}
	}
	return Find(f[sampledKey(o)], func(p *model.Observation) bool {
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
	if o.Attachment != "" {
		subject = o.Attachment
	} else if o.Pod.Name != "" {
		subject = o.Pod.String()
	}
	out, others := []string{string(o.Kind) + "|" + subject}, []model.Kind{o.Kind}
	if FromMetric(o) {
		others = likewise[o.Kind]
	}
	for _, k := range others {
		if FromMetric(o) {
			out = append(out, string(k)+"|"+subject)
		}
		if o.Node != "" && o.Volume.PersistentVolume != "" {
			out = append(out, string(k)+"|"+o.Volume.PersistentVolume+"|"+o.Node)
		}
	}
	return out
}

// disagreeFor is how long the contrary has to be shown, on both sides: an exporter may lag, clocks differ, and a state may come back.
const disagreeFor = 2 * time.Minute

// contrary are the states of which a source shows that they lasted, every scrape or the object itself, each with the statements that say
// that it was not so.
var contrary = []struct {
	stated []model.Kind
	state  model.Kind
	source model.SourceKind
	key    func(*model.Observation) string
}{
	{[]model.Kind{model.AttachmentGone, model.AttacherDetached}, model.AttachmentAttached, model.SourceMetric, attachmentKey},
	{[]model.Kind{model.NodeNotReady}, model.NodeSampledReady, model.SourceMetric, nodeKey},
	{[]model.Kind{model.PodGone, model.PodForceDeleted}, model.PodSampledReady, model.SourceMetric, podKey},
	{[]model.Kind{model.NodeNotReady}, model.NodeReady, model.SourceManifest, nodeKey},
	{[]model.Kind{model.NodeReady}, model.NodeNotReady, model.SourceManifest, nodeKey},
	{[]model.Kind{model.PodGone, model.PodForceDeleted}, model.PodReady, model.SourceManifest, podKey},
	{[]model.Kind{model.AttachmentGone}, model.AttachmentAttached, model.SourceManifest, attachmentKey},
}

func attachmentKey(o *model.Observation) string { return o.Attachment }
func podKey(o *model.Observation) string        { return o.Pod.UID }
func nodeKey(o *model.Observation) string {
	if !IsNode(o) {
		return ""
	}
	return o.Node
}

// Disagreements are the statements of other sources in the middle of stretches of which a source shows the contrary, with those.
func (w *World) Disagreements() map[*model.Observation]*model.Observation {
	out := map[*model.Observation]*model.Observation{}
	for _, c := range contrary {
		states := Index[string, *model.Observation]{}
		for _, s := range w.ByKind[c.state] {
			if s.Source.Kind == c.source {
				states.Add(c.key(s), s)
			}
		}
		for _, kind := range c.stated {
			for _, o := range w.ByKind[kind] {
				if FromMetric(o) || o.At.IsZero() || out[o] != nil {
					continue
				}
				if s := Find(states[c.key(o)], func(s *model.Observation) bool { return w.contradicts(s, o) }); s != nil {
					out[o] = s
				}
			}
		}
	}
	return out
}

// contradicts reports that a state goes on through the time of a statement. An attachment that was made again may have been away
// between two scrapes: it contradicts only when it was known to be made before.
func (w *World) contradicts(s, o *model.Observation) bool {
	if !s.At.Latest.Before(o.At.Earliest.Add(-disagreeFor)) || !w.lastsTo(s).After(o.At.Latest.Add(disagreeFor)) || w.mayAgree(s, o) {
		return false
	}
	if o.Attachment == "" {
		return true
	}
	made := func(in Window) bool {
		return First(w.ByAttach[o.Attachment], in, Kinds(model.AttachmentCreated, model.AttacherAttaching, model.AttachStarted)) != nil
	}
	return made(Before(o.At.Earliest)) && !made(Window{From: o.At.Earliest, To: s.Last.Latest})
}

// lastsTo is until when a state is shown: to its last sample; of an object to its kubelet's next report, else to the collection that
// records its own time. Zero where nothing tells.
func (w *World) lastsTo(s *model.Observation) time.Time {
	if FromMetric(s) {
		return s.Last.Earliest
	}
	reported := First(w.ByNode[s.Node], After(s.At.Latest), func(o *model.Observation) bool {
		return o.Kind == model.NodeHeartbeat && o.Detail == "condition" && o.Input == s.Input
	})
	at, how := w.Axis.CapturedAt, w.Axis.CapturedHow
	if c := w.Collected.Of(s.Input); c != nil {
		at, how = &c.CapturedAt, c.How
	}
	if nodeKey(s) != "" && reported != nil {
		return reported.At.Earliest
	}
	if how != model.CollectedRecorded {
		return time.Time{}
	}
	return at.Earliest
}

// mayAgree reports that a statement and an object may both be right: one copy says both, or nothing certain tells their order.
func (w *World) mayAgree(s, o *model.Observation) bool {
	if FromMetric(s) {
		return false
	}
	oneCopy := o.Source.Kind == s.Source.Kind && o.Input == s.Input
	assumed := o.At.Basis == model.Assumed || s.At.Basis == model.Assumed
	return oneCopy || assumed || w.Unordered([]*model.Observation{s, o})
}
