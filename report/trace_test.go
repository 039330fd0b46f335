package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// traced reads a trace as a viewer does, with numbers as they are.
func traced(t *testing.T, r *model.Report) []map[string]any {
	t.Helper()
	var file struct {
		TraceEvents     []map[string]any
		DisplayTimeUnit string
	}
	if err := json.Unmarshal([]byte(render(t, "trace", r)), &file); err != nil {
		t.Fatal(err)
	}
	if file.DisplayTimeUnit != "ms" || file.TraceEvents == nil {
		t.Error("no object with traceEvents and displayTimeUnit")
	}
	return file.TraceEvents
}

// TestTraceKeepsTheFormat checks what the Trace Event Format asks of the three kinds of event that are written: names
// belong to tracks that exist, stretches have a length and do not cross each other on a track, instants have a scope.
func TestTraceKeepsTheFormat(t *testing.T) {
	far := rich() // times that a manifest can claim
	far.Timeline[0].At.At = time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)
	far.Timeline[1].At.At = time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)
	back := rich() // phases that run backwards
	back.Incidents[0].Phases[3].To = at(-50)
	for name, r := range map[string]*model.Report{"rich": rich(), "hostile": hostile(), "none": none(), "bare": bare(), "many": many(25),
		"far": far, "back": back} {
		type track struct{ pid, tid float64 }
		named, used, end := map[track]bool{}, map[track]bool{}, map[track]float64{}
		for _, e := range traced(t, r) {
			pid, pidOK := e["pid"].(float64)
			tid, tidOK := e["tid"].(float64)
			ts, tsOK := e["ts"].(float64)
			if !pidOK || !tidOK || !tsOK || e["name"] == "" || ts < 0 || ts != math.Trunc(ts) || ts > math.MaxInt64/1000 {
				t.Errorf("%s: incomplete %v", name, e)
			}
			at := track{pid, tid}
			switch e["ph"] {
			case "M":
				if e["name"] == "thread_name" {
					named[at] = true
				}
				args, _ := e["args"].(map[string]any)
				if (args["name"] == nil) == (args["sort_index"] == nil) {
					t.Errorf("%s: a name without a name: %v", name, e)
				}
			case "X":
				used[at] = true
				dur, ok := e["dur"].(float64)
				if !ok || dur < 0 || ts < end[at] {
					t.Errorf("%s: a stretch without length, or across another that ends at %v: %v", name, end[at], e)
				}
				end[at] = ts + dur
			case "i":
				used[at] = true
				if e["s"] != "t" {
					t.Errorf("%s: an instant without scope: %v", name, e)
				}
			default:
				t.Errorf("%s: an event of kind %v", name, e["ph"])
			}
		}
		for at := range used {
			if !named[at] {
				t.Errorf("%s: the track %v has no name", name, at)
			}
		}
	}
}

func TestTraceTellsThePhases(t *testing.T) {
	r := rich()
	observed, replayed, items := 0, 0, 0
	for _, e := range traced(t, r) {
		switch {
		case e["cat"] == "phase":
			observed++
		case e["cat"] == "replayed":
			replayed++
		case e["ph"] == "i":
			items++
		}
	}
	wantObserved, wantReplayed := 0, 0
	for _, in := range r.Incidents {
		wantObserved += len(in.Phases)
		for _, m := range in.Remediations {
			wantReplayed += len(m.PredictedPhases)
		}
	}
	if observed != wantObserved || replayed != wantReplayed || wantReplayed == 0 || items != len(r.Timeline) {
		t.Errorf("%d phases of %d, %d replayed of %d, %d items of %d", observed, wantObserved, replayed, wantReplayed, items, len(r.Timeline))
	}
	if text := render(t, "trace", r); !strings.Contains(text, `"ts": 340381000,`) || !strings.Contains(text, `"dur": 7000,`) {
		t.Error("times are not microseconds from the beginning")
	}
}
