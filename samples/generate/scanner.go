package main

import "strings"

// scanner finds names and times in a text: those of forms that Kubernetes makes, and given names. It looks where a word begins; a
// regular expression that does so takes ten times as long.
type scanner struct {
	names [256][]string // by first byte
}

func newScanner(names []string) *scanner {
	var s scanner
	for _, n := range names {
		if n != "" {
			s.names[n[0]] = append(s.names[n[0]], n)
		}
	}
	return &s
}

// next is where the first name or time begins and ends; two zeros are none.
func (sc *scanner) next(s string) (from, to int) {
	word := false
	for i := range len(s) {
		c := s[i]
		if c == '.' || !word {
			if n := sc.match(s[i:]); n > 0 && (i+n == len(s) || !isWord(s[i+n])) {
				return i, i + n
			}
		}
		word = isWord(c)
	}
	return 0, 0
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// match is the length of the name or time that a text begins with.
func (sc *scanner) match(s string) int {
	c := s[0]
	for _, n := range sc.names[c] {
		if strings.HasPrefix(s, n) && (len(s) == len(n) || !isWord(s[len(n)])) {
			return len(n)
		}
	}
	switch {
	case c == '.':
		return shaped(s, ".18##############")
	case c == 'I' || c == 'W' || c == 'E' || c == 'F':
		return shaped(s, "*1121 00:00:00.000000")
	case c == 'v':
		return shaped(s, "vol-"+volumeDigits)
	case c == 'i':
		return shaped(s, "i-"+volumeDigits)
	case strings.HasPrefix(s, "csi-node-"):
		return shaped(s, "csi-node-*****")
	case strings.HasPrefix(s, "csi-"):
		return shaped(s, "csi-"+attachmentDigits)
	case strings.HasPrefix(s, "10."):
		return addressLength(s)
	case strings.HasPrefix(s, "2026-"):
		if n := timeLength(s); n > 0 {
			return n
		}
	}
	if isHex(c) {
		return shaped(s, "########-####-####-####-############")
	}
	return 0
}

const (
	volumeDigits     = "#################"
	attachmentDigits = "################################################################"
)

// shaped is the length of a shape when a text begins with it: # is a hexadecimal digit, 0 a decimal one, * a letter or digit.
func shaped(s, shape string) int {
	if len(s) < len(shape) {
		return 0
	}
	for i := range len(shape) {
		c := s[i]
		switch shape[i] {
		case '#':
			if !isHex(c) {
				return 0
			}
		case '0':
			if c < '0' || c > '9' {
				return 0
			}
		case '*':
			if !isWord(c) {
				return 0
			}
		default:
			if c != shape[i] {
				return 0
			}
		}
	}
	return len(shape)
}

// timeLength is the length of a time with a date.
func timeLength(s string) int {
	n := max(shaped(s, "0000-00-00T00:00:00"), shaped(s, "0000-00-00 00:00:00"))
	if n == 0 {
		return 0
	}
	if n+1 < len(s) && s[n] == '.' && s[n+1] >= '0' && s[n+1] <= '9' {
		for n++; n < len(s) && s[n] >= '0' && s[n] <= '9'; n++ {
		}
	}
	if n < len(s) && s[n] == 'Z' {
		n++
	}
	return n
}

// addressLength is the length of an IPv4 address.
func addressLength(s string) int {
	dots, n := 0, 0
	for ; n < len(s) && (s[n] == '.' || s[n] >= '0' && s[n] <= '9'); n++ {
		if s[n] == '.' {
			if dots++; dots > 3 {
				return 0
			}
		}
	}
	if dots < 3 || s[n-1] == '.' {
		return 0
	}
	return n
}
