package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// attachment reads a VolumeAttachment, which the generic describer prints with the API's instants.
func (t *fieldReader) attachment() {
	b := &t.base
	b.Attachment, b.Attacher, b.Node = b.Object.Name, t.value("Attacher"), t.value("Node Name")
	if b.Node == "" {
		b.Node = t.nodeOfID()
	}
	b.Volume.PersistentVolume = t.value("Persistent Volume Name")
	if b.Volume.PersistentVolume == "" { // inline
		b.Volume.Driver, b.Volume.Handle = t.value("Driver"), t.value("Volume Handle")
	}
	t.at(model.AttachmentCreated, t.find("", "Creation Timestamp"), "")
	t.at(model.AttachmentDeletionRequested, t.find("", "Deletion Timestamp"), "")
	t.say(attachedKinds[t.value("Attached")], t.find("", "Attached"), "") // since when, only the managed fields say
	t.failure(model.AttachmentAttachError, "Attach Error")
	t.failure(model.AttachmentDetachError, "Detach Error")
}

// nodeID is the driver's name of the node, which the external-attacher leaves in an annotation.
var nodeID = regexp.MustCompile(`\bcsi\.alpha\.kubernetes\.io/node-id: *(\S+)`)

// machineID is an identifier that a cloud gives a machine: a number, a UUID, or an EC2 instance.
var machineID = regexp.MustCompile(`^(?:i-[0-9a-f]{8,17}|\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// nodeOfID is the node by the driver's name of it, for a description without specification. An identifier of a machine is none.
func (t *fieldReader) nodeOfID() string {
	for _, f := range t.fields {
		if m := nodeID.FindStringSubmatch(f.value); m != nil && f.after == "Annotations" && nameText(m[1]) && !machineID.MatchString(m[1]) {
			return m[1]
		}
	}
	return ""
}

// at makes a statement of a field that is an instant, if it is there.
func (t *fieldReader) at(kind model.Kind, f *field, detail string) {
	if f != nil && !instant(f.value).IsZero() {
		t.saySo(kind, instant(f.value), f, func(o *model.Observation) { o.Detail = detail })
	}
}

func (t *fieldReader) failure(kind model.Kind, heading string) {
	f, when, detail, at := t.find(heading, "Message"), t.find(heading, "Time"), "", model.Moment{}
	if when != nil {
		at = instant(when.value)
	}
	if f == nil {
		f = when
	} else {
		detail = f.value
	}
	t.saySo(kind, at, f, func(o *model.Observation) { o.Detail = detail })
}

// claim reads a PersistentVolumeClaim: which volume it is bound to, and which pods use it.
func (t *fieldReader) claim() {
	t.base.Claim = t.base.Object
	t.resizePending()
	t.bound(t.value("Volume"), t.find("", "Volume"))
}

// bound says which claim and volume belong together, and which pods use them: "Used By" (from 1.19 on) or "Mounted By" lists one on each line.
func (t *fieldReader) bound(volume string, f *field) {
	status, _, _ := strings.Cut(t.value("Status"), " ")
	if volume == "" {
		t.say(model.ObjectShown, t.find("", "Status"), status)
		return
	}
	t.saySo(model.VolumeBound, model.Moment{}, f, func(o *model.Observation) {
		o.Volume.PersistentVolume, o.Detail, o.Access = volume, status, accessModes(t.value("Access Modes"))
		for _, f := range t.fields {
			if (f.after == "Used By" || f.after == "Mounted By") && nameText(f.value) {
				o.Pods = append(o.Pods, model.PodRef(t.base.Object.Namespace, f.value, ""))
			}
		}
	})
}

// persistentVolume reads a PersistentVolume: its claim and its handle.
func (t *fieldReader) persistentVolume() {
	if handle := t.find("", "VolumeHandle"); handle != nil {
		t.base.Volume.Driver, t.base.Volume.Handle = t.value("Driver"), handle.value
	}
	t.base.Claim = claimRef(t.value("Claim"))
	t.bound(t.base.Object.Name, t.find("", "Claim"))
}

func claimRef(s string) model.Ref {
	namespace, name, ok := strings.Cut(s, "/")
	if !ok || !nameText(name) || !nameText(namespace) {
		return model.Ref{}
	}
	return model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
}

var longModes = map[string]string{"RWO": "ReadWriteOnce", "ROX": "ReadOnlyMany", "RWX": "ReadWriteMany", "RWOP": "ReadWriteOncePod"}

// accessModes spells out kubectl's short forms; nil when the text is anything else.
func accessModes(s string) []string {
	var out []string
	for mode := range strings.SplitSeq(strings.Trim(s, "[]"), ",") {
		long := longModes[strings.TrimSpace(mode)]
		if long == "" {
			return nil
		}
		out = append(out, long)
	}
	return out
}
