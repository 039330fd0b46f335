package audit

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// maxFacts is how many statements of a file are kept about pods, and as many about all else: the newest, as the incident is near the end.
const maxFacts = 5000

// kept holds the newest statements of a file.
type kept struct {
	items   []model.Observation
	added   int // in all
	dropped int
	at      map[string]map[string]int // by object, then by statement: its place, counted from the first ever
}

func (k *kept) add(o model.Observation) {
	k.added++
	k.items = append(k.items, o)
	if len(k.items) < 2*maxFacts {
		return
	}
	n := len(k.items) - maxFacts
	k.items = slices.Delete(k.items, 0, n)
	k.dropped += n
}

// addOnce adds a statement, or counts it when it is known of the object.
func (k *kept) addOnce(o model.Observation) {
	object, statement := o.Object.Key(), string(o.Kind)+" "+o.Object.UID+" "+o.Actor+" "+o.Detail
	if i, ok := k.at[object][statement]; ok && i >= k.dropped && !o.At.At.Before(k.items[i-k.dropped].Last.At) {
		again := &k.items[i-k.dropped]
		again.Count++
		again.Last = o.At
		k.added++
		return
	}
	k.add(o)
	if k.at == nil || len(k.at) >= maxFacts {
		k.at = map[string]map[string]int{} // some repetitions come again
	}
	if k.at[object] == nil || len(k.at[object]) >= maxStatements {
		k.at[object] = map[string]int{}
	}
	k.at[object][statement] = k.dropped + len(k.items) - 1
}

// newest returns what is kept, in the order of the file.
func (k *kept) newest() []model.Observation {
	if n := len(k.items) - maxFacts; n > 0 {
		k.items, k.dropped = k.items[n:], k.dropped+n
	}
	return k.items
}
