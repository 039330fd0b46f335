package logline

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// layers is what the scanner remembers of the prefixes that tools put before a line.
type layers struct {
	plain  []byte           // a line without its colours
	prefix []byte           // names before the line, as of the line before
	from   *envelope.Origin // whom they name
	inner  envelope.Reader
	text   []byte // the message of a JSON line inside another wrapper
}

// maxLayers bounds how many prefixes are taken off one line; three of them are seen on one line (grep, CRI, journald).
const maxLayers = 6

// maxPrefix bounds how far from the beginning of a line its header may stand.
const maxPrefix = 400

// strip takes prefixes off a line until a header comes. Where none comes, only those are taken off that are surely no part of the message.
func (s *Scanner) strip(b []byte, w *wrapper) (inner []byte, h header, ok bool) {
	inner = b
	certain := *w
	for range maxLayers {
		rest, sure := s.layer(b, w)
		if rest == nil {
			break
		}
		b = bytes.TrimSuffix(rest, []byte{'\r'})
		if h, ok = parseHeader(b); ok {
			return b, h, true
		}
		if !sure && !bytes.HasPrefix(b, logrusPrefix) {
			continue
		}
		inner, certain = b, *w
	}
	*w = certain
	return inner, header{}, false
}

// layer takes one prefix off; nil when it knows none. It also says whether that was a prefix for sure, so that the rest stands for itself.
func (s *Scanner) layer(b []byte, w *wrapper) (rest []byte, sure bool) {
	if len(b) == 0 {
		return nil, false
	}
	if bytes.IndexByte(b[:min(len(b), maxPrefix)], 0x1b) >= 0 {
		s.layers.plain = plainText(s.layers.plain[:0], b)
		return s.layers.plain, true
	}
	switch c := b[0]; {
	case c == '{':
		return s.jsonLayer(b, w)
	case c == '[':
		return s.podLayer(b, w)
	case c >= '0' && c <= '9':
		if rest, sure := stampLayer(b, w); rest != nil {
			return rest, sure
		}
	case c == ' ':
		if n := indent(b); n > 0 && !w.has {
			s.stats.Indented++
			return b[n:], false
		}
	case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		if rest, sure := s.wordLayer(b, w); rest != nil {
			return rest, sure
		}
		if w.has && !w.cri { // journalctl -o short-iso, short-unix; rsyslog
			if rest := s.unitLayer(b, w); rest != nil && (begins(rest) || hasPID(b[:len(b)-len(rest)])) {
				return rest, true
			}
		}
	}
	return s.nameLayer(b, w)
}

// plainText appends b without the colours of a terminal.
func plainText(dst, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b || i+1 >= len(b) || b[i+1] != '[' {
			dst = append(dst, b[i])
			continue
		}
		for i += 2; i < len(b) && (b[i] < '@' || b[i] > '~'); i++ {
		}
	}
	return dst
}

// maxIndent is how far a header may be indented, as in articles and issues; klog indents the lines inside a value with a tab.
const maxIndent = 16

// indent is the length of the blanks before a header, 0 when there is none behind them.
func indent(b []byte) int {
	n := skipBlanks(b, 0)
	if n == 0 || n > maxIndent {
		return 0
	}
	if _, ok := parseHeader(b[n:]); !ok {
		return 0
	}
	return n
}

// jsonLayer opens a JSON object that stands inside another wrapper, such as docker's in Grafana's download.
func (s *Scanner) jsonLayer(b []byte, w *wrapper) ([]byte, bool) {
	if bytes.HasPrefix(b, dockerPrefix) {
		inner, text, in := unwrap(b, s.layers.text)
		s.layers.text = text
		if in.has {
			w.time, w.has = in.time, true
		}
		if in.has || bytes.Contains(b, []byte(`"stream"`)) {
			return inner, true
		}
		// A log service has parted the line in its fields: text, severity and source.
	}
	s.layers.inner.Entries, s.layers.inner.Prefer = s.layers.inner.Entries[:0], s.prefers
	if rest, _ := s.layers.inner.Document(1, b, nil); rest == nil || len(s.layers.inner.Entries) != 1 {
		return nil, false
	}
	e := s.layers.inner.Entries[0]
	if !e.Time.IsZero() {
		w.time, w.has = e.Time, true
	}
	from := e.From
	if w.from != nil {
		from = from.Within(*w.from)
	}
	w.from = &from
	return bytes.TrimRight(e.Text, "\r\n"), true
}
