package upstream

import (
	"regexp"
	"slices"
	"strings"
)

// Fault is the component that made the text of a failed detach, which is where the fault lies.
type Fault string

// The faults of a detach. A text that no table knows is the driver's.
const (
	FaultTimeout  Fault = "timeout"  // the controller gave up waiting; the attacher gave no answer
	FaultNoPV     Fault = "no-pv"    // the external-attacher could not look up the PersistentVolume, and made no call
	FaultInstance Fault = "instance" // driver or cloud says that the machine does not exist
	FaultCloud    Fault = "cloud"    // the cloud's API refused or throttled the call
	FaultDriver   Fault = "driver"   // the driver's own logic or its own storage back end
)

// DetachFault reads the text of a failed detach, with or without the wrapping of the components that passed it on.
func DetachFault(text string) Fault {
	if IsAttacherTimeout(text) {
		return FaultTimeout
	}
	answer := Answer(text)
	if noPV().MatchString(answer) {
		return FaultNoPV
	}
	if InstanceMissing(answer) {
		return FaultInstance
	}
	if CloudOf(answer) != "" {
		return FaultCloud
	}
	return FaultDriver
}

// holdsBack are refusals because of an earlier failure or a running call: GCE PD's back-off per node (v1.28.1), most drivers' volume lock.
var holdsBack = re(`(?i)due to back-?off condition|an operation with the given volume[^:]* already exists|` +
	`operation [^:]*already (?:in progress|exists)`)

// HoldsBack reports that the text says nothing of its own fault: the failure before it does.
func HoldsBack(text string) bool { return holdsBack().MatchString(text) }

// Answer is what the driver or cloud said, without the wrapping of controller (names of volume and node) and gRPC.
func Answer(text string) string {
	if _, answer, ok := strings.Cut(text, "rpc error: "); ok {
		return answer
	}
	if _, answer, ok := strings.Cut(text, "\" : "); ok {
		return answer
	}
	return text
}

// attacherTimeouts are the texts of the controller's wait for a VolumeAttachment, by version (csi_attacher.go).
var attacherTimeouts = []string{
	"timed out waiting for external-attacher",                  // ≥ 1.24
	"Attach timeout for volume ", "Detach timeout for volume ", // 1.21–1.23
	"etachment timeout for volume ", // 1.13–1.20: detachment, attachdetachment
	"attachment timeout for volume ",
}

// IsAttacherTimeout reports that the controller waited in vain for the external-attacher, which says nothing of the driver.
func IsAttacherTimeout(text string) bool {
	return slices.ContainsFunc(attacherTimeouts, func(t string) bool { return strings.Contains(text, t) })
}

// noPV is the external-attacher's own lister (2.2.1–4.13.0: ControllerUnpublish needs the PV; external-attacher issue 235).
var noPV = re(`persistentvolumes? "[^"]*" not found`)

// VolumeMissing reports that the external-attacher does not find the PersistentVolume of a detach.
func VolumeMissing(text string) bool { return noPV().MatchString(text) }

// instances are the texts by which drivers and clouds say that the machine does not exist.
var instances = []func() *regexp.Regexp{
	re(`InvalidInstanceID\.NotFound`),                                      // EC2
	re(`(?i)\binstance not found`),                                         // cloud-provider's InstanceNotFound
	re(`(?i)not a vmss instance`),                                          // cloud-provider-azure
	re(`(?i)virtualMachines/[^ ]+ .*was not found`),                        // Azure Resource Manager
	re(`No VM found`),                                                      // in-tree vSphere
	re(`(?i)couldn't find vm|failed to find virtualmachine`),               // vsphere-csi-driver
	re(`node wasn't found`),                                                // vsphere-csi-driver issue 359
	re(`/instances/[^' ]+' was not found`),                                 // Compute Engine
	re(`(?i)\binstance [0-9a-f-]{8,} could not be found`),                  // Nova
	re(`(?i)\b(csi)?nodes?(\.storage\.k8s\.io)? "[^"]+" (was )?not found`), // the attacher's listers, drivers that ask the API
}

// OfAttach reports that an error of the external-attacher is of an attach: of the call, or of the word of it in the VolumeAttachment
// (external-attacher csi_handler.go csiAttach, 2.2.1–4.13.0).
func OfAttach(text string) bool {
	return strings.Contains(text, "failed to attach") || strings.Contains(text, "failed to mark as attached")
}

// InstanceMissing reports that the text says that the machine does not exist. A missing volume is something else.
func InstanceMissing(text string) bool {
	return slices.ContainsFunc(instances, func(r func() *regexp.Regexp) bool { return r().MatchString(text) })
}

// busy is what umount says of a mount that a process, or another mount, holds (util-linux; umount.nfs says device).
var busy = re(`umount(?:\.[a-z0-9.]+)?: (/\S+): (target is busy|device is busy)`)

// BusyMount reads the path and umount's words out of a failed unmount; false when it failed for another reason.
func BusyMount(text string) (path, words string, ok bool) {
	m := busy().FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
