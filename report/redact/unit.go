package redact

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// A unit is a name of a fixed form that is replaced as a whole. Units are found before a text is split into runs.
var unit = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, // UUID
	`[0-9a-f]{64}`,                    // SHA-256
	`(?:[0-9a-f]{2}:){19}[0-9a-f]{2}`, // of InfiniBand
	`(?:[0-9a-f]{2}:){7}[0-9a-f]{2}`,  // WWN, which reads as IPv6, too
	`(?:[0-9a-f]{2}:){5}[0-9a-f]{2}`,  // MAC
	`[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d{1,3}(?:\.\d{1,3}){3})?`, // IPv6, if it can be read as one
	`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`,                               // IPv4
	`\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}`,                                  // the same in a host's name
	`[a-z]-[0-9a-f]{12}`,                                               // of evidence, incidents, groups
}, "|"))

// unitAt is where the next unit stands in a text, with its kind.
func unitAt(s string) (from, to int, kind unitKind) {
	for base := 0; ; base = from + 1 {
		if from, to = unitFrom(s, base); to == 0 {
			return 0, 0, noUnit
		}
		if kind = unitOf(s[from:to]); kind != noUnit && bounded(s, from, to, kind) {
			return from, to, kind
		}
	}
}

// unitKind is the form of a unit.
type unitKind string

const (
	noUnit     unitKind = ""
	uuidUnit   unitKind = "uuid"
	digestUnit unitKind = "digest"
	macUnit    unitKind = "mac"
	ipv6Unit   unitKind = "ipv6"
	ipv4Unit   unitKind = "ipv4"
	idUnit     unitKind = "id"
)

func unitOf(s string) unitKind {
	switch {
	case len(s) == 36 && s[8] == '-':
		return uuidUnit
	case len(s) == 64:
		return digestUnit
	case len(s) == 14 && s[1] == '-':
		return idUnit
	case pairs(s, 6), pairs(s, 20):
		return macUnit
	case strings.Contains(s, ":"):
		if _, err := netip.ParseAddr(s); err != nil || ofAnyMachine(s) {
			return noUnit
		}
		return ipv6Unit
	}
	s = strings.ReplaceAll(s, "-", ".")
	if _, err := netip.ParseAddr(s); err != nil || ofAnyMachine(s) {
		return noUnit
	}
	return ipv4Unit
}

// pairs reports whether an address is so many pairs of digits.
func pairs(s string, n int) bool {
	return len(s) == 3*n-1 && s[2] == ':' && strings.Count(s, ":") == n-1
}

// formOf distinguishes the addresses among the units by how they look: a pseudonym need not be an address that can be read.
func formOf(s string) unitKind {
	if strings.Contains(s, ":") {
		return ipv6Unit
	}
	if strings.Contains(s, ".") || dashed.MatchString(s) {
		return ipv4Unit
	}
	return noUnit
}

// ofAnyMachine reports whether an address identifies no machine, and so stays: every machine has it.
func ofAnyMachine(address string) bool {
	a, err := netip.ParseAddr(address)
	return err == nil && (a.IsUnspecified() || a.IsLoopback())
}

// bounded reports whether a unit is not a part of something longer: it is a run, or a part of one at its joints.
func bounded(s string, from, to int, kind unitKind) bool {
	before, after := byte(' '), byte(' ')
	if from > 0 {
		before = s[from-1]
	}
	if to < len(s) {
		after = s[to]
	}
	if behindLetter(s, from) || letter(after) {
		return false
	}
	switch kind {
	case ipv6Unit, macUnit:
		return before != ':' && after != ':'
	case ipv4Unit:
		// A version such as 4.18.0.1-2 is taken for an address, which does no harm; a fifth number is no address.
		number := func(at int) bool { return at >= 0 && at < len(s) && digit(s[at]) }
		if joint(before) && number(from-2) {
			return false
		}
		return !joint(after) || !number(to+1)
	}
	return true
}

// fresh is the n-th pseudonym of a unit, of the same form and length.
func (k unitKind) fresh(name string, n int) string {
	switch k {
	case uuidUnit:
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) // at both ends, so that it stays one of a kind where its middle is left out
	case digestUnit:
		return fmt.Sprintf("%08x%056x", n, 0)
	case idUnit:
		return fmt.Sprintf("%c-%012d", name[0], n)
	}
	return numbered(name, n, k != ipv4Unit)
}

// numbered replaces the digits of an address by a number, from the right; one too long for the form is another address.
func numbered(name string, n int, hex bool) string {
	digits := strconv.FormatInt(int64(n), 10)
	if hex {
		digits = strconv.FormatInt(int64(n), 16)
	}
	out := []byte(name)
	for i := len(out) - 1; i >= 0; i-- {
		if strings.IndexByte(":.", out[i]) >= 0 {
			continue
		}
		out[i] = '0'
		if digits != "" {
			out[i] = digits[len(digits)-1]
			digits = digits[:len(digits)-1]
		}
	}
	if digits != "" {
		return fmt.Sprintf("fd00::%x", n)
	}
	return string(out)
}

// form is the pattern of an address: where its digits stand.
func form(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(":.", r) {
			return r
		}
		return '0'
	}, name)
}

// longestUnit is how long a unit is at most: a digest.
const longestUnit = 64

var unitHere = regexp.MustCompile(`^(?:` + unit.String() + `)`)

// unitFrom is the next place from base on with the form of a unit; to is 0 for none. It reads a text once.
func unitFrom(s string, base int) (from, to int) {
	for i := base; i < len(s); i++ {
		if behindLetter(s, i) || !mayBegin(s[i:]) {
			continue
		}
		if m := unitHere.FindStringIndex(s[i:min(len(s), i+longestUnit)]); m != nil {
			return i, i + m[1]
		}
	}
	return 0, 0
}

// mayBegin reports whether the digits that a text begins with can be those of a unit.
func mayBegin(s string) bool {
	n := hexRun(s, longestUnit)
	if identifier := len(s) > 1 && s[1] == '-' && hexRun(s[2:], 12) == 12; identifier || n == longestUnit {
		return true
	}
	if n == len(s) || n > 8 {
		return false
	}
	sign := s[n]
	if n == 8 && sign == '-' {
		return true
	}
	if next := n + 1 + hexRun(s[n+1:], 4); next == len(s) || s[next] != sign { // where the next joint of an address stands
		return false
	}
	decimal := n > 0 && classOf(s[:n]) == digits
	return sign == ':' || decimal && joint(sign)
}

// letter reports whether a byte is a part of a letter or a digit.
func letter(c byte) bool { return digit(c) || latin(c) || c >= 0x80 }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func latin(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// escaped reports whether the letter at a place belongs to a backslash: \n10.0.0.1.
func escaped(s string, at int) bool { return at > 0 && s[at-1] == '\\' }

// behindLetter reports whether a letter stands right before a place, and no escape.
func behindLetter(s string, at int) bool { return at > 0 && letter(s[at-1]) && !escaped(s, at-1) }

// hexRun is how many hexadecimal digits s begins with, up to most.
func hexRun(s string, most int) int {
	n := 0
	for n < len(s) && n < most && hexDigit(s[n]) {
		n++
	}
	return n
}

func hexDigit(c byte) bool { return digit(c) || latin(c) && c|0x20 <= 'f' }
