package audit

import (
	"bytes"
	"regexp"
	"slices"
	"time"
)

// verdict is what the bytes of a line say before it is decoded.
type verdict int

// other: it has no event. skip: an event that cannot matter. decode: an event that may.
const (
	other verdict = iota
	skip
	decode
)

// The beginnings and members of an event, as the API server writes them.
var (
	referred    = []byte(`"objectRef":{"resource":"`)
	verbMark    = []byte(`"verb":"`)
	stageMark   = []byte(`"stage":"ResponseComplete"`)
	stagedMark  = []byte(`"stageTimestamp":"`)
	subresource = []byte(`"subresource":"`)

	refMark   = []byte("objectRef")
	idMark    = []byte("auditID")
	protoMark = []byte("protoPayload")
)

// unescaped is a text with the quotes of an event inside an envelope's string as those of its own file.
func unescaped(text []byte) []byte { return bytes.ReplaceAll(text, []byte(`\"`), []byte(`"`)) }

// glance judges a line by the order in which the API server writes an event: stage and verb, objectRef, the bodies. Others are decoded.
func glance(line []byte) verdict {
	head, rest, ok := bytes.Cut(line, referred)
	if !ok && bytes.Contains(line, []byte(`\"objectRef\"`)) {
		head, rest, ok = bytes.Cut(unescaped(line), referred)
	}
	if ok {
		verb := bytes.LastIndex(head, verbMark)
		if verb < 0 || bytes.Contains(head, stageMark) && mutates(word(head[verb+len(verbMark):])) && matters(rest) {
			return decode
		}
		return skip
	}
	if bytes.Contains(line, protoMark) || bytes.Contains(line, refMark) || isAKS(line) {
		return decode
	}
	if bytes.Contains(line, groupMark) || bytes.Contains(line, idMark) {
		return skip // a request for no object, such as /healthz
	}
	return other
}

// word is what stands before the next quote, if that is near.
func word(b []byte) string {
	if i := bytes.IndexByte(b, '"'); i >= 0 && i < 64 {
		return string(b[:i])
	}
	return ""
}

// matters looks at the reference, of which rest is what follows resource, and for frequent requests at the bodies.
func matters(rest []byte) bool {
	ref, body, _ := bytes.Cut(rest, []byte("}"))
	_, sub, _ := bytes.Cut(ref, subresource)
	holds := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return bytes.Contains(body, []byte(t)) })
	}
	switch of := word(sub); word(ref) {
	case "volumeattachments":
		return true
	case "pods":
		return slices.Contains([]string{"", "binding", "eviction"}, of) || of == "status" && holds(`"Ready"`, `"Failed"`, `"Succeeded"`)
	case "nodes":
		return of == "" || of == "status" && holds(`"Ready"`) && holds(`"lastTransitionTime"`)
	case "deployments", "statefulsets", "replicasets":
		return of == "scale" || of == ""
	}
	return false
}

// stagedAt finds the time at the end of an event without decoding it, as the API server writes it, in UTC and microseconds; else it is zero.
func stagedAt(line []byte) (t time.Time) {
	tail := unescaped(line[max(0, len(line)-4096):])
	if at := bytes.LastIndex(tail, stagedMark); at >= 0 {
		if s := word(tail[at+len(stagedMark):]); len(s) == len("2006-01-02T15:04:05.000000Z") && s[len(s)-1] == 'Z' {
			t, _ = time.Parse(time.RFC3339Nano, s)
		}
	}
	return t
}

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
