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

	list  []kept         // as scraped
	own   []kept         // with the labels of the exporter
	index map[string]int // of list, by labels
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
func NewMemory(form model.MetricForm) *Memory { return &Memory{Form: form, index: map[string]int{}} }

// Series counts the series.
func (m *Memory) Series() int { return len(m.list) }

// add appends samples to the series of some labels, as scraped; false when there are too many.
func (m *Memory) add(raw model.Labels, samples ...model.Sample) bool {
	if m.Samples+len(samples) > maxSamples {
		return false
	}
	l := sorted(raw)
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
	return !slices.ContainsFunc(other.list, func(k kept) bool { return !m.add(k.labels, k.samples...) })
}

// Source orders everything and gives it as the model has it. Nothing may be added afterwards.
func (m *Memory) Source(path, input string) model.MetricSource {
	for i := range m.list {
		m.list[i].samples = ordered(m.list[i].samples)
	}
	byLabels(m.list)
	for _, k := range m.list {
		m.own = append(m.own, kept{exporterLabels(k.labels), k.samples})
	}
	byLabels(m.own)
	m.own = joined(m.own)
	src := model.MetricSource{Path: path, Input: input, Form: m.Form, Select: selector(m.own), Scraped: selector(m.list)}
	src.From, src.To = m.Span()
	return src
}

func byLabels(list []kept) {
	slices.SortStableFunc(list, func(a, b kept) int { return a.labels.Compare(b.labels) })
}

// ordered puts samples in the order of time, those of one time as one.
func ordered(samples []model.Sample) []model.Sample {
	slices.SortStableFunc(samples, func(a, b model.Sample) int { return a.At.Compare(b.At) })
	return slices.CompactFunc(samples, func(a, b model.Sample) bool { return a.At.Equal(b.At) })
}

// joined makes one series of those that follow each other with the same labels: a series whose exporter moved.
func joined(list []kept) []kept {
	var out []kept
	for i := 0; i < len(list); {
		one, from := list[i], i
		for i++; i < len(list) && list[i].labels.Compare(one.labels) == 0; i++ {
			one.samples = slices.Concat(one.samples, list[i].samples)
		}
		if i > from+1 {
			one.samples = ordered(one.samples)
		}
		out = append(out, one)
	}
	return out
}

func selector(list []kept) func([]model.Matcher, time.Time, time.Time, func(model.Labels, model.Samples) error) error {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		tests, err := compile(matchers)
		if err != nil {
			return err
		}
		for _, k := range list {
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
}
