package mask

import "strings"

// writtenMask is Mask as one would write it down: every rule looks at every place of every line. Mask must say the same where
// it looks only where a rule can apply.
func writtenMask(text string) string {
	everywhere := func(line string, from int, wanted markSet) (int, markSet) {
		if from+1 < len(line) {
			return from, wanted
		}
		return len(line), 0
	}
	one := func(line string) string { return maskWith(line, markAll, everywhere) }
	if strings.Contains(text, "\n") {
		return maskLines(text, one)
	}
	return one(text)
}
