package series

import (
	"errors"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Replicas groups a directory's blocks by server. A pair's servers scrape at their own times: joined, stale markers of one would interrupt
// the other's series. Overlapping blocks are of two servers when samples interleave; others are of one when scrapes have one offset.
func Replicas(blocks []*Block) [][]*Block {
	if !slices.ContainsFunc(blocks, func(a *Block) bool {
		return slices.ContainsFunc(blocks, func(b *Block) bool { return a != b && interleaved(a, b) })
	}) {
		return [][]*Block{blocks}
	}
	var groups [][]*Block
	for _, b := range byTime(blocks) {
		i := slices.IndexFunc(groups, func(g []*Block) bool {
			return !slices.ContainsFunc(g, func(a *Block) bool { return interleaved(a, b) }) &&
				slices.ContainsFunc(g, func(a *Block) bool { return sameBeat(a, b) })
		})
		if i < 0 {
			groups = append(groups, []*Block{b})
			continue
		}
		groups[i] = append(groups[i], b)
	}
	return groups
}

// compared is how many series of two blocks are looked at, at most, and fewest how many samples of one are needed.
const (
	compared = 20
	fewest   = 8
)

// interleaved reports that samples of a series in one block lie between neighbouring scrapes in the other. Late samples fill gaps instead.
func interleaved(a, b *Block) bool {
	if a.head != nil || b.head != nil || a.To.Before(b.From) || b.To.Before(a.From) {
		return false
	}
	found := false
	bothHave(a, b, model.Later(a.From, b.From), model.Earlier(a.To, b.To), func(x, y []time.Time) bool {
		step := mode(x)
		if len(x) < fewest || len(y) < fewest || step == 0 {
			return true
		}
		between := 0
		for _, t := range y {
			i, same := slices.BinarySearchFunc(x, t, time.Time.Compare)
			if !same && i > 0 && i < len(x) && x[i].Sub(x[i-1]) < step*3/2 {
				between++
			}
		}
		found = between*2 > len(y)
		return false
	})
	return found
}

// sameBeat reports that two blocks hold a series that was scraped at the same offset.
func sameBeat(a, b *Block) bool {
	same := false
	bothHave(a, b, time.Time{}, time.Time{}, func(x, y []time.Time) bool {
		step := mode(x)
		if len(x) < 2 || len(y) < 2 || step == 0 {
			return true
		}
		off := y[0].Sub(x[0]) % step
		off = min(off.Abs(), step-off.Abs())
		same = off < step/20
		return false
	})
	return same
}

// errStop ends a selection that has shown enough.
var errStop = errors.New("enough")

// bothHave calls each with the times of the samples of series that two blocks have, until it answers false.
func bothHave(a, b *Block, from, to time.Time, each func(x, y []time.Time) bool) {
	one, two := Store{blocks: []*Block{a}}, Store{blocks: []*Block{b}}
	n := 0
	common := []model.Matcher{{Name: model.MetricName, Type: model.MatchRegexp, Value: "up|kube_node_info"}}
	_ = one.Select(common, from, to, func(l model.Labels, samples model.Samples) error {
		var y []time.Time
		x := timesOf(samples)
		matchers := make([]model.Matcher, len(l))
		for i, label := range l {
			matchers[i] = model.Matcher{Name: label.Name, Type: model.MatchEqual, Value: label.Value}
		}
		_ = two.Select(matchers, from, to, func(m model.Labels, samples model.Samples) error {
			if m.Compare(l) == 0 {
				y = timesOf(samples)
			}
			return nil
		}) // what cannot be read is reported when it is read for its content
		if n++; n > compared || y != nil && !each(x, y) {
			return errStop
		}
		return nil
	}) // likewise
}

func timesOf(samples model.Samples) (out []time.Time) {
	for s, err := range samples {
		if err != nil {
			return out
		}
		out = append(out, s.At)
	}
	return out
}

// mode is the most frequent distance of neighbours, to a tenth of a second; 0 for fewer than two.
func mode(times []time.Time) time.Duration {
	count := map[time.Duration]int{}
	for i := 1; i < len(times); i++ {
		count[times[i].Sub(times[i-1]).Round(time.Second/10)]++
	}
	var best time.Duration
	for d, n := range count {
		if n > count[best] || n == count[best] && d < best {
			best = d
		}
	}
	return best
}
