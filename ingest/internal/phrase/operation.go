package phrase

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// operationRows are the results of attach and detach (pkg/volume/util/operationexecutor). They stay printf lines through
// 1.36. The same files run in the kubelet, whose own operations are distinguished by their names.
var operationRows = newTable("", []row{
	{text: "AttachVolume.Attach succeeded", since: "1.13–1.36", kind: model.AttachSucceeded, by: controllerManager, read: readOperation},
	{text: "AttachVolume.", holds: " failed", since: "≤1.14", kind: model.AttachFailed, read: readFailed},
	{text: "DetachVolume.Detach succeeded", since: "1.13–1.36", kind: model.DetachSucceeded, by: controllerManager, read: readOperation},
	{text: "DetachVolume.", holds: " failed", since: "≤1.14", kind: model.DetachFailed, read: readFailed},
	{text: "Verified volume is safe to detach", since: "1.13–1.36", kind: model.DetachVerifiedSafe, by: controllerManager,
		read: readOperation},
	{text: "Node ", holds: "DetachVolume will skip safe to detach check", since: "1.13–1.36", kind: model.DetachSafetySkipped,
		by: controllerManager, read: readOperation},
	{text: "VerifyVolumesAreAttached determined volume <unique> (spec.Name: <volume>) is no longer attached to node <node>,",
		since: "1.13–1.36",
		kind:  model.VolumeMarkedDetached, by: controllerManager},
	{text: "UnmountVolume.TearDown succeeded for volume", since: "1.13–1.36", kind: model.UnmountSucceeded, by: kubelet,
		read: readTornDown},
	{text: "UnmountDevice succeeded for volume", since: "1.13–1.36", kind: model.UnmountSucceeded, by: kubelet, detail: model.OfDevice,
		read: readSetUp},
	{text: "Controller attach succeeded for volume", since: "1.13–1.36", kind: model.AttachSeen, by: kubelet, read: readSetUp},
	{text: "MountVolume.MountDevice succeeded for volume", since: "1.13–1.36", kind: model.MountSucceeded,
		by: kubelet, detail: model.OfDevice, read: readSetUp},
	{text: "MountVolume.SetUp succeeded for volume", since: "1.13–1.36", kind: model.MountSucceeded, by: kubelet, read: readSetUp},
	{text: "MountVolume.", holds: " failed", since: "1.13–1.36", kind: model.MountFailed, read: readFailed},
	{text: "MapVolume.", holds: " failed", since: "1.13–1.36", kind: model.MountFailed, read: readFailed},
	{text: "UnmountDevice failed", since: "1.13–1.36", kind: model.UnmountFailed, read: readFailed},
	{text: "NodeExpandVolume", holds: " failed", since: "1.16–1.36", kind: model.ResizeFailed, read: readFailed},
	{text: "UnmountVolume.TearDown failed", since: "1.13–1.36", kind: model.UnmountFailed, read: readFailed},
})

// pendingRows: an operation ended with an error and is held back for a while.
var pendingRows = newTable("", []row{
	{text: "Operation for ", holds: "failed. No retries permitted until", since: "1.13–1.36", read: readPending, also: readPendingTimeout},
})

func readOperation(r *logline.Record, o *model.Observation) bool {
	d, ok := parseDetail(r.Message)
	if !ok {
		return false
	}
	d.fill(o)
	return d.volume.UniqueName != ""
}

func readFailed(r *logline.Record, o *model.Observation) bool {
	read := classifyFailure(r.Message, o)
	if o.Kind == model.AttachFailed {
		o.Node = cmp.Or(o.Node, wantedIn(r.Message))
	}
	return read
}

type failure struct {
	unique, node string
	err          string
}

// parsePending reads `Operation for "<key>" failed. No retries permitted until <t> (durationBeforeRetry <d>). Error: <err>`.
// The time in it is that of the next try, not of the failure. The error is a Go string up to 1.21.
func parsePending(message string) (f failure, ok bool) {
	key, rest, ok := cutQuoted(strings.TrimPrefix(message, "Operation for "))
	if !ok {
		return f, false
	}
	if fields, isStruct := strings.CutPrefix(key, "{volumeName:"); isStruct {
		// Since 1.15.12, 1.16.9, 1.17.5 and 1.18.0.
		f.unique, _, _ = strings.Cut(fields, " podName:")
		_, f.node, _ = strings.Cut(fields, " nodeName:")
		f.node = strings.TrimSuffix(f.node, "}")
	} else {
		// `"u"`, or in the kubelet `"u" ("<pod uid>")`.
		f.unique, _, _ = cutQuoted(key)
	}
	_, f.err, ok = strings.Cut(rest, "Error: ")
	if inner, after, quoted := cutQuoted(f.err); quoted && strings.TrimSpace(after) == "" {
		f.err = inner
	} else if !quoted && strings.HasPrefix(f.err, `"`) { // the end of the line is lost
		f.err = strings.ReplaceAll(f.err[1:], `\"`, `"`)
	}
	return f, ok
}

func readPending(r *logline.Record, o *model.Observation) bool {
	f, ok := parsePending(r.Message)
	if !ok || !classifyFailure(f.err, o) {
		return false
	}
	if o.At.IsZero() {
		o.At = failedAt(r.Message)
		o.Last = o.At
	}
	o.Volume.UniqueName = cmp.Or(o.Volume.UniqueName, f.unique)
	if o.Node == "" && !slices.Contains([]model.Kind{model.MountFailed, model.UnmountFailed, model.ResizeFailed}, o.Kind) {
		o.Node = f.node
	}
	if o.Node == "" && o.Kind == model.MountFailed {
		o.Node = refusedKubelet(f.err)
	}
	return true
}

