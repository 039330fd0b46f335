package mask

import (
	"regexp"
	"strings"
	"sync"
)

// keyWords is a word that ends the name of a secret, from where it begins. What stands before it decides with it: secretWord.
const keyWords = `(?i:pass(?:[_-]?(?:w(?:or|r)?ds?|phrase|code))?|pwd|tokens?|secret(?:[_-]?(?:id|string)|s)?|key(?:[_-]?id|-data|_base|_value|s_b64|s| [0-9]{1,2})?|signature|credentials?|authorization|` +
	`cookie|client-certificate-data|dockerc(?:onfigjson|fg)|connection[_-]?string|psk|pw|rediscli_auth)(?:[_-]?[0-9]{1,3}|[_-](?i:in|confirmation)|[_-]?(?i:hash|value|binary|encrypted))?`

// keyed is such a word at the beginning of a text.
var keyed = regexp.MustCompile(`^` + keyWords)

// keyedWord is that word. A number behind a key is of its name where a value is assigned to it: Unseal Key 1: x, and --certificate-key 12ab.
func keyedWord(text string) string {
	word := keyed.FindString(clip(text))
	if bare, _, numbered := strings.Cut(word, " "); numbered && !assigned.MatchString(clip(text[len(word):])) {
		return bare
	}
	return word
}

