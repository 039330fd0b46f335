package upstream

import (
	"regexp"
	"strings"
)

// inUseShapes are the ways of back ends to refuse an attach because the volume is attached somewhere else.
var inUseShapes = []*regexp.Regexp{
	// CSI specification: FAILED_PRECONDITION of ControllerPublishVolume is a volume published to another node
	re(`code = FailedPrecondition desc = .*\b((already|currently|exclusively|is) (attached|published) (to|at|on)|in use)\b`),
	re(`is already being used by '`),          // Compute Engine; openshift/release issue 7550, kubernetes issue 32492
	re(`RESOURCE_IN_USE_BY_ANOTHER_RESOURCE`), // Compute Engine; openshift/release issue 7550
	re(`VolumeInUse\b`),                       // EC2; kubernetes issue 45726
	re(`(?i)\b(already|currently|still) (attached|mounted|published|mapped) (to|on|at) (an(other)? |the |a |different )*` +
		`(instance|node|server|vm|host|machine|droplet|linode)\b`), // EC2; longhorn issue 2445, hcloud csi-driver issue 41; several drivers
	re(`currently attached to (a )?different node`),                                       // longhorn issues 7313, 10258
	re(`The resource 'volume' is in use`),                                                 // vsphere-csi-driver issue 320
	re(`status must be '?available'?( or '?downloading'?)?\. Currently in '?in-use'?`),    // Cinder; kubernetes issues 28527, 44536
	re(`(?i)\balready published (to|at|on) (another |a different )?node\b`),               // CSI specification, wording of several drivers
	re(`\balready attached to node\(`),                                                    // Azure Disk, in-tree; aks-engine issue 3838
	re(`\bis attached to (another|a different) (node|instance|server|vm|host|machine)\b`), // wording of several drivers
	re(`\bstill mounted on (node |another |["'])`),                                        // linstor-csi, portworx
	re(`types\.ResourceInUse\)|\bDevice or resource busy\b|\bDeviceBusy\b`),               // vsphere-csi-driver issue 1175, open elsewhere
	re(`\bdisk .{1,200} is being used by\b`),                                              // Compute Engine
	re(`(?i)\bpublished at another node\b`),                                               // hcloud csi-driver
	re(`desc = Resource already exists$`),                                                 // EC2 before aws-ebs-csi-driver issue 515 was fixed
}

// attachLimit is a refusal because of how many volumes a machine has, whose text speaks of attached volumes, too.
var attachLimit = re(`(?i)code = ResourceExhausted|\b(max|maximum) number of volumes\b|\battach(ment)? limit\b`)

// InUseElsewhere reports that a failed attach's text says the volume is attached to another machine than the wanted one.
func InUseElsewhere(text, wanted string) bool {
	if attachLimit.MatchString(text) {
		return false // volumes that are attached to the wanted machine, too many of them
	}
	for _, s := range inUseShapes {
		at := s.FindStringIndex(text)
		if at == nil {
			continue
		}
		if holder := HolderNamed(text); holder != "" && wanted != "" {
			return !sameMachine(holder, wanted) // the text may name the wanted node after the holder
		}
		if wanted == "" || !strings.Contains(text[at[1]:], wanted) {
			return true
		}
	}
	return false
}

// InlineAdmitsOne: inline volumes of azure-disk and cinder admit one node only (volume/util IsMultiAttachAllowed, 1.13–1.36).
func InlineAdmitsOne(uniqueName string) bool {
	return strings.HasPrefix(uniqueName, "kubernetes.io/azure-disk/") || strings.HasPrefix(uniqueName, "kubernetes.io/cinder/")
}
