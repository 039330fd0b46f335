package reconstruct

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// birth is when an object was created, as a dated source says.
type birth struct {
	at model.Moment
	by string // the file that says so
}

// births finds when objects of a name were created. Several are several lives of the name, or copies that differ.
type births struct {
	s    *model.Snapshot
	told map[string][]birth // by Ref.Key, of what only records other than objects tell
}

func newBirths(s *model.Snapshot, all []model.Observation) births {
	b := births{s: s, told: map[string][]birth{}}
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
		b.told[ref.Key()] = append(b.told[ref.Key()], birth{o.At, o.Input})
	}
	return b
}

// dated reports that a source itself gives the time of a statement, with year and zone, and not as an age.
func dated(o *model.Observation) bool {
	return !o.At.IsZero() && !o.Floating && o.Age == nil && o.At.Basis != model.Assumed
}

// of are the different births of an object's name.
func (b births) of(r model.Ref) []birth {
	out := b.told[r.Key()]
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
