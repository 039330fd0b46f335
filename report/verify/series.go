package verify

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// maxSamples bounds how many samples are compared: a forged report can ask for one series a million times.
const maxSamples = 50_000_000

// Metrics compares the quotes of what series have shown for a while, which no observation makes. The bundle must be open.
func (c *Checker) Metrics(list []model.MetricSource) {
	type metric struct{ path, name string }
	wanted := map[metric]map[string][]*claim{} // by series
	for _, one := range c.claims {
		if _, _, ok := one.span(); !ok {
			continue
		}
		name, _, _ := strings.Cut(one.Source.Series, "{")
		key := metric{one.Source.Path, name}
		if wanted[key] == nil {
			wanted[key] = map[string][]*claim{}
		}
		wanted[key][one.Source.Series] = append(wanted[key][one.Source.Series], one)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	left := maxSamples
	for _, src := range list {
		for key, series := range wanted {
			if key.path != src.Path || src.Select == nil {
				continue
			}
			name := []model.Matcher{{Name: model.MetricName, Type: model.MatchEqual, Value: key.name}}
			// What cannot be read is quoted as far as it can, and compared so.
			_ = src.Select(name, time.Time{}, time.Time{}, func(labels model.Labels, samples model.Samples) error {
				if claims := series[labels.String()]; len(claims) > 0 {
					c.seen[src.Path] = true
					list := finite(samples)
					for _, one := range claims {
						left -= one.reread(list, c.runs[one.ID], left)
					}
				}
				return nil
			})
		}
	}
}

// finite are the samples that a quote can have.
func finite(samples model.Samples) []model.Sample {
	var out []model.Sample
	for s, err := range samples {
		if err != nil {
			break
		}
		if !s.Stale && !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) {
			out = append(out, s)
		}
	}
	return out
}

// span is from when to when a series is quoted, in milliseconds since 1970.
func (c *claim) span() (from, to int64, ok bool) {
	first, last, ok := strings.Cut(c.Source.Field, "..")
	if !ok || !c.sampled() {
		return 0, 0, false
	}
	from, err := strconv.ParseInt(strings.NewReplacer("@", "", ".", "").Replace(first), 10, 64)
	to, err2 := strconv.ParseInt(strings.NewReplacer("@", "", ".", "").Replace(last), 10, 64)
	same := stamp(from) == first && stamp(to) == last
	return from, to, same && err == nil && err2 == nil
}

// stamp is a time as quotes of metrics have it.
func stamp(ms int64) string { return "@" + strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }

// reread quotes a series anew, and says how many samples that took. Samples stand in a quote where the value changes, at both ends, and where
// the report says that a run begins or ends: scrapes can be missing between two samples of one value.
func (c *claim) reread(samples []model.Sample, runs []model.MetricRun, most int) int {
	from, to, _ := c.span()
	at := func(ms int64) int { // samples before a time
		return sort.Search(len(samples), func(i int) bool { return samples[i].At.UnixMilli() >= ms })
	}
	samples = samples[at(from):max(at(from), at(to+1))]
	if len(samples) == 0 || len(samples) > most {
		return 0
	}
	told := map[string]bool{}
	for _, word := range strings.Fields(strings.TrimPrefix(c.Text, c.Source.Series)) {
		told[strings.TrimSuffix(word, ",")] = true
	}
	for _, r := range runs { // a long quote is cut
		told[stamp(r.From.UnixMilli())], told[stamp(r.To.UnixMilli())] = true, true
	}
	var parts []string
	for i, s := range samples {
		when := stamp(s.At.UnixMilli())
		end := i == 0 || i == len(samples)-1
		changes := !end && (samples[i-1].Value != s.Value || samples[i+1].Value != s.Value)
		if end || changes || told[when] {
			parts = append(parts, strconv.FormatFloat(s.Value, 'f', -1, 64)+" "+when)
		}
	}
	q := mask.Quote(c.Source.Series + " " + strings.Join(parts, ", "))
	c.state, c.found = max(c.state, c.compare(q)), q.Text
	return len(samples)
}
