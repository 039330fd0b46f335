package upstream

import "strings"

// InlineAdmitsOne: inline volumes of azure-disk and cinder admit one node only (volume/util IsMultiAttachAllowed, 1.13–1.36).
func InlineAdmitsOne(uniqueName string) bool {
	return strings.HasPrefix(uniqueName, "kubernetes.io/azure-disk/") || strings.HasPrefix(uniqueName, "kubernetes.io/cinder/")
}
