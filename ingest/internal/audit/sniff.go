package audit

import (
	"bytes"
	"regexp"
)

// Both members of an event's head, in either order, near each other, plain or escaped inside another string.
var (
	kindFirst    = regexp.MustCompile(`\\*"kind\\*":\s*\\*"Event(List)?\\*"[^{}\[\]]{0,300}\\*"apiVersion\\*":\s*\\*"audit\.k8s\.io/v`)
	versionFirst = regexp.MustCompile(`\\*"apiVersion\\*":\s*\\*"audit\.k8s\.io/v[^{}\[\]]{0,300}\\*"kind\\*":\s*\\*"Event(List)?\\*"`)
	googleMethod = regexp.MustCompile(`"methodName":\s*"io\.k8s\.`)
)

var (
	groupMark  = []byte("audit.k8s.io/v")
	googleMark = []byte("google.cloud.audit.AuditLog")
)

// Sniff says from the first bytes of a file (up to 64 KiB) whether it holds audit events. The bytes may end anywhere.
func Sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if isAKS(head) && opensObject(head) {
		return true
	}
	if bytes.Contains(head, groupMark) && (kindFirst.Match(head) || versionFirst.Match(head)) {
		return opensObject(head)
	}
	return bytes.Contains(head, googleMark) && googleMethod.Match(head) && opensObject(head)
}

// opensObject reports whether some line is JSON behind at most a short prefix. YAML that quotes an event is not.
func opensObject(head []byte) bool {
	for line := range bytes.Lines(head) {
		if i := bytes.IndexAny(line, "{["); i >= 0 && i <= maxPrefix {
			rest := bytes.TrimLeft(line[i+1:], " \t\r\n")
			if len(rest) == 0 || rest[0] == '"' || rest[0] == '{' || rest[0] == '[' {
				return !bytes.HasSuffix(bytes.TrimRight(line[:i], " "), []byte(":"))
			}
		}
	}
	return false
}
