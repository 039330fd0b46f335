package check

import "strings"

// word is a name as one word of a shell's command. The names of Kubernetes need no quotes; a bundle can hold any.
func word(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._:/", r)
	}
	if name != "" && strings.TrimFunc(name, plain) == "" && !strings.HasPrefix(name, "-") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// words are several names.
func words(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, word(n))
	}
	return strings.Join(out, " ")
}
