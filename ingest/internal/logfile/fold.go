package logfile

import (
	"cmp"
	"hash/maphash"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/model/words"
)

// maxObservations bounds what one file gives. With repetitions folded, the largest cluster's incident stays far below.
const maxObservations = 200_000

// spillAfter is from how many on those that are never repeated are offered to the reader of the log.
const spillAfter = 20_000

// maxKept bounds the bytes of their quotes.
const maxKept = 64 << 20

// foldGap is the longest silence within a run of repetitions: operations are retried after at most 2m2s, the attacher's after five minutes.
const foldGap = 10 * time.Minute

// sameInstant is how far apart a component writes two lines of one and the same thing.
const sameInstant = time.Second

// folder makes one observation of a repeated statement, with count and last time, so that memory does not grow with a log's length.
type folder struct {
	out       [][]model.Observation // in pieces that stay where they are
	n         int                   // of all pieces
	runs      map[uint64]*run       // the latest run of each, by the hash of its key, of which there are up to 200,000
	seed      maphash.Seed
	ends      map[place]int // how many attaches and detaches of a volume on a node have succeeded
	successes int           // of all of them
	beats     heartbeats
	kept      int // bytes of quotes
	lost      int
	lostAt    int
	spill     func(model.Observation) bool
}

// key is what makes two statements the same.
type key struct {
	kind       model.Kind
	place      place
	pod        model.Ref // without its UID
	attachment string
	detail     string
}

// run is a statement that may be repeated.
type run struct {
	o     *model.Observation // the first statement, with the count and the last time of all
	probe probe              // of a missed heartbeat
	ends  int                // successes at its place when it began: one more ends the run of tries before it
	seen  int                // all successes when that was last looked at
	over  bool               // another run of the statement has begun
}

type place struct{ volume, node string }

// placeOf takes the most specific name that all lines about a volume share: the handle, which also the lines without a unique name have.
func placeOf(o *model.Observation) place {
	return place{cmp.Or(o.Volume.Handle, o.Volume.UniqueName, o.Volume.PersistentVolume), o.Node}
}

// add takes the next statement and its verbatim record. It returns the run that it is part of, nil for a statement that is never folded.
func (f *folder) add(o *model.Observation, record string) *run {
	f.beats.see(o)
	if f.beats.stale(o) {
		return nil
	}
	at := placeOf(o)
	f.end(o.Kind, at)
	k, gap := keyOf(o, at)
	if gap == 0 {
		if !f.spilled(o, record) {
			f.keep(o, record)
		}
		return nil
	}
	now, hash := lastProbe(o), maphash.Comparable(f.seed, k)
	before := f.runs[hash]
	if before != nil && f.open(before) && f.continues(before, o, now, gap) {
		if o.Kind == model.OperationTimeout {
			before.o.Detail = cmp.Or(before.o.Detail, o.Detail)
			return nil
		}
		before.repeat(o.Count, o.Last)
		return before
	}
	begun := &run{o: f.keep(o, record), probe: now, ends: f.ends[at], seen: f.successes}
	if begun.o == nil {
		return nil
	}
	if before != nil {
		before.over = true
	}
	f.runs[hash] = begun
	if o.Kind == model.OperationTimeout {
		return nil
	}
	if beat, ok := f.beats.implied(o, now); ok {
		f.keep(&beat, record)
	}
	return begun
}

// keyOf is what makes a repetition of a statement, and the longest silence between the two; 0 for one that is never folded.
func keyOf(o *model.Observation, at place) (key, time.Duration) {
	gap, detail := repetition(o.Kind)
	if gap == 0 {
		return key{}, 0
	}
	if o.Kind == model.OperationTimeout {
		// The plugin's line has the attachment, the executor's line after it the node; up to 1.20 only the latter says of what.
		return key{kind: o.Kind, place: place{volume: at.volume}}, gap
	}
	k := key{kind: o.Kind, place: at, pod: o.Pod, attachment: o.Attachment, detail: words.If(detail, o.Detail)}
	k.pod.UID = ""
	return k, gap
}

