package logline

import (
	"bytes"
)

// namesForm is how names stand before a line:
//
//	[pod/<pod>/<container>] LINE                      kubectl logs --prefix
//	[namespace ]pod container LINE                    stern
//	Mar 14 09:26:53[.123456] host unit[pid]: LINE     journalctl -o short, short-precise; oc adm node-logs; rsyslog
//	2026-03-14T09:26:53+0100 host unit[pid]: LINE     journalctl -o short-iso
//
// of which the time stamp and the syslog time are no part of the names. A line is taken only where each layer that strip tries first
// refuses it by the names alone: then all lines with these names are stripped in the same way, and the first one shows how.
type namesForm int

const (
	podForm namesForm = iota
	wordsForm
	unitForm
)

// minNames is the least length of names made of words: the layers for times look at so many bytes of a line.
const minNames = 12

const escape = 0x1b

// parseNames reads what stands before the header or the time stamp. It returns its length, 0 when it is in no form.
func (p *plainLine) parseNames(b []byte) int {
	if b[0] == '[' {
		return p.parsePrefix(b, podForm)
	}
	if b[0] >= 'a' && b[0] <= 'z' {
		return p.parsePrefix(b, wordsForm)
	}
	if at := p.parseSyslog(b); at > 0 {
		if n := p.parseUnit(b[at:]); n > 0 {
			return at + n
		}
	}
	return 0
}

// parseUnit reads `host unit[pid]: ` behind a time.
func (p *plainLine) parseUnit(b []byte) int {
	n := p.parsePrefix(b, unitForm)
	if n < len(b) && !isLevel(b[n]) && b[n] != '{' {
		return 0
	}
	return n
}

// parsePrefix reads names in a form, which are mostly those of the line before.
func (p *plainLine) parsePrefix(b []byte, form namesForm) (n int) {
	if bytes.IndexByte(b[:min(len(b), 2*maxPrefix)], escape) >= 0 || bytes.HasSuffix(b, []byte("\r\r")) {
		return 0
	}
	if n = len(p.known); n == 0 || p.knownForm != form || !bytes.HasPrefix(b, p.known) {
		switch form {
		case podForm:
			_, _, n = podNames(b)
		case wordsForm:
			n = wordNames(b)
		case unitForm:
			if _, _, n = unitNames(b); n > len(b) {
				n = 0
			}
		}
		if n == 0 {
			return 0
		}
		p.known, p.knownForm = append(p.known[:0], b[:n]...), form
	}
	p.names, p.namesForm = b[:n], form
	return n
}

// wordNames is the length of two or three names and their blanks, up to what looks like a header or a time; 0 without them.
func wordNames(b []byte) int {
	i := 0
	for n := range 3 {
		end := bytes.IndexByte(b[i:min(len(b), maxPrefix)], ' ')
		if end <= 0 || !isName(b[i:i+end]) {
			return 0
		}
		if i += end + 1; i+32 > len(b) || i >= maxPrefix {
			return 0
		}
		header := b[i] == '{' || isLevel(b[i]) && fits(b[i+1:], "0000 00:")
		if begins := header || fits(b[i:], "0000-00-00T"); begins && n > 0 && i >= minNames {
			return i
		}
	}
	return 0
}

// syslogSecond is the form of a syslog time without its fraction.
const syslogSecond = "Mar 14 09:26:53"

// parseSyslog reads `Mar 14 09:26:53.123456 ` and returns its length, 0 when it is not there. Records with a header have its time.
func (p *plainLine) parseSyslog(b []byte) int {
	if len(b) <= len(syslogSecond) {
		return 0
	}
	if string(b[:len(syslogSecond)]) != string(p.syslog[:]) {
		if _, _, ok := parseSyslogTime(b); !ok {
			return 0
		}
		copy(p.syslog[:], b)
	}
	_, n := fraction(b, len(syslogSecond))
	if n >= len(b) || b[n] != ' ' {
		return 0
	}
	return n + 1
}
