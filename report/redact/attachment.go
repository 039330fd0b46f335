package redact

import (
	"regexp"

	"github.com/volpost/volpost/model"
)

// uniqueName is the attach/detach controller's name of a CSI volume, with driver and handle.
var uniqueName = regexp.MustCompile(`kubernetes\.io/csi/([A-Za-z0-9.-]+)\^([^\s"'\\,;\]})]+)`)

// maxDerived bounds how many names of VolumeAttachments are tried.
const maxDerived = 2_000_000

// attachments derives the names of VolumeAttachments anew: a name that is the hash of a handle, a driver and a node
// becomes the hash of their pseudonyms. Any other stays a pseudonym like others.
func (x *redactor) attachments() {
	tried := 0
	for _, driver := range x.drivers {
		for _, handle := range x.handles {
			for _, node := range x.nodes {
				if tried++; tried > maxDerived {
					return
				}
				name := model.AttachmentName(handle, driver, node)[len("csi-"):]
				if !x.present[name] || x.forward[name] != "" {
					continue
				}
				again := model.AttachmentName(x.text(handle, nameText), x.text(driver, nameText), x.text(node, nameText))[len("csi-"):]
				x.remember(name, again)
			}
		}
	}
}