func (r *run) repeat(count int, last model.Moment) {
	r.o.Count += count
	if last.At.After(r.o.Last.At) {
		r.o.Last = last
	}
}

// end notes a success: what is tried again after it is not a repetition.
func (f *folder) end(k model.Kind, at place) {
	if f.runs == nil {
		f.runs, f.ends, f.seed = map[uint64]*run{}, map[place]int{}, maphash.MakeSeed()
	}
	switch k {
	case model.AttachSucceeded, model.DetachSucceeded, model.VolumeMarkedDetached:
		f.ends[at]++
		f.successes++
	}
}

// open reports whether a repetition may still be one of a run.
func (f *folder) open(r *run) bool {
	if r.seen != f.successes && r.o.Kind != model.OperationTimeout {
		r.seen = f.successes
		r.over = r.over || f.ends[placeOf(r.o)] != r.ends
	}
	return !r.over
}

// continues reports whether o repeats a run. Outages of a node are distinguished by the last sign of life that they imply, not by
// a gap. A time without a year is two thousand years from one with it.
func (f *folder) continues(before *run, o *model.Observation, now probe, gap time.Duration) bool {
	if o.Kind == model.NodeHeartbeatMissed {
		return before.probe.near(now)
	}
	return before.silence(o.At.At) <= gap
}

// silence is how far an instant is from a run's last statement.
func (r *run) silence(at time.Time) time.Duration { return at.Sub(r.o.Last.At).Abs() }

// repetition is a kind's longest silence between repetitions, 0 for never folded, and whether another Detail is another statement.
func repetition(k model.Kind) (gap time.Duration, detail bool) {
	switch k {
	case model.NodeHeartbeatMissed:
		return foldGap, false
	case model.DetachStillMounted, model.NodeOutOfService, model.ForceDetachDisabled, model.NodeHealthUnknown, model.NodeRemovalRefused,
		model.LeaderWaiting, model.AttachmentStuckDeleting, model.AttachStarted, model.DetachStarted,
		model.DetachForcedTimeout, model.DetachForcedTaint, model.KubeletCutOff, model.KubeletPaused:
		return foldGap, false
	case model.AttachFailed, model.DetachFailed, model.DetachRefusedInUse, model.AttacherFailed, model.MountFailed,
		model.UnmountFailed, model.ResizeFailed,
		model.KubeletUnwell, model.AttachmentAttachError, model.AttachmentDetachError, model.AttachmentDrift, model.PodSchedulingFailed,
		model.PodDeletionRequested:
		return foldGap, true
	case model.OperationTimeout, model.ControllerStarted, model.ControllerStopped, model.PodGone:
		return sameInstant, true
	}
	return 0, false
}

// spilled reports whether another reader took the statement: with a time and a component it is complete before the log's end.
func (f *folder) spilled(o *model.Observation, record string) bool {
	if f.spill == nil || f.n < spillAfter || o.Floating || o.Component == "" {
		return false
	}
	full := *o
	full.Quote = mask.Quote(record)
	return f.spill(full)
}

// keep stores a statement, and returns where, nil when the file has given too many. Only here is the record quoted: most are repetitions.
func (f *folder) keep(o *model.Observation, record string) *model.Observation {
	if f.n >= maxObservations || f.kept > maxKept {
		if f.lost == 0 {
			f.lostAt = o.Source.Line
		}
		f.lost++
		return nil
	}
	if p := len(f.out) - 1; p < 0 || len(f.out[p]) == cap(f.out[p]) {
		f.out = append(f.out, make([]model.Observation, 0, min(max(f.n, 16), mostOfPiece)))
	}
	piece := &f.out[len(f.out)-1]
	*piece = append(*piece, *o)
	kept := &(*piece)[len(*piece)-1]
	kept.Quote = mask.Quote(record)
	f.kept += len(kept.Quote.Text)
	f.n++
	return kept
}

// mostOfPiece is how many statements one piece of what is kept has at most.
const mostOfPiece = 1024
