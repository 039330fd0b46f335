package phrase

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// reconcilerRows are the attach/detach controller's decisions (pkg/controller/volume/attachdetach/reconciler). Until 1.23
// they are printf lines with a detailed volume message, from 1.24 on structured.
var reconcilerRows = newTable(controllerManager, []row{
	{text: "Multi-Attach error for volume", since: "≤1.23", kind: model.MultiAttach, read: readMultiAttachText},
	{text: "Multi-Attach error: volume is already", since: "1.24–1.36", kind: model.MultiAttach, read: readMultiAttach},
	// The wording after kubernetes/kubernetes#138837.
	{text: "Waiting for detach for volume ", since: "≥1.35.x in events", kind: model.MultiAttach, read: readMultiAttachText},
	{text: "Waiting for detach: volume is", since: "≥1.35.x", kind: model.MultiAttach, read: readMultiAttach},

	{text: "Volume detached for volume", since: "1.13–1.24, the kubelet's", kind: model.UnmountSucceeded,
		by: kubelet, detail: model.OfDevice, read: readSetUp},
	{text: "attacherDetacher.AttachVolume started", since: "1.13–1.36", kind: model.AttachStarted, keys: "pods=scheduledPods?",
		read: readVolumeNode},
	{text: "attacherDetacher.AttachVolume failed to start", since: "1.13–1.36", kind: model.AttachFailed, keys: "detail=err?",
		read: readStartFailed},
	{text: "attacherDetacher.DetachVolume started: node has out-of-service taint", since: "1.28–1.36",
		kind: model.DetachForcedTaint, read: readVolumeNode},
	{text: "attacherDetacher.DetachVolume started: this volume is not safe to detach", since: "1.24–1.36", kind: model.DetachForcedTimeout,
		keys: "detail=duration?", read: readVolumeNode},
	{text: "attacherDetacher.DetachVolume started", since: "1.13–1.36", kind: model.DetachStarted, read: readDetachStarted},
	{text: "attacherDetacher.DetachVolume failed to start", since: "1.13–1.36", kind: model.DetachFailed, keys: "detail=err?",
		read: readStartFailed},

	{text: "Started AttachVolume for volume ", since: "≤1.5", kind: model.AttachStarted, read: readStartedVolume},
	{text: "Started DetachVolume for volume ", since: "≤1.5", kind: model.DetachStarted, read: readStartedVolume},

	{text: "Cannot detach volume because it is still mounted", since: "1.13–1.36", kind: model.DetachStillMounted, read: readVolumeNode},
	{text: "Drain timeout expired for volume but disableForceDetachOnTimeout", since: "1.30–1.36",
		kind: model.ForceDetachDisabled, read: readVolumeNode},
	{text: "node has out-of-service taint", since: "1.27–1.36", kind: model.NodeOutOfService, keys: "node"},
	{text: "node <node> has out-of-service taint", since: "1.24–1.26", kind: model.NodeOutOfService},
	{text: "Failed to get health of node", since: "1.27–1.36", kind: model.NodeHealthUnknown, keys: "node detail=err?"},
	{text: "failed to get health of node <node>: <detail>", since: "1.24–1.26", kind: model.NodeHealthUnknown},
})

// actualStateRows: the detach timer of six minutes, which lives in the controller's memory only.
var actualStateRows = newTable(controllerManager, []row{
	{text: "Set detach request time to current time for volume on node", since: "1.27–1.36",
		kind: model.DetachTimerStarted, read: readVolumeNode},
	{text: "Set detach request time to current time for volume <unique> on node <node>", since: "1.13–1.26",
		kind: model.DetachTimerStarted},
})

// attachDetachRows: the controller's life and its view of nodes.
var attachDetachRows = newTable(controllerManager, []row{
	{text: "Starting attach detach controller", since: "1.13–1.36", kind: model.ControllerStarted},
	{text: "Shutting down attach detach controller", since: "1.13–1.36", kind: model.ControllerStopped},
	{text: "Marking volume attachment as uncertain as volume is not attached", since: "1.27–1.36", kind: model.VolumeUncertain,
		keys: "detail=attachState?", read: readVolumeNode},
	{text: "Marking volume attachment as uncertain as volume:<unique> (<node>) is not attached (<detail>)", since: "1.18–1.26",
		kind: model.VolumeUncertain},
	{text: "Error removing node from desired-state-of-world", since: "1.27–1.36", kind: model.NodeRemovalRefused, keys: "node detail=err?"},
	{text: "error removing node <node> from desired-state-of-world: <detail>", since: "1.13–1.26", kind: model.NodeRemovalRefused},
})

// lostBlanks gives the blanks back that copying lost beside quotation marks.
var lostBlanks = strings.NewReplacer(`volume"`, `volume "`, `"(UniqueName:"`, `" (UniqueName: "`, `"(UniqueName: "`, `" (UniqueName: "`,
	`")from node"`, `") from node "`,
	`from node"`, `from node "`, `"Volume is`, `" Volume is`)

