package kubestate

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// attachments says when VolumeAttachments were created, attached and gone, with their node and volume.
func (r *reader) attachments() {
	info, source := r.of["kube_volumeattachment_info"], r.of["kube_volumeattachment_spec_source_persistentvolume"]
	created, attached := r.of["kube_volumeattachment_created"], r.of["kube_volumeattachment_status_attached"]
	name := func(t *track) string { return t.get("volumeattachment") }
	names, _ := grouped(slices.Concat(info, source, created, attached), name)
	_, infos := grouped(info, name)
	_, sources := grouped(source, name)
	_, births := grouped(created, name)
	_, states := grouped(attached, name)
	for _, n := range names {
		r.attachment(n, infos[n], sources[n], births[n], states[n])
	}
}

// attachment reads the series of one VolumeAttachment name. A volume that comes back to a node gets the name again.
func (r *reader) attachment(name string, info, source, created, attached []*track) {
	set := func(at time.Time) setter {
		return func(o *model.Observation) {
			o.Attachment = name
			if t := covering(info, at); t != nil {
				o.Node, o.Attacher = t.get("node"), t.get("attacher")
			}
			if t := covering(source, at); t != nil {
				o.Volume.PersistentVolume = t.get("volumename")
			}
		}
	}
	births, say := created, r.dated
	if len(created) == 0 { // OpenShift drops it
		births, say = info, r.begun
	}
	dated := false
	for _, t := range births {
		for i, run := range t.runs {
			dated = say(model.AttachmentCreated, t, i, set(run.from)) || dated
		}
	}
	if !dated && len(attached) == 0 && len(info) > 0 { // nothing else says that it is there
		r.undated(model.AttachmentCreated, info[0], set(info[0].runs[0].from))
	}
	for _, t := range attached {
		for i, run := range t.runs {
			if run.value == 1 {
				r.attachedRun(created, t, i, set(run.from))
			}
		}
	}
	gone := info
	if len(gone) == 0 {
		gone = attached
	}
	r.vanished(model.AttachmentGone, gone, set)
}

// attachedRun reads the samples from one that shows it attached to the last that does.
func (r *reader) attachedRun(births []*track, t *track, i int, set setter) {
	run := t.runs[i]
	m, quote, ok := r.attachedSince(births, t, i)
	if ok {
		r.say(model.AttachmentAttached, m, t, run.from, quote, func(o *model.Observation) {
			set(o)
			if run.to.After(run.from) {
				o.Count, o.Last = 2, model.Exactly(run.to)
			}
		})
	} else if !t.cut {
		r.lasted(model.AttachmentSampled, t, run, set) // the samples begin in the middle of it
	}
}

// attachedSince is when the attachment became attached: not before it was created, and after the sample that has 0, or none.
func (r *reader) attachedSince(births []*track, t *track, i int) (model.Moment, string, bool) {
	at := t.runs[i].from
	m, quote, ok := r.began(t, i)
	made := covering(births, at)
	if made == nil {
		return m, quote, ok
	}
	created, valid := second(valueAt(made, at))
	if valid && !ok {
		return attachedSoon(created, at), sample(1, at), true
	}
	if valid && created.Earliest.After(m.Earliest) && !created.Earliest.After(at) {
		m = model.Between(created.Earliest, at)
	}
	return m, quote, ok
}

// attachedSoon dates an attachment that the first sample shows attached: soon after its creation, not in the middle of the interval.
func attachedSoon(created model.Moment, at time.Time) model.Moment {
	m := model.Between(created.Earliest, at)
	m.At = model.Earlier(created.Latest, m.Latest)
	return m
}

// covering is the series of several that has a sample at a time.
func covering(tracks []*track, at time.Time) *track {
	i := slices.IndexFunc(tracks, func(t *track) bool { return t.at(at) >= 0 })
	if i < 0 {
		return nil
	}
	return tracks[i]
}

// at is the index of the run that has a sample at a time; -1 for none.
func (t *track) at(at time.Time) int {
	return slices.IndexFunc(t.runs, func(r run) bool { return !r.from.After(at) && !r.to.Before(at) })
}

func valueAt(t *track, at time.Time) float64 {
	if i := t.at(at); i >= 0 {
		return t.runs[i].value
	}
	return 0
}
