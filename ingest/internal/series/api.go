package series

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"

	prometheus "github.com/prometheus/common/model"

	"github.com/volpost/volpost/model"
)

// apiHead is how an answer of Prometheus' HTTP API begins: a status, and a result or error type (web/api/v1, 2.0–3.15). Loki has streams.
var apiHead = regexp.MustCompile(`^\s*\{\s*"status"\s*:\s*"(success|error)"\s*,[^\[]{0,200}?` +
	`("resultType"\s*:\s*"(matrix|vector|scalar|string)"|"errorType"\s*:)`)

// IsAPI reports whether a file begins as an answer to a query of Prometheus' HTTP API.
func IsAPI(head []byte) bool { return apiHead.Match(head) }

type answer struct {
	Status string `json:"status"`
	Type   string `json:"errorType"`
	Error  string `json:"error"`
	Data   struct {
		Type   string          `json:"resultType"`
		Result json.RawMessage `json:"result"`
	} `json:"data"`
	Warnings []string `json:"warnings"`
}

type apiSeries struct {
	Metric map[string]string       `json:"metric"`
	Values []prometheus.SamplePair `json:"values"`
	Value  *prometheus.SamplePair  `json:"value"`
}

// maxSeconds is the year 9999.
const maxSeconds = 253402300799

// ReadAPI reads an answer of /api/v1/query_range or /api/v1/query. Warnings and error are sentences.
func ReadAPI(data []byte) (m *Memory, warnings []string, err error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, nil, fmt.Errorf("is an answer of Prometheus that is no complete JSON: %w", err)
	}
	if a.Status != "success" {
		return nil, nil, fmt.Errorf("is an error of Prometheus instead of an answer: %s: %s", a.Type, a.Error)
	}
	for _, w := range a.Warnings {
		warnings = append(warnings, "Prometheus warned with its answer: "+w)
	}
	m = NewMemory(model.MetricAPI)
	if a.Data.Type != "matrix" && a.Data.Type != "vector" {
		return m, warnings, nil // a number or a text, of no series
	}
	var all []apiSeries
	if err := json.Unmarshal(a.Data.Result, &all); err != nil {
		return nil, warnings, fmt.Errorf("is an answer of Prometheus whose result cannot be read: %w", err)
	}
	unnamed := 0
	for _, s := range all {
		if s.Metric[model.MetricName] == "" {
			unnamed++ // the result of an expression: of what metric is not known
			continue
		}
		if !s.addTo(m) {
			return m, warnings, errFull
		}
	}
	if unnamed > 0 {
		warnings = append(warnings, fmt.Sprintf("%d series are the result of an expression and have no name; they are not used", unnamed))
	}
	return m, warnings, nil
}

func (s apiSeries) addTo(m *Memory) bool {
	var raw model.Labels
	for name, value := range s.Metric {
		raw = append(raw, model.Label{Name: name, Value: value})
	}
	if s.Value != nil {
		s.Values = append(s.Values, *s.Value)
	}
	var samples []model.Sample
	for _, v := range s.Values {
		if math.Abs(float64(v.Timestamp)) < maxSeconds*1000 {
			samples = append(samples, model.Sample{At: instant(int64(v.Timestamp)), Value: float64(v.Value)})
		}
	}
	return len(samples) == 0 || m.add(raw, samples...)
}
