package readback

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/volpost/volpost/report/internal/reporttest"
)

func TestIsReport(t *testing.T) {
	for text, want := range map[string]bool{
		render(t, reporttest.Fixture("none")): true, `{"schema":"volpost/report/v9"}`: true, "\ufeff{ \"schema\" : \"volpost/whatif/v1\"": true,
		sortedKeys(t, render(t, reporttest.Fixture("none"))): true, sortedKeys(t, render(t, rich())): true,
		`{"alerts":[],"bundle":{"name":"` + strings.Repeat("x", Beginning) + `"},"schema":"volpost/report/v1"}`: true,
		`{"alerts":[],"schema":"other"}`: false, `{"items":[{"schema":"volpost/report/v1"}],"bundle":1}`: false,
		`{"data":{"alerts":[` + strings.Repeat(" ", Beginning): false,
		"": false, `{"kind":"List"}`: false, `{"schema":"other"}`: false, "apiVersion: v1": false, `[{"schema":"volpost/report/v1"}]`: false,
	} {
		if got := IsReport([]byte(text[:min(len(text), Beginning)])); got != want {
			t.Errorf("IsReport(%.60q) = %v", text, got)
		}
	}
}

// sortedKeys is JSON as other tools write it again.
func sortedKeys(t *testing.T, text string) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
