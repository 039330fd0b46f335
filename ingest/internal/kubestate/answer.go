package kubestate

import (
	"slices"
	"time"
)

// ages are, for each target, how much older than its step a sample of an answer can be: as the distance of two scrapes, which
// answers do not tell. Series of one target change, or appear, at its scrapes only, so that the scrapes are not further apart
// than the nearest two changes, nor than a lookback; a step that is finer shows each change up to a step late. Series that go away are left out:
// without a stale marker they do so a lookback later.
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
