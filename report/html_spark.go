package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// spark is a series of metrics as a line, on the scale of its incident's chart.
type spark struct {
	model.MetricSeries
	Anchor  string
	Steps   []sparkStep
	Edges   []float64 // where Multi-Attach began and ended
	Spoken  string
	Samples int
}

// sparkStep is a run of equal samples: a level line, and a dot where it is a single sample. Between two runs nothing is
// drawn, because nothing is known.
type sparkStep struct {
	From, To float64 // shares of the width
	Y        float64 // pixels from the top
	Single   bool
}

const (
	sparkTop    = 3.0  // pixels: y of the highest value
	sparkBottom = 19.0 // pixels: y of 0, or of the lowest value below it
	sparkWords  = 6    // runs that are told in words
)

// sparks are the series that show a part of the incident.
func (p *htmlPage) sparks(in *incidentView) []spark {
	var out []spark
	from, to := widened(in.Span.From.At, in.Span.To.At)
	for i, s := range p.Series {
		if s.Incident == in.ID {
			line := newSpark(s, from, to, in.Zero)
			line.Anchor = in.Anchor + "-series-" + strconv.Itoa(i+1)
			line.Edges = edgesOf(in, from, to)
			out = append(out, line)
		}
	}
	return out
}

func newSpark(s model.MetricSeries, from, to, zero time.Time) spark {
	out := spark{MetricSeries: s}
	low, high := 0.0, 0.0
	for _, r := range s.Runs {
		low, high = min(low, r.Value), max(high, r.Value)
	}
	var words []string
	for _, r := range s.Runs {
		out.Samples += r.Samples
		if r.To.Before(from) || r.From.After(to) {
			continue
		}
		step := sparkStep{From: share(r.From, from, to.Sub(from)), To: share(r.To, from, to.Sub(from)), Y: sparkBottom, Single: r.Samples == 1}
		if high > low {
			step.Y = sparkBottom - (sparkBottom-sparkTop)*((r.Value-low)/(high-low))
		}
		out.Steps = append(out.Steps, step)
		word := strconv.FormatFloat(r.Value, 'g', 6, 64) + " from " + offset(zero, r.From) + " to " + offset(zero, r.To)
		if r.Samples == 1 {
			word = strconv.FormatFloat(r.Value, 'g', 6, 64) + " at " + offset(zero, r.From)
		}
		words = append(words, word)
	}
	if n := len(words) - sparkWords; n > 0 {
		words = append(words[:sparkWords], fmt.Sprintf("and %d more", n))
	}
	out.Spoken = strings.Join(words, ", ")
	return out
}
