package model

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MetricForm is the form in which a bundle holds metrics.
type MetricForm string

// The forms. Raw samples are what was scraped; MetricAPI is evaluated at the steps of a query, so that a sample can be as old
// as Prometheus' lookback (5 minutes by default) and stale markers are not seen; MetricExposition is one scrape.
const (
	MetricBlock       MetricForm = "tsdb-block"  // an immutable block of Prometheus, Thanos or Mimir
	MetricHead        MetricForm = "tsdb-head"   // write-ahead log and head chunks of a data directory
	MetricDump        MetricForm = "tsdb-dump"   // text of promtool tsdb dump
	MetricOpenMetrics MetricForm = "openmetrics" // text of promtool tsdb dump-openmetrics
	MetricAPI         MetricForm = "prom-api"    // JSON of /api/v1/query_range or /api/v1/query
	MetricExposition  MetricForm = "exposition"  // text of /metrics or /federate
)

// MetricSource is the series that one server scraped: blocks and head of one data directory are one source, replicas are two. Nothing is
// read until Select is called, which fails once the bundle is closed.
type MetricSource struct {
	Path     string        // of the directory or file inside the bundle
	Input    string        // Path of the Input that accounts for it
	Form     MetricForm    // of a data directory with both blocks and head: tsdb-block
	External Labels        // of the server, such as cluster and prometheus_replica; they stand on every series, too
	From     time.Time     // of the first sample that its headers allow; zero when not known
	To       time.Time     // of the last one
	Interval time.Duration // between scrapes, or of the steps of a query; 0 when not known
	Cluster  string        // that it is of, where its Input holds several

	// Select calls each for every series that all matchers allow, by labels, with its samples by time. They are valid during the call; an
	// error among them is the last, and the series is not complete. Labels are the exporter's. Select ends early with each's first error.
	Select func(matchers []Matcher, from, to time.Time, each func(Labels, Samples) error) error
	// Scraped is Select with labels as the rules of the server see them, without External. nil where unknown.
	Scraped func(matchers []Matcher, from, to time.Time, each func(Labels, Samples) error) error
}

// Damage is an error of a Select, or among its samples: what of a store cannot be read, as a sentence that names the block.
type Damage string

// Error implements error.
func (d Damage) Error() string { return string(d) }

// Samples are the samples of one series. After an error there are no more.
type Samples = iter.Seq2[Sample, error]

// Sample is one value of a series. Stale marks the end of a series that the server knew to have ended, with no Value.
type Sample struct {
	At    time.Time // whole milliseconds, UTC
	Value float64
	Stale bool
}

// MetricName is the label that holds the name of a metric.
const MetricName = "__name__"

// Label is one label of a series.
type Label struct{ Name, Value string }

// Labels are the labels of a series, sorted by name, without duplicates. MetricName is among them.
type Labels []Label

// Get is the value of a label; "" is also that of an absent one, as in PromQL.
func (l Labels) Get(name string) string {
	if i, ok := l.find(name); ok {
		return l[i].Value
	}
	return ""
}

// Has reports whether a label is present, be it empty.
func (l Labels) Has(name string) bool {
	_, ok := l.find(name)
	return ok
}

func (l Labels) find(name string) (int, bool) {
	return slices.BinarySearchFunc(l, name, func(a Label, name string) int { return strings.Compare(a.Name, name) })
}

// Compare orders by labels.
func (l Labels) Compare(m Labels) int {
	return slices.CompareFunc(l, m, func(a, b Label) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Value, b.Value)
	})
}

// String is the series as PromQL writes it, such as up{job="node"}.
func (l Labels) String() string {
	var b strings.Builder
	b.WriteString(l.Get(MetricName))
	b.WriteByte('{')
	n := 0
	for _, label := range l {
		if label.Name == MetricName {
			continue
		}
		if n++; n > 1 {
			b.WriteByte(',')
		}
		b.WriteString(label.Name)
		b.WriteByte('=')
		b.WriteString(strconv.Quote(label.Value))
	}
	b.WriteByte('}')
	return b.String()
}

// IsReplicaLabel names the labels by which only replicas of one server differ: those of the Prometheus Operator, Thanos, Mimir and Cortex.
func IsReplicaLabel(name string) bool {
	return name == "replica" || name == "__replica__" || strings.HasSuffix(name, "_replica")
}

// MatchType is how a Matcher compares.
type MatchType string

// The ways to match. Expressions are RE2 and anchored at both ends.
const (
	MatchEqual     MatchType = "="
	MatchNotEqual  MatchType = "!="
	MatchRegexp    MatchType = "=~"
	MatchNotRegexp MatchType = "!~"
)

// Matcher allows the series whose label Name compares with Value; an absent label is an empty one.
type Matcher struct {
	Name  string
	Type  MatchType
	Value string
}
