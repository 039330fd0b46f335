package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// VolumeID is what one source says of a volume's identity. Any field may be empty: an event names the PersistentVolume only.
type VolumeID struct {
	UniqueName       string // as the attach/detach controller has it, such as kubernetes.io/csi/<driver>^<handle>
	PersistentVolume string
	Handle           string // volumeHandle of the CSI source
	Driver           string
}

// csiPrefix and csiSeparator make the unique name of a CSI volume (kubernetes/pkg/volume/csi/csi_plugin.go, 1.13–1.36).
const (
	csiPrefix    = "kubernetes.io/csi/"
	csiSeparator = "^"
)

// UniqueCSIName is the attach/detach controller's name of a CSI volume.
func UniqueCSIName(driver, handle string) string { return csiPrefix + driver + csiSeparator + handle }

// ParseUniqueName reads driver and handle out of a CSI unique name. It returns false for in-tree volumes.
func ParseUniqueName(unique string) (driver, handle string, ok bool) {
	rest, ok := strings.CutPrefix(unique, csiPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, csiSeparator)
}

// AttachmentName is the name that Kubernetes gives the VolumeAttachment of a CSI volume on a node: "csi-" and the hex
// SHA-256 of handle, driver and node name without separators (getAttachmentName, csi_attacher.go, 1.13–1.36).
func AttachmentName(handle, driver, node string) string {
	sum := sha256.Sum256([]byte(handle + driver + node))
	return "csi-" + hex.EncodeToString(sum[:])
}

// Complete fills driver and handle from a CSI unique name, and the unique name from both.
func (v VolumeID) Complete() VolumeID {
	if v.UniqueName != "" && v.Handle == "" {
		if driver, handle, ok := ParseUniqueName(v.UniqueName); ok {
			v.Driver, v.Handle = driver, handle
		}
	}
	if v.UniqueName == "" && v.Driver != "" && v.Handle != "" {
		v.UniqueName = UniqueCSIName(v.Driver, v.Handle)
	}
	return v
}

// IsZero reports whether nothing is known.
func (v VolumeID) IsZero() bool { return v == VolumeID{} }
