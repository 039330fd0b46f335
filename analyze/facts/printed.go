package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/clock"
	"github.com/volpost/volpost/model"
)

// oneCollection is how far apart the parts of one collection may have been taken: a collector may record only when it began.
const oneCollection = 15 * time.Minute

// maxProofs is how many proofs of one file are compared with each other.
const maxProofs = 200

// proof is when a file was printed, as an age in it and a date of the same thing show together.
type proof struct {
	file  string
	at    model.Moment
	why   string
	again bool // by an object whose name may have come back: then the age is another one's than the date
	from  model.Source
	quote model.Quote
}

// printed is what is known of when the files with ages were printed.
type printed struct {
	of     map[string]proof  // by file
	unsure map[string]string // files whose proof may be none, with the reason
	latest *proof
	floor  map[string]time.Time // by file: the newest time with a date in it, which is not later than its printing
	newest time.Time            // of them, and of what else is dated outside of recorded collections

	newestFile string
}

// findPrinted finds when files were printed: a creation plus its AGE, an event's time plus its age; the newest date is a lower bound only.
func findPrinted(s *model.Snapshot, all []model.Observation, outside func(file string) bool) printed {
	p := printed{of: map[string]proof{}, unsure: map[string]string{}, floor: map[string]time.Time{}}
	var aged []*model.Observation
	for i := range all {
		o := &all[i]
		if dated(o) {
			p.bound(o.Input, o.At.Earliest, outside)
			p.bound(o.Input, o.Last.Earliest, outside)
		}
		if o.Age != nil && o.Source.Kind == model.SourceText {
			aged = append(aged, o)
		}
	}
	if len(s.Aged)+len(aged) == 0 {
		return p
	}
	for file, list := range p.proofs(s, all, aged, outside) {
		one, whole := join(list)
		p.of[file] = one
		if !whole {
			p.unsure[file] = "its parts were printed at different times, of which this is the latest"
		} else if one.again && p.newest.Sub(one.at.Latest) > oneCollection {
			p.unsure[file] = "other inputs are later, and the object may have come back under its name"
			continue
		}
		// Of equal times the first file by name counts.
		if p.latest == nil || cmp.Or(one.at.Latest.Compare(p.latest.at.Latest), cmp.Compare(p.latest.file, one.file)) > 0 {
			p.latest = &one
		}
	}
	return p
}

// proofs are those of each file.
func (p *printed) proofs(s *model.Snapshot, all []model.Observation, aged []*model.Observation, in func(string) bool) map[string][]proof {
	found := map[string][]proof{}
	add := func(one proof, ok bool) {
		if ok && in(one.file) && len(found[one.file]) < maxProofs {
			found[one.file] = append(found[one.file], one)
		}
	}
	born, events := newBirths(s, all), newDatedEvents(all)
	for i := range s.Aged {
		add(p.ofObject(&s.Aged[i], born.of(s.Aged[i].Object)))
	}
	for _, o := range aged {
		add(p.ofEvent(o, events))
	}
	return found
}

func (p *printed) bound(file string, t time.Time, outside func(string) bool) {
	if t.After(p.floor[file]) {
		p.floor[file] = t
	}
	if t.After(p.newest) && outside(file) {
		p.newest, p.newestFile = t, file
	}
}

// skew is by how much the clocks of those who write times may differ.
const skew = time.Minute

// ofObject is a proof by a row that shows the age of an object. A name has lives: those that would have the row printed before something
// in its own file are not meant, and of several others none is.
func (p *printed) ofObject(a *model.Aged, lives []birth) (out proof, one bool) {
	n := 0
	for _, b := range lives {
		if at := forth(b.at, a.Age); !at.Latest.Before(p.floor[a.Input].Add(-skew)) {
			n++
			out = proof{file: a.Input, at: at, again: comesBack(a.Object), from: a.Source, quote: a.Quote,
				why: fmt.Sprintf("line %d shows the age of %s, of which %s has the creation", a.Source.Line, a.Object.Key(), b.by)}
		}
	}
	return out, n == 1
}

