package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// errorHeading is a heading that only the description of a VolumeAttachment has.
var errorHeading = regexp.MustCompile(`^( *)(?:Attach|Detach) Error: *$`)

// fieldOf is a field of a pod or a node that a program behind kubectl describe passes on.
var fieldOf = regexp.MustCompile(`^( *)(?:Node|Status|Start Time|Controlled By|Taints): +\S`)

// beginsFragment reports whether a line begins the part of a description that people copy: the errors of a VolumeAttachment, or the
// fields of the pod or the node that the command above names.
func (r *reader) beginsFragment(l line) bool {
	m := errorHeading.FindStringSubmatch(l.text)
	if c := r.command; m == nil && c.filtered && c.describesOne() {
		m = fieldOf.FindStringSubmatch(l.text)
	}
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
	leftNode = regexp.MustCompile(`\b(?:detach|unpublish|unmap)\w* .*?\bfrom (?:node|instance|vm|server|host)?[ :]*["']?` +
		`([A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9])`)
	// madeVolume is the name that a provisioner makes of a claim's UID.
	madeVolume = regexp.MustCompile(`\bpvc-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
)

// errors reports a description whose name was not copied: the error itself names the volume, and mostly the node.
func (t *fieldReader) errors() {
	message := t.find("Detach Error", "Message")
	if message == nil {
		return
	}
	volume := madeVolume.FindString(message.value)
	if volume == "" {
		return
	}
	t.saySo(model.DetachFailed, model.Moment{}, message, func(o *model.Observation) {
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

// resizeCondition is a row of a claim's conditions (kubectl describe pvc):
//
//	FileSystemResizePending   True   Mon, 01 Jan 0001 00:00:00 +0000   Mon, 08 Mar 2021 17:14:43 -0500   Waiting for user to …
//
// LastProbeTime is never set. A web page may have left one blank in each gap.
var resizeCondition = regexp.MustCompile(`^ *FileSystemResizePending +(True|False|Unknown) +` + mailDate + ` +(` + mailDate + `) +(\S.*)$`)

// shortCondition is such a row of which a document left columns out.
var shortCondition = regexp.MustCompile(`^ *FileSystemResizePending +True +(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: +(\S.*))?$`)

const mailDate = `[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}`

// resizeRow reads that row: since when the file system waits, and the message. It returns false when it does not wait.
func resizeRow(s string) (at model.Moment, message string, ok bool) {
	if m := shortCondition.FindStringSubmatch(s); m != nil {
		return instant(m[1]), strings.TrimSpace("FileSystemResizePending " + m[2]), true
	}
	m := resizeCondition.FindStringSubmatch(s)
	if m == nil || m[1] != "True" {
		return model.Moment{}, "", false
	}
	return instant(m[2]), m[3], true
}

// resizePending reads the conditions of a described claim.
func (t *fieldReader) resizePending() {
	for _, f := range t.fields {
		if at, message, ok := resizeRow(f.value); ok && f.key == "" && f.heading == "Conditions" {
			t.saySo(model.ResizePending, at, f, func(o *model.Observation) { o.Detail = message })
		}
	}
}

// condition takes such a row where the claim above it was not copied.
func (r *reader) condition(l line) bool {
	if r.desc != nil && r.section == nil {
		return false
	}
	at, message, ok := resizeRow(l.text)
	if !ok {
		return false
	}
	o := model.Observation{Kind: model.ResizePending, At: at, Last: at, Detail: message}
	if c := r.command; c.verb == "describe" && c.kind == "PersistentVolumeClaim" && c.name != "" {
		o.Claim = model.Ref{Kind: c.kind, Namespace: r.namespace(), Name: c.name}
		o.Object = o.Claim
	}
	return r.tell(l, o)
}
