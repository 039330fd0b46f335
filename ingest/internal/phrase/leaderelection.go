package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// leaderRows are client-go's leader election, used by each program with a leader; Detail, namespace/name of the lock, shows which writes.
var leaderRows = newTable("", []row{
	{text: "attempting to acquire leader lease", since: "1.13–1.34", kind: model.LeaderWaiting, read: readLock},
	{text: "Attempting to acquire leader lease", since: "≥1.35", kind: model.LeaderWaiting, read: readLock},
	{text: "successfully acquired lease", since: "1.13–1.34", kind: model.LeaderAcquired, read: readLock},
	{text: "Successfully acquired lease", since: "≥1.35", kind: model.LeaderAcquired, read: readLock},
	{text: "failed to renew lease", since: "1.13–1.34", kind: model.LeaderLost, read: readLock},
	{text: "Failed to renew lease", since: "≥1.35", kind: model.LeaderLost, read: readLock},
})

func readLock(r *logline.Record, o *model.Observation) bool {
	lock := r.Get("lock")
	if strings.HasPrefix(lock, "{") {
		lock = pod(lock).String()
	}
	if lock == "" {
		// "… lease ns/name...", in ≤ 1.19 with two blanks, or "… lease ns/name: <err>".
		_, rest, _ := strings.Cut(r.Message, "lease ")
		rest = strings.TrimLeft(rest, " ")
		lock = strings.TrimSuffix(rest[:indexAny(rest, ": \n")], "...")
	}
	o.Detail, o.Component = lock, lockComponent(lock)
	return strings.Contains(lock, "/")
}

// lockComponent is the program that takes a lock of that name, "" when it is none of those that matter.
func lockComponent(lock string) string {
	_, lockName, _ := strings.Cut(lock, "/")
	if lockName == controllerManager || lockName == scheduler {
		return lockName
	}
	if strings.HasPrefix(lockName, "external-attacher-leader-") || strings.HasPrefix(lockName, "external-attacher-") {
		return externalAttacher
	}
	return ""
}
