package series

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Memory is series that were read from text or JSON.
type Memory struct {
	Form model.MetricForm
	// Samples counts those that are kept.
	Samples int

	list  []kept
	index map[string]int // by labels
}

type kept struct {
	labels  model.Labels
	samples []model.Sample
}

// maxSamples bounds the samples of one file or directory of answers: 40 bytes each.
const maxSamples = 10_000_000

// Span is from the first to the last sample; zero without any.
func (m *Memory) Span() (from, to time.Time) {
	for _, k := range m.list {
		for _, s := range k.samples {
			if from.IsZero() || s.At.Before(from) {
				from = s.At
			}
			if s.At.After(to) {
				to = s.At
			}
		}
	}
	return from, to
}

// NewMemory makes an empty one.
func NewMemory(form model.MetricForm) *Memory {
	return &Memory{Form: form, index: map[string]int{}}
}

// Series counts the series.
func (m *Memory) Series() int { return len(m.list) }

// add appends samples to the series of some labels, as scraped; false when there are too many.
func (m *Memory) add(raw model.Labels, samples ...model.Sample) bool {
	if m.Samples+len(samples) > maxSamples {
		return false
	}
	l := exporterLabels(sorted(raw))
	key := l.String()
	i, ok := m.index[key]
	if !ok {
		i = len(m.list)
		m.index[key] = i
		m.list = append(m.list, kept{labels: l})
	}
	m.list[i].samples = append(m.list[i].samples, samples...)
	m.Samples += len(samples)
	return true
}

// Join adds the series of another one, such as the answer to another query of the same server; false when there are too many.
func (m *Memory) Join(other *Memory) bool {
	for _, k := range other.list {
		if !m.add(k.labels, k.samples...) {
			return false
		}
	}
	return true
}

// Source orders everything and gives it as the model has it. Nothing may be added afterwards.
func (m *Memory) Source(path, input string) model.MetricSource {
	slices.SortStableFunc(m.list, func(a, b kept) int { return a.labels.Compare(b.labels) })
	src := model.MetricSource{Path: path, Input: input, Form: m.Form, Select: m.selectSeries}
	src.From, src.To = m.Span()
	for i := range m.list {
		k := &m.list[i]
		slices.SortStableFunc(k.samples, func(a, b model.Sample) int { return a.At.Compare(b.At) })
		k.samples = slices.CompactFunc(k.samples, func(a, b model.Sample) bool { return a.At.Equal(b.At) })
	}
	return src
}

func (m *Memory) selectSeries(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
	tests, err := compile(matchers)
	if err != nil {
		return err
	}
	for _, k := range m.list {
		if !allow(tests, k.labels) {
			continue
		}
		low, high := 0, len(k.samples)
		if !from.IsZero() {
			low, _ = slices.BinarySearchFunc(k.samples, from, func(s model.Sample, t time.Time) int { return s.At.Compare(t) })
		}
		if !to.IsZero() {
			high, _ = slices.BinarySearchFunc(k.samples, to.Add(1), func(s model.Sample, t time.Time) int { return s.At.Compare(t) })
		}
		if low >= high {
			continue
		}
		if err := each(k.labels, sequence(k.samples[low:high], nil)); err != nil {
			return err
		}
	}
	return nil
}
