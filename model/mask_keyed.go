package model

import (
	"regexp"
	"strings"
)

// keyed is a key that names a secret, with what separates it from the value: token: x, --password=x, "apiKey":"x",
// DB_PASSWORD=x. The key ends there: tokenExpirationSeconds, secretName and --client-secret-file hold no secret.
var keyed = regexp.MustCompile(`^(?i:passw(?:or)?d|passphrase|pwd|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|account[_-]?key|encryption[_-]?key|client-key-data|client-certificate-data|access[_-]?signature|credentials?|authorization)(\\*["']?\s*[:=]\s*)`)

// maskKeyed masks the values of such keys.
func maskKeyed(line string) string {
	var b strings.Builder
	done := 0 // all before it is written
	for i, of := nextMark(line, 0, markKeyed); of != 0; i, of = nextMark(line, i, markKeyed) {
		m := keyed.FindStringSubmatchIndex(line[i:])
		if m == nil || i > 0 && wordByte(line[i-1]) && sameLetters(line[i:i+2], "au") { // preauthorization=x holds none
			i++
			continue
		}
		value := i + m[1]
		i = value
		if from, to := secretValue(line[value:], line[value-m[3]+m[2]:value]); to > from {
			b.WriteString(line[done : value+from])
			b.WriteString(Masked)
			done = value + to
			i = done
		}
	}
	if done == 0 {
		return line
	}
	return b.String() + line[done:]
}

// wordByte is what \b of a regular expression tells from the rest.
func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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