// readMultiAttachText reads
//
//	… for volume "pv" (UniqueName: "u") from node "new" Volume is already used by pods ns/a, ns/b on node old
//	… for volume "pv" (UniqueName: "u") from node "new" Volume is already exclusively attached to node old and can't be attached to another
//
// The node after "from" is the one that wants the volume.
func readMultiAttachText(r *logline.Record, o *model.Observation) bool {
	d, ok := parseDetail(lostBlanks.Replace(r.Message))
	if !ok {
		return false
	}
	d.fill(o)
	tail, _, _ := strings.Cut(d.suffix, "\n")
	o.Variant = variant(tail)
	switch o.Variant {
	case model.UsedByPods:
		users, holders, _ := strings.Cut(tail, " on node ")
		o.Holders = splitNames(holders)
		if _, users, ok = strings.Cut(users, "used by pods "); ok {
			o.Pods = podList(splitNames(users))
		} else if o.Pods = usersOf(tail, ""); len(o.Pods) > 0 {
			o.Holders = nil // the words of the event, which names no node
		}
	case model.ExclusivelyAttached:
		// Before Kubernetes 1.10 the text says "to one node" here too and names none.
		if holders, ok := between(tail, "exclusively attached to node ", " and can't be attached"); ok {
			o.Holders = splitNames(holders)
		}
	}
	return true
}

// variant distinguishes the two texts, in the old and in the new wording.
func variant(s string) model.Variant {
	if strings.Contains(s, "exclusively attached") {
		return model.ExclusivelyAttached
	}
	if strings.Contains(s, "already used by") || strings.Contains(s, "in use by pod") {
		return model.UsedByPods
	}
	return model.UnknownVariant
}

func splitNames(s string) []string {
	var out []string
	for n := range strings.SplitSeq(s, ",") {
		if n = strings.Trim(strings.TrimSpace(n), `"`); n != "" {
			out = append(out, n)
		}
	}
	return out
}

func readMultiAttach(r *logline.Record, o *model.Observation) bool {
	readDump(r.Get("volume"), o)
	o.Variant = variant(r.Message)
	o.Holders = each(list(r.Get("attachedTo")), name)
	if len(o.Pods) > 0 {
		o.Pod = o.Pods[0]
	}
	o.Pods = podList(list(r.Get("pods")))
	return !o.Volume.IsZero() || len(o.Holders) > 0
}

// readVolumeNode reads a statement about a volume on a node in any version's form: detailed message, dump, or keys node and volumeName.
func readVolumeNode(r *logline.Record, o *model.Observation) bool {
	if v := r.Get("volumeName"); v != "" {
		o.Volume.UniqueName, o.Node = v, cmp.Or(name(r.Get("node")), name(r.Get("nodeName")))
		return true
	}
	if v := r.Get("volume"); v != "" {
		pods := o.Pods
		if readDump(v, o); pods != nil {
			o.Pods = pods
		}
		return !o.Volume.IsZero()
	}
	d, ok := parseDetail(r.Message)
	if ok {
		d.fill(o)
	}
	return ok
}

// readStartedVolume reads `Started DetachVolume for volume "<unique>" from node "<n>"`; the name is the unique name.
func readStartedVolume(r *logline.Record, o *model.Observation) bool {
	d, ok := parseDetail(r.Message)
	if !ok {
		return false
	}
	if d.volume.UniqueName == "" {
		d.volume = model.VolumeID{UniqueName: d.volume.PersistentVolume}
	}
	d.fill(o)
	return true
}

func readStartFailed(r *logline.Record, o *model.Observation) bool {
	if d, ok := parseDetail(r.Message); ok {
		o.Detail = cmp.Or(o.Detail, d.suffix)
	}
	return readVolumeNode(r, o)
}

// readDetachStarted also reads the forced detach of versions up to 1.23, which differs only in the end of the message.
func readDetachStarted(r *logline.Record, o *model.Observation) bool {
	if d, ok := between(r.Message, "not safe to detach, but maxWaitForUnmountDuration ", " expired"); ok {
		o.Kind, o.Detail = model.DetachForcedTimeout, d
	}
	return readVolumeNode(r, o)
}

// statusUpdaterRows: the attach/detach controller reported to the node which volumes are attached to it (node_status_updater.go,
// at verbosity 2 in the first versions). A list of one volume names it; longer ones are not taken apart.
var statusUpdaterRows = newTable(controllerManager, []row{
	{text: `Updating status for node "`, holds: `" succeeded. patchBytes: `, since: "1.4–1.8",
		kind: model.NodeVolumesAttached, read: readStatusUpdate},
})

// readStatusUpdate reads `Updating status for node "n" succeeded. patchBytes: "…" VolumesAttached: [{u /dev/x}]`.
func readStatusUpdate(r *logline.Record, o *model.Observation) bool {
	var ok bool
	o.Node, _, ok = cutQuoted(strings.TrimPrefix(r.Message, "Updating status for node "))
	i := strings.LastIndex(r.Message, "VolumesAttached: [{")
	if !ok || i < 0 {
		return false
	}
	list := strings.TrimSpace(r.Message[i+len("VolumesAttached: [{"):])
	one, ok := strings.CutSuffix(list, "}]")
	if !ok || strings.Contains(one, "} {") {
		return false
	}
	// The name may hold blanks, the device path has none.
	end := strings.LastIndexByte(one, ' ')
	if end <= 0 {
		return false
	}
	o.Volume.UniqueName = one[:end]
	return true
}
