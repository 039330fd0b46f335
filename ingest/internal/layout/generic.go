package layout

import (
	"regexp"
)

// podDir is the kubelet's directory of a pod's logs: <namespace>_<pod>_<uid>. Neither part can hold an underscore.
var podDir = regexp.MustCompile(`^([a-z0-9-]+)_([a-z0-9.-]+)_([0-9a-f-]{32,36})$`)

// podLogsPlace knows /var/log/pods as kubelets keep it: <ns>_<pod>_<uid>/<container>/<restarts>.log.
func podLogsPlace(_ string, parts []string) (Place, bool) {
	for i := len(parts) - 3; i >= 0; i-- {
		if m := podDir.FindStringSubmatch(parts[i]); m != nil {
			return Place{Role: Log, Root: join(parts[:i]), Namespace: m[1], Pod: m[2], Container: parts[i+1]}, true
		}
	}
	return Place{}, false
}

// containerLog is the kubelet's link to a container's log: <pod>_<namespace>_<container>-<64 hex digits>.log.
var containerLog = regexp.MustCompile(`^([a-z0-9.-]+)_([a-z0-9-]+)_([a-z0-9-]+)-[0-9a-f]{64}\.log$`)

// logFile is <container>.log, with -previous or a number for an earlier one.
var logFile = regexp.MustCompile(`^([a-z0-9-]+?)(?:-previous)?\.log(?:\.\d+)?$`)

// containerLogPlace knows /var/log/containers, and logs/<namespace>/<pod>/<container>.log as support bundles keep it.
func containerLogPlace(_ string, parts []string) (Place, bool) {
	n := len(parts)
	if m := containerLog.FindStringSubmatch(parts[n-1]); m != nil {
		return Place{Role: Log, Root: join(parts[:n-1]), Namespace: m[2], Pod: m[1], Container: m[3]}, true
	}
	if m := logFile.FindStringSubmatch(parts[n-1]); m != nil {
		switch {
		case n >= 4 && parts[n-4] == "logs":
			return Place{Role: Log, Root: join(parts[:n-4]), Namespace: parts[n-3], Pod: parts[n-2], Container: m[1]}, true
		case n >= 3 && parts[n-3] == "logs": // Longhorn before 1.4 keeps one namespace
			return Place{Role: Log, Root: join(parts[:n-3]), Pod: parts[n-2], Container: m[1]}, true
		}
	}
	return Place{}, false
}
