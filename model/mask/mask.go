// Package mask takes the secrets out of what is quoted.
package mask

import (
	"regexp"
	"strings"
)

// Masked stands in a report where the source has a secret. It is never taken for text of the source.
const Masked = "[masked]"

// Text puts Masked in the place of what must never enter a report: passwords, tokens and keys, values of environment
// variables, annotations, and the data of Secrets. What surrounds them stays, so that a quote still names its event.
//
// It works line by line, so that the lines of a record can be masked one after the other; only the body of a private key is known by the
// line before it. Text that is masked already stays as it is.
func Text(text string) string {
	if _, of := nextMark(text, 0, markAll); of == 0 {
		return text
	}
	if !strings.Contains(text, "\n") {
		return maskLine(text)
	}
	lines := strings.Split(text, "\n")
	inKey := false
	for i, line := range lines {
		if inKey = inKey && armour.MatchString(line); inKey && strings.TrimSpace(line) != "" {
			lines[i] = Masked
			continue
		}
		lines[i] = maskLine(line)
		inKey = inKey || keyHead.MatchString(line) && !strings.Contains(line, "-----END ")
	}
	return strings.Join(lines, "\n")
}

// keyHead begins a private key (RFC 7468, RFC 9580 6.2), and armour is a line of its body: of its headers, of base64, or none at all.
var (
	keyHead = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----`)
	armour  = regexp.MustCompile(`^\s*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): .*|[A-Za-z0-9+/=]*|\[masked\])\s*$`)
)

// maskLine applies the rules that the line has marks of.
func maskLine(line string) string {
	return maskWith(line, marked(line), nextMark)
}

// nextFunc finds where a rule of a set can apply next, at from or later, and which.
type nextFunc func(line string, from int, wanted markSet) (int, markSet)

// maskWith applies some rules to a line. None of them puts the mark of another one into it.
func maskWith(line string, of markSet, next nextFunc) string {
	if of&markNested != 0 {
		line = maskNested(line, next)
	}
	if of&markService != 0 {
		line = maskServices(line, next)
	}
	for _, r := range secretRules {
		if of&r.mark != 0 {
			line = r.pattern.ReplaceAllString(line, r.with)
		}
	}
	if of&markPassword != 0 {
		line = maskURLs(line)
	}
	if of&markKeyed != 0 {
		line = maskKeyed(line, next)
	}
	return line
}

// secretRules are secrets that are known by their own form, wherever they stand.
var secretRules = []struct {
	mark    markSet
	pattern *regexp.Regexp
	with    string
}{
	// A private key, from its first line; and the same as base64, as a kubeconfig and a Secret hold it.
	{markPrivateKey, regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----).*`), "${1}" + Masked},
	{markEncodedKey, regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*`), Masked},
	// A JSON Web Token: two or three parts in base64url, of which the first is an object.
	{markWebToken, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`), Masked},
	// HTTP authentication.
	{markAuthentication, regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)\s+(?:[A-Za-z0-9._~+/-]{16,}=*|[A-Za-z0-9+/]{2,}={1,2})`),
		"${1} " + Masked},
	// A key of Ceph, and the entry of a registry in the configuration of docker.
	{markCeph, regexp.MustCompile(`\bAQ[A-Za-z0-9+/]{36}==`), Masked},
	{markDocker, regexp.MustCompile(`(\\*"auth\\*"\s*:\s*\\*")[A-Za-z0-9+/]+=*`), "${1}" + Masked},
	// A user with a password, as an argument of curl, as the name of a database, and of the client of MySQL.
	{markCurl, regexp.MustCompile(`(\bcurl\b.*?\s(?:-[A-Za-z]*u|--user)[ =]?["']?[^\s:"']*:)[^\s"']+`), "${1}" + Masked},
	// Passwords that are the arguments of other programs' short flags: BMCs, fencing agents, clients of databases and directories.
	{markCommand, regexp.MustCompile(`(\b(?:ipmitool\b.*?[\s"',]-P|(?:fence_[a-z0-9_]+|sshpass|mongo[a-z]*)\b.*?[\s"',]-p|redis-cli\b.*?[\s"',]-a|` +
		`ldap[a-z]+\b.*?[\s"',]-w)[\s"',=]*)[^\s"',]+`), "${1}" + Masked},
	{markDSN, regexp.MustCompile(`(:)[^\s:"']+(@(?:tcp|unix)\()`), "${1}" + Masked + "${2}"},
	{markMySQL, regexp.MustCompile(`(\bmysql[a-z]*\s(?:.*?\s)?-p)[^\s"']+`), "${1}" + Masked},
	// The signature of a URL that is signed, and a key that is its parameter.
	{markSignature, regexp.MustCompile(`(?i)((?:[?&]|u0026|&amp;)(?:sig|key|code|auth|signature|x-amz-signature|x-goog-signature|` +
		`x-amz-security-token)=)[^&\s"'\\]+`), "${1}" + Masked},
}
