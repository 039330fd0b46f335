package logline

import (
	"bytes"
	"slices"
)

// parseLogfmt reads `level=info ts=<RFC 3339> component=x msg="…" key=value`, as CSI drivers write that log with go-kit. The order of the
// keys separates them from other users of logfmt in a cluster, which name the caller first. The wordings are each driver's own and
// unknown here; the text begins with the key msg, so that it is taken for no component's.
func parseLogfmt(b []byte) (h header, ok bool) {
	rest, ok := bytes.CutPrefix(b, []byte("level="))
	if !ok {
		return h, false
	}
	level, rest, ok := bytes.Cut(rest, []byte(" ts="))
	if !ok {
		return h, false
	}
	t, n, ok := parseRFC3339(rest)
	if !ok || !slices.Contains([]string{"debug", "info", "warn", "error"}, string(level)) {
		return h, false
	}
	rest, ok = bytes.CutPrefix(rest[n:], []byte(" component="))
	if !ok {
		return h, false
	}
	component, _, ok := bytes.Cut(rest, []byte(" msg="))
	if !ok || !isName(component) {
		return h, false
	}
	h.logfmt, h.clock.instant = true, t.UnixMicro()
	h.text = len(b) - len(rest) + len(component) + 1
	return h, true
}
