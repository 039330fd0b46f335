package series

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/volpost/volpost/model"
)

// framesHead is how an answer of Grafana's /api/ds/query, or data frames of its panel inspector, begin (grafana-plugin-sdk-go
// data/frame_json.go). Before version 8 there were series instead of frames.
var framesHead = regexp.MustCompile(`^\s*(?:\{\s*"results"\s*:\s*\{\s*"[^"]*"\s*:\s*\{[^{}\[\]]*"` +
	`(?:frames|series)"\s*:|\[\s*\{\s*"schema"\s*:\s*\{[^\[]{0,900}"fields"\s*:)`)

// IsFrames reports whether a file begins as data frames of Grafana.
func IsFrames(head []byte) bool { return framesHead.Match(head) }

type frame struct {
	Schema struct {
		Fields []struct {
			Type   string            `json:"type"`
			Labels map[string]string `json:"labels"`
		} `json:"fields"`
	} `json:"schema"`
	Data struct {
		Values []json.RawMessage `json:"values"`
	} `json:"data"`
}

type framesAnswer struct {
	Results map[string]struct {
		Error  string            `json:"error"`
		Frames []frame           `json:"frames"`
		Series []json.RawMessage `json:"series"`
	} `json:"results"`
}

// ReadFrames reads data frames of Grafana. warnings are sentences about what they lack. Its error is a sentence.
func ReadFrames(data []byte) (m *Memory, warnings []string, err error) {
	var a framesAnswer
	var all []frame
	if err := json.Unmarshal(data, &all); err != nil {
		if err := json.Unmarshal(data, &a); err != nil {
			return nil, nil, fmt.Errorf("is an answer of Grafana that is no complete JSON: %w", err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.Results)) {
		switch r := a.Results[id]; {
		case r.Error != "":
			warnings = append(warnings, fmt.Sprintf("Grafana's answer to its query %s is an error: %s", id, r.Error))
		case len(r.Series) > 0:
			warnings = append(warnings,
				fmt.Sprintf("Grafana's answer to its query %s has the form from before version 8, without labels; it is not read", id))
		default:
			all = append(all, r.Frames...)
		}
	}
	m = NewMemory(model.MetricAPI)
	unnamed, broken := 0, 0
	for _, f := range all {
		n, ok, room := f.addTo(m)
		if !room {
			return m, warnings, errFull
		}
		unnamed += n
		if !ok {
			broken++
		}
	}
	warnings = withUnnamed(warnings, unnamed)
	if broken > 0 {
		warnings = append(warnings,
			fmt.Sprintf("%d frames have no column of times with as many values in each other column; they are not used", broken))
	}
	return m, warnings, nil
}

// addTo adds the columns of numbers. unnamed counts series without a metric; ok is false without times, room with too many samples.
func (f frame) addTo(m *Memory) (unnamed int, ok, room bool) {
	var times []int64 // milliseconds since 1970
	for i, field := range f.Schema.Fields {
		if field.Type == "time" && i < len(f.Data.Values) && json.Unmarshal(f.Data.Values[i], &times) == nil {
			break
		}
	}
	if len(times) == 0 {
		return 0, len(f.Schema.Fields) == 0, true
	}
	for i, field := range f.Schema.Fields {
		if field.Type != "number" {
			continue
		}
		var values []*float64 // null for none
		if i >= len(f.Data.Values) || json.Unmarshal(f.Data.Values[i], &values) != nil || len(values) != len(times) {
			return unnamed, false, true
		}
		if field.Labels[model.MetricName] == "" {
			unnamed++ // of what metric is not known
			continue
		}
		s := apiSeries{Metric: field.Labels}
		for n, v := range values {
			if v != nil {
				s.add(times[n], *v)
			}
		}
		if !s.addTo(m) {
			return unnamed, true, false
		}
	}
	return unnamed, true, true
}
