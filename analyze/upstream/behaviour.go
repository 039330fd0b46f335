// Package upstream holds the behaviour of Kubernetes by version: a constant, its versions, its flag and its source. No other package
// names a version of Kubernetes.
package upstream

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MaxWaitForUnmount is the wait before a forced detach, from the release on, in memory only (attach_detach_controller.go, 1.13–1.36).
const MaxWaitForUnmount = 6 * time.Minute

// ReconcilerLoop is the period of the attach/detach reconciler (attach_detach_controller.go, 1.13–1.36).
const ReconcilerLoop = 100 * time.Millisecond

// NodeMonitorPeriod is how often the node lifecycle controller looks at every node.
const NodeMonitorPeriod = 5 * time.Second

// AttachSyncPeriod is the period of the sync with VolumeAttachments (--attach-detach-reconcile-sync-period, default 1m, 1.13–1.36).
const AttachSyncPeriod = time.Minute

// CSITimeout is the wait for one CSI attach or detach (csi_attacher.go), of early versions 10 s.
const CSITimeout = 2 * time.Minute

// EventSettle bounds how much later than its log line an Event is written; the recordings show at most 0.1 s.
const EventSettle = time.Second

// GraceFlag sets the node monitor grace period.
const GraceFlag = "--node-monitor-grace-period"

// DefaultGrace is the node monitor grace period without the flag: 40 s up to 1.31, 50 s since 1.32 (CHANGELOG 126287).
func DefaultGrace(v Version) (time.Duration, bool) {
	if !v.Known() {
		return 0, false
	}
	if v.AtLeast(32, 0) {
		return 50 * time.Second, true
	}
	return 40 * time.Second, true
}

// ForceDetachAsksHealth: a forced detach by timeout needs a node that is not Ready since 1.24.9 and 1.25.0 (kubernetes PR 110721).
func ForceDetachAsksHealth(v Version) bool { return v.AtLeast(24, 9) }

// WaitWithoutEvent: since 1.28.0 a timed-out wait for volumes has no event FailedMount, only "Error syncing pod" (kubelet.go, SyncPod).
func WaitWithoutEvent(v Version) bool { return v.AtLeast(28, 0) }

// DisableForceDetachFlag switches the forced detach by timeout off; it exists since 1.30 and is off by default.
const DisableForceDetachFlag = "--disable-force-detach-on-timeout"

// HasDisableForceDetach reports whether the version knows DisableForceDetachFlag.
func HasDisableForceDetach(v Version) bool { return v.AtLeast(30, 0) }

// OutOfServiceTaint is the key by which a person says that a node is off for certain.
const OutOfServiceTaint = "node.kubernetes.io/out-of-service"

// UnreachableTaint is the key of the taint that the node lifecycle controller sets on a lost node.
const UnreachableTaint = "node.kubernetes.io/unreachable"

// Support says how far a version has a feature.
type Support string

// The degrees of support. ByGate means that a feature gate, off by default, must have been switched on.
const (
	Absent    Support = "absent"
	ByGate    Support = "behind a gate"
	Supported Support = "supported"
)

// OutOfServiceDetach is the gate NodeOutOfServiceVolumeDetach: alpha in 1.24, on by default since 1.26, GA in 1.28.
func OutOfServiceDetach(v Version) Support {
	if v.AtLeast(26, 0) {
		return Supported
	}
	if v.AtLeast(24, 0) {
		return ByGate
	}
	return Absent
}

// ForcedDetachHasOwnLine: "DetachVolume started" proves no force before 1.24 (no taint), and since 1.28 (the taint has its own line).
func ForcedDetachHasOwnLine(v Version) bool {
	return v.Known() && (!v.AtLeast(24, 0) || v.AtLeast(28, 0))
}

// SecondAttachmentAfterFailedDetach: a failed detach makes the old attachment uncertain, and the controller attaches to the new node while
// the old VolumeAttachment exists (PR 120595: 1.29.0, 1.28.3, 1.27.7, 1.26.10).
func SecondAttachmentAfterFailedDetach(v Version) bool {
	patch, ported := map[int]int{26: 10, 27: 7, 28: 3}[v.Minor]
	return v.Minor >= 29 || ported && v.Patch >= patch
}

// Defaults of the external-attacher (cmd/csi-attacher/main.go, 2.2.1–4.13.0).
const (
	AttacherCallTimeout = 15 * time.Second // --timeout: how long it waits for one answer of the driver
	AttacherRetryMax    = 5 * time.Minute  // --retry-interval-max: the longest pause between two tries
)

// OperationBackoffMax is the controller's longest pause between tries of an operation, from 0.5 s, doubling (goroutinemap, 1.13–1.36).
const OperationBackoffMax = 2*time.Minute + 2*time.Second

// PodMountTimeout is how long one try of a kubelet waits for the volumes of a pod (volume_manager.go podAttachAndMountTimeout, 1.13–1.36).
const PodMountTimeout = 2*time.Minute + 3*time.Second

// fileSystemDamaged is how mount(8), the kernel and the kubelet's check of a file system tell of one that cannot be mounted as it is. A
// helper that is missing for a network's file system has the same first words, and no device.
var fileSystemDamaged = re(`(?i)structure needs cleaning|can't read superblock|bad superblock on /dev/|'?fsck'? found errors|run fsck manually`)

// FileSystemDamaged reports that an error of a mount is of the file system on the device (mount-utils mount_linux.go, 1.13–1.36).
func FileSystemDamaged(text string) bool { return fileSystemDamaged().MatchString(text) }

// SnapshotFirst is what comes before the repair of a file system that two machines may have written.
const SnapshotFirst = "read that node's kernel log (dmesg -T), prove that no other machine writes to the volume, and take a snapshot before any repair (fsck)"

// InlineAdmitsOne: inline volumes of azure-disk and cinder admit one node only (volume/util IsMultiAttachAllowed, 1.13–1.36).
func InlineAdmitsOne(uniqueName string) bool {
	return strings.HasPrefix(uniqueName, "kubernetes.io/azure-disk/") || strings.HasPrefix(uniqueName, "kubernetes.io/cinder/")
}

// Version is a Kubernetes release. The zero value means unknown.
type Version struct{ Minor, Patch int }

// ParseVersion reads v1.34.3, 1.34.3, v1.27.16-eks-1234 or v1.34 (patch 0). It returns false for anything else.
func ParseVersion(s string) (Version, bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s, "v"), "1.")
	if !ok {
		return Version{}, false
	}
	rest, _, _ = strings.Cut(rest, "-")
	rest, _, _ = strings.Cut(rest, "+")
	minor, patch, _ := strings.Cut(rest, ".")
	m, err := strconv.Atoi(minor)
	if err != nil || m <= 0 {
		return Version{}, false
	}
	p, _ := strconv.Atoi(patch)
	return Version{Minor: m, Patch: p}, true
}

// Known reports whether the version is known.
func (v Version) Known() bool { return v.Minor > 0 }

// AtLeast reports v ≥ 1.minor.patch.
func (v Version) AtLeast(minor, patch int) bool {
	return v.Minor > minor || v.Minor == minor && v.Patch >= patch
}

// String is v1.34.3, or "an unknown version".
func (v Version) String() string {
	if !v.Known() {
		return "an unknown version"
	}
	return fmt.Sprintf("v1.%d.%d", v.Minor, v.Patch)
}
