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
	if _, of := nextMark(text, 0, markAll); of == 0 {
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

// maskLine applies the rules that the line has marks of. None of them puts the mark of another one into it.
func maskLine(line string) string {
	of := marked(line)
	if of&markNested != 0 {
		line = maskNested(line)
	}
	for _, r := range secretRules {
		if of&r.mark != 0 {
			line = r.pattern.ReplaceAllString(line, r.with)
		}
	}
	if of&markKeyed != 0 {
		line = maskKeyed(line)
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
	{markPrivateKey, regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----).*`), "${1}" + Masked},
	{markEncodedKey, regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*`), Masked},
	// A JSON Web Token: two or three parts in base64url, of which the first is an object.
	{markWebToken, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`), Masked},
	// HTTP authentication.
	{markAuthentication, regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)\s+[A-Za-z0-9._~+/-]{16,}=*`), "${1} " + Masked},
	// Keys of clouds and services that name themselves: AWS, GitHub, Slack, Google.
	{markCloudKey, regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), Masked},
	{markGitHub, regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}`), Masked},
	{markSlack, regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`), Masked},
	{markGoogle, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`), Masked},
	// The password of a URL, and the signature of one that is signed.
	{markPassword, regexp.MustCompile(`(://[^/\s:@"']+:)[^/\s@"']+@`), "${1}" + Masked + "@"},
	{markSignature, regexp.MustCompile(`(?i)([?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token)=)[^&\s"']+`), "${1}" + Masked},
}