// comesBack reports that another object may get the name of an object: those of generated names do not come back.
func comesBack(r model.Ref) bool {
	switch r.Kind {
	case "PersistentVolume":
		return !strings.HasPrefix(r.Name, "pvc-")
	case "Pod":
		_, suffix, _ := CutLast(r.Name)
		return !Random(suffix)
	}
	return true
}

// ofEvent is a proof by a row about an event that the reader has dated by the rest of the file, or that something else dates.
func (p *printed) ofEvent(o *model.Observation, events datedEvents) (proof, bool) {
	one := proof{file: o.Input, from: o.Source, quote: o.Quote}
	if !o.At.IsZero() {
		one.at, one.why = forth(o.At, *o.Age), "the file itself dates what it shows with an age"
		return one, true
	}
	e, ok := events.first(o)
	if !ok {
		return proof{}, false
	}
	one.at = forth(e.At, *o.Age)
	one.why = fmt.Sprintf("line %d shows the age of what %s dates", o.Source.Line, e.Input)
	return one, !one.at.Latest.Before(p.floor[o.Input].Add(-skew))
}

// datedEvents are the happenings that tables may show, too: those of Event objects, the scheduling of pods in their objects, and when the
// controller, which reports it, last found a node lost.
type datedEvents map[string][]*model.Observation

func newDatedEvents(all []model.Observation) datedEvents {
	out := datedEvents{}
	for i := range all {
		o := &all[i]
		key, ok := eventKey(o)
		condition := o.Kind == model.NodeNotReady && o.Detail == "Unknown"
		scheduled := o.Source.Kind == model.SourceManifest && o.Kind == model.PodScheduled
		reports := o.Source.Kind == model.SourceEvent || scheduled || condition
		again := func(p *model.Observation) bool { return p.At.At.Sub(o.At.At).Abs() <= time.Second }
		if !ok || !reports || !dated(o) {
			continue
		}
		if !slices.ContainsFunc(out[key], again) {
			out[key] = append(out[key], o)
		}
	}
	return out
}

// eventKey names a happening as sightingKey does, but for what an object or a table leaves out of it.
func eventKey(o *model.Observation) (string, bool) {
	switch o.Kind {
	case model.PodScheduled:
		return string(o.Kind) + "|" + o.Pod.Key(), o.Pod.Name != ""
	case model.NodeNotReady:
		return string(o.Kind) + "|" + o.Node, IsNode(o) && o.Detail != "False"
	case model.MultiAttach:
		return string(o.Kind) + "|" + o.Volume.PersistentVolume + "|" + o.Pod.Name, o.Volume.PersistentVolume != ""
	}
	return sightingKey(*o)
}

// first is the event that a row is about, when one source dates one. A row that shows the last time only is of one that was seen once, and a
// condition has the last time only.
func (d datedEvents) first(o *model.Observation) (*model.Observation, bool) {
	key, ok := eventKey(o)
	if !ok || len(d[key]) != 1 {
		return nil, false
	}
	e := d[key][0]
	return e, (o.Count > 1 || e.Count == 1) && (o.Count <= 1 || e.Detail != "Unknown")
}

// forth is the time at which something had an age.
func forth(began model.Moment, age model.Range) model.Moment {
	return model.Between(began.Earliest.Add(secondsOf(age.Min)), began.Latest.Add(secondsOf(age.Max)))
}

