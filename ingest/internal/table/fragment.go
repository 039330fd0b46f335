package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// errorHeading is a heading that only the description of a VolumeAttachment has.
var errorHeading = regexp.MustCompile(`^( *)(?:Attach|Detach) Error: *$`)

// beginsFragment reports whether a line begins the part of a VolumeAttachment's description that people copy: its errors.
func (r *reader) beginsFragment(l line) bool {
	m := errorHeading.FindStringSubmatch(l.text)
	if m == nil || r.desc != nil {
		return false
	}
	r.close()
	r.desc = &description{indent: len(m[1]), asked: r.command}
	r.desc.add(l)
	return true
}

var (
	// leftNode is the node that a failed detach names, as drivers word it.
	leftNode = regexp.MustCompile(`\b(?:detach|unpublish|unmap)\w* .*?\bfrom (?:node|instance|vm|server|host)?[ :]*["']?([A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9])`)
	// madeVolume is the name that a provisioner makes of a claim's UID.
	madeVolume = regexp.MustCompile(`\bpvc-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
)

// errors tells of a description whose name was not copied: the error itself names the volume, and mostly the node.
func (t *teller) errors() {
	message := t.find("Detach Error", "Message")
	if message == nil {
		return
	}
	volume := madeVolume.FindString(message.value)
	if volume == "" {
		return
	}
	t.say(model.DetachFailed, model.Moment{}, message, func(o *model.Observation) {
		o.Detail, o.Volume.PersistentVolume = message.value, volume
		if m := leftNode.FindStringSubmatch(message.value); m != nil && !strings.Contains(m[1], volume) {
			o.Node = m[1]
		}
		if when := t.find("Detach Error", "Time"); when != nil {
			o.At = instant(when.value)
			o.Last = o.At
		}
	})
}
