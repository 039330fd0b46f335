package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestMetricsAgree: what an event says and the samples around it show is said to agree, what every scrape denies is said to be
// contradicted, and what the exporter may show late is neither.
func TestMetricsAgree(t *testing.T) {
	start := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what, ready string // samples of condition Ready, a minute apart
		want        string
	}{
		{"the node was not Ready at the scrapes after", "1111100000", "is not Ready (Unknown); metrics agree"},
		{"the node was Ready at every scrape", "1111111111",
			"is not Ready (Unknown); metrics contradict it: every scrape from 09:00:00 to 09:09:00 shows the contrary"},
		{"the samples end a minute later", "111111", "is not Ready (Unknown)"},
	} {
		var metrics strings.Builder
		for i, v := range c.ready {
			for status, value := range map[string]rune{"true": v, "unknown": '1' + '0' - v} {
				fmt.Fprintf(&metrics, "kube_node_status_condition{node=\"node-a\",condition=\"Ready\",status=%q} %c %d.000\n", status, value,
					start.Unix()+int64(60*i))
			}
		}
		r := oneCase{bundle: fstest.MapFS{
			"metrics.openmetrics": {Data: []byte(metrics.String() + "# EOF\n")},
			"events.yaml": {Data: []byte(`apiVersion: v1
kind: Event
metadata: {name: node-a.1, namespace: default, uid: e-1}
involvedObject: {kind: Node, name: node-a}
reason: NodeNotReady
message: "Node node-a status is now: NodeNotReady"
source: {component: node-controller}
firstTimestamp: "2026-03-14T09:04:30Z"
lastTimestamp: "2026-03-14T09:04:30Z"
count: 1
type: Normal
`)},
		}}.report(t)
		said := ""
		for _, item := range r.Timeline {
			if strings.Contains(item.Text, "node-a is not Ready") && item.At.Latest.Sub(item.At.Earliest) < 2*time.Second {
				said = item.Text
			}
		}
		if !strings.HasSuffix(said, c.want) {
			t.Errorf("%s: %q, want %q", c.what, said, c.want)
		}
	}
}

// TestContradictions: an object that was Ready all the time and an Event of its loss in the middle are a problem, with both quotes, one for
// the node. An Event of the minute in which it became Ready is none.
func TestContradictions(t *testing.T) {
	event := func(name, clock string) string {
		return `
- apiVersion: v1
  kind: Event
  metadata: {name: ` + name + `, namespace: default, uid: ` + name + `}
  involvedObject: {kind: Node, name: node-a}
  reason: NodeNotReady
  message: "Node node-a status is now: NodeNotReady"
  source: {component: node-controller}
  firstTimestamp: "2026-03-14T` + clock + `Z"
  lastTimestamp: "2026-03-14T` + clock + `Z"
  count: 1
  type: Normal`
	}
	for _, c := range []struct {
		events string
		want   []string
	}{
		{event("a", "09:10:00") + event("b", "09:12:00"), []string{
			"Node node-a is not Ready (Unknown) at 2026-03-14 09:10:00 UTC, by \"message: \\\"Node node-a status is now: NodeNotReady\\\"\", and nodes.yaml:7 shows " +
				"the contrary before and after that: \"lastTransitionTime: \\\"2026-03-14T09:00:00Z\\\"\". One of both is wrong; the newer counts"}},
		{event("a", "09:01:00"), nil},
	} {
		r := oneCase{bundle: fstest.MapFS{
			"events.yaml": {Data: []byte("apiVersion: v1\nkind: List\nitems:" + c.events + "\n")},
			"nodes.yaml": {Data: []byte(`apiVersion: v1
kind: Node
metadata: {name: node-a, uid: n-1, creationTimestamp: "2026-01-01T00:00:00Z"}
status:
  conditions:
  - lastHeartbeatTime: "2026-03-14T09:20:00Z"
    lastTransitionTime: "2026-03-14T09:00:00Z"
    status: "True"
    type: Ready
`)},
		}}.report(t)
		var got []string
		for _, p := range r.Bundle.Problems {
			if strings.Contains(p.Message, "the contrary") {
				got = append(got, p.Message)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
