package audit

import "bytes"

// quoting is how the quotes of an event are written: plain in its own file, escaped inside an envelope's string.
type quoting struct {
	ref, verb, stage, staged, end   []byte
	subresource                     []byte
	ready, moved, failed, succeeded []byte
}

func quotedBy(q string) quoting {
	b := func(s string) []byte { return bytes.ReplaceAll([]byte(s), []byte(`"`), []byte(q)) }
	return quoting{
		ref: b(`"objectRef":{"resource":"`), verb: b(`"verb":"`), stage: b(`"stage":"ResponseComplete"`),
		staged: b(`"stageTimestamp":"`), end: b(`"`),
		subresource: b(`"subresource":"`),
		ready:       b(`"Ready"`), moved: b(`"lastTransitionTime"`), failed: b(`"Failed"`), succeeded: b(`"Succeeded"`),
	}
}

var quotings = []quoting{quotedBy(`"`), quotedBy(`\"`)}

// verdict is what the bytes of a line say before it is decoded.
type verdict int

// other: it has no event. skip: an event that cannot matter. decode: an event that may.
const (
	other verdict = iota
	skip
	decode
)

var (
	refMark   = []byte("objectRef")
	idMark    = []byte("auditID")
	protoMark = []byte("protoPayload")
)

// glance judges a line by the order in which the API server writes an event: stage and verb, objectRef, the bodies. Others are decoded.
func glance(line []byte) verdict {
	for i := range quotings {
		q := &quotings[i]
		at := bytes.Index(line, q.ref)
		if at < 0 {
			continue
		}
		head, rest := line[:at], line[at+len(q.ref):]
		verb := bytes.LastIndex(head, q.verb)
		if verb < 0 {
			return decode
		}
		if !bytes.Contains(head, q.stage) || !mutates(word(head[verb+len(q.verb):], q.end)) || !q.matters(rest) {
			return skip
		}
		return decode
	}
	if bytes.Contains(line, protoMark) || bytes.Contains(line, refMark) || isAKS(line) {
		return decode
	}
	if bytes.Contains(line, groupMark) || bytes.Contains(line, idMark) {
		return skip // a request for no object, such as /healthz
	}
	return other
}

func word(b, end []byte) string {
	if i := bytes.Index(b, end); i >= 0 && i < 64 {
		return string(b[:i])
	}
	return ""
}

// matters looks at the reference, of which rest is what follows resource, and for frequent requests at the bodies.
func (q *quoting) matters(rest []byte) bool {
	ref, body, _ := bytes.Cut(rest, []byte("}"))
	sub := ""
	if i := bytes.Index(ref, q.subresource); i >= 0 {
		sub = word(ref[i+len(q.subresource):], q.end)
	}
	switch word(ref, q.end) {
	case "volumeattachments":
		return true
	case "pods":
		return sub == "" || sub == "binding" || sub == "eviction" ||
			sub == "status" && (bytes.Contains(body, q.ready) || bytes.Contains(body, q.failed) || bytes.Contains(body, q.succeeded))
	case "nodes":
		return sub == "" || sub == "status" && bytes.Contains(body, q.ready) && bytes.Contains(body, q.moved)
	case "deployments", "statefulsets", "replicasets":
		return sub == "scale" || sub == ""
	}
	return false
}

// stagedAt finds the time at the end of an event without decoding it, as the API server writes it: UTC, microseconds.
func stagedAt(line []byte) []byte {
	tail := line[max(0, len(line)-4096):]
	for i := range quotings {
		q := &quotings[i]
		if at := bytes.LastIndex(tail, q.staged); at >= 0 {
			t := tail[at+len(q.staged):]
			if end := bytes.Index(t, q.end); end == len("2006-01-02T15:04:05.000000Z") && t[end-1] == 'Z' {
				return t[:end]
			}
			return nil
		}
	}
	return nil
}
