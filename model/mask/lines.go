package mask

import (
	"regexp"
	"strings"
)

// maskLines masks the lines of a record, each with what those above it say of it. one masks a line alone.
func maskLines(text string, one func(string) string) string {
	lines := strings.Split(text, "\n")
	var b block
	for i, line := range lines {
		if from, ok := b.holds(line); ok {
			lines[i] = line[:from] + Masked
			continue
		}
		lines[i] = one(line)
		if b.kind == noBlock {
			b = blockBelow(line)
		}
	}
	return maskPairs(strings.Join(lines, "\n"))
}

// block is what a line begins whose next lines are a secret.
type block struct {
	kind   blockKind
	indent int    // of the line that begins it; of a key, where its head stands in the line
	end    string // of a here-document
	lines  int    // of it so far
}

type blockKind int

const (
	noBlock blockKind = iota
	keyBlock
	scalarBlock // indented below its name, with | or >
	hereBlock
	nextBlock  // one value below its name
	groupBlock // all that is indented below the name of a group, and the items of its list
)

// keyHead begins a private key (RFC 7468, RFC 9580 6.2, PuTTY), armour is a line of its body: of its headers, of base64, or none at all,
// and armourEnd one with something before it, as every line of a log has. noValue ends a line that names a secret without its value.
var (
	keyHead   = regexp.MustCompile(`-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}|^Private-Lines: [0-9]+`)
	armour    = regexp.MustCompile(`^\s*(?:[A-Za-z][A-Za-z-]{0,30}: .*|[A-Za-z0-9+/=]*[",]*|\[masked\])\s*$`)
	armourEnd = regexp.MustCompile(`(?:[A-Za-z0-9+/]{16,}={0,2}|\[masked\])[",]*\s*$`)
	noValue   = regexp.MustCompile(`^\\*["']?\s*[:=]\s*(?:(?:[!&]\S*\s+)?([|>])[-+0-9]*|<<[-~]?["']?([A-Za-z_]{1,40})["']?|\\)?\s*$|^>\s*$`)
	// valueBelow is a block that a pair has as its value: the name may stand below it.
	valueBelow = regexp.MustCompile(`^(?i:value)["']?\s*:\s*(?:[!&]\S*\s+)?([|>])[-+0-9]*()\s*$`)
	oneWord    = regexp.MustCompile(`^\s*(?:- )?["']?[^\s"']*[^\s:"']["']?\s*$`)
)

// groupBelow is the name of a group of values that never enters a report as a whole, in YAML and in kubectl describe.
var groupBelow = regexp.MustCompile(`^\s*(- )?["']?(?:annotations|env|args|command|data|stringData|binaryData|Annotations|Environment|Args|Command)["']?:\s*$|` +
	`^\s*Annotations:\s+\S`)

// blockBelow is what begins with the lines below a line, before it is masked.
func blockBelow(line string) block {
	if strings.Contains(line, "PRIVATE KEY") || strings.HasPrefix(line, "Private-Lines") {
		if head := keyHead.FindStringIndex(line); head != nil && !strings.Contains(line, "-----END ") {
			return block{kind: keyBlock, indent: head[0]}
		}
	}
	if m := groupBelow.FindStringSubmatchIndex(line); m != nil {
		return block{kind: groupBlock, indent: indentOf(line) + max(0, m[3]-m[2])}
	}
	end := strings.TrimRight(strings.TrimRight(line, " \t\r"), "-+0123456789")
	tail := max(0, len(line)-longestName)
	if !strings.Contains(line[tail:], "<<") && strings.TrimRight(end, `:=|>\`) == end {
		return block{}
	}
	for i, of := nextMark(line, tail, markKeyed); of != 0; i, of = nextMark(line, i+1, markKeyed) {
		word := keyedWord(line[i:])
		if m := valueBelow.FindStringSubmatch(line[i:]); m != nil {
			return blockOf(m, indentOf(line))
		}
		if word == "" || nameBefore(line, i, word).word != certain {
			continue
		}
		if m := noValue.FindStringSubmatch(line[i+len(word):]); m != nil {
			return blockOf(m, indentOf(line))
		}
	}
	return block{}
}

// blockOf is what follows a name without a value: m is of noValue.
func blockOf(m []string, indent int) block {
	if m[1] != "" {
		return block{kind: scalarBlock, indent: indent}
	}
	if m[2] != "" {
		return block{kind: hereBlock, indent: indent, end: m[2]}
	}
	return block{kind: nextBlock, indent: indent}
}

// holds reports whether a line is of the secret, and where that begins in it.
func (b *block) holds(line string) (from int, ok bool) {
	if b.kind == noBlock {
		return 0, false
	}
	b.lines++
	trimmed, indent := strings.TrimSpace(line), indentOf(line)
	item, ends := strings.HasPrefix(trimmed, "- "), trimmed == ""
	switch b.kind {
	case keyBlock:
		return b.holdsKey(line)
	case hereBlock:
		ends = ends || trimmed == b.end
	case scalarBlock:
		ends = ends || indent <= b.indent
	case groupBlock:
		beside := indent == b.indent && !item
		ends = ends || beside || indent < b.indent
	case nextBlock:
		first, below := b.lines == 1 || item, indent > b.indent || item
		random := len(trimmed) >= 16 && randomLooking(trimmed)
		value := oneWord.MatchString(line) && (below || random)
		ends = ends || !first || !value
	}
	if ends {
		*b = block{}
		return 0, false
	}
	return indent, !harmless(trimmed) && trimmed != Masked
}

// holdsKey does so of a private key. A line of its body may be empty.
func (b *block) holdsKey(line string) (from int, ok bool) {
	before := line[:min(b.indent, len(line))]
	switch rest := line[len(before):]; {
	case armour.MatchString(line) && strings.TrimSpace(line) != "":
		return indentOf(line), true
	case armour.MatchString(rest) && strings.TrimSpace(rest) != "" && before != "":
		return len(before) + indentOf(rest), true
	case armourEnd.MatchString(line):
		return armourEnd.FindStringIndex(line)[0], true
	case strings.TrimSpace(line) == "":
		return 0, false
	}
	*b = block{}
	return 0, false
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// maskPairs masks the values of pairs that stand on several lines: - name: DB_PASSWORD, and value: below or above it.
func maskPairs(text string) string {
	if !hasValue(text) {
		return text
	}
	return maskPlaces(text, nextMark, markKeyed, valueOfPair)
}

// hasValue reports whether a text may have the key of a pair's value.
func hasValue(text string) bool {
	return strings.Contains(text, "alue") || strings.Contains(text, "ALUE") || strings.Contains(text, "default")
}

// valueOfPair is the place of the secret of a pair of which a name, or value, has a word at i.
func valueOfPair(text string, i int) (from, to int) {
	if sameStart(text[i:], "value") {
		return valueBeforeName(text, i)
	}
	if !hasValue(clip(text[i:])) {
		return 0, 0
	}
	word := keyedWord(text[i:])
	if word == "" || !nameBefore(text, i, word).named() {
		return 0, 0
	}
	if length := beforeValue(clip(text[i+len(word):])); length > 0 {
		return pairPlace(text, i+len(word)+length)
	}
	return 0, 0
}

// pairPlace is the place of a pair's value, which ends with its line.
func pairPlace(text string, at int) (from, to int) {
	end := min(len(text), at+longestPair)
	if n := strings.IndexByte(text[at:end], '\n'); n >= 0 {
		end = at + n
	}
	return valuePlace(text[:end], at, context{sure: true})
}
