package phrase

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// managerRows are the life of the kube-controller-manager process: with its lease, the timers that it kept in memory are lost.
var managerRows = newTable(controllerManager, []row{
	{text: "Version: ", since: "1.13–1.26", kind: model.ProcessVersion, read: readVersionText},
	{text: "Starting", since: "1.27–1.36", kind: model.ProcessVersion, keys: "version"},
	{text: "leaderelection lost", since: "1.13–1.36", kind: model.LeaderLost, detail: "kube-system/kube-controller-manager"},
	{text: "Started controller", since: "1.27–1.34", kind: model.ControllerStarted, read: readControllerState},
	{text: "Controller starting...", since: "1.35–1.36", kind: model.ControllerStarted, read: readControllerState},
	{text: "Controller terminated", since: "1.35–1.36", kind: model.ControllerStopped, read: readControllerState},
	{text: `Started "attachdetach"`, since: "1.13–1.26", kind: model.ControllerStarted},
})

// programRows are versions that other programs print: the external-attacher, the scheduler, the kubelet.
var programRows = newTable("", []row{
	{text: "Version: ", kind: model.ProcessVersion, read: readVersionText},
	{text: "Version", kind: model.ProcessVersion, keys: "version"},
	{text: "Starting Kubernetes Scheduler", kind: model.ProcessVersion, keys: "version"},
	{text: "Kubelet version", kind: model.ProcessVersion, by: kubelet, keys: "version=kubeletVersion"},
})

// flagRows are the dump of all flags at verbosity 1.
var flagRows = newTable("", []row{
	{text: "FLAG: --", since: "1.13–1.36", kind: model.ProcessFlag, read: readFlag},
})

// readVersionText reads `Version: v1.23.17` and the struct that some versions print.
func readVersionText(r *logline.Record, o *model.Observation) bool {
	rest := strings.TrimPrefix(r.Message, "Version: ")
	if git, ok := between(rest, `GitVersion:"`, `"`); ok {
		rest = git
	}
	o.Detail = strings.TrimSpace(rest)
	return strings.HasPrefix(o.Detail, "v") && !strings.ContainsAny(o.Detail, " {")
}

// readControllerState takes the attach/detach controller out of the list of all controllers; its name changed in 1.28.
func readControllerState(r *logline.Record, o *model.Observation) bool {
	c := r.Get("controller")
	return c == "attachdetach" || c == "persistentvolume-attach-detach-controller"
}

func readFlag(r *logline.Record, o *model.Observation) bool {
	flag, value, ok := strings.Cut(strings.TrimPrefix(r.Message, "FLAG: --"), "=")
	if !ok || !RelevantFlag(controllerManager, flag) && !RelevantFlag(apiServer, flag) {
		return false
	}
	if v, rest, quoted := cutQuoted(value); quoted && rest == "" {
		value = v
	}
	o.Detail = "--" + flag + "=" + value
	return true
}

// relevantFlags are the flags of a component, of some 150, that rule detection, eviction, attach and detach, or the place of a log in time.
var relevantFlags = map[string][]string{
	controllerManager: {"node-monitor-grace-period", "node-monitor-period", "node-startup-grace-period", "node-eviction-rate",
		"secondary-node-eviction-rate", "unhealthy-zone-threshold", "large-cluster-size-threshold", "pod-eviction-timeout",
		"enable-taint-manager", "attach-detach-reconcile-sync-period", "disable-attach-detach-reconcile-sync",
		"disable-force-detach-on-timeout", "feature-gates", "controllers", "terminated-pod-gc-threshold", "v", "logging-format",
		"leader-elect", "leader-elect-lease-duration", "leader-elect-renew-deadline", "leader-elect-retry-period"},
	apiServer: {"default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds",
		"disable-admission-plugins", "event-ttl"},
	externalAttacher: {"timeout", "retry-interval-start", "retry-interval-max", "leader-election", "worker-threads", "reconcile-sync",
		"resync", "v", "feature-gates"},
}

// RelevantFlag reports whether a flag of a component matters.
func RelevantFlag(component, flag string) bool {
	return slices.Contains(relevantFlags[component], flag)
}
