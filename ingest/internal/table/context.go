package table

import (
	"bytes"
	"regexp"
	"slices"
)

// contextFlag is the context of the kubeconfig that a command names, or to which it changes.
var contextFlag = regexp.MustCompile(` (?:--context[ =]|config use-context )(\S+)`)

// Contexts are the contexts that the commands of a paste name.
func Contexts(text []byte) (names []string) {
	eachContext(text, func(_ []byte, name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// OfContext is what the commands of a context printed, and no other: each other line is empty. What stands above the first command is the
// first context's, and of a command that names none nothing tells, unless it was changed to before.
func OfContext(text []byte, name string) []byte {
	var out []byte
	eachContext(text, func(line []byte, of string) {
		if of != name {
			line = line[len(bytes.TrimRight(line, "\r\n")):]
		}
		out = append(out, line...)
	})
	return out
}

// eachContext gives each line with the context of the command that it stands below.
func eachContext(text []byte, line func(line []byte, name string)) {
	var above [][]byte // the first command
	now, used, begun := "", "", false
	for l := range bytes.Lines(text) {
		if rest, ok := afterTool(string(bytes.TrimRight(l, "\r\n"))); ok {
			now = used
			if m := contextFlag.FindStringSubmatch(" " + rest); m != nil {
				if now = m[1]; bytes.Contains(l, []byte("use-context")) {
					used = now
				}
			}
			for _, a := range above {
				line(a, now)
			}
			above, begun = nil, true
		}
		if !begun {
			above = append(above, l)
			continue
		}
		line(l, now)
	}
	for _, a := range above {
		line(a, "")
	}
}
