package mask

import (
	"regexp"
	"strings"
)

// nested begins a group of values that never enters a report as a whole: annotations, environment variables, the arguments of containers,
// the data of Secrets and ConfigMaps, the secrets of a call to a driver; as JSON, and as JSON inside of a JSON string.
var nested = regexp.MustCompile(`^(\\*")(?:(?:annotations|env|envFrom|args|command|data|stringData|binaryData|last-applied-configuration)` +
	`\\*"\s*:\s*[{\[]|[A-Za-z_]{0,40}[sS]ecrets\\*"\s*:\s*\{|kubectl\.kubernetes\.io/last-applied-configuration\\*"\s*:\s*\\*")`)

// nestedStruct is the same as Go prints structs, and as YAML writes it into one line.
var nestedStruct = regexp.MustCompile(`^(?:(?:[aA]nnotations[:=]|(?:Env|EnvFrom|Data|StringData|BinaryData):)(?:map\[[a-z]+\]` +
	`(?:string|\[\]uint8|\[\]byte)|\[\](?:v1\.)?(?:EnvVar|EnvFromSource)|map)|(?:Args|Command|Env|EnvFrom):(?:\[\]string)?|` +
	`(?:annotations|env|envFrom|args|command):\s*)[{\[]`)

// flagsOnly are flags that a controller is started with, of which none has a value that could be a secret: they are evidence.
var flagsOnly = regexp.MustCompile(`^(?:kube-[a-z-]+,\s*)?--[a-z][a-z-]*(?:=(?:true|false|\d+(?:ms|s|m|h)?))?` +
	`(?:,\s*--[a-z][a-z-]*(?:=(?:true|false|\d+(?:ms|s|m|h)?))?)*$`)

// secretsOf begins the secrets of a call to a driver, as protocol buffers and Go print them, whatever they are for: stageSecrets.
var secretsOf = regexp.MustCompile(`^(?i:secrets)\s*[:=]\s*(?:map(?:\[string\]string)?[{\[]|<|\{)`)

// listed begins a line of YAML or of kubectl describe that holds the like.
var listed = regexp.MustCompile(`^\s*(?:(?:- )?kubectl\.kubernetes\.io/last-applied-configuration:\s*|Annotations:\s+)`)

// clip is as much of a text as the beginning of a value needs: a regular expression costs by what it is given.
func clip(text string) string { return text[:min(len(text), 256)] }

// maskNested empties such groups. next finds where one can begin.
func maskNested(line string, next nextFunc) string {
	if m := listed.FindString(clip(line)); m != "" && m+"<none>" != line && len(m) < len(line) {
		return m + Masked
	}
	from := 0 // a group begins there or later
	return maskPlaces(line, next, markNested, func(line string, i int) (int, int) {
		if i < from {
			return 0, 0
		}
		inside, quote := groupStart(line, i, from)
		if inside < 0 {
			return 0, 0
		}
		from = inside + groupEnd(line[inside:], line[inside-1], quote)
		if in := strings.TrimSpace(line[inside:from]); in == "" || in == Masked || quote == "" && flagsOnly.MatchString(in) {
			return 0, 0
		}
		return inside, from
	})
}

// groupStart is where the inside of a group begins whose name is at i, and how strings are quoted in it; -1 when none begins.
func groupStart(line string, i, from int) (inside int, quote string) {
	start := i
	for start > from && i-start < 40 && sameStart(line[i:], "secrets") && wordByte(line[start-1]) {
		start-- // nodeStageSecrets
	}
	if start > from && line[start-1] == '"' {
		start--
		for start > from && line[start-1] == '\\' {
			start--
		}
		if m := nested.FindStringSubmatchIndex(clip(line[start:])); m != nil {
			return start + m[1], line[start+m[2] : start+m[3]]
		}
	}
	if m := secretsOf.FindStringIndex(clip(line[i:])); m != nil {
		return i + m[1], ""
	}
	if i > from && wordByte(line[i-1]) {
		return -1, ""
	}
	if m := nestedStruct.FindStringIndex(clip(line[i:])); m != nil {
		return i + m[1], ""
	}
	return -1, ""
}

// groupEnd is where the group ends that a bracket or a quote opened. quote is how strings are quoted in it, "" for Go's own form.
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
		case s[i] == '<' && open == '<', strings.IndexByte("{[", s[i]) >= 0:
			depth++
		case s[i] == '>' && open == '<', strings.IndexByte("}]", s[i]) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// stringEnd is where a string ends: at the next quote with no more backslashes before it than the quote itself.
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
