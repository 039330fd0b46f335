package redact

import (
	"regexp"

	"github.com/volpost/volpost/model"
)

// uniqueName is the attach/detach controller's name of a CSI volume, with driver and handle.
var uniqueName = regexp.MustCompile(`kubernetes\.io/csi/([A-Za-z0-9.-]+)\^([^\s"'\\,;\]})]+)`)

// maxHashed bounds what is hashed in search of names of VolumeAttachments, as a multiple of the report's text.
const maxHashed = 50

// attachments derives names of VolumeAttachments anew: the hash of a handle, a driver and a node becomes that of their pseudonyms.
func (x *redactor) attachments() {
	wanted := map[string]bool{}
	for s := range x.present {
		if len(s) == 64 && hexRun(s, 64) == 64 {
			wanted[s] = true
		}
	}
	hashed := 0
	for _, driver := range x.drivers {
		for _, handle := range x.handles {
			for _, node := range x.nodes {
				if hashed += 200 + len(driver) + len(handle) + len(node); len(wanted) == 0 || hashed > maxHashed*x.size {
					return
				}
				name := model.AttachmentName(handle, driver, node)[len("csi-"):]
				if !wanted[name] {
					continue
				}
				delete(wanted, name)
				x.remember(name, model.AttachmentName(x.text(handle, nameText), x.text(driver, nameText), x.text(node, nameText))[len("csi-"):])
			}
		}
	}
}
