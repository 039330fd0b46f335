package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// maxSection bounds the rows that wait for the name of their object; kubectl describe shows the events of one object.
const maxSection = 4096

// maxSectionBytes bounds the text of those rows.
const maxSectionBytes = 4 << 20

// section is the events of one object as kubectl describe lists them. A prompt, a description or a row may name it; rows wait for the end.
type section struct {
	object model.Ref // empty while not known
	node   string    // where the pod is; "" when not known or contradictory
	mixed  bool      // two nodes were named
	rows   []placedRow
	bytes  int
	start  model.Moment // of the pod that is described: its kubelet has taken it
}

type placedRow struct {
	eventRow
	source model.Source
	quote  model.Quote
	bytes  int // of its lines
}

// takes reports whether a row is of this section: it does not name another pod.
func (s *section) takes(r *eventRow) bool {
	if len(s.rows) >= maxSection || s.bytes > maxSectionBytes {
		return false
	}
	pod, of := podOfMessage(r.record.Message), s.object
	if pod.Name == "" || of.Name == "" {
		return true
	}
	return of.Kind == "Pod" && of.Name == pod.Name && !words.Differ(of.Namespace, pod.Namespace)
}

func (s *section) add(r placedRow) {
	s.rows, s.bytes = append(s.rows, r), s.bytes+r.bytes
	e := &r.record
	if pod := podOfMessage(e.Message); pod.Name != "" && (s.object.Kind == "" || s.object.Kind == "Pod") {
		s.learn(pod)
	}
	if e.Reason == "Scheduled" {
		if _, node, ok := strings.Cut(e.Message, " to "); ok {
			s.on(strings.TrimSpace(node))
		}
	}
	if e.Component == "kubelet" {
		s.on(e.Node)
	}
}

// learn fills what is not known of the object yet.
func (s *section) learn(o model.Ref) {
	if s.object.Name == "" {
		s.object = o
		return
	}
	s.object.Namespace, s.object.UID = cmp.Or(s.object.Namespace, o.Namespace), cmp.Or(s.object.UID, o.UID)
}

// on takes a node that a row names as the pod's.
func (s *section) on(node string) {
	switch {
	case node == "" || !nameText(node):
	case s.node == "" && !s.mixed:
		s.node = node
	case s.node != node:
		s.node, s.mixed = "", true
	}
}

// observe is what the rows say, now that the object is known as well as it will be.
func (s *section) observe() []model.Observation {
	var out []model.Observation
	for i := range s.rows {
		r := &s.rows[i]
		if !r.about {
			r.record.Object = s.object
			if s.object.Kind == "" && podReason(r.record.Reason) {
				r.record.Object.Kind = "Pod"
			}
		}
		o := r.observation()
		if waiting := r.record.Object.Kind == "Pod" && waits(o.Kind); waiting && !r.about && o.Node == "" {
			o.Node = s.node
		}
		out = append(out, o)
	}
	return out
}

// podReason reports whether only events of pods have a reason.
func podReason(reason string) bool {
	return slices.Contains([]string{"FailedAttachVolume", "SuccessfulAttachVolume", "FailedMount", "Scheduled", "FailedScheduling",
		"Pulling", "Pulled", "Started", "Killing", "TaintManagerEviction"}, reason)
}

// waits reports whether the pod's node is the one that an observation is about.
func waits(k model.Kind) bool {
	return slices.Contains([]model.Kind{model.MultiAttach, model.AttachSucceeded, model.AttachFailed, model.MountFailed}, k)
}

func (r *placedRow) observation() model.Observation {
	e := r.record
	e.Count = r.seen.count
	o := phrase.Event(e)
	o.Source, o.Quote, o.Input = r.source, r.quote, r.source.Path
	o.Age, o.LastAge, o.Floating = r.seen.first, r.seen.last, r.floats
	for _, ref := range []*model.Ref{&o.Object, &o.Pod, &o.Claim, &o.Owner} {
		if ref.Name == "" {
			*ref = model.Ref{}
		}
	}
	return o
}

// mountWait is how long the kubelet waits for the volumes of a pod before it complains (podAttachAndMountTimeout, 2m3s in 1.13–1.36).
const mountWait = 2 * 60

// widestPrinted is the widest interval that still dates a description. Wider ones say little more than the day.
const widestPrinted = 5 * time.Minute

// printed is when a pod's description was printed: its start time is a date, and the row of its scheduling has an age. The start time is
// the kubelet's, which may come back late; the ages of its events, and the description itself, bound how late. Zero when it does not say.
func (s *section) printed() model.Moment {
	scheduled := s.scheduled()
	if s.start.IsZero() || scheduled == nil {
		return model.Moment{}
	}
	late := scheduled.Max
	for i := range s.rows {
		r := &s.rows[i]
		if r.record.Component != "kubelet" || r.seen.first == nil {
			continue
		}
		wait := 0.0
		if strings.HasPrefix(r.record.Message, "Unable to ") {
			wait = mountWait
		}
		late = min(late, max(scheduled.Max-r.seen.first.Min-wait, 0))
	}
	after := func(t time.Time, seconds float64) time.Time {
		return t.Add(time.Duration(seconds * float64(time.Second)))
	}
	earliest, latest := after(s.start.Earliest, max(scheduled.Min-late, 0)), after(s.start.Latest, scheduled.Max)
	if latest.Sub(earliest) > widestPrinted {
		return model.Moment{}
	}
	return model.Between(earliest, latest)
}

// scheduled is how long ago the pod was scheduled; nil when no row shows it, or two do, as of two pods of one name.
func (s *section) scheduled() *model.Range {
	var age *model.Range
	for i := range s.rows {
		r := &s.rows[i]
		if r.record.Reason != "Scheduled" {
			continue
		}
		if age != nil || r.seen.count != 1 || r.seen.first == nil {
			return nil
		}
		age = r.seen.first
	}
	return age
}
