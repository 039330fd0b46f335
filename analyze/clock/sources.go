package clock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// Shelves that are no kind of object and no log.
const (
	events    = "the Events"
	audited   = "the audit log"
	collected = "the collection"
	sampled   = "the metrics"
	objects   = " objects"
	logs      = "all logs" // together: whoever collected them may have written them in another zone
)

// observation adds what a statement records.
func (t *table) observation(s *model.Snapshot, o *model.Observation, h handles) {
	of := byKind[o.Kind]
	if len(of) == 0 {
		return
	}
	source, ok := sourceOf(o)
	if !ok {
		return
	}
	t.reports[source] = t.reports[source] || o.Kind == model.MultiAttach
	if o.At.Basis == model.Assumed {
		t.assumed[source], t.assumed[Source{Stream: source.Stream}] = true, true
	}
	for _, r := range of {
		if anySource := r.sources == nil && o.Source.Kind != model.SourceMetric; !anySource && !slices.Contains(r.sources, o.Source.Kind) {
			continue
		}
		about := r.about(o, h)
		if about == "" {
			continue
		}
		for _, m := range times(o) {
			said := stated(m, r.lag)
			if o.Source.Kind == model.SourceLog {
				said.line = o.Kind
			}
			t.add(source, r.what+" "+about, said, func() Witness {
				return Witness{Says: string(o.Kind), At: m.At, Source: o.Source, Quote: o.Quote}
			})
		}
	}
}

// times are when a statement says that something happened: first and last, and in between as often as it counts.
func times(o *model.Observation) []model.Moment {
	if repeated := o.Count > 1 && o.Last.At.After(o.At.At); !repeated || o.Source.Kind == model.SourceMetric {
		return []model.Moment{o.At}
	}
	if o.Count == 2 {
		return []model.Moment{o.At, o.Last}
	}
	return []model.Moment{model.Between(o.At.Earliest, o.Last.Latest)}
}

// sourceOf is whose clock a statement has its time from: of metrics the server's that sampled them, or the API server's, whose times some
// have as their values. Pasted text is placed by its ages.
func sourceOf(o *model.Observation) (Source, bool) {
	switch o.Source.Kind {
	case model.SourceEvent, model.SourceText: // a row with a time of its own is an Event as it was printed
		return Source{events, cmp.Or(o.Object.Namespace, "default"), writerOf(o)}, true
	case model.SourceLog:
		return Source{LogStream(o.Input), "", writerOf(o)}, true
	case model.SourceMetric:
		writer := samples
		if w := model.WholeSecond(o.At.Earliest); o.At.At.Equal(w.At) && o.At.Latest.Equal(w.Latest) {
			writer = values
		}
		return Source{sampled, o.Source.Path, writer}, true
	case model.SourceAudit:
		return Source{audited, "", APIServer}, true
	case model.SourceManifest:
		return objectSource(o.Object, fieldWriter(o)), true
	}
	return Source{}, false
}

// LogStream is the stream of a log: rotated and previous logs of a container have its clock.
func LogStream(path string) string {
	dir := path[:strings.LastIndexByte(path, '/')+1]
	if strings.HasSuffix(dir, "/logs/") {
		return dir
	}
	return path
}

// unzoned are the logs of kubelets alone, of no collector, whose zone is assumed, and which record nothing that others do. A controller in a
// container writes UTC, and a collector asks for it; a kubelet writes the time of its machine, which may be hours beside it.
func (t *table) unzoned(s *model.Snapshot, all []model.Observation) (out []Offset) {
	if s.CapturedAt != nil || len(s.Collections) > 0 || s.Supplied.LogZone != nil {
		return nil
	}
	kubelets := map[string]bool{}
	for i := range all {
		if o := &all[i]; o.Source.Kind == model.SourceLog && o.At.Basis == model.Assumed && !o.Floating {
			others, noted := kubelets[LogStream(o.Input)]
			kubelets[LogStream(o.Input)] = o.Component == "kubelet" && (others || !noted)
		}
	}
	for n, s := range t.sources {
		kubelets[s.Stream] = kubelets[s.Stream] && len(t.shares[n]) == 0
	}
	for _, stream := range slices.Sorted(maps.Keys(kubelets)) {
		if kubelets[stream] {
			out = append(out, Offset{Source: Source{Stream: stream}})
		}
	}
	return out
}

// objectSource is who wrote a time in an object.
func objectSource(o model.Ref, writer string) Source {
	return Source{ObjectStream(o.Kind), cmp.Or(o.Namespace, o.Name), writer}
}

// ObjectStream is the stream of a kind of object.
func ObjectStream(kind string) string { return kind + objects }

func kubelet(node string) string { return "the kubelet of " + node }

// writerOf is who wrote a line or an Event.
func writerOf(o *model.Observation) string {
	if o.Component == "kubelet" {
		return kubelet(o.Node)
	}
	return Control
}

// fieldWriter is who set the time of a field.
func fieldWriter(o *model.Observation) string {
	field := o.Source.Field
	switch {
	case strings.HasPrefix(field, "metadata."), o.Kind == model.PodScheduled: // the API server sets the condition when it binds
		return APIServer
	case o.Kind == model.NodeNotReady && o.Detail != "False", o.Kind == model.NodeTainted, o.Kind == model.PodEvictionDecided,
		o.Kind == model.LeaderAcquired, o.Node == "":
		return Control
	}
	return kubelet(o.Node)
}
