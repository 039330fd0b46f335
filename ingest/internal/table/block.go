package table

import (
	"regexp"
	"strings"
)

// blockTexts are how the controller's report begins: up to 1.36, and since kubernetes/kubernetes#138837.
var blockTexts = [...]string{"Multi-Attach error for volume ", "Waiting for detach for volume "}

// similar is what the recorder puts before a message that stands for several (client-go tools/record/events_cache.go).
const similar = "(combined from similar events): "

// cutBlock is what follows the beginning of a report.
func cutBlock(message string) (rest string, ok bool) {
	message = strings.TrimPrefix(message, similar)
	for _, text := range blockTexts {
		if rest, ok := strings.CutPrefix(message, text); ok {
			return rest, true
		}
	}
	return "", false
}

// isBlock reports whether a message is a report that a volume is held elsewhere, or the beginning of one.
func isBlock(message string) bool {
	_, ok := cutBlock(message)
	return ok
}

// begun reports whether a message breaks off before the volume that it is about.
func begun(message string) bool {
	for _, text := range [...]string{blockTexts[0], blockTexts[1], "AttachVolume.Attach failed for volume ",
		"AttachVolume.Attach succeeded for volume "} {
		if len(message) > 4 && strings.HasPrefix(text, message) {
			return true
		}
	}
	return strings.HasSuffix(message, ":") && failedCall.MatchString(message) // the error itself is to come
}

// failedCall begins the report of a call that failed.
var failedCall = regexp.MustCompile(`^(?:Attach|Mount|Map)Volume\.\w+ failed for volume `)

var (
	// blockedVolume is the volume that a report names; a web page, or the end of a line, may have put blanks beside the marks.
	blockedVolume = regexp.MustCompile(`^" *[^" \t]+ *"`)
	// blocked is a report that says all that it has to say: the volume, and by which node or pods it is held.
	blocked = regexp.MustCompile(`^" *[^" \t]+ *" *Volume is already (?:exclusively attached to (?:one node|node )|` +
		`used by (?:pod\(s\) (?:[^ ,]|[^ ,].*[^,])|\d* pod\(s\)(?:|.*[^,]))$)`)
)

// namedBlock reports whether a report names the volume.
func namedBlock(message string) bool {
	rest, ok := cutBlock(message)
	return ok && blockedVolume.MatchString(rest)
}

func wholeBlock(message string) bool {
	rest, ok := cutBlock(message)
	return ok && blocked.MatchString(rest)
}
