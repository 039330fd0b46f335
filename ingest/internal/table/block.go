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

// cutBlocked is the volume that a report names, and what follows it.
func cutBlocked(message string) (volume, rest string, ok bool) {
	rest, ok = cutBlock(message)
	if !ok || !strings.HasPrefix(rest, `"`) {
		return "", "", false
	}
	volume, rest, ok = strings.Cut(rest[1:], `"`)
	volume = strings.TrimSpace(volume) // a web page, or the end of a line, may have put blanks beside the marks
	return volume, rest, ok && volume != "" && !strings.ContainsAny(volume, " \t")
}

// wholeBlock reports whether a report says all that it has to say: the volume, and by which node or pods it is held.
func wholeBlock(message string) bool {
	_, rest, ok := cutBlocked(message)
	if !ok {
		return false
	}
	held, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "Volume is already ")
	if !ok {
		return false
	}
	if strings.HasPrefix(held, "exclusively attached to one node") || strings.HasPrefix(held, "exclusively attached to node ") {
		return true
	}
	by, ok := strings.CutPrefix(held, "used by ")
	if !ok || strings.HasSuffix(by, ",") {
		return false
	}
	if names, ok := strings.CutPrefix(by, "pod(s) "); ok {
		return names != "" && names[0] != ' ' && names[0] != ','
	}
	count, _, ok := strings.Cut(by, " pod(s)")
	return ok && strings.Trim(count, "0123456789") == ""
}
