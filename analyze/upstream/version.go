// Package upstream holds the behaviour of Kubernetes by version: a constant, its versions, its flag and its source. No other package
// names a version of Kubernetes.
package upstream

import (
	"fmt"
	"strconv"
	"strings"
)

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
