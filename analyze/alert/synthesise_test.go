package alert

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/value"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/model"
)

// TestLanesAsSeries: each state of an object is the value of its metrics for as long as it lasts.
func TestLanesAsSeries(t *testing.T) {
	state := func(word model.StateWord, reported string, from int) lanes.State {
		return lanes.State{Word: word, Reported: reported, From: facts.Instant{Moment: exactly(minute(from))}}
	}
	for _, c := range []struct {
		lane   lanes.Lane
		metric string
		want   string
	}{
		{lanes.Lane{Role: model.RoleOldNode, States: []lanes.State{state(model.StateReady, "", 5), state(model.StateSilent, "Ready", 8),
			state(model.StateNotReady, "", 10), state(model.StateOutOfService, "NotReady", 12), state(model.StateReady, "", 20), state(model.StateDeleted, "", 25)}},
			"kube_node_status_condition", "0-9 1, 10-19 0, 20-24 1"},
		{lanes.Lane{Role: model.RoleBlocking, States: []lanes.State{state(model.StateAttached, "", 3), state(model.StateBlocking, "", 5), state(model.StateGone, "", 9),
			state(model.StateAttaching, "created", 12), state(model.StateAttached, "", 14)}}, "kube_volumeattachment_status_attached", "3-8 1, 12-13 0, 14-29 1"},
		{lanes.Lane{Role: model.RoleOldPod, States: []lanes.State{state(model.StateReady, "", 5), state(model.StateTerminating, "", 10),
			state(model.StateReleased, "", 15), state(model.StateGone, "", 20)}}, "kube_pod_deletion_timestamp", fmt.Sprint("10-19 ", minute(10).Unix()+30)},
		{lanes.Lane{Role: model.RoleOldPod, States: []lanes.State{state(model.StatePending, "scheduled", 5), state(model.StateGone, "", 20)}},
			"kube_pod_info", "0-19 1"},
		{lanes.Lane{Role: model.RoleOldPod, States: []lanes.State{state(model.StateTerminating, "", 5)}}, "kube_pod_info", "0-24 1"},
		{lanes.Lane{Role: model.RoleNewPod, States: []lanes.State{state(model.StatePending, "created", 5), state(model.StateWaiting, "scheduled", 7),
			state(model.StatePending, "scheduled", 12), state(model.StateReady, "", 15)}}, "kube_pod_container_status_waiting_reason", "7-14 1"},
		{lanes.Lane{Role: model.RoleNewPod, States: []lanes.State{state(model.StateWaiting, "scheduled", 7), state(model.StateReady, "", 15)}},
			"kube_pod_info", "7-29 1"},
	} {
		e := &exposed{Case: waitOf(1), start: minute(0), scrapes: window{minute(0), minute(29), time.Minute}}
		e.Released = facts.Instant{Moment: exactly(minute(25))}
		for i := range c.lane.States {
			if i+1 < len(c.lane.States) {
				c.lane.States[i].To = c.lane.States[i+1].From
			}
		}
		e.lane(&c.lane, Setup{})
		i := slices.IndexFunc(e.list, func(p drawn) bool { return p.labels.Get(model.MetricName) == c.metric })
		if i < 0 {
			t.Errorf("%s %s: no series", c.lane.Role, c.metric)
			continue
		}
		if got := runsOf(e.list[i].values); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.lane.Role, c.metric, got, c.want)
		}
	}
}

// runsOf are values as from-to value, with the first and the last step of each run.
func runsOf(values []float64) string {
	var out []string
	for from := 0; from < len(values); {
		to := from
		for to+1 < len(values) && (values[to+1] == values[from]) {
			to++
		}
		if !value.IsStaleNaN(values[from]) {
			out = append(out, fmt.Sprintf("%d-%d %.0f", from, to, values[from]))
		}
		from = to + 1
	}
	return strings.Join(out, ", ")
}
