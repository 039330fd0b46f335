package model

import (
	"regexp"
	"strings"
)

// nested begins a group of values that never enters a report as a whole: annotations, environment variables, the data of
// Secrets and ConfigMaps; as JSON, as JSON inside of a JSON string, and as Go prints structs.
var nested = regexp.MustCompile(`(\\*")(?:annotations|env|envFrom|data|stringData|binaryData|last-applied-configuration)\\*"\s*:\s*[{\[]|` +
	`\b(?:Annotations|Env|EnvFrom|Data|StringData|BinaryData):(?:map\[[a-z]+\](?:string|\[\]uint8|\[\]byte)|\[\]v1\.EnvVar|\[\]v1\.EnvFromSource|map)[{\[]|` +
	`(\\*")kubectl\.kubernetes\.io/last-applied-configuration\\*"\s*:\s*\\*"`)

// listed begins a line of YAML or of kubectl describe that holds the like.
var listed = regexp.MustCompile(`^(\s*(?:- )?kubectl\.kubernetes\.io/last-applied-configuration:\s*)\S.*$|^(\s*Annotations:\s+)\S.*$`)

// maskNested empties such groups.
func maskNested(line string) string {
	if m := listed.FindStringSubmatch(line); m != nil && m[1]+m[2]+"<none>" != line {
		return m[1] + m[2] + Masked
	}
	var b strings.Builder
	rest := line
	for {
		m := nested.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		b.WriteString(rest[:m[1]])
		open := rest[m[1]-1]
		quote := ""
		for _, group := range []int{2, 4} {
			if m[group] >= 0 {
				quote = rest[m[group]:m[group+1]]
			}
		}
		rest = rest[m[1]:]
		n := groupEnd(rest, open, quote)
		if inside := strings.TrimSpace(rest[:n]); inside != "" && inside != Masked {
			b.WriteString(Masked)
		} else {
			b.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	if b.Len() == 0 {
		return line
	}
	return b.String() + rest
}

// groupEnd is where the group ends that was opened by a bracket, or by a quote; the end of s when it is cut off. quote is
// how strings are quoted at this level, "" for Go's own form.
func groupEnd(s string, open byte, quote string) int {
	if open == '"' {
		return stringEnd(s, quote)
	}
	depth := 1
	for i := 0; i < len(s); i++ {
		switch {
		case quote != "" && strings.HasPrefix(s[i:], quote):
			i += len(quote)
			i += stringEnd(s[i:], quote) + len(quote) - 1
		case quote == "" && s[i] == '"':
			i++
			i += stringEnd(s[i:], `"`)
		case s[i] == '{' || s[i] == '[':
			depth++
		case s[i] == '}' || s[i] == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// stringEnd is where a string ends: at the next quote of its level that has no more backslashes before it than the
// quote itself.
func stringEnd(s, quote string) int {
	slashes := len(quote) - 1
	run := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			run++
		case '"':
			if run == slashes || run > slashes && slashes == 0 && run%2 == 0 {
				return i - slashes
			}
			run = 0
		default:
			run = 0
		}
	}
	return len(s)
}