// join is one proof out of those of one file: what the most of them allow, of equals the latest, or, where the commands in it ran one after
// the other, all that they show. It is not whole where others are of another time, unless an object may have come back under its name.
func join(list []proof) (out proof, whole bool) {
	slices.SortStableFunc(list, func(a, b proof) int {
		return cmp.Or(b.at.Latest.Compare(a.at.Latest), b.at.Earliest.Compare(a.at.Earliest), cmp.Compare(a.from.Line, b.from.Line))
	})
	var most []proof
	for _, p := range list {
		near := Where(list, func(q proof) bool { return apart(p.at, q.at) <= oneCollection })
		if len(near) > len(most) {
			out, most = p, near
		}
	}
	left := Where(list, func(q proof) bool { return apart(out.at, q.at) > oneCollection && !q.again })
	whole = len(left) == 0 && 2*len(most) > len(list)
	width := func(m model.Moment) time.Duration { return m.Latest.Sub(m.Earliest) }
	all, any := out.at, out.at
	for _, q := range most {
		out.again = out.again && q.again
		if width(q.at) < width(out.at) {
			out.at, out.why, out.from, out.quote = q.at, q.why, q.from, q.quote
		}
		all.Earliest, all.Latest = model.Later(all.Earliest, q.at.Earliest), model.Earlier(all.Latest, q.at.Latest)
		any.Earliest, any.Latest = model.Earlier(any.Earliest, q.at.Earliest), model.Later(any.Latest, q.at.Latest)
	}
	if all.Latest.Before(all.Earliest) {
		all = any
	}
	out.at = model.Between(all.Earliest, all.Latest)
	return out, whole
}

// apart is the gap between two intervals; not above zero where they overlap.
func apart(a, b model.Moment) time.Duration {
	return max(a.Earliest.Sub(b.Latest), b.Earliest.Sub(a.Latest))
}

// birth is when an object was created, as a dated source says.
type birth struct {
	at model.Moment
	by string // the file that says so
}

// births finds when objects of a name were created. Several are several lives of the name, or copies that differ.
type births struct {
	s        *model.Snapshot
	recorded map[string][]birth // by Ref.Key, from records other than objects
}

func newBirths(s *model.Snapshot, all []model.Observation) births {
	b := births{s: s, recorded: map[string][]birth{}}
	for i := range all {
		o := &all[i]
		ref := o.Pod
		switch {
		case !dated(o) || o.Source.Kind == model.SourceManifest:
			continue
		case o.Kind == model.AttachmentCreated:
			ref = model.Ref{Kind: "VolumeAttachment", Name: o.Attachment}
		case o.Kind != model.PodCreated:
			continue
		}
		b.recorded[ref.Key()] = append(b.recorded[ref.Key()], birth{o.At, o.Input})
	}
	return b
}

// dated reports that a source itself gives the time of a statement, with year and zone, and not as an age.
func dated(o *model.Observation) bool {
	return clock.Timed(o) && o.At.Basis != model.Assumed
}

// of are the different births of an object's name.
func (b births) of(r model.Ref) []birth {
	out := b.recorded[r.Key()]
	switch r.Kind {
	case "Pod":
		out = append(out, bornAs(b.s.Pods, r)...)
	case "VolumeAttachment":
		out = append(out, bornAs(b.s.VolumeAttachments, r)...)
	case "PersistentVolume":
		out = append(out, bornAs(b.s.PersistentVolumes, r)...)
	case "PersistentVolumeClaim":
		out = append(out, bornAs(b.s.PersistentVolumeClaims, r)...)
	case "Node":
		out = append(out, bornAs(b.s.Nodes, r)...)
	}
	var distinct []birth
	seen := map[int64]bool{}
	for _, o := range out {
		if second := o.at.Earliest.Unix(); !seen[second] {
			seen[second] = true
			distinct = append(distinct, o)
		}
	}
	return distinct
}

// bornAs are the creations of the copies of an object. A table that shows no namespace means any.
func bornAs[T metav1.Object](list []model.Object[T], r model.Ref) []birth {
	var out []birth
	for _, o := range list {
		if o.Ref.Name != r.Name || r.Namespace != "" && o.Ref.Namespace != r.Namespace {
			continue
		}
		if t := o.Value().GetCreationTimestamp(); !t.IsZero() {
			out = append(out, birth{model.WholeSecond(t.Time), o.Input})
		}
	}
	return out
}
