package readback

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/samples/recordings"
)

// full decodes a report as ReadFleet does, without its shortcut.
func full(t *testing.T, text string) *model.FleetReport {
	t.Helper()
	var r model.FleetReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestReadFleetIsTheFullDecode compares the shortcut with a decoder, also where the JSON is written in another shape.
func TestReadFleetIsTheFullDecode(t *testing.T) {
	for _, c := range fixtures() {
		text := render(t, c.report)
		var compact any
		if err := json.Unmarshal([]byte(text), &compact); err != nil {
			t.Fatal(err)
		}
		short, err := json.Marshal(compact) // keys in another order, no blanks
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range []string{text, string(short), "\ufeff" + text, strings.ReplaceAll(text, "\n", "\r\n\t")} {
			got, err := Fleet([]byte(shape))
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if want := full(t, text); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: read otherwise", c.name)
			}
		}
	}
}

func TestReadFleetRefuses(t *testing.T) {
	whole := render(t, rich())
	refused := map[string]string{
		"empty": "", "other": `{"kind":"List"}`, "newer": `{"schema":"volpost/report/v2"}`, "array": "[]", "cut off": whole[:len(whole)-10],
		"cut in a string": whole[:len(whole)/2],
		"two":             whole + whole, "no comma": strings.Replace(whole, `"v0.1.0"`+"\n  },", `"v0.1.0"`+"\n  }", 1),
		"wrong type": strings.Replace(whole, "\n  \"incidents\": [", "\n  \"incidents\": [3,", 1),
		"word":       "{x}", "key": `{1:2}`, "open": `{"a":`, "half": `{"a"`,
	}
	if recordings.Long { // reading so many takes seconds
		refused["many objects"] = `{"schema":"volpost/report/v1","incidents":[` + strings.Repeat("{},", maxFleetObjects) + "{}]}"
	}
	for name, text := range refused {
		if _, err := Fleet([]byte(text)); err == nil {
			t.Errorf("%s is taken for a report", name)
		} else if len(err.Error()) > 400 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the shortcut accepts and is JSON, a decoder reads alike.
func FuzzReadFleet(f *testing.F) {
	f.Add([]byte(render(f, reporttest.Fixture("none"))))
	f.Add([]byte(`{"schema":"volpost/report/v1","x":"\\\"}","incidents":[{"id":"{"}],"y":[[],{}],"bundle":{"kubernetesVersion":"v1"}}`))
	f.Add([]byte(`{"schema":"volpost/report/v1","inCidents":[{"id":"{"}],"\u0062undle":{"KubernetesVersion":"v1"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Fleet(data)
		if err != nil {
			return
		}
		var want model.FleetReport
		if err := jsonv2.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &want); err != nil {
			t.Fatal(err)
		}
		if len(got.Incidents) != len(want.Incidents) || got.Schema != want.Schema ||
			got.Bundle.KubernetesVersion != want.Bundle.KubernetesVersion {
			t.Errorf("read otherwise: %+v, want %+v", got, want)
		}
	})
}
