package series

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"time"

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

// ReadAPI reads an answer of /api/v1/query_range or /api/v1/query. Its Memory is nil where nothing can be read. The error is a sentence.
func ReadAPI(data []byte) (t Text, err error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return t, fmt.Errorf("is an answer of Prometheus that is no complete JSON: %w", err)
	}
	if a.Status != "success" {
		return t, fmt.Errorf("is an error of Prometheus instead of an answer: %s: %s", a.Type, a.Error)
	}
	for _, w := range a.Warnings {
		t.Warnings = append(t.Warnings, "Prometheus warned with its answer: "+w)
	}
	var all []apiSeries
	if a.Data.Type == "matrix" || a.Data.Type == "vector" { // else it is a number or a text, of no series
		if err := json.Unmarshal(a.Data.Result, &all); err != nil {
			return t, fmt.Errorf("is an answer of Prometheus whose result cannot be read: %w", err)
		}
	}
	t.Memory = NewMemory(model.MetricAPI)
	unnamed := 0
	for _, s := range all {
		if u, ok := s.unnamed(); ok && len(t.Unnamed) < maxUnnamed {
			t.Unnamed = append(t.Unnamed, u)
		}
		if s.Metric[model.MetricName] == "" {
			unnamed++ // the result of an expression: of what metric is not known
		} else if !s.addTo(t.Memory) {
			return t, errFull
		}
	}
	if unnamed > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("%d series are the result of an expression and have no name; they are not used", unnamed))
	}
	return t, nil
}

// Unnamed is a series of an answer that an expression made, as a query that joins metrics does: its labels, sorted, with its newest value.
type Unnamed struct {
	Labels model.Labels
	Value  float64
	At     time.Time
}

// AlertsMetric is the series in which Prometheus records its alerts.
const AlertsMetric = "ALERTS"

// maxUnnamed bounds how many of an answer are kept.
const maxUnnamed = 200

// unnamed is such a series, or a sample of the alerts; false for any other.
func (s apiSeries) unnamed() (u Unnamed, ok bool) {
	last := s.Value
	if n := len(s.Values); last == nil && n > 0 {
		last = &s.Values[n-1]
	}
	if name := s.Metric[model.MetricName]; name != "" && (name != AlertsMetric || s.Values != nil) || last == nil {
		return u, false
	}
	return Unnamed{Labels: s.labels(), Value: float64(last.Value), At: last.Timestamp.Time().UTC()}, true
}

// labels are sorted.
func (s apiSeries) labels() (out model.Labels) {
	for _, name := range slices.Sorted(maps.Keys(s.Metric)) {
		out = append(out, model.Label{Name: name, Value: s.Metric[name]})
	}
	return out
}

func (s apiSeries) addTo(m *Memory) bool {
	if s.Value != nil {
		s.Values = append(s.Values, *s.Value)
	}
	var samples []model.Sample
	for _, v := range s.Values {
		if math.Abs(float64(v.Timestamp)) < maxSeconds*1000 {
			samples = append(samples, model.Sample{At: instant(int64(v.Timestamp)), Value: float64(v.Value)})
		}
	}
	return len(samples) == 0 || m.add(s.labels(), samples...)
}
