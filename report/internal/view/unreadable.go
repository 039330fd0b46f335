package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model/words"
)

// withheldShown is how many paths the first screen names.
const withheldShown = 3

// Withheld says, for the first screen, which paths the system did not let be read: what they hold is missing from the
// conclusions, and nothing else in the report looks different for it. "" when there are none.
func (v *View) Withheld() string {
	list := v.Bundle.Unreadable
	if len(list) == 0 {
		return ""
	}
	var paths, why []string
	for _, u := range list {
		if len(paths) < withheldShown {
			paths = append(paths, words.OneLine(u.Path))
		}
		if reason := words.OneLine(u.Why); !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	if more := len(list) - len(paths); more > 0 {
		paths = append(paths, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s of the bundle could not be read (%s): %s. What is there was collected, and is missing here.",
		words.Count(len(list), "path"), strings.Join(why, "; "), strings.Join(paths, ", "))
}
