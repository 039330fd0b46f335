package logline

import (
	"bytes"
)

// The names before a line that is plain:
//
//	Mar 14 09:26:53[.123456] host unit[pid]: LINE     journalctl -o short, short-precise; oc adm node-logs; rsyslog
//	2026-03-14T09:26:53+0100 host unit[pid]: LINE     journalctl -o short-iso
//
// of which the time is no part. A line is taken only where each layer that strip tries first refuses it by the names alone: then all lines
// with these names are stripped in the same way, and the first one shows how.

// minNames is the least length of names: the layers for times look at so many bytes of a line.
const minNames = 12

const escape = 0x1b

// parseNames reads what stands before the header. It returns its length, 0 when it is in no form.
func (p *plainLine) parseNames(b []byte) int {
	at := p.parseSyslog(b)
	if at == 0 {
		return 0
	}
	n := p.parseUnit(b[at:])
	if n == 0 {
		return 0
	}
	return at + n
}

// parseUnit reads `host unit[pid]: ` behind a time, which is mostly that of the line before.
func (p *plainLine) parseUnit(b []byte) (n int) {
	if bytes.IndexByte(b[:min(len(b), 2*maxPrefix)], escape) >= 0 || bytes.HasSuffix(b, []byte("\r\r")) {
		return 0
	}
	if n = len(p.known); n == 0 || !bytes.HasPrefix(b, p.known) {
		if _, _, n = unitNames(b); n == 0 || n > len(b) {
			return 0
		}
		p.known = append(p.known[:0], b[:n]...)
	}
	p.names = b[:n]
	if n < len(b) && !isLevel(b[n]) {
		return 0
	}
	return n
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
