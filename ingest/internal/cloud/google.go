package cloud

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// gceStates are an instance's status (Compute Engine, instance life cycle). TERMINATED is what the console calls stopped.
var gceStates = state{"RUNNING": model.MachineRunning, "TERMINATED": model.MachineOff, "STOPPED": model.MachineOff, "SUSPENDED": model.MachineOff}

// gcePath takes the resource out of a URL: projects/…/zones/…/instances/… or disks.
var gcePath = regexp.MustCompile(`projects/[^/]+/(?:zones|regions)/[^/]+/(?:instances|disks)/[^/]+$`)

func isGCEInstance(o object) bool {
	return o.text("kind") == "compute#instance" && gcePath.MatchString(o.text("selfLink")) && o.text("status") != ""
}

func (r *reader) gceInstance(o object) {
	id, word := gcePath.FindString(o.text("selfLink")), o.text("status")
	m := model.Observation{Object: machine(id), Node: o.text("name")}
	var since model.Moment
	switch gceStates[word] {
	case model.MachineRunning:
		since = moment(o.text("lastStartTimestamp"))
	case model.MachineOff:
		since = moment(o.text("lastStopTimestamp"))
	}
	gceStates.say(r, m, o.at("status"), word, since)
	for _, d := range o.items("disks") {
		if source := gcePath.FindString(d.text("source")); source != "" {
			r.say(model.DiskAttached, d.at("source"), model.Observation{Object: disk(source), Owner: machine(id), Detail: "attached"})
		}
	}
}

func isGCEDisk(o object) bool {
	return o.text("kind") == "compute#disk" && gcePath.MatchString(o.text("selfLink")) && o.text("status") != ""
}

// gceDisk reads a disk. Its status is about its making; who uses it stands in users.
func (r *reader) gceDisk(o object) {
	id, used := disk(gcePath.FindString(o.text("selfLink"))), o.items("users")
	for _, u := range used {
		if by := gcePath.FindString(u.node.Value); by != "" {
			r.say(model.DiskAttached, u, model.Observation{Object: id, Owner: machine(by), Detail: "attached"})
		}
	}
	if len(used) == 0 && o.text("status") == "READY" && o.text("lastDetachTimestamp") != "" {
		r.say(model.DiskFree, o.at("lastDetachTimestamp"), model.Observation{Object: id, Detail: "detached"})
	}
}

// gceCall is a method of the Compute Engine API in an audit entry, of any version; system events have none.
var gceCall = regexp.MustCompile(`^(?:(?:v1|beta|alpha)\.)?compute\.instances\.(\w+)$`)

func isGCEAudit(o object) bool {
	p := o.at("protoPayload")
	call := p.text("serviceName") == "compute.googleapis.com" && gceCall.MatchString(p.text("methodName"))
	return call && gcePath.MatchString(p.text("resourceName")) && !moment(o.text("timestamp")).IsZero()
}

// gceCalls are the methods and, for those that end so, the state of the machine when the operation is done.
var gceCalls = map[string]struct {
	asked, done model.Kind
	word        string
}{
	"stop": {model.MachineStopRequested, model.MachineOff, "stopped"}, "delete": {model.MachineStopRequested, model.MachineOff, "deleted"},
	"suspend": {model.MachineStopRequested, model.MachineOff, "suspended"}, "preempted": {model.MachineStopRequested, "", ""},
	"start":      {model.MachineStartRequested, model.MachineRunning, "started"},
	"resume":     {model.MachineStartRequested, model.MachineRunning, "resumed"},
	"attachDisk": {model.DiskAttachRequested, "", ""}, "detachDisk": {model.DiskDetachRequested, "", ""},
}

// gceAudit reads an entry. One call has two: the first of its operation when it was asked for, the last when it was done.
func (r *reader) gceAudit(o object) {
	p, method := o.at("protoPayload"), ""
	if m := gceCall.FindStringSubmatch(p.text("methodName")); m != nil {
		method = m[1]
	}
	call, known := gceCalls[method]
	failed := o.text("severity") == "ERROR" || !slices.Contains([]string{"", "0"}, p.text("status", "code"))
	if !known || failed {
		return
	}
	id := gcePath.FindString(p.text("resourceName"))
	act := model.Observation{Object: machine(id), Node: id[strings.LastIndexByte(id, '/')+1:], Detail: method,
		Actor: p.text("authenticationInfo", "principalEmail"), Agent: p.text("requestMetadata", "callerSuppliedUserAgent")}
	act.At, act.Source.Kind = moment(o.text("timestamp")), model.SourceAudit
	last, first := o.text("operation", "last") == "true", o.text("operation", "first") == "true"
	if last && call.done != "" {
		done := act
		done.Actor, done.Agent, done.Detail = "", "", call.word
		r.say(call.done, p.at("methodName"), done)
	}
	if last && !first {
		return
	}
	if method == "attachDisk" || method == "detachDisk" {
		act.Owner, act.Object, act.Node = act.Object, disk(gceDiskOf(p, id)), ""
	}
	r.say(call.asked, p.at("methodName"), act)
}

// gceDiskOf is the disk of a call: the source of an attach; a detach names the device, which the CSI driver calls as the disk.
func gceDiskOf(p object, instance string) string {
	if source := gcePath.FindString(p.text("request", "source")); source != "" {
		return source
	}
	if device := p.text("request", "deviceName"); device != "" {
		return instance[:strings.Index(instance, "/instances/")] + "/disks/" + device
	}
	return ""
}
