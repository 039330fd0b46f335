package phrase

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// driverRows are calls of the controller part of a CSI driver, as the middlewares of gRPC that drivers share log them, and the
// outcomes that drivers with many users word themselves. Only lines count that name the volume: an answer that follows its call
// somewhere further on may be that of another call. The Node is that of the driver, which spec.drivers of a CSINode maps.
var driverRows = newTable(csiDriver, []row{
	// The middleware of GCE PD and of drivers after it.
	{text: "/csi.v1.Controller/Controller", holds: " called with request: ", read: readDriverCall},
	{text: "/csi.v1.Controller/Controller", holds: " returned with error: ", kind: model.AttacherFailed, read: readDriverError},
	// That of csi-common: Azure, Cinder, NFS, SMB and others; behind an id in Ceph's.
	{text: "GRPC request: ", read: readDriverCall},
	{text: "ID: ", holds: "GRPC request: ", read: readDriverCall},
	{text: "GRPC error", kind: model.AttacherFailed, read: readDriverError},
	{text: "ID: ", holds: "GRPC error: ", kind: model.AttacherFailed, read: readDriverError},
	// Drivers' own words.
	{text: "ControllerUnpublishVolume: called", read: readDriverCall},                            // EBS, vSphere
	{text: "ControllerPublishVolume: called", read: readDriverCall},                              //
	{text: "ControllerUnpublishVolume: detached", kind: model.AttacherDetached, read: readNamed}, // EBS
	{text: "ControllerPublishVolume: attached", kind: model.AttacherAttached, read: readNamed},
	{text: "Trying to detach volume <handle> from node <node>", kind: model.AttacherDetaching, read: readOneWord}, // Azure
	{text: "detach volume <handle> from node <node> successfully", kind: model.AttacherDetached, read: readOneWord},
	{text: "Could not detach volume ", kind: model.AttacherFailed, read: readDriverError},
	{text: "Attach volume ", holds: " failed with ", kind: model.AttacherFailed, read: readDriverError}, // Azure
})

// driverAnswerRows are the answers to calls that drivers log without a source file, as the interceptors of gocsi word them. Only those that
// name the volume count; the component is left open, because the names are those of the cluster.
var driverAnswerRows = newTable("", []row{
	{text: "/csi.v1.Node/Node", holds: "rpc error: code = ", kind: model.MountFailed, read: readAnswer},
	{text: `msg="failed to attach volume" volume-id=`, kind: model.AttacherFailed, read: readHetzner("attach")},
	{text: `msg="failed to detach volume" volume-id=`, kind: model.AttacherFailed, read: readHetzner("detach")},
	{text: "/csi.v1.Controller/ControllerPublishVolume", holds: "rpc error: code = ", kind: model.AttacherFailed, read: readAnswer},
})

// readHetzner reads what the driver of Hetzner Cloud logs of a failed call: msg="failed to attach volume" volume-id=1 server-id=2 err="…".
func readHetzner(call string) func(*logline.Record, *model.Observation) bool {
	return func(r *logline.Record, o *model.Observation) bool {
		m := hetznerCall.FindStringSubmatch(r.Raw)
		if m == nil {
			return false
		}
		o.Volume.Handle, o.Node, o.Detail = m[1], m[2], "failed to "+call+": "+m[3]
		return true
	}
}

var hetznerCall = regexp.MustCompile(`volume-id=(\d+)(?: server-id=(\d+))? err="(.+?)"?$`)

// driverPlainRows are the errors that drivers log in logrus or JSON, whose text is short and whose fields hold the rest.
var driverPlainRows = newTable("", []row{
	{text: "GRPC error", kind: model.AttacherFailed, read: readRefusal},
	{text: "method failed", kind: model.AttacherFailed, read: readRefusal},
	{text: "ControllerPublishVolume", kind: model.AttacherFailed, read: readRefusal},
	{text: "ControllerUnpublishVolume", kind: model.AttacherFailed, read: readRefusal},
})

var (
	// callError is the error of a call up to the end of its field.
	callError = regexp.MustCompile(`rpc error: code = .*?(?:" [A-Za-z_]+=|"[,}]|"?$)`)
	// plainVolume is the name that a provisioner gave a volume, or a cloud's name of one.
	plainVolume = regexp.MustCompile(`\bpvc-[0-9a-z-]*[0-9][0-9a-z-]*|\bvol-[0-9a-f]{4,}\b`)
	errorField  = regexp.MustCompile(`"(?:err|error)":"([^"\\]*)`)
	fieldEnd    = regexp.MustCompile(`" [A-Za-z_]+=?$`)
	attachWords = regexp.MustCompile(`(?i)ControllerPublish|\battach|\bpublish`)
	detachWords = regexp.MustCompile(`(?i)ControllerUnpublish|\bdetach|\bunpublish`)
)

