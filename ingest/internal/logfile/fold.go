package logfile

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// maxObservations bounds what one file gives. With repetitions folded, the largest cluster's incident stays far below.
const maxObservations = 200_000

// spillAfter is from how many on those that are never repeated are offered to whoever reads the log.
const spillAfter = 20_000

// maxKept bounds the bytes of their quotes.
const maxKept = 64 << 20

// foldGap is the longest silence within one run of repetitions: operations are retried after at most 2m2s, the
// external-attacher's after at most five minutes.
const foldGap = 10 * time.Minute

// sameInstant is how far apart a component writes two lines of one and the same thing.
const sameInstant = time.Second

// folder makes one observation of a statement that a controller repeats, with its count and its last time, so that the
// memory for a log does not grow with its length.
type folder struct {
	out    []model.Observation
	runs   map[key]*run   // the latest run of each
	ends   map[place]*int // how many attaches and detaches of a volume on a node have succeeded
	beats  heartbeats
	kept   int // bytes of quotes
	lost   int
	lostAt int
	spill  func(model.Observation) bool
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
	at    int   // in out
	probe probe // of a missed heartbeat
	ends  *int  // of its place
	begun int   // and how many there were when it began: a success ends the run of tries before it
	over  bool  // another run of the statement has begun
}

// open reports whether a repetition may still be one of this run.
func (r *run) open() bool { return !r.over && *r.ends == r.begun }

// place is a volume on a node.
type place struct{ volume, node string }

// add takes the next statement of the file, and the verbatim record that makes it. It answers the run that it is part of, nil
// for a statement that is never folded.
func (f *folder) add(o *model.Observation, record string) *run {
	f.beats.see(o)
	if f.beats.stale(o) {
		return nil
	}
	at := place{volumeKey(o.Volume), o.Node}
	f.end(o.Kind, at)
	gap, detail := repetition(o.Kind)
	if gap == 0 {
		if !f.spilled(o, record) {
			f.keep(o, record)
		}
		return nil
	}
	k := key{kind: o.Kind, place: at, pod: o.Pod, attachment: o.Attachment}
	k.pod.UID = ""
	if detail {
		k.detail = o.Detail
	}
	if o.Kind == model.OperationTimeout {
		// The plugin's line has the attachment, the executor's line after it the node; up to 1.20 only the latter says of what.
		k = key{kind: o.Kind, place: place{volume: at.volume}}
	}
	now := lastProbe(o)
	before := f.runs[k]
	if before != nil && before.open() && f.continues(before, o, now, gap) {
		if o.Kind == model.OperationTimeout {
			first := &f.out[before.at]
			first.Detail = cmp.Or(first.Detail, o.Detail)
			return nil
		}
		f.repeat(before, o.Count, o.Last)
		return before
	}
	if !f.keep(o, record) {
		return nil
	}
	return f.begin(k, before, o, record, now)
}

// begin begins a run with the statement that was kept last.
func (f *folder) begin(k key, before *run, o *model.Observation, record string, now probe) *run {
	if before != nil {
		before.over = true
	}
	begun := &run{at: len(f.out) - 1, probe: now}
	f.runs[k] = begun
	if o.Kind == model.OperationTimeout {
		begun.ends = &begun.begun // no success ends it
		return nil
	}
	begun.ends = f.endsOf(k.place)
	begun.begun = *begun.ends
	if beat, ok := f.beats.implied(o, now); ok {
		f.keep(&beat, record)
	}
	return begun
}

// repeat counts a repetition.
func (f *folder) repeat(before *run, count int, last model.Moment) {
	o := &f.out[before.at]
	o.Count += count
	if last.At.After(o.Last.At) {
		o.Last = last
	}
}

// end notes a success: what is tried again after it is not a repetition.
func (f *folder) end(k model.Kind, at place) {
	if f.runs == nil {
		f.runs, f.ends = map[key]*run{}, map[place]*int{}
	}
	switch k {
	case model.AttachSucceeded, model.DetachSucceeded, model.VolumeMarkedDetached:
		*f.endsOf(at)++
	}
}

func (f *folder) endsOf(at place) *int {
	n := f.ends[at]
	if n == nil {
		n = new(int)
		f.ends[at] = n
	}
	return n
}

// continues tells whether o repeats a run. Outages of a node are told apart by the last sign of life that they imply, not by
// a gap.
func (f *folder) continues(before *run, o *model.Observation, now probe, gap time.Duration) bool {
	if f.out[before.at].Floating != o.Floating {
		return false
	}
	if o.Kind == model.NodeHeartbeatMissed {
		return before.probe.near(now)
	}
	return f.silence(before, o.At.At) <= gap
}

// silence is how far an instant is from a run's last statement.
func (f *folder) silence(r *run, at time.Time) time.Duration {
	return at.Sub(f.out[r.at].Last.At).Abs()
}

// repetition says how long the silence between repetitions of a kind may be, 0 for kinds that are never folded, and
// whether a different Detail is a different statement.
func repetition(k model.Kind) (gap time.Duration, detail bool) {
	switch k {
	case model.NodeHeartbeatMissed:
		return foldGap, false
	case model.DetachStillMounted, model.NodeOutOfService, model.ForceDetachDisabled, model.NodeHealthUnknown, model.NodeRemovalRefused,
		model.LeaderWaiting, model.AttachmentStuckDeleting, model.AttachStarted, model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint,
		model.KubeletCutOff, model.KubeletPaused:
		return foldGap, false
	case model.AttachFailed, model.DetachFailed, model.DetachRefusedInUse, model.AttacherFailed, model.MountFailed, model.UnmountFailed, model.ResizeFailed,
		model.KubeletUnwell, model.AttachmentAttachError, model.AttachmentDetachError, model.AttachmentDrift, model.PodSchedulingFailed, model.PodDeletionRequested:
		return foldGap, true
	case model.OperationTimeout, model.ControllerStarted, model.ControllerStopped, model.PodGone:
		return sameInstant, true
	}
	return 0, false
}

// volumeKey is the most telling name that all lines about a volume share: the handle, which also the lines without a
// unique name have.
func volumeKey(v model.VolumeID) string {
	switch {
	case v.Handle != "":
		return v.Handle
	case v.UniqueName != "":
		return v.UniqueName
	}
	return v.PersistentVolume
}

// spilled reports whether somebody else has taken a statement. It is complete: nothing that is known at the end of the log changes
// what has a time and a component.
func (f *folder) spilled(o *model.Observation, record string) bool {
	if f.spill == nil || len(f.out) < spillAfter || o.Floating || o.Component == "" {
		return false
	}
	told := *o
	told.Quote = mask.Quote(record)
	return f.spill(told)
}

// keep stores a statement unless the file has given too many. Only here is the record quoted: most are repetitions.
func (f *folder) keep(o *model.Observation, record string) bool {
	if len(f.out) >= maxObservations || f.kept > maxKept {
		if f.lost == 0 {
			f.lostAt = o.Source.Line
		}
		f.lost++
		return false
	}
	kept := *o
	kept.Quote = mask.Quote(record)
	f.kept += len(kept.Quote.Text)
	if len(f.out) == cap(f.out) {
		f.out = slices.Grow(f.out, len(f.out)+16) // append grows a long list by a quarter, and copies it the more often
	}
	f.out = append(f.out, kept)
	return true
}
