package clock

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// group is sources that may have one clock: all of one stream, which was changed as a whole, all of one kubelet, or the logs of one pod.
type group struct {
	name    Source // a Writer alone is all that it wrote, a Stream alone all that is on it
	members []int  // sorted
}

// groups are the ways in which clocks may go together, the larger before the smaller.
func (t *table) groups() []group {
	var order []Source
	members := map[Source][]int{}
	note := func(name Source, n int) {
		if members[name] == nil {
			order = append(order, name)
		}
		members[name] = append(members[name], n)
	}
	for n, s := range t.sources {
		if s.Stream == collected {
			continue
		}
		if s.isLog() {
			note(Source{Stream: logs}, n)
		}
		note(Source{Stream: s.Stream}, n)
		note(s, n)
		if s.Part != "" {
			note(Source{Stream: s.Stream, Part: s.Part}, n)
			note(Source{Stream: s.Stream, Writer: s.Writer}, n)
		}
		if s.Writer != APIServer {
			note(Source{Writer: s.Writer}, n)
		}
		if pod := podOf(s.Stream); pod != "" {
			note(Source{Stream: pod}, n)
		}
	}
	var out []group
	for _, name := range order {
		if name.Stream != logs || len(members[name]) > 1 {
			out = append(out, group{name, members[name]})
		}
	}
	slices.SortStableFunc(out, func(a, b group) int {
		return cmp.Or(len(b.members)-len(a.members), strings.Compare(b.name.Stream, "")-strings.Compare(a.name.Stream, ""), a.name.compare(b.name))
	})
	return out
}

// podOf is the directory of the pod in which a must-gather keeps the logs of its containers; they share the clock of their node.
func podOf(stream string) string {
	_, after, _ := strings.Cut(stream, "/pods/")
	pod, _, ok := strings.Cut(after, "/")
	if !ok {
		return ""
	}
	return stream[:len(stream)-len(after)] + pod + "/"
}

// pair is two records of one happening, the first of the group in question.
type pair struct{ own, other record }

// facts are what the happenings say of a group's clock against all others'. A happening counts once, however many record it.
func (t *table) facts(g group) (out []fact) {
	for _, h := range t.shared(g) {
		own, others := g.part(t.records[t.order[h]])
		first := len(out)
		for _, other := range others {
			if f := t.between(own, other); f.weight > 0 {
				f.happening = h
				out = append(out, f)
			}
		}
		for i := first; i < len(out); i++ {
			out[i].weight = max(1, out[i].weight/(len(out)-first))
		}
	}
	return out
}

// witnesses is how many other sources of one happening a group is compared with. Thousands of kubelets record the collection: to compare
// each with each takes minutes, and after the collector and the controllers' Leases, which come first, they show nothing new.
const witnesses = 32

// part divides the records of a happening into those of the group and those of others, a source each.
func (g group) part(records []record) (own []record, others [][]record) {
	for i, end := 0, 0; i < len(records); i = end {
		for end = i; end < len(records) && records[end].source == records[i].source; end++ {
		}
		if _, member := slices.BinarySearch(g.members, records[i].source); member {
			own = append(own, records[i:end]...)
		} else if len(others) < witnesses {
			others = append(others, records[i:end])
		}
	}
	return own, others
}

