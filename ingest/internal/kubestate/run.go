package kubestate

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/volpost/volpost/model"
)

// run is a stretch of samples of one series with one value and no scrape without it.
type run struct {
	from, to time.Time
	value    float64
	by       *origin
}

// origin is what gave a run: the series of its last sample, the targets of its beginning and its end, and all that gave any of it.
type origin struct {
	labels      labels
	first, last string
	all         []string
}

// track is one series as runs.
type track struct {
	labels  labels
	target  string // which exporter gave it
	cluster string // that it is about, as a label says
	runs    []run
	cut     bool // damage hides some of its samples: where a run begins or ends nothing need have changed
}

func (t *track) get(label string) string { return t.labels.get(label) }

// runs yields each run of each series of a metric, by its index.
func (r *reader) runs(name string) iter.Seq2[*track, int] {
	return func(yield func(*track, int) bool) {
		for _, t := range r.of[name] {
			for i := range t.runs {
				if !yield(t, i) {
					return
				}
			}
		}
	}
}

// grouped are series by a key, and the keys in the order of the series.
func grouped[K comparable](tracks []*track, key func(*track) K) (keys []K, of map[K][]*track) {
	of = map[K][]*track{}
	for _, t := range tracks {
		k := key(t)
		if of[k] == nil {
			keys = append(keys, k)
		}
		of[k] = append(of[k], t)
	}
	return keys, of
}

// follow compresses samples to runs. A run also ends where a sample may be missing, which join corrects. scraped gets the time of each
// sample but stale markers: a target whose series are all marked could not be scraped.
func follow(samples model.Samples, scraped func(time.Time)) (runs []run, err error) {
	var step time.Duration
	ended := true
	for s, err := range samples {
		if err != nil {
			return runs, err
		}
		if s.Stale {
			ended = true
			continue
		}
		scraped(s.At)
		if n := len(runs); !ended && runs[n-1].value == s.Value {
			delta := s.At.Sub(runs[n-1].to)
			first := step == 0 // of which nothing shows yet whether a sample is missing in it
			if first || delta < step {
				step = delta
			}
			if !first && delta <= step+step/4 {
				runs[n-1].to = s.At
				continue
			}
		}
		runs = append(runs, run{from: s.At, to: s.At, value: s.Value})
		ended = false
	}
	return runs, nil
}

// join makes one of neighbouring runs of one value between which the target was not scraped.
func join(runs []run, scrapes []time.Time) []run {
	var out []run
	for _, r := range runs {
		if n := len(out); n > 0 && out[n-1].value == r.value && !between(scrapes, out[n-1].to, r.from) {
			if r.to.After(out[n-1].to) {
				out[n-1].to = r.to
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

func between(scrapes []time.Time, a, b time.Time) bool {
	next, ok := following(scrapes, a)
	return ok && next.Before(b)
}

func following(scrapes []time.Time, t time.Time) (time.Time, bool) {
	i, found := slices.BinarySearchFunc(scrapes, t, time.Time.Compare)
	if found {
		i++
	}
	if i >= len(scrapes) {
		return time.Time{}, false
	}
	return scrapes[i], true
}

func preceding(scrapes []time.Time, t time.Time) (time.Time, bool) {
	i, _ := slices.BinarySearchFunc(scrapes, t, time.Time.Compare)
	if i == 0 {
		return time.Time{}, false
	}
	return scrapes[i-1], true
}

// merge adds sorted times to sorted times. Nearly always they are all there already, as the series of one target are.
func merge(to, add []time.Time) []time.Time {
	i := 0
	for _, t := range add {
		for i < len(to) && to[i].Before(t) {
			i++
		}
		if i == len(to) || !to[i].Equal(t) {
			to = append(to, add...)
			slices.SortFunc(to, time.Time.Compare)
			return slices.CompactFunc(to, time.Time.Equal)
		}
	}
	return to
}

// sample is a value at a time as the quotes have it.
func sample(value float64, at time.Time) string {
	return strconv.FormatFloat(value, 'f', -1, 64) + " " + stamp(at)
}

// stamp is a time as PromQL's @ modifier takes it.
func stamp(at time.Time) string { return fmt.Sprintf("@%d.%03d", at.Unix(), at.UnixMilli()%1000) }
