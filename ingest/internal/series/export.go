package series

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"

	"github.com/volpost/volpost/model"
)

// exportHead is how VictoriaMetrics' /api/v1/export begins: a series per line, times in milliseconds (docs.victoriametrics.com).
var exportHead = regexp.MustCompile(`^\s*\{\s*"metric"\s*:\s*\{[^{}]*"__name__"[^{}]*\}\s*,\s*"(?:values|timestamps)"\s*:\s*\[`)

// IsExport reports whether a file begins as an export of VictoriaMetrics.
func IsExport(head []byte) bool { return exportHead.Match(head) }

type exportLine struct {
	Metric     map[string]string `json:"metric"`
	Values     []json.RawMessage `json:"values"` // null and texts for what is no number
	Timestamps []int64           `json:"timestamps"`
}

// ReadExport reads such an export. warnings are sentences about what it lacks. Its error is a sentence.
func ReadExport(data []byte) (m *Memory, warnings []string, err error) {
	m = NewMemory(model.MetricAPI)
	broken := 0
	for rest := data; len(rest) > 0; {
		line, more, _ := bytes.Cut(rest, []byte("\n"))
		rest = more
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var l exportLine
		if json.Unmarshal(line, &l) != nil || len(l.Values) != len(l.Timestamps) || l.Metric[model.MetricName] == "" {
			broken++
			continue
		}
		if !l.series().addTo(m) {
			return m, warnings, errFull
		}
	}
	if broken > 0 {
		warnings = append(warnings, fmt.Sprintf("%d lines of the export are no series with as many times as values, and are left out", broken))
	}
	return m, warnings, nil
}

// series are the samples that are numbers.
func (l exportLine) series() apiSeries {
	s := apiSeries{Metric: l.Metric}
	for i, raw := range l.Values {
		var v float64
		if string(raw) == "null" || json.Unmarshal(raw, &v) != nil || math.IsNaN(v) {
			continue
		}
		s.add(l.Timestamps[i], v)
	}
	return s
}
