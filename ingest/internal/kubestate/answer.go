package kubestate

import (
	"slices"
	"time"
)

// lookback is how old a sample in an answer may be (--query.lookback-delta, by default).
const lookback = 5 * time.Minute

// ages are, by target, how much older than its step a sample of an answer can be: the scrape interval, which answers do not tell. Series of
// a target change only at scrapes, so the nearest two changes bound it, as does the lookback. Ends do not count: without a stale marker
// they show a lookback late.
func (r *reader) ages() map[string]time.Duration {
	changes := map[string][]time.Time{}
	for _, f := range families {
		for _, t := range r.of[f.name] {
			for _, run := range t.runs {
				if run.from.After(r.scrapes[t.target][0]) {
					changes[t.target] = append(changes[t.target], run.from)
				}
			}
		}
	}
	out := map[string]time.Duration{}
	for _, target := range r.targets {
		list := changes[target]
		slices.SortFunc(list, time.Time.Compare)
		nearest := lookback
		for i := 1; i < len(list); i++ {
			if d := list[i].Sub(list[i-1]); d > 0 {
				nearest = min(nearest, d)
			}
		}
		step := r.res.Interval
		if nearest > step {
			nearest = min(nearest+step, lookback)
		}
		out[target] = nearest
	}
	return out
}
