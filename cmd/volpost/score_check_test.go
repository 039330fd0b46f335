package main

import (
	"encoding/json"
	"testing"
	"time"
)

// spoilings make a report wrong in one place each. They get the report and its first incident as decoded JSON.
var spoilings = []struct {
	name  string
	spoil func(report, incident map[string]any)
}{
	{"verdict", func(r, _ map[string]any) { r["verdict"].(map[string]any)["status"] = "insufficient-evidence" }},
	{"no incident", func(r, _ map[string]any) { r["incidents"] = []any{} }},
	{"another volume", func(_, i map[string]any) { i["volume"].(map[string]any)["persistentVolume"] = "pvc-other" }},
	{"handle", func(_, i map[string]any) { i["volume"].(map[string]any)["volumeHandle"] = "other" }},
	{"no driver", func(_, i map[string]any) { delete(i["volume"].(map[string]any), "driver") }},
	{"no workload", func(_, i map[string]any) { i["workload"] = nil }},
	{"old node", func(_, i map[string]any) { i["from"].(map[string]any)["node"] = "other" }},
	{"new pods", func(_, i map[string]any) { i["to"].(map[string]any)["pods"] = []any{} }},
	{"blocker", func(_, i map[string]any) { i["blockingAttachment"].(map[string]any)["name"] = nil }},
	{"began", func(_, i map[string]any) { late(i["multiAttach"].(map[string]any)["began"]) }},
	{"resolved", func(_, i map[string]any) { i["resolved"] = i["resolved"] == false }},
	{"primary cause", func(_, i map[string]any) { i["causes"].([]any)[0].(map[string]any)["id"] = "access-mode" }},
	{"span", func(_, i map[string]any) { late(i["span"].(map[string]any)["from"]) }},
}

// late moves a moment by an hour.
func late(moment any) {
	m := moment.(map[string]any)
	for _, bound := range []string{"at", "earliest", "latest"} {
		if at, err := time.Parse(time.RFC3339, m[bound].(string)); err == nil {
			m[bound] = at.Add(-time.Hour).Format(time.RFC3339Nano)
		}
	}
}

// TestScoreSeesWhatIsWrong spoils right reports: a comparison that finds nothing is worth nothing.
func TestScoreSeesWhatIsWrong(t *testing.T) {
	const sample = "node-deleted"
	text, _ := ofSample(t, sample)
	for _, c := range spoilings {
		if s := scored(t, spoiled(t, text, c.spoil), truthOf(t, sample), false); len(s.wrong) == 0 {
			t.Errorf("%s: nothing is wrong", c.name)
		}
	}
}

func spoiled(t *testing.T, text []byte, spoil func(report, incident map[string]any)) []byte {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	spoil(r, r["incidents"].([]any)[0].(map[string]any))
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
