package model

import (
	"regexp"
	"strings"
)

// writtenMask is Mask as one would write it down: every rule looks at every line. Mask must say the same where it looks only
// where a rule can apply.
func writtenMask(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = writtenMaskNested(line)
		for _, r := range secretRules {
			line = r.pattern.ReplaceAllString(line, r.with)
		}
		lines[i] = writtenMaskKeyed(line)
	}
	return strings.Join(lines, "\n")
}

// writtenNested begins a group of values that never enters a report as a whole: annotations, environment variables, the data of
// Secrets and ConfigMaps; as JSON, as JSON inside of a JSON string, and as Go prints structs.
var writtenNested = regexp.MustCompile(`(\\*")(?:annotations|env|envFrom|data|stringData|binaryData|last-applied-configuration)\\*"\s*:\s*[{\[]|` +
	`\b(?:Annotations|Env|EnvFrom|Data|StringData|BinaryData):(?:map\[[a-z]+\](?:string|\[\]uint8|\[\]byte)|\[\]v1\.EnvVar|\[\]v1\.EnvFromSource|map)[{\[]|` +
	`(\\*")kubectl\.kubernetes\.io/last-applied-configuration\\*"\s*:\s*\\*"`)

func writtenMaskNested(line string) string {
	if m := listed.FindStringSubmatch(line); m != nil && m[1]+m[2]+"<none>" != line {
		return m[1] + m[2] + Masked
	}
	var b strings.Builder
	rest := line
	for {
		m := writtenNested.FindStringSubmatchIndex(rest)
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

// writtenKeyed is a key that names a secret, with what separates it from the value: token: x, --password=x, "apiKey":"x",
// DB_PASSWORD=x. The key ends there: tokenExpirationSeconds, secretName and --client-secret-file hold no secret.
var writtenKeyed = regexp.MustCompile(`(?i)(?:passw(?:or)?d|passphrase|pwd|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|account[_-]?key|encryption[_-]?key|client-key-data|client-certificate-data|access[_-]?signature|credentials?|(?:--|\b)authorization)(\\*["']?\s*[:=]\s*)`)

func writtenMaskKeyed(line string) string {
	var b strings.Builder
	rest := line
	for {
		m := writtenKeyed.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		separator := rest[m[2]:m[3]]
		b.WriteString(rest[:m[1]])
		rest = rest[m[1]:]
		if from, to := secretValue(rest, separator); to > from {
			b.WriteString(rest[:from])
			b.WriteString(Masked)
			rest = rest[to:]
		}
	}
	if b.Len() == 0 {
		return line
	}
	return b.String() + rest
}