// shared are the places in order of what a group records.
func (t *table) shared(g group) []int {
	var out []int
	for _, n := range g.members {
		out = append(out, t.shares[n]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// between is what the records of one happening say of the group's clock against that of another source.
func (t *table) between(own, others []record) (f fact) {
	other := others[0].source
	f.apart = -1
	for _, a := range own {
		for _, b := range others {
			if a.repeats(b) {
				continue
			}
			by := t.moved[a.source] - t.moved[other]
			s := span{a.from.Sub(b.to) - by, a.to.Sub(b.from) - by}
			f.allows = append(f.allows, s)
			if d := s.contradicts(a, b); f.apart < 0 || d < f.apart {
				f.apart = d
			}
			if own, others := t.sources[a.source], t.sources[other]; own.Stream == sampled || others.Stream == sampled || t.assumed[own] || t.assumed[others] {
				f.apart = 0 // between two samples an object may have gone and come, in another zone another wait: one happening shows nothing
			}
			if w := min(a.weight, b.weight); w > f.weight {
				f.weight, f.pair = w, pair{a, b}
			}
		}
	}
	f.allows = joined(f.allows)
	return f
}

// contradicts is how far two records lie apart where nothing but a clock explains it. Above zero, the first says that it was later.
func (s span) contradicts(a, b record) time.Duration {
	if s.to < 0 {
		a, b = b, a // then the second says that it was later
	}
	if a.open == later || b.open == earlier {
		return 0
	}
	return s.distance()
}

// tolerance is how far two clocks lie apart that count as one: whole seconds are rounded, and messages take a while.
const tolerance = 2 * time.Second

// enough is the weight of what shows that a clock differs: two exact happenings, or more that are less so.
const enough = 2 * exactly

// verdict is a group whose clock differs, and by how much.
type verdict struct {
	group
	ballot
	facts []fact
	rank  int
}

func (t *table) judge(g group) verdict {
	facts := t.facts(g)
	return verdict{g, vote(facts), facts, t.rank(g.name)}
}

// rank is whom to believe where two contradict one another, and nothing else decides: the lower.
func (t *table) rank(s Source) int {
	if t.assumed[s] {
		return leastBelieved
	}
	return s.rank()
}

// against is the share of what is known that speaks against the clock.
func (v verdict) against() float64 { return float64(v.total-v.zero) / float64(v.total) }

// beats reports that a verdict explains more than another: a clock that all contradict rather than one that some do; of equals the larger
// group, and then the one that is to be believed least.
func (v verdict) beats(w verdict) bool {
	const same = 0.1
	if d := v.against() - w.against(); d > same || d < -same {
		return d > 0
	}
	return cmp.Or(cmp.Compare(v.total, w.total), cmp.Compare(v.rank, w.rank)) > 0
}

// worst is the group whose clock is farthest from explaining what it shares with others.
func (t *table) worst(groups []group) (worst verdict, ok bool) {
	for _, g := range groups {
		if v := t.judge(g); v.tells() && (!ok || v.beats(worst)) {
			worst, ok = v, true
		}
	}
	return worst, ok
}

// ordinary is how far what one pair says may lie apart and mean nothing: a line waited, or nodes differ by seconds.
const ordinary = 10 * time.Second

// contradicting are the sources, and the objects with all of their writers, of which hardly anything fits the others, and too little to
// tell by how much. One fact is enough.
func (t *table) contradicting(groups []group) (out []Offset) {
	for _, g := range groups {
		single := len(g.members) == 1 && g.name == t.sources[g.members[0]]
		object := g.name.Part != "" && strings.HasSuffix(g.name.Stream, objects)
		if !single && !object || slices.ContainsFunc(out, func(o Offset) bool { return o.Covers(g.name) }) {
			continue
		}
		v := t.judge(g)
		apart := slices.ContainsFunc(v.facts, func(f fact) bool { return f.apart > ordinary })
		if apart && v.total > 3*v.zero {
			out = append(out, t.shown(v))
		}
	}
	return out
}

// unbounded is the uncertainty of an offset of which nothing tells how large it may be.
const unbounded = 24 * time.Hour

// doubtful is the log, or the Events of a namespace, that is to be believed least of what contradicts the others: of logs one that does not
// report the waits, which are told by its time.
func (t *table) doubtful(groups []group) (of group, worst Offset, ok bool) {
	reports := func(o Offset) int {
		if t.reports[o.Source] {
			return 0
		}
		return 1
	}
	all := t.contradicting(groups)
	worse := slices.DeleteFunc(slices.Clone(all), func(o Offset) bool {
		// What contradicts nothing but a source that contradicts more than it is right.
		right := slices.ContainsFunc(all, func(c Offset) bool { return c.Covers(o.other) && c.Pairs > o.Pairs })
		return right || o.rank() < 2 || o.Uncertainty > unbounded
	})
	if len(worse) == 0 {
		return of, worst, false
	}
	worst = slices.MaxFunc(worse, func(a, b Offset) int {
		return cmp.Or(cmp.Compare(t.rank(a.Source), t.rank(b.Source)), cmp.Compare(reports(a), reports(b)), a.Source.compare(b.Source))
	})
	worst.Doubtful = true
	return groups[slices.IndexFunc(groups, func(g group) bool { return g.name == worst.Source })], worst, true
}

// collector is by how much the collector's clock differs: the Leases of kubelets and of controllers end at one other time, no status of a node
// contradicts that, and nothing but Leases either: what goes on to the collection shows that it is they that were moved.
func (t *table) collector(all []model.Observation) (o Offset, ok bool) {
	n, known := t.number[Source{collected, "", APIServer}]
	if !known {
		return o, false
	}
	v := t.judge(group{Source{Stream: collected}, []int{n}})
	leases := slices.DeleteFunc(slices.Clone(v.facts), func(f fact) bool { return f.allows[0].width() > time.Minute || f.allows[0].distance() <= ordinary })
	if len(leases) < 2 || v.weight < v.total || v.distance() <= ordinary {
		return o, false
	}
	o = t.shown(v)
	newest := o.Own.At.Add(-24 * time.Hour)
	for i := range all {
		x := &all[i]
		if _, is := recorded(x); is && x.Object.Kind != "Lease" {
			newest = model.Later(newest, x.Last.Earliest)
		}
	}
	o.Doubtful = true
	late := newest.Sub(o.Own.At)
	return o, late <= -o.Ahead+ordinary && (o.Ahead > 0 || late > ordinary)
}

// tells reports that facts put a clock at an offset beyond doubt: hardly any allows that there is none.
func (b ballot) tells() bool {
	most := b.weight >= 3*b.zero && 2*b.weight > b.total
	return most && b.weight >= enough && b.distance() > tolerance
}

// shown is the offset, with the pair of records that shows it best.
func (t *table) shown(v verdict) Offset {
	ahead := within(v.span)
	o := Offset{Source: v.name, Ahead: ahead, Uncertainty: max(v.to-ahead, ahead-v.from, time.Millisecond)}
	best := 0
	for _, f := range v.facts {
		if !slices.ContainsFunc(f.allows, func(s span) bool { return s.from <= ahead && s.to >= ahead }) {
			continue
		}
		o.Pairs++
		if f.weight > best {
			p := t.fitting(f.happening, f.pair, ahead)
			best, o.Own, o.Other, o.other = f.weight, p.own.witness(), p.other.witness(), t.sources[p.other.source]
		}
	}
	return o
}

// fitting are the records of a happening that recurs, by the sources of a pair, that lie nearest to an offset.
func (t *table) fitting(happening int, p pair, ahead time.Duration) pair {
	off := func(a, b record) time.Duration {
		return (a.from.Sub(b.to) + (a.to.Sub(b.from)-a.from.Sub(b.to))/2 - t.moved[a.source] + t.moved[b.source] - ahead).Abs()
	}
	best, list := p, t.records[t.order[happening]]
	for _, a := range list {
		for _, b := range list {
			if a.source == p.own.source && b.source == p.other.source && off(a, b) < off(best.own, best.other) {
				best = pair{a, b}
			}
		}
	}
	return best
}

// setBack sets the clocks of a group right.
func (t *table) setBack(g group, ahead time.Duration) {
	for _, n := range g.members {
		t.moved[n] += ahead
	}
}
