package audit

import (
	"bytes"
)

// MaxEvent is how many bytes of one event are kept. The API server takes objects of up to 3 MiB, of which an event holds two.
const MaxEvent = 8 << 20

// runtimePiece reads the prefix of a container runtime, "2026-03-14T09:26:53.841223001Z stdout P text". partial: the next line goes on.
func runtimePiece(line []byte) (text []byte, partial, ok bool) {
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return nil, false, false
	}
	head := line[:min(len(line), 64)]
	i := bytes.Index(head, []byte(" stdout "))
	if i < 0 {
		i = bytes.Index(head, []byte(" stderr "))
	}
	if i < 20 || len(line) < i+10 || bytes.IndexByte([]byte(" :"), line[i+9]) < 0 {
		return nil, false, false
	}
	tag := line[i+8]
	if tag != 'F' && tag != 'P' {
		return nil, false, false
	}
	_, text, ok = bytes.Cut(line[i+8:], []byte(" "))
	return text, tag == 'P', ok
}
