package kubestate

import (
	"strings"
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

// An attachment of which the samples hold neither its creation nor whether it is attached is there, and nothing more is known of it.
func TestAttachmentUntold(t *testing.T) {
	const info = `kube_volumeattachment_info{volumeattachment="v",node="n"} 1 1`
	for more, want := range map[string]string{
		"": "attachment-created n",
		"\nkube_volumeattachment_status_attached{volumeattachment=\"v\"} 1 1":              "attachment-sampled n",
		"\nkube_volumeattachment_status_attached{volumeattachment=\"v\"} 0 0":              "",
		"\nkube_volumeattachment_created{volumeattachment=\"v\"} 500 500":                  "attachment-created n",
		"\nkube_node_status_condition{node=\"n\",condition=\"Ready\",status=\"true\"} 1 1": "attachment-created n",
	} {
		got := ""
		for _, o := range readOne(scraped(t, info+more)).Observations {
			if o.Attachment == "v" {
				got += string(o.Kind) + " " + o.Node
				if dated := strings.Contains(more, "created"); o.Kind == model.AttachmentCreated && dated == o.At.IsZero() {
					t.Errorf("%s: at %v", more, o.At.At)
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", more, got, want)
		}
	}
}
