package manifest

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// key reads the key at the current position: where its value begins, which is the end of the line when none follows there.
func (c *canonical) key() (key string, style yaml.Style, value int, ok bool) {
	line := c.text[c.at:c.end]
	end := 0 // of the key's text
	if line[0] == '"' || line[0] == '\'' {
		n := strings.IndexByte(line[1:], line[0])
		if n < 0 || strings.IndexByte(line[1:n+1], '\\') >= 0 {
			return "", 0, 0, false
		}
		key, end, style = line[1:n+1], n+2, yaml.DoubleQuotedStyle
		if line[0] == '\'' {
			style = yaml.SingleQuotedStyle
		}
	} else if !plainStart(line) {
		return "", 0, 0, false
	} else {
		if end = plainKey(line); end == 0 || line[:end] == "<<" {
			return "", 0, 0, false
		}
		key = line[:end]
	}
	if end > maxKey || end >= len(line) || line[end] != ':' {
		return "", 0, 0, false
	}
	if end+1 == len(line) {
		return key, style, c.end, true
	}
	if end+2 < len(line) && line[end+1] == ' ' && line[end+2] != ' ' {
		return key, style, c.at + end + 2, true
	}
	return "", 0, 0, false
}

// plainKey is where a key without quotes ends, at its colon; 0 when a line has none.
func plainKey(line string) int {
	switch n := strings.IndexByte(line, ' '); {
	case n < 0 && line[len(line)-1] == ':':
		return len(line) - 1
	case n < 0:
		return 0
	case line[n-1] == ':':
		return n - 1
	}
	for end := 1; end < len(line); end++ {
		if line[end] == ':' && (end+1 == len(line) || line[end+1] == ' ') {
			if line[end-1] == ' ' {
				return 0
			}
			return end
		}
		if line[end] == '#' && line[end-1] == ' ' {
			return 0
		}
	}
	return 0
}

// plainStart reports whether a text may begin a scalar without quotes.
func plainStart(s string) bool {
	return plainFirst[s[0]] || s[0] == '-' && len(s) > 1 && s[1] != ' ' && s[1] != '?' && s[1] != ':'
}

// plainFirst are the characters that may begin a scalar without quotes whatever follows.
var plainFirst = func() (first [256]bool) {
	for _, b := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_$(<=^+\\;") {
		first[b] = true
	}
	return first
}()

// plain reports whether a text is a scalar without quotes, all of it.
func plain(s string) bool {
	if !plainStart(s) || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	from := strings.IndexByte(s, ' ')
	if from < 0 {
		return true
	}
	for i := from; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if s[i-1] == ':' {
				return false
			}
		case '#':
			if s[i-1] == ' ' {
				return false
			}
		}
	}
	return true
}

// plainTag is what YAML takes a scalar without quotes for.
func plainTag(s string) string {
	switch b := s[0]; {
	case b >= '1' && b <= '9' && len(s) < 10 && len(strings.TrimLeft(s, "0123456789")) == 0:
		return "!!int"
	case len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-': // a UID
		return "!!str"
	case b >= '0' && b <= '9', b == '.', b == '-', b == '+', b == '<', b == '=':
	case len(s) > len("false"): // the longest of the words that are no strings
		return "!!str"
	case strings.IndexByte("yYnNtTfFoO~", b) < 0:
		return "!!str"
	}
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: s}).ShortTag()
}

// quoted reads a scalar in quotes that is all of a text. Those with escapes are for the full parser.
func quoted(s string) (value string, ok bool) {
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return "", false
	}
	value = s[1 : len(s)-1]
	if s[0] == '"' {
		return value, strings.IndexByte(value, '"') < 0 && strings.IndexByte(value, '\\') < 0
	}
	if strings.IndexByte(value, '\'') < 0 {
		return value, true
	}
	if value = strings.ReplaceAll(value, "''", "\x00"); strings.IndexByte(value, '\'') >= 0 {
		return "", false
	}
	return strings.ReplaceAll(value, "\x00", "'"), true
}

// legible reports whether a text has printable characters and line feeds only: no tabs or carriage returns, nothing a parser complains of.
func legible(raw []byte) bool {
	for i, b := range raw {
		if b >= 0x7f {
			return !strings.ContainsFunc(string(raw[i:]), illegible)
		}
		if b < ' ' && b != '\n' {
			return false
		}
	}
	return true
}

func illegible(r rune) bool {
	unprintable := r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0
	return unprintable || slices.Contains([]rune{utf8.RuneError, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff}, r)
}
