package phrase

import "strings"

// holderWords stand before the machine that holds the disk in an attach error of a cloud:
//
//	The disk resource 'projects/p/zones/z/disks/d' is already being used by 'projects/p/zones/z/instances/node'   (Compute Engine)
var holderWords = [...]string{"is already being used by 'projects/"}

// holdersOf is the machine that an attach error names as the holder. On Compute Engine the instance has the node's name.
func holdersOf(message string) []string {
	for _, words := range holderWords {
		_, rest, ok := strings.Cut(message, words)
		if !ok {
			continue
		}
		path, _, closed := strings.Cut(rest, "'")
		_, instance, found := strings.Cut(path, "/instances/")
		if closed && found && instance != "" && !strings.ContainsAny(instance, "/ ") {
			return []string{instance}
		}
	}
	return nil
}
