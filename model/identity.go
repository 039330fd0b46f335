package model

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Identities are fingerprints of what identifies a snapshot's cluster: OpenShift's cluster id and the UID of the namespace kube-system. One
// is the kind and the first twelve hexadecimal digits of the SHA-256. Sorted.
func (s *Snapshot) Identities() []string {
	var out []string
	add := func(kind, id string) {
		if id == "" {
			return
		}
		sum := sha256.Sum256([]byte(id))
		out = append(out, kind+"-"+hex.EncodeToString(sum[:6]))
	}
	for _, v := range s.ClusterVersions {
		add(IdentityOpenShift, v.Value().ClusterID)
	}
	for _, ns := range s.Namespaces {
		if ns.Ref.Name == "kube-system" {
			add(IdentityKubeSystem, ns.Ref.UID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The kinds of identity, which begin a fingerprint.
const (
	IdentityOpenShift  = "openshift"
	IdentityKubeSystem = "kube-system"
)
