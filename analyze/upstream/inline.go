package upstream

import "strings"

// InlineAdmitsOne reports whether a volume of a plugin, when a pod names the disk itself instead of a claim, admits one
// node whatever the pod asks: azure-disk and cinder (volume/util IsMultiAttachAllowed, 1.13–1.36).
func InlineAdmitsOne(uniqueName string) bool {
	return strings.HasPrefix(uniqueName, "kubernetes.io/azure-disk/") || strings.HasPrefix(uniqueName, "kubernetes.io/cinder/")
}
