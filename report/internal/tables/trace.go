package tables

import (
	"fmt"
	"io"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/jsonout"
	"github.com/volpost/volpost/report/internal/view"
)

// traceEvent is an event of the Trace Event Format. Ph: X a stretch, i an instant, M a name. Ts and Dur: microseconds from the beginning.
type traceEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Ph    string         `json:"ph"`
	Ts    int64          `json:"ts"`
	Dur   *int64         `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"` // encoding/json writes the keys in order
}

// traceFile is the object form of a trace.
type traceFile struct {
	TraceEvents     []traceEvent   `json:"traceEvents"`
	DisplayTimeUnit string         `json:"displayTimeUnit"`
	OtherData       map[string]any `json:"otherData"`
}

// The tracks of an incident: what happened, then one for each remedy, then the lanes of the timeline.
const (
	trackObserved = 1
	trackRemedies = 10
	trackLanes    = 1000
)

// trace collects the events of a report. Every incident is a process; what concerns none is process 0.
type trace struct {
	*view.View
	origin time.Time
	events []traceEvent
}

// Trace writes phases, replays and timeline as a trace from their first instant on: viewers keep nanoseconds in 64 bits.
func Trace(w io.Writer, r *model.Report) error {
	t := &trace{View: view.New(r), events: []traceEvent{}}
	t.origin = t.earliest()
	for _, in := range t.Incident {
		t.incident(in)
	}
	t.timeline()
	other := map[string]any{"generator": t.Generator.Name + " " + t.Generator.Version, "bundle": words.OneLine(t.Bundle.Root),
		"headline": words.OneLine(t.Verdict.Headline)}
	if !t.origin.IsZero() {
		other["origin"] = t.origin.Format(time.RFC3339Nano)
	}
	if s := t.Bundle.StandIn; s != nil {
		other["origin"], other["times"] = view.DateAt(t.origin), s.Means
	}
	file := traceFile{TraceEvents: []traceEvent{}, DisplayTimeUnit: "ms", OtherData: other}
	return jsonout.WriteLists(w, file, " ", jsonout.ListOf("traceEvents", 512, t.events))
}

// earliest is the first instant of what the trace shows.
func (t *trace) earliest() time.Time {
	var first time.Time
	take := func(at time.Time) {
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	for _, in := range t.Incident {
		for _, p := range in.Phases {
			take(p.From.At)
		}
		for _, r := range in.Remediations {
			for _, p := range r.PredictedPhases {
				take(p.From.At)
			}
		}
	}
	for _, item := range t.Timeline {
		take(item.At.At)
	}
	return first
}

// at is an instant on the axis of the trace, held to what 64 bits of nanoseconds can hold.
func (t *trace) at(when time.Time) int64 { return max(when.Sub(t.origin), 0).Microseconds() }

func (t *trace) incident(in *view.IncidentView) {
	t.name("process_name", in.Number, 0, "name", fmt.Sprintf("%d. %s", in.Number, in.Title))
	t.track(in.Number, trackObserved, "as it was")
	t.phases(in, trackObserved, "phase", in.Phases)
	track := trackRemedies
	for _, r := range in.Remediations {
		if len(r.PredictedPhases) == 0 || track == trackLanes {
			continue
		}
		t.track(in.Number, track, "with "+words.OneLine(r.ID)+" ("+view.RiskName+view.RiskText(r)+")")
		t.phases(in, track, "replayed", r.PredictedPhases)
		track++
	}
}

// phases draws phases. A later one never begins before the end of the one before: viewers take what overlaps for nested.
func (t *trace) phases(in *view.IncidentView, track int, category string, list []model.Phase) {
	var end int64
	for _, p := range list {
		from := max(t.at(p.From.At), end)
		length := max(t.at(p.To.At)-from, 0)
		end = from + length
		args := map[string]any{
			"meaning": view.PhaseLabel(p), "from": view.Instant(p.From), "to": view.Instant(p.To), "duration": view.Span(p.Seconds),
			"from_basis": string(p.From.Basis), "to_basis": string(p.To.Basis), "incident": in.ID,
		}
		if g := p.GovernedBy; g != nil {
			args["governed_by"] = words.OneLine(g.Parameter + " = " + g.Value)
		}
		t.events = append(t.events, traceEvent{Name: words.OneLine(string(p.ID)), Cat: category, Ph: "X", Ts: from, Dur: &length,
			Pid: in.Number, Tid: track, Args: args})
	}
}

// timeline draws the items as instants, in the process of their first incident and the track of their lane.
func (t *trace) timeline() {
	type row struct{ process, track int }
	named := map[row]bool{}
	for _, item := range t.Timeline {
		process := 0
		for _, id := range item.Incidents {
			if in := t.View.IncidentOf[id]; in != nil {
				process = in.Number
				break
			}
		}
		where := row{process, trackLanes + view.LaneIndex(item)}
		if !named[where] {
			if process == 0 && !named[row{}] {
				t.name("process_name", 0, 0, "name", "beside the incidents")
				named[row{}] = true
			}
			named[where] = true
			t.track(process, where.track, view.LaneText(view.Lane(item)))
		}
		args := map[string]any{"at": view.Instant(item.At), "basis": string(item.At.Basis)}
		if cited := t.Cited(item.Evidence); len(cited) > 0 {
			args["evidence"] = view.Place(t.Evidence[t.EvidenceAt[cited[0]]].Source)
		}
		t.events = append(t.events, traceEvent{Name: words.OneLine(item.Text), Cat: string(item.Kind), Ph: "i", Scope: "t", Ts: t.at(item.At.At),
			Pid: process, Tid: where.track, Args: args})
	}
}

// name gives a process or a track its name, or its place.
func (t *trace) name(what string, process, track int, key string, value any) {
	t.events = append(t.events, traceEvent{Name: what, Ph: "M", Pid: process, Tid: track, Args: map[string]any{key: value}})
}

// track names a track and puts it where its number says.
func (t *trace) track(process, track int, name string) {
	t.name("thread_name", process, track, "name", name)
	t.name("thread_sort_index", process, track, "sort_index", track)
}