// late is a large pattern that the first text compiles which needs it: a start that reads nothing does not pay for it.
func late(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// otherFields are what may stand between the name and the value of a pair, in either order: optional, valueFrom and the like.
const otherFields = `[\s,;]*(?:\\*["']?[A-Za-z_]{1,40}\\*["']?\s*[:=]\s*(?:\\*["'][^"'\\]{0,60}\\*["']|\{[^{}]{0,60}(?:\{[^{}]{0,60}\}[^{}]{0,60})?\}|[A-Za-z0-9.<>_-]{1,40})[\s,;]+){0,4}`

// How a value follows such a word: assigned to it, as a flag's next argument, or as the value of a pair whose name it is.
var (
	assigned = regexp.MustCompile(`^(?:(?:(?:\x1b|\\(?:x1b|u001b|033))\[[0-9;]*m)?(?:\\*["']|` + spelledQuote + `)?(?:\]|%5[dD]|\[["']?[A-Za-z0-9_.-]{1,40}["']?\]|\.{3,}|\s(?:\([a-z ]{1,20}\)|\[hidden\]))?\s*(?:=+>|->|→|:=|[:=]|%3[dD]|&#61;|\\+u003[dD])\s*|\s+(?:-v|--value)[\s=]\s*)` +
		`(?:\{\s*\\*["']?[vV]alue\\*["']?\s*[:=]\s*)?`)
	argument  = regexp.MustCompile(`^(?:\\*["'](?:\s*,\s*|\s+)|\s*,\s*|\s+)`)
	column    = regexp.MustCompile(`^(?:\t\s*|\s{2,})(\S+)\s*$`)
	told      = regexp.MustCompile(`^(?i:\s+for\s+\S+\s*[:=])?\s+["']`) // the password "x"
	pairValue = late(`^\\*["']?` + otherFields + `\\*["']?(?i:value|default)\\*["']?\s*[:=]\s*`)
	within    = regexp.MustCompile(`^\\*["']?\s*[:=]?\s*\{`) // "db_password": {"sensitive": true, "value": "x"}
	pairName  = late(`^\\*["']?` + otherFields + `\\*["']?(?i:name|key)\\*["']?\s*[:=]\s*\\*["']?([A-Za-z0-9_.-]{1,100})`)
	valueOf   = regexp.MustCompile(`^(?i:value)\\*["']?\s*[:=]\s*`)
)

// longestName bounds how far a rule looks back, longestPair the value before its name: hostile lines would take quadratic time.
const longestName, longestPair = 100, 4096

// valueOfName is the place of the secret whose name has a word at i; both are 0 when there is none.
func valueOfName(line string, i int) (from, to int) {
	if sameStart(line[i:], "value") {
		return valueBeforeName(line, i)
	}
	word := keyedWord(line[i:])
	if word == "" {
		return 0, 0
	}
	n := nameBefore(line, i, word)
	if n.word == noSecret {
		return 0, 0
	}
	rest := clip(line[i+len(word):])
	if m := assigned.FindString(rest); m != "" {
		if from, to = valuePlace(line, i+len(word)+len(m), n.behind(m)); to > from || !strings.HasPrefix(rest[len(m):], "{") {
			return from, to
		}
	}
	tagged := strings.Contains(rest, ">") || strings.Contains(rest, "u003") || strings.Contains(rest, "&gt;") // or no tag ends here
	if tagged && tagStart.MatchString(line[max(0, i-longestName):i]) {
		if m := element.FindString(rest); m != "" {
			return elementPlace(line, i+len(word)+len(m))
		}
	}
	if length := beforeValue(rest); length > 0 && n.named() {
		return valuePlace(line, i+len(word)+length, context{sure: true})
	}
	if m := entry.FindString(rest); m != "" && n.named() && entryStart.MatchString(line[max(0, i-longestName):i]) {
		return elementPlace(line, i+len(word)+len(m))
	}
	if m := argument.FindString(rest); m != "" && n.flag {
		return valuePlace(line, i+len(word)+len(m), context{sure: true, argument: true, file: n.word != certain})
	}
	if at := column.FindStringSubmatchIndex(rest); at != nil && n.first && n.word == certain && len(rest) == len(line)-i-len(word) {
		return valuePlace(line, i+len(word)+at[2], context{sure: true})
	}
	if m := argument.FindString(rest); m != "" && n.long && n.word == certain {
		return valuePlace(line, i+len(word)+len(m), context{argument: true})
	}
	if m := told.FindString(rest); m != "" && sameStart(word, "p") && n.word == certain {
		return valuePlace(line, i+len(word)+len(m)-1, context{sure: true})
	}
	return 0, 0
}

// beforeValue is the length of what stands between the name of a pair and its value; 0 for no pair.
func beforeValue(rest string) int {
	inside := len(within.FindString(rest))
	if rest != "" && wordByte(rest[0]) {
		return 0 // the name goes on
	}
	if m := pairValue().FindString(rest[inside:]); m != "" {
		return inside + len(m)
	}
	return 0
}

// element is how the tag of an element ends whose name is that of a secret, also as JSON spells it out; what is in it ends with the next tag.
var (
	element    = regexp.MustCompile(`^(?:\s[^<>]{0,240}?)?(?:>|\\+u003[eE]|&gt;)(?:\s*<!\[CDATA\[)?`)
	entry      = regexp.MustCompile(`^["'][^<>]{0,100}>(?:\s*<value>)?`)
	elementEnd = regexp.MustCompile(`<|\]\]>|\\+u003[cC]|&lt;`)
	tagStart   = regexp.MustCompile(`(?:<|\\u003[cC]|&lt;)[A-Za-z0-9_.:-]*$`)
	entryStart = regexp.MustCompile(`<[A-Za-z]+ (?:key|name|id)=["'][A-Za-z0-9_.:-]*$`)
)

func elementPlace(line string, from int) (int, int) {
	to := len(line)
	if at := elementEnd.FindStringIndex(line[from:]); at != nil {
		to = from + at[0]
	}
	if harmless(strings.TrimSpace(line[from:to])) {
		return 0, 0
	}
	return from, to
}

// valueBeforeName is the value of a pair whose name follows, such as {"value":"x","name":"DB_PASSWORD"}.
func valueBeforeName(line string, i int) (from, to int) {
	m := valueOf.FindString(clip(line[i:]))
	if m == "" || i > 0 && wordByte(line[i-1]) {
		return 0, 0
	}
	from, to = pairPlace(line, i+len(m))
	if to <= from {
		return 0, 0
	}
	name := pairName().FindStringSubmatch(clip(line[to:]))
	if name == nil {
		return 0, 0
	}
	for j := range name[1] {
		if word := keyedWord(name[1][j:]); word != "" && j+len(word) == len(name[1]) && nameBefore(name[1], j, word).named() {
			return from, to
		}
	}
	return 0, 0
}

// wordByte is what \b of a regular expression separates from the rest.
func wordByte(c byte) bool {
	return c == '_' || digit(c) || letter(c)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// nameByte is a character of a key, a variable or a flag.
func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

// sameStart reports whether a text begins with a word in lower case, in whatever case.
func sameStart(text, lower string) bool {
	return len(text) >= len(lower) && sameLetters(text[:len(lower)], lower)
}