// refusedKubelet is the node whose kubelet the API server refused: a kubelet's user has its node's name (plugin/pkg/auth/authorizer/node).
func refusedKubelet(err string) string {
	_, rest, _ := strings.Cut(err, `is forbidden: User "system:node:`)
	node, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return ""
	}
	return node
}

// classifyFailure reads an operation's error, such as
//
//	DetachVolume.Detach failed for volume "pv" (UniqueName: "u") on node "n" : <cause>
//
// UnmountVolume names the volume as the pod's spec does, which is no PersistentVolume.
func classifyFailure(err string, o *model.Observation) bool {
	d, _ := parseDetail(err)
	d.fill(o)
	o.Detail = strings.TrimSpace(err)
	i := slices.IndexFunc(failures, func(f failing) bool { return strings.HasPrefix(err, f.text) && strings.Contains(err, f.holds) })
	if i < 0 {
		return false
	}
	if o.Kind, o.Component = failures[i].kind, failures[i].by; o.Kind == model.UnmountFailed && !strings.HasSuffix(failures[i].text, "Device") {
		o.Volume.PersistentVolume = volumeOfMount(err)
		return !neverAttached(d.volume.UniqueName)
	}
	return true
}

// failing is how an operation's error begins, and what it holds.
type failing struct {
	text, holds string
	kind        model.Kind
	by          string
}

var failures = []failing{
	{"AttachVolume", "", model.AttachFailed, controllerManager},
	{"DetachVolume", "volume is still in use by node, according to Node status", model.DetachRefusedInUse, controllerManager},
	{"DetachVolume", "", model.DetachFailed, controllerManager},
	{"NodeExpandVolume", "", model.ResizeFailed, kubelet}, // of the file system
	{"MountVolume.NodeExpandVolume", "", model.ResizeFailed, kubelet},
	{"MountVolume.resizeFileSystem", "", model.ResizeFailed, kubelet}, // up to 1.15
	{"MountVolume.", "", model.MountFailed, kubelet},
	{"MapVolume.", "", model.MountFailed, kubelet},
	{"VerifyControllerAttachedVolume", "", model.MountFailed, kubelet},
	{"Volume not attached according to node status", "", model.MountFailed, kubelet},
	{"Volume has not been added to the list of VolumesInUse", "", model.MountFailed, kubelet},
	{"UnmountDevice", "", model.UnmountFailed, kubelet},
	{"UnmapDevice", "", model.UnmountFailed, kubelet},
	{"UnmountVolume.TearDown", "", model.UnmountFailed, kubelet},
	{"UnmapVolume", "", model.UnmountFailed, kubelet},
}

// volumeOfMount is the PersistentVolume after which the kubelet names the place of a CSI volume in a pod (pkg/volume/csi csi_mounter.go,
// 1.13–1.36); "" where the text has no such place.
func volumeOfMount(text string) string {
	_, rest, _ := strings.Cut(text, "/volumes/kubernetes.io~csi/")
	name, _, ok := strings.Cut(rest, "/mount")
	if !ok || strings.ContainsAny(name, "/ \"") {
		return ""
	}
	return name
}

// neverAttached recognises the volumes that live on the node only, by the plugin in their unique name.
func neverAttached(unique string) bool {
	plugin, _, _ := strings.Cut(strings.TrimPrefix(unique, "kubernetes.io/"), "/")
	return slices.Contains([]string{"secret", "configmap", "projected", "empty-dir", "downward-api", "host-path", "local-volume"}, plugin)
}

// readPendingTimeout finds the controller's two-minute wait for the attacher in an error; its wording changed with 1.17, 1.21 and 1.24.
func readPendingTimeout(r *logline.Record, o *model.Observation) bool {
	f, ok := parsePending(r.Message)
	if !ok || !classifyFailure(f.err, o) {
		return false
	}
	o.Detail = map[model.Kind]string{model.AttachFailed: "attach", model.DetachFailed: "detach"}[o.Kind]
	o.Kind = model.OperationTimeout
	o.Volume.UniqueName = cmp.Or(o.Volume.UniqueName, f.unique)
	return o.Detail != "" && waitTimeout.MatchString(f.err)
}

// waitTimeout has the words of ≥ 1.24, and of 1.13–1.16, 1.17–1.20 and 1.21–1.23.
var waitTimeout = regexp.MustCompile(`timed out waiting for external-attacher of |: (?:attachment|detachment|attachdetachment|Attach|Detach) timeout for volume `)

// failedAt is when an operation failed whose line has lost its own time: the next try is held back by exactly the
// duration that the line prints (goroutinemap/exponentialbackoff). The zero moment when it prints none.
func failedAt(message string) model.Moment {
	until, ok1 := between(message, "No retries permitted until ", " m=")
	wait, ok2 := between(message, "(durationBeforeRetry ", ")")
	if !ok1 || !ok2 {
		return model.Moment{}
	}
	d, err := time.ParseDuration(wait)
	t, ok := goTime(until)
	if err != nil || !ok {
		return model.Moment{}
	}
	return model.Exactly(t.Add(-d)).As(model.Derived)
}
