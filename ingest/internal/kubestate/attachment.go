package kubestate

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// attachmentTracks are the series of one VolumeAttachment name. A volume that comes back to a node gets the name again.
type attachmentTracks struct {
	name                            string
	info, source, created, attached []*track
}

// attachments says when VolumeAttachments were created, attached and gone, with their node and volume.
func (r *reader) attachments() {
	named := func(family string) ([]string, map[string][]*track) {
		return grouped(r.of[family], func(t *track) string { return t.get("volumeattachment") })
	}
	byInfo, info := named("kube_volumeattachment_info")
	bySource, source := named("kube_volumeattachment_spec_source_persistentvolume")
	byCreated, created := named("kube_volumeattachment_created")
	byAttached, attached := named("kube_volumeattachment_status_attached")
	seen := map[string]bool{}
	for _, name := range slices.Concat(byInfo, bySource, byCreated, byAttached) {
		if !seen[name] {
			seen[name] = true
			r.attachment(&attachmentTracks{name, info[name], source[name], created[name], attached[name]})
		}
	}
}

func (r *reader) attachment(a *attachmentTracks) {
	set := func(at time.Time) func(*model.Observation) {
		return func(o *model.Observation) {
			o.Attachment = a.name
			if t := covering(a.info, at); t != nil {
				o.Node, o.Attacher = t.get("node"), t.get("attacher")
			}
			if t := covering(a.source, at); t != nil {
				o.Volume.PersistentVolume = t.get("volumename")
			}
		}
	}
	for _, t := range a.created {
		for _, run := range t.runs {
			if m, ok := second(run.value); ok {
				r.say(model.AttachmentCreated, m, t, run.from, sample(run.value, run.from), set(run.from))
			}
		}
	}
	if len(a.created) == 0 { // OpenShift drops it
		for _, t := range a.info {
			for i, run := range t.runs {
				if m, quote, ok := r.began(t, i); ok {
					r.say(model.AttachmentCreated, m, t, run.from, quote, set(run.from))
				}
			}
		}
	}
	for _, t := range a.attached {
		for i, run := range t.runs {
			if run.value != 1 {
				continue
			}
			m, quote, ok := r.attachedSince(a, t, i)
			switch {
			case ok:
				r.say(model.AttachmentAttached, m, t, run.from, quote, func(o *model.Observation) {
					set(run.from)(o)
					if run.to.After(run.from) {
						o.Count, o.Last = 2, model.Moment{At: run.to, Earliest: run.to, Latest: run.to, Basis: model.Observed}
					}
				})
			case !t.cut:
				r.lasted(model.AttachmentSampled, t, run, set(run.from)) // the samples begin in the middle of it
			}
		}
	}
	gone := a.info
	if len(gone) == 0 {
		gone = a.attached
	}
	r.vanished(model.AttachmentGone, gone, func(at time.Time, o *model.Observation) { set(at)(o) })
}

// attachedSince is when the attachment became attached: not before it was created, and after the sample that has 0, or none.
func (r *reader) attachedSince(a *attachmentTracks, t *track, i int) (model.Moment, string, bool) {
	at := t.runs[i].from
	m, quote, ok := r.began(t, i)
	made := covering(a.created, at)
	if made == nil {
		return m, quote, ok
	}
	created, valid := second(valueAt(made, at))
	switch {
	case !valid:
	case !ok:
		return attachedSoon(created, at), sample(1, at), true
	case created.Earliest.After(m.Earliest) && !created.Earliest.After(at):
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
