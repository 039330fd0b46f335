package table

import (
	"regexp"
	"strings"
)

// blockText is how the controller's report begins: up to 1.36, and since kubernetes/kubernetes#138837; behind what the recorder puts before a
// message that stands for several (client-go tools/record/events_cache.go).
const blockText = `(?s)^(?:\(combined from similar events\): )?(?:Multi-Attach error|Waiting for detach) for volume `

var (
	block = regexp.MustCompile(blockText)
	// A web page, or the end of a line, may have put blanks beside the marks.
	namedBlock = regexp.MustCompile(blockText + `" *[^"\s]+ *"`)
	wholeBlock = regexp.MustCompile(blockText + `" *[^"\s]+ *" *Volume is already (?:exclusively attached to (?:one node|node )|used by (?:pod\(s\) [^ ,]|\d* pod\(s\))(?:.*[^,])?$)`)
)

// isBlock reports whether a message is a report that a volume is held elsewhere, or the beginning of one.
func isBlock(message string) bool { return block.MatchString(message) }

// begun reports whether a message breaks off before the volume that it is about.
func begun(message string) bool {
	for _, text := range [...]string{"Multi-Attach error", "Waiting for detach", "AttachVolume.Attach failed", "AttachVolume.Attach succeeded"} {
		if len(message) > 4 && strings.HasPrefix(text+" for volume ", message) {
			return true
		}
	}
	return false
}
