package upstream

import "time"

// Defaults of the external-attacher (cmd/csi-attacher/main.go, 2.2.1–4.13.0).
const (
	AttacherCallTimeout = 15 * time.Second // --timeout: how long it waits for one answer of the driver
	AttacherRetryMax    = 5 * time.Minute  // --retry-interval-max: the longest pause between two tries
)

// OperationBackoffMax is the controller's longest pause between tries of an operation, from 0.5 s, doubling (goroutinemap, 1.13–1.36).
const OperationBackoffMax = 2*time.Minute + 2*time.Second

// CSIDetachTimeout is the wait for one CSI detach: 10 s before 1.14.9, 1.15.6, 1.16.3 and 1.17.0, 2 min since (csi_attacher.go).
func CSIDetachTimeout(v Version) (time.Duration, bool) {
	if !v.Known() {
		return 0, false
	}
	early := !v.AtLeast(14, 9) || v.Minor == 15 && v.Patch < 6 || v.Minor == 16 && v.Patch < 3
	if early {
		return 10 * time.Second, true
	}
	return CSITimeout, true
}
