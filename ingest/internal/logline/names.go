package logline

import (
	"bytes"
	"slices"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

var podPrefix = []byte("[pod/")

// podLayer takes `[pod/<pod>/<container>] ` off, as kubectl logs --prefix writes it.
func (s *Scanner) podLayer(b []byte, w *wrapper) ([]byte, bool) {
	pod, container, n := podNames(b)
	if n == 0 {
		return nil, false
	}
	s.named(b[:n-2], w, func() envelope.Origin { return envelope.Origin{Pod: string(pod), Container: string(container)} })
	return b[n:], true
}

// podNames reads `[pod/<pod>/<container>] `, or before klog's header kubetail's `[<pod>] ` and `[<pod> <container>] `, and returns its length,
// 0 when it is not there.
func podNames(b []byte) (pod, container []byte, n int) {
	end := bytes.Index(b[:min(len(b), maxPrefix)], []byte("] "))
	if end < 0 {
		return nil, nil, 0
	}
	if names, ok := bytes.CutPrefix(b[:end], podPrefix); ok {
		if pod, container, ok = bytes.Cut(names, []byte{'/'}); !ok {
			return nil, nil, 0
		}
		return pod, container, end + 2
	}
	pod, container, two := bytes.Cut(b[1:end], []byte{' '})
	if _, ok := parseHeader(b[end+2:]); !ok || !isMadeOf(pod, nameChars) || two && !isMadeOf(container, nameChars) {
		return nil, nil, 0
	}
	return pod, container, end + 2
}

// named sets whom a prefix names. Lines of one writer follow each other, so the last answer is kept.
func (s *Scanner) named(prefix []byte, w *wrapper, read func() envelope.Origin) {
	if s.layers.from == nil || !bytes.Equal(prefix, s.layers.prefix) {
		from := read()
		s.layers.prefix, s.layers.from = bytes.Clone(prefix), &from
	}
	if w.from == nil {
		w.from = s.layers.from
		return
	}
	from := s.layers.from.Within(*w.from)
	w.from = &from
}

// wordLayer takes off a prefix that begins with a letter: syslog's, journald's, prow's, ginkgo's, Cloud Logging's severity.
func (s *Scanner) wordLayer(b []byte, w *wrapper) ([]byte, bool) {
	if c, n, ok := parseSyslogTime(b); ok && n < len(b) {
		rest := b[n:]
		if word, ok := bytes.CutPrefix(rest, []byte(": ")); ok { // ginkgo
			if i := bytes.Index(word[:min(len(word), 10)], []byte(": ")); i > 0 {
				return word[i+2:], true
			}
			return nil, false
		}
		if rest[0] != ' ' {
			return nil, false
		}
		if after := s.unitLayer(rest[1:], w); after != nil {
			w.civil, w.isCivil = c.in(0).UnixMicro(), true
			return after, true
		}
		return nil, false
	}
	if i := bytes.Index(b[:min(len(b), 24)], []byte("] ")); i > 14 && new(clock).parseCivil(b) { // prow: `I0807 08:47:19.594] `
		return b[i+2:], true
	}
	return s.severityLayer(b, w)
}

var severities = []string{"DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY"}

// severityLayer takes `WARNING 2025-04-18T20:16:21.632591315Z ` off, which Cloud Logging's console copies in place of klog's header.
func (s *Scanner) severityLayer(b []byte, w *wrapper) ([]byte, bool) {
	word, rest, _ := bytes.Cut(b, []byte{' '})
	if !slices.Contains(severities, string(word)) {
		return nil, false
	}
	t, n, ok := parseRFC3339(rest)
	if !ok || n == len(rest) || rest[n] != ' ' {
		return nil, false
	}
	w.time, w.has = t, true
	s.named(word, w, func() envelope.Origin { return envelope.Origin{} })
	return rest[n+1:], true
}

// unitLayer takes `host identifier[pid]: ` off, as journald and syslog write it. It returns nil when it is not there.
func (s *Scanner) unitLayer(b []byte, w *wrapper) []byte {
	host, unit, n := unitNames(b)
	if n == 0 {
		return nil
	}
	prefix := b[:len(host)+1+len(unit)]
	s.named(prefix, w, func() envelope.Origin { return envelope.Origin{Host: string(host), Unit: string(unit)} })
	return b[min(len(b), n):]
}

// unitNames is the length of `host identifier[pid]: `, 0 when it is not there. An empty line may lack the blank at its end.
func unitNames(b []byte) (host, unit []byte, n int) {
	host, rest, ok := bytes.Cut(b[:min(len(b), maxPrefix)], []byte{' '})
	if !ok || len(host) == 0 {
		return nil, nil, 0
	}
	end := bytes.Index(rest, []byte(": "))
	if end <= 0 {
		if end = len(rest) - 1; end <= 0 || rest[end] != ':' || len(b) > maxPrefix {
			return nil, nil, 0
		}
	}
	unit = rest[:end]
	if i := bytes.IndexByte(unit, '['); i > 0 && unit[len(unit)-1] == ']' {
		unit = unit[:i]
	}
	if !isName(unit) {
		return nil, nil, 0
	}
	return host, unit, len(host) + 1 + end + 2
}

func hasPID(b []byte) bool {
	inside, ok := bytes.CutSuffix(b, []byte("]: "))
	open := bytes.LastIndexByte(inside, '[')
	return ok && open >= 0 && isMadeOf(inside[open+1:], digits)
}

// isName recognises a word that names a pod, a unit, a stream or a file.
func isName(b []byte) bool { return isMadeOf(b, nameChars) }

// nameLayer takes off the names of kail, stern, grep, logcli and aws logs tail; being so loose, they need a time or a header behind them.
func (s *Scanner) nameLayer(b []byte, w *wrapper) ([]byte, bool) {
	head := b[:min(len(b), maxPrefix)]
	if p := s.layers.prefix; s.layers.from != nil && s.layers.from.Pod != "" {
		if rest, ok := bytes.CutPrefix(b, append(p[:len(p):len(p)], ' ')); ok && len(rest) > 0 {
			s.named(p, w, nil)
			return rest, true
		}
	}
	if end := bytes.Index(head, []byte("]: ")); end > 0 && begins(b[end+3:]) { // kail: ns/pod[container]:
		if open := bytes.LastIndexByte(head[:end], '['); open > 0 && isName(head[:open]) {
			namespace, pod, ok := bytes.Cut(head[:open], []byte{'/'})
			if ok {
				s.named(b[:end+2], w, func() envelope.Origin {
					return envelope.Origin{Namespace: string(namespace), Pod: string(pod), Container: string(head[open+1 : end])}
				})
				return b[end+3:], true
			}
		}
	}
	if head[0] == '{' {
		return nil, false
	}
	if colon := bytes.IndexByte(head, ':'); colon > 0 && isName(head[:colon]) && begins(b[colon+1:]) { // grep: path:
		return b[colon+1:], true
	}
	if end := bytes.Index(head, []byte("]: ")); end > 0 && hasPID(head[:end+3]) && begins(b[end+3:]) { // journald, cut at its beginning
		return b[end+3:], true
	}
	return s.sternLayer(b, head, w)
}

// sternLayer takes one to three names before a line off: `[namespace ]pod container `, or a log stream's name.
func (s *Scanner) sternLayer(b, head []byte, w *wrapper) ([]byte, bool) {
	i := 0
	for n := range 3 {
		end := bytes.IndexByte(head[i:], ' ')
		if end <= 0 || !isName(head[i:i+end]) {
			return nil, false
		}
		i += end + 1
		if !begins(b[i:]) {
			continue
		}
		words := bytes.Fields(head[:i-1])
		s.named(b[:i-1], w, func() envelope.Origin {
			switch n {
			case 0:
				return envelope.Origin{Container: envelope.StreamName(string(words[0]))}
			case 1:
				return envelope.Origin{Pod: string(words[0]), Container: string(words[1])}
			}
			return envelope.Origin{Namespace: string(words[0]), Pod: string(words[1]), Container: string(words[2])}
		})
		return b[i:], n > 0
	}
	return nil, false
}

// begins reports whether b begins with a header or with a time that a runtime wrote.
func begins(b []byte) bool {
	if _, ok := parseHeader(b); ok {
		return true
	}
	if len(b) == 0 || b[0] < '0' || b[0] > '9' {
		return false
	}
	_, n, ok := parseRFC3339(b)
	return ok && n < len(b) && b[n] == ' '
}
