package strictjson

import (
	"strings"
	"time"
)

// usualForm is how reports write times; digits stand for digits. A fraction and Z follow.
const usualForm = "0000-00-00T00:00:00"

// usualTime tells whether s is a time as reports write it, in UTC. Other times are left to isTime.
func usualTime(s []byte) bool {
	if len(s) <= len(usualForm) || s[len(s)-1] != 'Z' {
		return false
	}
	for i := range len(usualForm) {
		if digit := '0' <= s[i] && s[i] <= '9'; digit != (usualForm[i] == '0') || !digit && s[i] != usualForm[i] {
			return false
		}
	}
	fraction := s[len(usualForm) : len(s)-1]
	if len(fraction) == 1 || len(fraction) > 0 && fraction[0] != '.' {
		return false
	}
	for _, c := range fraction[min(1, len(fraction)):] {
		if c < '0' || c > '9' {
			return false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	month, day := two(5), two(8)
	return 1 <= month && month <= 12 && 1 <= day && day <= 28 && two(11) <= 23 && two(14) <= 59 && two(17) <= 59
}

// isTime tells whether s is a time of RFC 3339 that a report can be decoded with, which excludes leap seconds. Go also
// decodes an hour of one digit, a comma for the point and zones of a hundred hours (go.dev/issue/54580).
func isTime(s string) bool {
	if new(time.Time).UnmarshalText([]byte(s)) != nil || len(s) <= len(usualForm) || s[13] != ':' || s[len(usualForm)] == ',' {
		return false
	}
	if s[len(s)-1] == 'Z' {
		return true
	}
	zone := s[len(s)-len("00:00"):]
	return zone[:2] <= "23" && zone[3:] <= "59"
}

// notTime says of s that it is no time.
func notTime(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return quote(s) + " is not valid date-time: want RFC 3339, such as 2026-11-21T06:06:51Z"
}
