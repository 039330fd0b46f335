package upstream

import (
	"slices"
	"strings"
)

// KnownBug is an error of Kubernetes that keeps a volume; it needs an affected version and its line, which is harmless in others.
type KnownBug struct {
	ID        string
	Component string // that has the error and states its version
	Versions  string // for people
	Affects   func(Version) bool
	Signature func(line string) bool // the error text of the line
	Effect    string                 // what it does to the volume, as a clause
	Fixed     string
	Reference string
}

// KnownBugs is every error of which a signature is known.
func KnownBugs() []KnownBug { return slices.Clone(knownBugs) }

var knownBugs = []KnownBug{
	{
		ID: "verify-not-found", Component: "kube-controller-manager", Versions: "1.17.0–1.17.2",
		Affects: func(v Version) bool { return v.Minor == 17 && v.Patch <= 2 },
		Signature: func(line string) bool {
			return strings.Contains(line, "VolumesAreAttached failed for attach.ID=") && strings.Contains(line, "not found")
		},
		Effect: "its check of the attachments stops at a VolumeAttachment that is gone, " +
			"so that it goes on to count the volume as attached until the six minutes have passed",
		Fixed: "1.17.3", Reference: "kubernetes issue 86281",
	},
	{
		ID: "reconstructed-name", Component: "kubelet", Affects: func(v Version) bool { return v.Minor == 27 },
		Versions:  "1.27.0 and 1.27.1, and later 1.27 with the feature gate NewVolumeManagerReconstruction switched on",
		Signature: inventedPV,
		Effect: "after its restart it looks for a PersistentVolume under the hash of the volume handle, never gets it, " +
			"and goes on to list the volume in status.volumesInUse",
		Fixed: "1.27.2, which switches the gate off again", Reference: "kubernetes PR 117752, public report on EKS 1.27",
	},
	{
		ID: "zone-not-translated", Component: "kube-controller-manager", Affects: func(v Version) bool { return v.Minor == 21 },
		Versions:  "1.21, after an upgrade from 1.20 with CSI migration of Compute Engine disks",
		Signature: func(line string) bool { return strings.Contains(line, "/zones/UNSPECIFIED/disks/") },
		Effect: "it does not find the zone of a migrated volume, counts the volume under a name that no pod wants, " +
			"and takes it from its node six minutes later although it is in use",
		Fixed: "no release; the issue has a workaround", Reference: "kubernetes issue 109354",
	},
}

// BugOf finds the error whose signature a line has.
func BugOf(line string) (KnownBug, bool) {
	for _, b := range knownBugs {
		if b.Signature(line) {
			return b, true
		}
	}
	return KnownBug{}, false
}

// inventedPV reports the name of a PersistentVolume that a kubelet of 1.27 makes up at its start for a mounted volume: the hash of the
// handle, a SHA-256 in hex.
func inventedPV(line string) bool {
	_, rest, _ := strings.Cut(line, "cannot get unknown pv /")
	return len(rest) >= 64 && strings.Trim(rest[:64], "0123456789abcdef") == ""
}
