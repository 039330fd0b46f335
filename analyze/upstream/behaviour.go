package upstream

import "time"

// MaxWaitForUnmount is how long the attach/detach controller waits for an unmount before it considers a forced detach.
// It starts when the volume is no longer wanted on the node, is kept in memory only, and has no flag
// (attach_detach_controller.go, 1.13–1.36).
const MaxWaitForUnmount = 6 * time.Minute

// ReconcilerLoop is the period of the attach/detach reconciler (attach_detach_controller.go, 1.13–1.36). It bounds how
// late the controller acts on what it knows.
const ReconcilerLoop = 100 * time.Millisecond

// NodeMonitorPeriod is how often the node lifecycle controller looks at every node.
const NodeMonitorPeriod = 5 * time.Second

// AttachSyncPeriod is how often the controller compares its state with the VolumeAttachments
// (--attach-detach-reconcile-sync-period, default 1m, 1.13–1.36).
const AttachSyncPeriod = time.Minute

// CSITimeout is how long one attach or detach of a CSI volume is waited for (csi_attacher.go). Early versions
// wait less for a detach: CSIDetachTimeout.
const CSITimeout = 2 * time.Minute

// EventSettle bounds how far the writing of an Event lies behind the log line of the same instant; the recordings show
// at most 0.1 s.
const EventSettle = time.Second

// GraceFlag sets the node monitor grace period.
const GraceFlag = "--node-monitor-grace-period"

// DefaultGrace is the node monitor grace period without the flag: 40 s up to 1.31, 50 s since 1.32 (CHANGELOG 126287).
func DefaultGrace(v Version) (time.Duration, bool) {
	switch {
	case !v.Known():
		return 0, false
	case v.AtLeast(32, 0):
		return 50 * time.Second, true
	}
	return 40 * time.Second, true
}

// ForceDetachAsksHealth reports whether a forced detach by timeout needs the node to be not Ready: since 1.24.9 and
// 1.25.0 (kubernetes PR 110721). Before, a Ready node with a stuck mount was force-detached too.
func ForceDetachAsksHealth(v Version) bool { return v.AtLeast(24, 9) }

// WaitWithoutEvent reports whether the kubelet tells of a wait for volumes in its log only ("Error syncing pod", every 2m14s):
// since 1.28.0 it leaves the event FailedMount out where the wait was ended by its own deadline (kubelet.go, SyncPod). What fails in
// a mount call has the event in every version.
func WaitWithoutEvent(v Version) bool { return v.AtLeast(28, 0) }

// DisableForceDetachFlag switches the forced detach by timeout off; it exists since 1.30 and is off by default.
const DisableForceDetachFlag = "--disable-force-detach-on-timeout"

// HasDisableForceDetach reports whether the version knows DisableForceDetachFlag.
func HasDisableForceDetach(v Version) bool { return v.AtLeast(30, 0) }

// OutOfServiceTaint is the key by which a person says that a node is off for certain.
const OutOfServiceTaint = "node.kubernetes.io/out-of-service"

// Taints that the node lifecycle controller sets on a lost node.
const (
	UnreachableTaint = "node.kubernetes.io/unreachable"
	NotReadyTaint    = "node.kubernetes.io/not-ready"
)

// YoungestDefaultClass reports whether a claim that names no class gets the youngest of several default StorageClasses:
// since 1.26. Before, such a claim was refused (admission plugin DefaultStorageClass, KEP 3333).
func YoungestDefaultClass(v Version) bool { return v.AtLeast(26, 0) }

// Support says how far a version has a feature.
type Support string

// The degrees of support. ByGate means that a feature gate, off by default, must have been switched on.
const (
	Absent    Support = "absent"
	ByGate    Support = "behind a gate"
	Supported Support = "supported"
)

// OutOfServiceDetach is the support of the out-of-service taint in the attach/detach controller and pod GC: gate
// NodeOutOfServiceVolumeDetach, alpha in 1.24, on by default since 1.26, GA in 1.28.
func OutOfServiceDetach(v Version) Support {
	switch {
	case v.AtLeast(26, 0):
		return Supported
	case v.AtLeast(24, 0):
		return ByGate
	}
	return Absent
}

// ForcedDetachHasOwnLine reports whether the controller's line "DetachVolume started" without an addition proves a detach
// without force: a detach for the out-of-service taint, which exists since 1.24, has a line of its own since 1.28.
func ForcedDetachHasOwnLine(v Version) bool {
	return v.Known() && (!v.AtLeast(24, 0) || v.AtLeast(28, 0))
}

// SecondAttachmentAfterFailedDetach reports whether a failed detach makes the old attachment uncertain, so that the
// controller attaches to the new node while the old VolumeAttachment still exists (PR 120595: 1.29.0, 1.28.3, 1.27.7,
// 1.26.10).
func SecondAttachmentAfterFailedDetach(v Version) bool {
	switch v.Minor {
	case 26:
		return v.Patch >= 10
	case 27:
		return v.Patch >= 7
	case 28:
		return v.Patch >= 3
	}
	return v.Minor >= 29
}
