package check

import (
	"regexp"
	"strings"
)

// allowed are the names that Kubernetes gives objects. Any other, such as one that begins with a dash, would be something else in
// a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$`)

// refused stands in a command in place of a name that Kubernetes would refuse.
const refused = "NAME-THAT-KUBERNETES-REFUSES"

// word is a name as one word of a shell's command. The names of Kubernetes need no quotes; a bundle can hold any.
func word(name string) string {
	if !allowed.MatchString(name) {
		return refused
	}
	return name
}

// shellWords are several names.
func shellWords(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, word(n))
	}
	return strings.Join(out, " ")
}
