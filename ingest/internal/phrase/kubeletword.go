package phrase

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// containerRows: the kubelet stops a container (pkg/kubelet/kuberuntime, at verbosity 2).
var containerRows = newTable(kubelet, []row{
	{text: "Killing container with a grace period", since: "1.20–1.36", kind: model.PodKilling, keys: "pod uid=podUID?"},
})

// kubeletReconcilerRows: the kubelet drops a volume from its own record once nothing has its device mounted. The detach by the
// controller comes only after that, although the words say otherwise: 4 s after it on a real node of 1.34.3.
var kubeletReconcilerRows = newTable(kubelet, []row{
	{text: "Volume detached for volume", since: "1.13–1.36", kind: model.UnmountSucceeded, detail: model.OfDevice, read: readSetUp},
})

var reconstructRows = newTable(kubelet, []row{
	{text: "Volume reconstruction finished", since: "1.27–1.36", kind: model.KubeletStarted},
})

// startupRows: the time between creation and the first report of a pod with all its containers running.
var startupRows = newTable(kubelet, []row{
	{text: "Observed pod startup duration", since: "1.26–1.36", kind: model.PodRunning, keys: "pod", read: readStartup},
})

// nodeStatusRows and leaseRows: the kubelet lives and does not reach the API server, so that its Node becomes Unknown.
var (
	nodeStatusRows = newTable(kubelet, []row{
		{text: "Error updating node status, will retry", since: "1.13–1.36", kind: model.KubeletCutOff, read: readCutOff},
	})
	leaseRows = newTable(kubelet, []row{
		{text: "Failed to ensure lease exists, will retry", since: "1.20–1.36", kind: model.KubeletCutOff, read: readLease},
		{text: "failed to ensure node lease exists, will retry", since: "1.14–1.19", kind: model.KubeletCutOff, read: readLease},
		{text: "Failed to update lease", since: "1.20–1.36", kind: model.KubeletCutOff, read: readLease},
		{text: "failed to update node lease", since: "1.14–1.19", kind: model.KubeletCutOff, read: readLease},
	})
)

// readTornDown reads `UnmountVolume.TearDown succeeded for volume "<unique>" (OuterVolumeSpecName: "data") pod "<uid>" (UID: …`.
func readTornDown(r *logline.Record, o *model.Observation) bool {
	_, rest, _ := strings.Cut(r.Message, "for volume ")
	unique, rest, ok := cutQuoted(rest)
	if !ok || !strings.Contains(unique, "/") || neverAttached(unique) {
		return false
	}
	uid, ok := between(rest, `(UID: "`, `")`)
	o.Volume, o.Pod = model.VolumeID{UniqueName: unique}, model.PodRef("", "", uid)
	return ok
}

func readSetUp(r *logline.Record, o *model.Observation) bool {
	d, ok := parseDetail(r.Message)
	if !ok || d.volume.UniqueName == "" || neverAttached(d.volume.UniqueName) {
		return false
	}
	d.fill(o)
	if p := pod(r.Get("pod")); p.Name != "" {
		p.UID, o.Pod = o.Pod.UID, p
	}
	return true
}

// readStartup goes back from the line to the status that the kubelet had sent: the line comes when the kubelet has seen its own
// status come back, 51 s later on a real node of 1.34.3, and the duration that it prints ends with that as well.
func readStartup(r *logline.Record, o *model.Observation) bool {
	sent, ok := clockText(r.Get("observedRunningTime"))
	back, known := clockText(r.Get("watchObservedRunningTime"))
	if !ok || !known || back.Before(sent) || o.At.IsZero() {
		return false
	}
	o.At = o.At.Shift(sent.Sub(back))
	o.Last = o.At
	return true
}

// clockText reads a time as Go prints one of a running process; one that never came is the zero time.
func clockText(text string) (time.Time, bool) {
	t, ok := goTime(text)
	return t, ok && t.Year() > 1
}

// readDied reads event={"ID":"<uid>","Type":"ContainerDied","Data":…}, up to 1.26 event=&{ID:<uid> Type:ContainerDied Data:…}.
func readDied(r *logline.Record, o *model.Observation) bool {
	event := strings.ReplaceAll(r.Get("event"), `"`, "")
	_, rest, _ := strings.Cut(event, "ID:")
	o.Pod.UID = rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789abcdef-"))]
	return strings.Contains(event, "Type:ContainerDied")
}

// readRemoved reads pods=["shop/web-0"].
func readRemoved(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(strings.Trim(r.Get("pods"), "[]"))
	return o.Pod.Name != ""
}

// readPaused: a kubelet whose look at its containers is minutes old had been stopped itself, or waited for its runtime. The time
// counts from the last look of this process: at its start it says otherwise.
func readPaused(r *logline.Record, o *model.Observation) bool {
	ago, ok := between(r.Message+" "+r.Get("err"), "pleg was last seen active ", " ago")
	since, err := time.ParseDuration(ago)
	if !ok || err != nil || o.At.IsZero() {
		return false
	}
	o.Kind, o.Last = model.KubeletPaused, o.At
	o.At = o.At.Shift(-since).As(model.Derived)
	return true
}

var cutOff = []string{"dial tcp", "i/o timeout", "connection refused", "no route to host", "context deadline exceeded", "Client.Timeout",
	"connection reset", "TLS handshake timeout", "EOF"}

// readCutOff keeps an error of the way to the API server: an answer of the API server, such as a conflict, is none.
func readCutOff(r *logline.Record, o *model.Observation) bool {
	o.Detail = cmp.Or(r.Get("err"), r.Message)
	o.Node, _ = between(o.Detail, `error getting node "`, `"`)
	return slices.ContainsFunc(cutOff, func(text string) bool { return strings.Contains(o.Detail, text) })
}

// readLease leaves out the API server, which has a lease as well, in another namespace.
func readLease(r *logline.Record, o *model.Observation) bool {
	ok := readCutOff(r, o)
	_, rest, named := strings.Cut(o.Detail, "/namespaces/kube-node-lease/leases/")
	o.Node = rest[:indexAny(rest, "?\": ")]
	return ok && named && o.Node != ""
}
