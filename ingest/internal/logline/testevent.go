package logline

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// testEvent reads a Kubernetes Event as the e2e tests of Kubernetes print it:
//
//	At 2020-08-07 08:30:36 +0000 UTC - event for <name>: {<component> <host>} <reason>: <message>
//
// It returns the event and its message.
func testEvent(b []byte) (*envelope.Event, []byte) {
	rest, ok := bytes.CutPrefix(b, []byte("At "))
	if !ok {
		return nil, b
	}
	when, rest, _ := bytes.Cut(rest, []byte(" - event for "))
	name, rest, _ := bytes.Cut(rest, []byte(": {"))
	source, rest, _ := bytes.Cut(rest, []byte("} "))
	reason, message, whole := bytes.Cut(rest, []byte(": ")) // of nothing, where a part before it is not there
	words := bytes.Fields(when)
	if !whole || len(words) < 3 || !isName(name) || !isName(reason) {
		return nil, b
	}
	component, host, _ := bytes.Cut(source, []byte{' '})
	first, n, ok := parseRFC3339(bytes.Join([][]byte{words[0], append(bytes.Clone(words[1]), words[2]...)}, []byte{'T'}))
	if !ok || n == 0 {
		return nil, b
	}
	return &envelope.Event{Reason: string(reason), Name: string(name), Component: string(component), Host: string(host), First: first}, message
}
