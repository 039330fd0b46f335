package model

import (
	"regexp"
	"strings"
)

// Masked stands in a report where the source has a secret. It is never taken for text of the source.
const Masked = "[masked]"

// Mask puts Masked in the place of what must never enter a report: passwords, tokens and keys, values of environment
// variables, annotations, and the data of Secrets. What surrounds them stays, so that a quote still names its event.
//
// It works line by line, so that the lines of a record can be masked one after the other. Text that is masked already
// stays as it is.
func Mask(text string) string {
	if !suspicious(text) {
		return text
	}
	if !strings.Contains(text, "\n") {
		return maskLine(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = maskLine(line)
	}
	return strings.Join(lines, "\n")
}

func maskLine(line string) string {
	line = maskNested(line)
	for _, r := range secretRules {
		line = r.pattern.ReplaceAllString(line, r.with)
	}
	return maskKeyed(line)
}

// secretRules are secrets that are known by their own form, wherever they stand.
var secretRules = []struct {
	pattern *regexp.Regexp
	with    string
}{
	// A private key, from its first line; and the same as base64, as a kubeconfig and a Secret hold it.
	{regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----).*`), "${1}" + Masked},
	{regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*`), Masked},
	// A JSON Web Token: two or three parts in base64url, of which the first is an object.
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`), Masked},
	// HTTP authentication.
	{regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)\s+[A-Za-z0-9._~+/-]{16,}=*`), "${1} " + Masked},
	// Keys of clouds and services that name themselves: AWS, GitHub, Slack, Google.
	{regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), Masked},
	{regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}`), Masked},
	{regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`), Masked},
	{regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`), Masked},
	// The password of a URL, and the signature of one that is signed.
	{regexp.MustCompile(`(://[^/\s:@"']+:)[^/\s@"']+@`), "${1}" + Masked + "@"},
	{regexp.MustCompile(`(?i)([?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token)=)[^&\s"']+`), "${1}" + Masked},
}

// keyed is a key that names a secret, with what separates it from the value: token: x, --password=x, "apiKey":"x",
// DB_PASSWORD=x. The key ends there: tokenExpirationSeconds, secretName and --client-secret-file hold no secret.
var keyed = regexp.MustCompile(`(?i)(?:passw(?:or)?d|passphrase|pwd|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|account[_-]?key|encryption[_-]?key|client-key-data|client-certificate-data|access[_-]?signature|credentials?|(?:--|\b)authorization)(\\*["']?\s*[:=]\s*)`)

// maskKeyed masks the values of such keys.
func maskKeyed(line string) string {
	var b strings.Builder
	rest := line
	for {
		m := keyed.FindStringSubmatchIndex(rest)
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

// opening is how a quoted value begins, with the backslashes of JSON inside of a JSON string.
var opening = regexp.MustCompile(`^\\*["']`)

// secretValue is the place of the secret in s, which begins with a value; both are 0 when that is none.
func secretValue(s, separator string) (from, to int) {
	if quote := opening.FindString(s); quote != "" {
		from, to = len(quote), len(quote)
		if quote == "'" {
			end := strings.Index(s[from:], quote)
			if end < 0 {
				end = len(s) - from // cut off: the rest is the value
			}
			to += end
		} else {
			to += stringEnd(s[from:], quote)
		}
		if harmless(s[from:to]) {
			return 0, 0
		}
		return from, to
	}
	end := strings.IndexAny(s, " \t\r,;&)}]\"'\\")
	if end < 0 {
		end = len(s)
	}
	value := s[:end]
	switch {
	case harmless(value), strings.HasPrefix(s, Masked):
	case !strings.Contains(separator, ":"), !strings.HasSuffix(separator, " "), strings.TrimRight(s[end:], " \t\r,\"'}") == "":
		return 0, end
	case len(value) >= 8 && strings.ContainsAny(value, "0123456789"):
		return 0, end
	}
	return 0, 0 // such as "the token: the server has …", which is a sentence
}

// harmless are values that say that there is none, or how it is given.
func harmless(value string) bool {
	switch strings.ToLower(value) {
	case "", "true", "false", "null", "nil", "<nil>", "none", "{", "[", "|", ">", "|-", ">-", Masked, "[redacted]", "<redacted>", "***", "****", "<sensitive>", "***stripped***":
		return true
	}
	return false
}
