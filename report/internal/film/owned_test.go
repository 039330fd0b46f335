package film

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// When the incident says when its VolumeAttachment was being deleted, an event that tells the same a moment earlier does not make it
// exist anew in between; where the incident does not say, the event does.
func TestIncidentTellsOfItsAttachment(t *testing.T) {
	start := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	at := func(ms int) model.Moment { return model.Exactly(start.Add(time.Duration(ms) * time.Millisecond)) }
	name := "csi-a"
	created, deleted := at(0), at(1003)
	item := func(m model.Moment, kind model.Kind) model.TimelineItem {
		return model.TimelineItem{ID: string(kind), At: m, Kind: kind, About: []model.Ref{{Kind: "VolumeAttachment", Name: name}},
			Text: string(kind), Incidents: []string{"i"}}
	}
	in := model.Incident{ID: "i", Span: model.Span{From: at(0), To: at(5000)},
		BlockingAttachment: model.BlockingAttachment{Name: &name, CreatedAt: &created, DeletionRequestedAt: &deleted}}
	r := &model.Report{Timeline: []model.TimelineItem{item(at(10), model.AttachmentAttached), item(at(1000), model.AttacherDetaching)}}
	for _, c := range []struct {
		created, deleted *model.Moment
		want             string
	}{{&created, &deleted, attachmentAttached}, {nil, nil, attachmentDeleting}} {
		in.BlockingAttachment.CreatedAt, in.BlockingAttachment.DeletionRequestedAt = c.created, c.deleted
		if got := New(r, &in).At(start.Add(1001 * time.Millisecond)).Attachments[0].Status; got == nil || got.Word != c.want {
			t.Errorf("a millisecond after the event the attachment is %+v, want %s", got, c.want)
		}
	}
}
