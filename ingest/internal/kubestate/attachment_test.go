package kubestate

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// An attachment that was attached at the first sample became so soon after it was created, though the samples may begin a day later;
// one of which they show the change, between two of them.
func TestAttachedSoon(t *testing.T) {
	for text, want := range map[string]int64{
		`kube_volumeattachment_info{volumeattachment="v",node="n"} 1 1 1
kube_volumeattachment_created{volumeattachment="v"} 500 500 500
kube_volumeattachment_status_attached{volumeattachment="v"} 1 1 1`: 500,
		`kube_volumeattachment_info{volumeattachment="v",node="n"} 1 1 1
kube_volumeattachment_created{volumeattachment="v"} 500 500 500
kube_volumeattachment_status_attached{volumeattachment="v"} 0 1 1`: 1007,
	} {
		found := false
		for _, o := range readOne(scraped(t, text)).Observations {
			if o.Kind == model.AttachmentAttached {
				found = true
				if o.At.At.Unix() != want {
					t.Errorf("attached at %d, want %d:\n%s", o.At.At.Unix(), want, text)
				}
			}
		}
		if !found {
			t.Errorf("not attached:\n%s", text)
		}
	}
}
