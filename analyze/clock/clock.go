// Package clock compares the clocks of a bundle's sources. Two sources that record one happening state its time by two clocks; where all
// that they share lies apart by one amount, one of the clocks is wrong, or was when the file was copied.
//
// Times that the API server sets (creationTimestamp, deletionTimestamp, managedFields) are one clock, those of a kubelet another: of its
// log, its Events, its Lease and the conditions that it posts. A file that was changed in copying has all of its times moved.
package clock

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// Source is what has one clock: the times of one writer in one stream of the bundle.
type Source struct {
	Stream string // a kind of object, Events, or one log
	Part   string // of the stream: a namespace, or the name of what is in none
	Writer string // APIServer, the kubelet of a node, or Control
}

// Writers of times that are no kubelet's.
const (
	APIServer = "the API server"
	Control   = "the control plane"
	samples   = "the samples"
	values    = "the values"
)

func (s Source) compare(t Source) int {
	return cmp.Or(cmp.Compare(s.rank(), t.rank()), cmp.Compare(s.Stream, t.Stream), cmp.Compare(s.Part, t.Part), cmp.Compare(s.Writer, t.Writer))
}

// leastBelieved is above all that rank returns.
const leastBelieved = 4

// rank is how little a source is to be believed by what it is.
func (s Source) rank() int {
	if s.Writer == APIServer {
		return 0
	}
	if strings.HasSuffix(s.Stream, objects) {
		return 1
	}
	if s.Stream == events || s.Stream == sampled {
		return 3
	}
	return 2
}

// isLog reports that a source is a log of a component.
func (s Source) isLog() bool {
	others := []string{events, audited, collected, sampled}
	return !slices.Contains(others, s.Stream) && !strings.HasSuffix(s.Stream, objects)
}

// Offset is by how much a clock is ahead of the others.
type Offset struct {
	Source
	Ahead       time.Duration
	Uncertainty time.Duration // Ahead lies so far beside the truth at most
	Pairs       int           // how many happenings show it
	Own, Other  Witness       // one of them
	other       Source        // of the other
	Doubtful    bool          // its clock may be right as well: its times lie between what it says and what the others say
}

// Witness is a statement of a time.
type Witness struct {
	Says   string // in a few words
	At     time.Time
	Source model.Source
	Quote  model.Quote
}

// rounds bounds how many clocks are set: each takes a look at everything that the sources share.
const rounds = 50

// Offsets are the clocks that differ from the others, in the order in which they have to be set, the doubtful last, and those that
// contradict the others without telling by how much, or may be hours beside them.
func Offsets(s *model.Snapshot, all []model.Observation) (set, unsure []Offset) {
	t := newTable(s, all)
	groups := t.groups()
	for range min(len(groups), rounds) {
		worst, ok := t.worst(groups)
		if !ok {
			break
		}
		o := t.shown(worst)
		set = append(set, o)
		t.setBack(worst.group, o.Ahead)
	}
	unsure = t.contradicting(groups)
	for range unsure {
		g, o, ok := t.doubtful(groups)
		if !ok {
			break
		}
		set = append(set, o)
		t.setBack(g, o.Ahead)
	}
	if o, ok := t.collector(all); ok {
		set = append(set, o)
	}
	return set, slices.Concat(unsure, t.unzoned(s, all), copiesApart(s.Pods), copiesApart(s.Nodes), copiesApart(s.VolumeAttachments), copiesApart(s.PersistentVolumes),
		copiesApart(s.PersistentVolumeClaims))
}

// Covers reports that a source is of what has the offset.
func (o Offset) Covers(s Source) bool {
	matches := func(of, is string) bool { return of == "" || of == is }
	if !matches(o.Writer, s.Writer) || !matches(o.Part, s.Part) {
		return false
	}
	within := strings.HasSuffix(o.Stream, "/") && strings.HasPrefix(s.Stream, o.Stream)
	return within || matches(o.Stream, s.Stream) || o.Stream == logs && s.isLog()
}
