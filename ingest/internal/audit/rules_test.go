package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestVerdicts: which lines are decoded, which are events that cannot matter, and which are none.
func TestVerdicts(t *testing.T) {
	status := func(condition string) string {
		return ev("patch", sub(podRef, "status"), "requestObject", `{"status":{"conditions":[{"type":`+condition+`}]}}`)
	}
	escaped, _ := json.Marshal(ev("delete", podRef))
	for in, want := range map[string]verdict{
		ev("delete", podRef): decode, ev("get", podRef): skip, ev("delete", podRef, "stage", `"RequestReceived"`): skip, ev("create", sub(podRef, "exec")): skip,
		ev("create", sub(podRef, "binding")): decode, ev("create", sub(podRef, "eviction")): decode, status(`"Ready"`): decode, status(`"Initialized"`): skip,
		status(`"Failed"`): decode, status(`"Succeeded"`): decode, ev("patch", vaState): decode, ev("create", eventRef): skip,
		ev("delete", podRef, "verb", ""): decode, `{"log":` + string(escaped) + `}`: decode, `{"protoPayload":{}}`: decode, `{"objectRef":5}`: decode,
		`{"StageReceivedTime":"","ObjectRef":{},"AuditId":""}`: decode, `{"StageReceivedTime":"","ObjectRef":{}}`: other, `{"auditID":"x"}`: skip,
		`{"apiVersion":"audit.k8s.io/v1"}`: skip, "I0314 started": other, "": other, ev("patch", sub(depRef, "scale")): decode, ev("patch", sub(depRef,
			"status")): skip,
		ev("patch", depRef): decode, ev("patch", nodeRef): decode, ev("patch", sub(nodeRef, "status")): skip,
		ev("patch", sub(nodeRef, "status"), "requestObject", `[{"type":"Ready"}]`):                         skip,
		ev("patch", sub(nodeRef, "status"), "requestObject", `[{"lastTransitionTime":""}]`):                skip,
		ev("patch", sub(nodeRef, "status"), "requestObject", `[{"type":"Ready","lastTransitionTime":""}]`): decode,
	} {
		if got := glance([]byte(in)); got != want {
			t.Errorf("%.300s: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]string{`a"b`: "a", `"`: "", "a": "", strings.Repeat("x", 63) + `"`: strings.Repeat("x", 63), strings.Repeat("x",
		64) + `"`: ""} {
		if got := word([]byte(in)); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	const stamp = `"stageTimestamp":"2026-03-14T09:33:01.104000Z"`
	for in, want := range map[string]bool{stamp: true, stamp + strings.Repeat(" ", 4096-len(stamp)): true, stamp + strings.Repeat(" ", 4097-len(stamp)): false,
		strings.Replace(stamp, "Z", "z", 1): false, strings.Replace(stamp, "000Z", "Z", 1): false, strings.ReplaceAll(stamp, `"`, `\"`): true, "": false} {
		if got := stagedAt([]byte(in)); got.IsZero() == want {
			t.Errorf("%.60q: %v", in, got)
		}
	}
}

// TestPieces has the prefixes of a container runtime.
func TestPieces(t *testing.T) {
	const stamp = "2026-03-14T09:26:53.841223001Z"
	for in, want := range map[string]string{
		stamp + " stdout P text": "text true true", stamp + " stderr F text": "text false true", stamp + " stderr F:a text": "text false true",
		stamp + " stderr X text":  " false false",
		stamp + " stderr FF text": " false false", stamp + " stdin F text": " false false", "x" + stamp + " stdout F text": " false false",
		"2026 stdout F text": " false false",
		"":                   " false false", stamp + " stdout F": " false false", stamp + " stdout F ": " false true",
		strings.Repeat("9", 60) + " stdout F x": " false false",
	} {
		text, partial, ok := runtimePiece([]byte(in))
		if got := fmt.Sprintf("%s %v %v", text, partial, ok); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestShapesOfFiles: what begins a document, and at what its objects are looked for.
func TestShapesOfFiles(t *testing.T) {
	for in, want := range map[string]bool{"[": true, "{\n": true, " {\n\"a\"": true, `{"items":[`: true, `{"a":[`: false, `{"a":1}`: false,
		`{"a":{"items":[`: false, "": false, "x": false,
		`{"items":{`: true, "\xef\xbb\xbf[": true, "{": false, `{"a":"items","b":[`: false, `{"records" : [`: true} {
		if got := isDocument([]byte(in)); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	for in, want := range map[string]bool{`{"a"`: true, "[{": true, "[[": true, "{": true, "{a": false, `x {"a"`: true, `x: {"a"`: false, "{ \n": true,
		strings.Repeat("x", maxPrefix) + "{": true, strings.Repeat("x", maxPrefix+1) + "{": false, "x\n{\"": true, "": false} {
		if got := opensObject([]byte(in)); got != want {
			t.Errorf("%.50q: %v", in, got)
		}
	}
}

// TestTextsBetween: a text of a document that is no event, and holds a brace, hides none.
func TestTextsBetween(t *testing.T) {
	for _, between := range []string{`"{"`, `"\"{"`, `{"a":"}"}`, `[[]]`, `5`, `{"a":[1]}`} {
		if res := Read(strings.NewReader("["+between+","+ev("delete", podRef)+"]"), "x"); len(res.Observations) != 1 {
			t.Errorf("%s: %s, %v", between, say(res.Observations), res.Problems)
		}
	}
}

// TestNamesAndTimes: what may be a name, an identity or a taint, and which times are those of a request.
func TestNamesAndTimes(t *testing.T) {
	for in, want := range map[string]bool{"a": true, "": false, "a b": false, "a/b": false, "é": false, "a\x7f": false, "~": true, "!": true,
		strings.Repeat("x", 253): true,
		strings.Repeat("x", 254): false} {
		if validName(in) != want {
			t.Errorf("%.20q: %v", in, !want)
		}
	}
	for n, want := range map[int]int{1: 1, 64: 64, 65: 0, 0: 0} {
		if got := len(validUID(strings.Repeat("x", n))); got != want {
			t.Errorf("%d: %d", n, got)
		}
	}
	for _, c := range []struct {
		taint taint
		want  bool
	}{{taint{Key: "a", Effect: "NoExecute"}, true}, {taint{Key: "a", Effect: "No"}, false}, {taint{Effect: "NoSchedule"}, false}, {taint{Key: "a/b",
		Value: "v", Effect: "NoSchedule"}, true},
		{taint{Key: "a", Value: "v w", Effect: "NoSchedule"}, false}, {taint{Key: "a", Value: strings.Repeat("v", 63), Effect: "NoSchedule"}, true},
		{taint{Key: "a", Value: strings.Repeat("v", 64), Effect: "PreferNoSchedule"}, false}, {taint{Key: strings.Repeat("k", 318), Effect: "NoExecute"}, false}} {
		if c.taint.valid() != c.want {
			t.Errorf("%+v: %v", c.taint, !c.want)
		}
	}
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for late, want := range map[time.Duration]bool{0: true, maxSkew: false, maxSkew - 1: true, -maxSkew: false, 1 - maxSkew: true} {
		if got := fresh(noon.Add(-late).Format(time.RFC3339Nano), &request{received: noon}); got != want {
			t.Errorf("%v: %v", late, got)
		}
	}
	for _, c := range []struct{ from, to, want string }{{"2026-03-14T12:00:00Z", "2026-03-14T12:00:02Z", "00 02 00 true"}, {"", "2026-03-14T12:00:02Z",
		"02 02 02 true"},
		{"2026-03-14T12:00:01Z", "x", "01 01 01 true"}, {"", "", "00 00 00 false"}} {
		at, received, ok := (&event{Received: c.from, Staged: c.to}).moment()
		if got := fmt.Sprint(at.Earliest.Format("05 "), at.Latest.Format("05 "), received.Format("05 "), ok); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for in, want := range map[string]string{"7": "7 true", `"7"`: "7 true", "-1": "-1 false", "x": "0 false", "0": "0 true", "null": "0 false"} {
		var n natural
		if _ = n.UnmarshalJSON([]byte(in)); fmt.Sprint(n.n, n.set) != want {
			t.Errorf("%s: %+v", in, n)
		}
	}
	for in, want := range map[string]string{"abc": "abc", "abcd": "abc", "ab\xff": "ab�", "abé": "ab"} {
		if got := clip(in, 3); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestReferences of Google's entries.
func TestReferences(t *testing.T) {
	for in, want := range map[string]string{"core/v1/nodes/n": "{nodes  n   }", "core/v1/namespaces/shop": "{namespaces  shop   }",
		"apps/v1/namespaces/shop/deployments/d/scale": "{deployments shop d  apps scale}",
		"core/v1": "", "core/v1/nodes": "{nodes     }", "core/v1/namespaces/shop/pods": "{pods shop    }"} {
		got := ""
		if ref := resourceName(in); ref != nil {
			got = fmt.Sprint(*ref)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestKeptStatements counts a statement that comes again in the order of time, and of many keeps the newest.
func TestKeptStatements(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	said := func(object, detail string, second int) model.Observation {
		at := model.Exactly(noon.Add(time.Duration(second) * time.Second))
		return model.Observation{Kind: model.PodReady, Object: model.PodRef("a", object, ""), Detail: detail, Count: 1, At: at, Last: at}
	}
	var k kept
	for _, o := range []model.Observation{said("x", "", 1), said("x", "", 1), said("x", "", 3), said("x", "", 2), said("x", "d", 4), said("y", "", 4)} {
		k.addOnce(o)
	}
	var got []int
	for _, o := range k.newest() {
		got = append(got, o.Count)
	}
	if !slices.Equal(got, []int{3, 1, 1, 1}) || k.added != 6 {
		t.Errorf("%v, %d added", got, k.added)
	}
	k = kept{}
	for i := range 2*maxFacts + 10 {
		k.add(said(fmt.Sprint(i), "", i))
	}
	if list := k.newest(); len(list) != maxFacts || list[0].Object.Name != fmt.Sprint(maxFacts+10) || k.dropped != maxFacts+10 {
		t.Errorf("%d from %s on, %d dropped", len(list), list[0].Object.Name, k.dropped)
	}
	k = kept{}
	for i := range maxStatements + 1 {
		k.addOnce(said("x", fmt.Sprint(i), i))
	}
	if k.addOnce(said("x", "0", 1000)); len(k.newest()) != maxStatements+2 {
		t.Errorf("%d statements", len(k.newest()))
	}
	if k.addOnce(said("x", fmt.Sprint(maxStatements), 2000)); len(k.newest()) != maxStatements+2 {
		t.Error("the last statement is not counted")
	}
}

// TestEnvelopes: how deep an event may lie, and how much may stand before it.
func TestEnvelopes(t *testing.T) {
	wrap := func(text, before string) string {
		inner, _ := json.Marshal(before + strings.TrimSpace(text))
		return `{"log":` + string(inner) + `}`
	}
	line := ev("delete", podRef)
	for layers := range maxLayers + 2 {
		e, damaged := find([]byte(line))
		if (e != nil) != (layers <= maxLayers) || damaged {
			t.Errorf("%d layers: %v, damaged %v", layers, e != nil, damaged)
		}
		line = wrap(line, "")
	}
	for before, want := range map[int]bool{0: true, maxPrefix: true, maxPrefix + 1: false} {
		if e, _ := find([]byte(wrap(ev("delete", podRef), strings.Repeat("x", before)))); (e != nil) != want {
			t.Errorf("%d bytes before it: %v", before, e != nil)
		}
	}
	for in, want := range map[string]bool{`{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":5}`: true, `{"log":5}`: false, `{`: true,
		`{"log":"{audit.k8s.io/v1"}`: false,
		`{"log":"no brace"}`:         false, `{"protoPayload":5}`: true, `{"protoPayload":{}}`: false} {
		if e, damaged := find([]byte(in)); e != nil || damaged != want {
			t.Errorf("%s: %v", in, damaged)
		}
	}
}