// readRefusal reads an attach or a detach that a driver could not make, where the line names the volume.
func readRefusal(r *logline.Record, o *model.Observation) bool {
	text := strings.ReplaceAll(r.Raw, `\"`, `"`)
	failure, named := callError.FindString(text), driverFailure.FindStringSubmatch(text)
	said := strings.Contains(text, " failed") || strings.Contains(text, "Error ")
	if failure == "" && named == nil && !said {
		return false
	}
	if failure == "" {
		failure = r.Message
		if m := errorField.FindStringSubmatch(r.Raw); m != nil {
			failure += ": " + m[1]
		}
	}
	volume, node := "", ""
	for _, name := range plainVolume.FindAllString(text, -1) {
		if len(name) > len(volume) { // a text may shorten it
			volume = name
		}
	}
	for _, form := range []*regexp.Regexp{driverNode, answerNode, attachedInstance} {
		if m := form.FindStringSubmatch(text); m != nil && node == "" && m[1] != "vm" { // "to node vm: …"
			node = m[1]
		}
	}
	if m := driverVolume.FindStringSubmatch(text); m != nil && volume == "" {
		volume = m[1]
	}
	if named != nil {
		volume, node = named[2], named[3]
	}
	detach := detachWords.MatchString(text) && !strings.Contains(text, "ControllerPublish")
	if volume == "" || !detach && !attachWords.MatchString(text) {
		return false
	}
	if o.Node = node; strings.HasPrefix(volume, "pvc-") {
		o.Volume.PersistentVolume = volume
	} else {
		o.Volume.Handle = volume
	}
	if failure = strings.TrimRight(failure, `",} `); strings.HasPrefix(failure, "rpc error") {
		failure = fieldEnd.ReplaceAllString(failure, "")
	}
	o.Detail = "failed to " + words.If(detach, "detach: ") + words.If(!detach, "attach: ") + failure
	return true
}

// attachedInstance is the machine in the words of the attachers that are a part of Kubernetes.
var attachedInstance = regexp.MustCompile(`to (?:node|instance) "([A-Za-z0-9][\w.-]*)"`)

var (
	answerVolume = regexp.MustCompile(`(?i)\bvolume(?:[_ ]?(?:id|name))?[ :="'\[]+([a-z][a-z0-9.]*-[\w.-]*[0-9][\w.-]*)`)
	answerNode   = regexp.MustCompile(`(?i)\b(?:to|on|from|with) (?:this |the )?node[ :="']+([a-z0-9][\w.-]*\w)`)
)

func readAnswer(r *logline.Record, o *model.Observation) bool {
	_, answer, _ := strings.Cut(r.Message, "rpc error: ")
	volume := answerVolume.FindStringSubmatch(answer)
	if volume == nil {
		return false
	}
	o.Volume.PersistentVolume, o.Detail = volume[1], "rpc error: "+answer // such drivers name a volume as its PersistentVolume
	if node := answerNode.FindStringSubmatch(answer); node != nil {
		o.Node = node[1]
	}
	if o.Kind == model.AttacherFailed {
		o.Detail = "failed to attach: " + o.Detail
	}
	return true
}

var (
	driverVolume = regexp.MustCompile(`(?i)\bvolume_?id\\?"?\s*[:=]\s*\\?"?([^\s"\\,}]+)`)
	driverNode   = regexp.MustCompile(`(?i)\bnode_?id\\?"?\s*[:=]\s*\\?"?([^\s"\\,}]+)`)
	// driverFailure is the failure of a call whose text names both: "Could not detach volume "vol-1" from node "i-1": …".
	driverFailure = regexp.MustCompile(`(?i)\b(attach|detach) (?:volume|disk) \\?"?([^\s"\\]+)\\?"? (?:from|to) ` +
		`(?:node|instance|vm) \\?"?([^\s"\\:]+)\\?"?(?:: | failed with )(.*)`)
)

// readNamed reads the volume and the driver's name of the node.
func readNamed(r *logline.Record, o *model.Observation) bool {
	volume, node := driverVolume.FindStringSubmatch(r.Raw), driverNode.FindStringSubmatch(r.Raw)
	if volume == nil || node == nil {
		return false
	}
	o.Volume.Handle, o.Node = volume[1], node[1]
	return true
}

// readDriverCall recognises a call by its method, and where the line has only the request, by its fields: both calls have a volume and a
// node, and that of an attach says how the volume is to be used.
func readDriverCall(r *logline.Record, o *model.Observation) bool {
	o.Kind = model.AttacherDetaching
	if strings.Contains(r.Raw, "ControllerPublishVolume") ||
		!strings.Contains(r.Raw, "ControllerUnpublishVolume") && capability.MatchString(r.Raw) {
		o.Kind = model.AttacherAttaching
	}
	return readNamed(r, o)
}

var capability = regexp.MustCompile(`(?i)volume_?capability`)

// readOneWord leaves out sentences with the same words.
func readOneWord(_ *logline.Record, o *model.Observation) bool {
	return !strings.Contains(o.Volume.Handle, " ")
}

func readDriverError(r *logline.Record, o *model.Observation) bool {
	m := driverFailure.FindStringSubmatch(r.Raw)
	if m == nil {
		return false
	}
	o.Volume.Handle, o.Node = m[2], m[3]
	o.Detail = "failed to " + strings.ToLower(m[1]) + ": " + strings.TrimRight(m[4], `"`)
	return true
}
