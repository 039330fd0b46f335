package cloud

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// state is what a cloud's word for a machine's state comes to. Words on the way from one state to another are in no table.
type state map[string]model.Kind

// say states a machine's state by the cloud's word at a field; words that are on the way say nothing.
func (s state) say(r *reader, o model.Observation, at object, word string, since model.Moment) {
	if kind, known := s[word]; known {
		o.Detail, o.At = word, since
		r.say(kind, at, o)
	}
}

// ec2States are instance states (API Reference, InstanceState).
var ec2States = state{"running": model.MachineRunning, "stopped": model.MachineOff, "terminated": model.MachineOff}

var (
	instanceID = regexp.MustCompile(`^i-[0-9a-f]{1,17}$`)
	volumeID   = regexp.MustCompile(`^vol-[0-9a-f]{1,17}$`)
)

// ec2State is the state's place: State in describe-instances, InstanceState in describe-instance-status.
func ec2State(o object) object {
	if s := o.at("InstanceState", "Name"); s.node != nil {
		return s
	}
	return o.at("State", "Name")
}

func isEC2Instance(o object) bool {
	coded := o.at("State", "Code").node != nil || o.at("InstanceState", "Code").node != nil
	return coded && instanceID.MatchString(o.text("InstanceId")) && ec2State(o).node != nil
}

// ec2Instance reads an instance. LaunchTime is that of the last start; what StateTransitionReason dates is the request to stop.
func (r *reader) ec2Instance(o object) {
	at := ec2State(o)
	m := model.Observation{Object: machine(o.text("InstanceId")), Node: o.text("PrivateDnsName")}
	var since model.Moment
	if at.node.Value == "running" {
		since = moment(o.text("LaunchTime"))
	}
	ec2States.say(r, m, at, at.node.Value, since)
	for _, d := range o.items("BlockDeviceMappings") {
		r.ec2Attached(d.at("Ebs"), d.text("Ebs", "VolumeId"), o.text("InstanceId"), "Status")
	}
}

func isEC2Volume(o object) bool {
	return volumeID.MatchString(o.text("VolumeId")) && o.isList("Attachments") && o.text("State") != ""
}

func (r *reader) ec2Volume(o object) {
	all := o.items("Attachments")
	for _, a := range all {
		r.ec2Attached(a, o.text("VolumeId"), a.text("InstanceId"), "State")
	}
	if len(all) == 0 && o.text("State") == "available" {
		r.say(model.DiskFree, o.at("State"), model.Observation{Object: disk(o.text("VolumeId")), Detail: "available"})
	}
}

// isEC2Attachment is an attachment by itself, as --query prints it and attach-volume answers.
func isEC2Attachment(o object) bool {
	return volumeID.MatchString(o.text("VolumeId")) && instanceID.MatchString(o.text("InstanceId")) && o.says("Device", "State")
}

func (r *reader) ec2Attachment(o object) {
	if o.text("State") == "detached" {
		r.say(model.DiskFree, o.at("State"), model.Observation{Object: disk(o.text("VolumeId")), Detail: "detached"})
	}
	r.ec2Attached(o, o.text("VolumeId"), o.text("InstanceId"), "State")
}

// ec2Attached reads an attachment; of one that is detached nothing is said. AttachTime is when it was asked for.
func (r *reader) ec2Attached(a object, volume, instance, field string) {
	word := a.text(field)
	if volumeID.MatchString(volume) && instanceID.MatchString(instance) && slices.Contains([]string{"attached", "attaching", "detaching", "busy"}, word) {
		r.say(model.DiskAttached, a.at(field), model.Observation{Object: disk(volume), Owner: machine(instance), Detail: word})
	}
}

// isLookedUp is an event of aws cloudtrail lookup-events, with the record as a text.
func isLookedUp(o object) bool { return o.text("CloudTrailEvent") != "" && o.text("EventName") != "" }

func (r *reader) lookedUp(o object) {
	at := o.at("CloudTrailEvent")
	root := manifest.Tree([]byte(at.node.Value))
	if inside := (object{root, root, ""}); root != nil && isCloudTrail(inside) {
		r.trail(inside, func(object) object { return at })
	}
}

// isCloudTrail is a record of a management event of EC2 that was carried out (CloudTrail record contents, eventVersion 1.0–1.11).
func isCloudTrail(o object) bool {
	call := o.text("eventSource") == "ec2.amazonaws.com" && o.says("eventName")
	return call && !moment(o.text("eventTime")).IsZero() && o.at("requestParameters").node != nil
}

func (r *reader) cloudTrail(o object) { r.trail(o, func(at object) object { return at }) }

// machineCalls are the calls that stop or start machines.
var machineCalls = map[string]model.Kind{"StopInstances": model.MachineStopRequested, "TerminateInstances": model.MachineStopRequested,
	"StartInstances": model.MachineStartRequested}

// diskCalls are those that move disks.
var diskCalls = map[string]model.Kind{"AttachVolume": model.DiskAttachRequested, "DetachVolume": model.DiskDetachRequested}

// trail reads a record. cited is where a field stands: a record that is a text is cited whole.
func (r *reader) trail(o object, cited func(object) object) {
	if o.text("errorCode") != "" {
		return // it was refused, or a dry run
	}
	name := o.text("eventName")
	act := model.Observation{Detail: name, Actor: awsActor(o.at("userIdentity")), Agent: o.text("userAgent")}
	act.At, act.Source.Kind = moment(o.text("eventTime")), model.SourceAudit
	if kind, ok := diskCalls[name]; ok {
		act.Object, act.Owner = disk(o.text("requestParameters", "volumeId")), machine(o.text("requestParameters", "instanceId"))
		if act.Owner.Name == "" {
			act.Owner = machine(o.text("responseElements", "instanceId"))
		}
		r.say(kind, cited(o.at("eventName")), act)
	}
	kind, ok := machineCalls[name]
	if !ok {
		return
	}
	answered := map[string]object{}
	for _, a := range o.items("responseElements", "instancesSet", "items") {
		answered[a.text("instanceId")] = a.at("currentState", "name")
	}
	for _, i := range o.items("requestParameters", "instancesSet", "items") {
		act.Object = machine(i.text("instanceId"))
		r.say(kind, cited(o.at("eventName")), act)
		if now := answered[act.Object.Name]; now.node != nil { // a machine that had stopped before is answered as stopped
			ec2States.say(r, model.Observation{Object: act.Object, Source: act.Source}, cited(now), now.node.Value, act.At)
		}
	}
}

// awsActor is who asked, as short as it is plain: a role's session or a user by ARN, a service by its host.
func awsActor(who object) string {
	for _, name := range []string{"invokedBy", "arn", "userName", "principalId"} {
		if v := who.text(name); v != "" {
			return strings.TrimPrefix(v[strings.LastIndexByte(v, ':')+1:], "user/")
		}
	}
	return who.text("type")
}
