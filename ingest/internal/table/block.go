package table

import (
	"regexp"
	"strings"
)

const (
	// blockText is how the controller's report begins, up to 1.36 and since kubernetes/kubernetes#138837, also in a message that stands for
	// several (client-go tools/record/events_cache.go).
	blockText = `^(?:\(combined from similar events\): )?(?:Multi-Attach error|Waiting for detach) for volume `
	// blockVolume is the volume that it names; a web page, or the end of a line, may have put blanks beside the marks.
	blockVolume = `" *[^" \t]+ *"`
)

var (
	block      = regexp.MustCompile(blockText)
	namedBlock = regexp.MustCompile(blockText + blockVolume)
	// wholeBlock says all that it has to say: the volume, and by which node or pods it is held.
	wholeBlock = regexp.MustCompile(blockText + blockVolume + ` *Volume is already (?:exclusively attached to (?:one node|node )|` +
		`used by (?:pod\(s\) (?:[^ ,]|[^ ,].*[^,])|\d* pod\(s\)(?:|.*[^,]))$)`)
	// failedCall is the report of a call that failed, of which the error itself is to come.
	failedCall = regexp.MustCompile(`^(?:Attach|Mount|Map)Volume\.\w+ failed for volume .*:$`)
	// assigned is the scheduler's word with the pod and its node.
	assigned = regexp.MustCompile(`^Successfully assigned \S+ to \S+$`)
)

// isBlock reports whether a message is a report that a volume is held elsewhere, or the beginning of one.
func isBlock(message string) bool { return block.MatchString(message) }

// begun reports whether a message breaks off before the volume that it is about.
func begun(message string) bool {
	for _, text := range [...]string{"Multi-Attach error for volume ", "Waiting for detach for volume ", "AttachVolume.Attach failed for volume ",
		"AttachVolume.Attach succeeded for volume ", "Successfully assigned "} {
		if message != "" && strings.HasPrefix(text, message) {
			return true
		}
	}
	return failedCall.MatchString(message)
}
