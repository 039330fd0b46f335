// Package redact takes the names out of a report and gives them back. Its doors are Of and Key.
//
// It does not look for names, which no list can hold. It keeps what it knows to be no name, words of volpost's own texts,
// of Kubernetes and of its logs, numbers, times and versions, and replaces every other run of letters and digits, piece
// by piece and always alike: orders-db-56659c7b56-whct6 becomes appaa-bb-…, and the claim orders-db-data begins with
// appaa-bb-, too. A piece that is a word is replaced as well where it is a name: in the fields that hold names, beside
// the keys that announce one, and as part of a compound that is none of Kubernetes' own.
//
// Pseudonyms are numbered in the order of the report, and never made out of the name: who guesses a name cannot test the
// guess. They are as long as the name and have its punctuation, so that a text wraps alike and can be reversed byte for
// byte. What stays visible: how long names are, which have pieces in common, ordinals, all times, and names that every cluster
// has, such as kube-system and the public CSI drivers.
package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// redactor redacts one report.
type redactor struct {
	known                   vocabulary
	names                   map[string]bool   // runs of names, in lower case
	learned                 map[string]bool   // names with what they name
	hints                   map[string]string // what a segment is a name of, for its pseudonym
	scope                   map[string]bool   // names that a sentence can mean; nil for all
	quoted                  map[string]bool   // compounds that were names in quotes
	told                    map[string]bool   // names in quotes, with what stood right before them
	present                 map[string]bool   // segments of the report, which no pseudonym may be
	size                    int               // of all different texts, in bytes
	ids                     map[string]bool
	handles, drivers, nodes []string

	quotesRead bool
	counters   map[string]int
	forward    map[string]string // segment or unit → pseudonym
	taken      map[string]bool
	key        *Key
	memo, seen map[string]string
}

func newRedactor() *redactor {
	return &redactor{
		known: vocabulary{words: set(wordList), compounds: set(compoundList)},
		names: map[string]bool{}, learned: map[string]bool{}, hints: map[string]string{}, quoted: map[string]bool{}, told: map[string]bool{},
		present: map[string]bool{}, ids: map[string]bool{}, counters: map[string]int{}, forward: map[string]string{},
		taken: map[string]bool{}, memo: map[string]string{}, seen: map[string]string{}, key: &Key{Schema: KeyVersion},
	}
}

// manner is how a text is to be read.
type manner int

const (
	keepText     manner = iota // one of a fixed list
	nameText                   // a name and nothing else
	proseText                  // a sentence of volpost's own, with names in it
	quoteText                  // text of the bundle, or a command
	pathText                   // the name of a file, of which only what collectors call their files is none
	rootText                   // what the user calls the bundle
	identityText               // a kind of identity and a fingerprint, which would say of two reports that they are of one cluster
)

// text redacts a text.
func (x *redactor) text(s string, how manner) string {
	if how == keepText || how == rootText || s == "" {
		return s
	}
	if how == proseText && !x.quotesRead {
		return s
	}
	if how == identityText {
		at := strings.LastIndexByte(s, '-') + 1
		return s[:at] + x.segment(s[at:])
	}
	if how == nameText && strings.Contains(s, " ") {
		how = proseText // such as "not known"; a name has no blank
	}
	key := ""
	if x.scope == nil || how != proseText {
		key = string(rune('0'+how)) + s
		if out, ok := x.memo[key]; ok {
			return out
		}
	}
	var b strings.Builder
	around := &surroundings{how: how, told: x.told}
	for rest, tied := s, false; ; tied = true {
		from, to, kind := unitAt(rest)
		if kind == noUnit {
			x.plainText(&b, rest, around, tied, false)
			break
		}
		x.plainText(&b, rest[:from], around, tied, true)
		b.WriteString(x.unit(rest[from:to], kind))
		around.passed(rest[from:to])
		rest = rest[to:]
	}
	out := b.String()
	if key != "" {
		x.memo[key] = out
	}
	return out
}

// plainText redacts text without units. A run that a joint ties to the unit before or after it is a part of its name: pvc-.
func (x *redactor) plainText(b *strings.Builder, s string, c *surroundings, unitBefore, unitAfter bool) {
	list := pieces(s)
	for i, p := range list {
		before := unitBefore && i == 1 && jointed(list[0].text)
		after := unitAfter && i == len(list)-2 && jointed(list[i+1].text)
		if p.run && (before || after) {
			b.WriteString(x.compound(p.text, true, true))
			c.passed(p.text)
			continue
		}
		if !p.run {
			c.between(p.text)
			b.WriteString(p.text)
			continue
		}
		next := ""
		if i+1 < len(list) {
			next = list[i+1].text
		}
		c.leads = leads(list[i+1:])
		b.WriteString(x.run(p.text, c.why(p.text, next), c.how, c.joined || strings.HasPrefix(next, "/")))
		c.passed(p.text)
	}
}

// leads reports whether what follows says that who stood before it leads, or did: vm became leader.
func leads(after []piece) bool {
	if len(after) < 4 || after[0].text != " " || after[2].text != " " {
		return false
	}
	phrase := after[1].text + " " + after[3].text
	return phrase == "became leader" || phrase == "stopped leading"
}

func jointed(s string) bool { return strings.Trim(s, "-._") == "" }

// run redacts a run. joined says that a slash ties it to another run.
func (x *redactor) run(s string, why reason, how manner, joined bool) string {
	lower := strings.ToLower(s)
	spoken := why == noName && how == proseText // as a sentence says a word
	if x.names[lower] {
		if spoken && !joined && x.isWordHere(lower) {
			return s
		}
		return x.compound(s, false, false)
	}
	if why != aName && everybodys(lower) {
		return s
	}
	if why == noName && x.isKnown(s, lower, how) {
		return s
	}
	if stem := withoutExtensions(s); stem != s {
		return x.run(stem, why, quoteText, joined) + s[len(stem):] // no sentence: the name of a file
	}
	if spoken && !x.quoted[lower] && x.spoken(lower) {
		return s
	}
	quotes := how == quoteText || how == pathText && !x.known.compounds[lower]
	if quotes && strings.ContainsFunc(s, func(r rune) bool { return !alnum(r) }) {
		x.quoted[lower] = true
	}
	return x.compound(s, false, why != aName)
}

// isWordHere reports whether a name is a word, and no name of what the sentences here are about.
func (x *redactor) isWordHere(lower string) bool {
	return x.known.words[lower] && x.scope != nil && !x.scope[lower]
}

// isKnown reports whether a run is known to be no name. A compound that was one in a quote is one in a sentence.
func (x *redactor) isKnown(s, lower string, how manner) bool {
	if len(s) == 1 || x.known.words[lower] || plain.MatchString(s) {
		return true
	}
	return x.known.compounds[lower] && (how != proseText || !x.quoted[lower])
}

// withoutExtensions is the name of a file without what follows its name, such as .tar.gz.
func withoutExtensions(s string) string {
	for i := 0; i < len(extensions); i++ {
		stem, ok := strings.CutSuffix(s, extensions[i])
		if r, _ := utf8.DecodeLastRuneInString(stem); ok && alnum(r) {
			s, i = stem, -1
		}
	}
	return s
}

// spoken reports whether a compound is made of words as a sentence makes them, such as force-deleted, and of no name.
func (x *redactor) spoken(lower string) bool {
	return !slices.ContainsFunc(segments(lower), func(p piece) bool {
		said := x.known.words[p.text] || ordinal(p.text)
		return p.run && (x.names[p.text] || !said)
	})
}

// compound redacts a run by segments. part: of a longer name. mixed: it can begin with a name that every cluster has.
func (x *redactor) compound(s string, part, mixed bool) string {
	list := segments(s)
	stays := make([]bool, len(list))
	common := 0
	if mixed {
		common = x.commonTo(list)
	}
	end, whole, pieced := hostEnd(list, part), true, len(list) > 1 || part
	for i, p := range list {
		shared := i < common || i > end || !p.run
		stays[i] = shared || pieced && formal(list, i, part)
		whole = whole && stays[i]
	}
	if whole && !part { // a name such as vm-1
		x.betray(list, stays)
	}
	var b strings.Builder
	for i, p := range list {
		if stays[i] {
			b.WriteString(p.text)
		} else {
			b.WriteString(x.segment(p.text))
		}
	}
	return b.String()
}

// hostEnd is where the end of a host's name begins that many hosts share.
func hostEnd(list []piece, part bool) int {
	end := len(list)
	for end > 1 && endings[strings.ToLower(list[end-1].text)] && list[end-2].text == "." {
		end -= 2
	}
	if part && end == 1 && endings[strings.ToLower(list[0].text)] {
		return -1
	}
	return end
}

func ordinal(s string) bool {
	return len(s) == 1 || len(s) <= 3 && classOf(strings.ToLower(s)) == digits
}

// formal reports whether a segment identifies no one: ordinals, single letters, and what says of what form the name is.
func formal(list []piece, i int, part bool) bool {
	if ordinal(list[i].text) {
		return true
	}
	next := i == 0 && i+2 < len(list) && classOf(strings.ToLower(list[i+2].text)) == hexed
	last := part && i == len(list)-1
	return (next || last) && beginnings[strings.ToLower(list[i].text)]
}

// longestCommon is of how many pieces a name that every cluster has consists at most.
const longestCommon = 13

// commonTo is how many of the first pieces are a name that every cluster has, or a namespace and another such name.
func (x *redactor) commonTo(list []piece) int {
	var b strings.Builder
	most := 0
	for i, p := range list[:min(len(list), longestCommon)] {
		b.WriteString(strings.ToLower(p.text))
		name := b.String()
		if !p.run || x.names[name] {
			continue
		}
		if components[name] || drivers[name] {
			most = i + 1
		} else if systems[name] {
			most = i + 1
			if i+2 < len(list) && strings.HasPrefix(list[i+1].text, "_") {
				most += 1 + x.commonTo(list[i+2:])
			}
		}
	}
	return most
}

// betray picks what is replaced of a name that consists of formal pieces alone: its first word, else its first piece.
func (x *redactor) betray(list []piece, stays []bool) {
	for _, least := range []int{2, 1} {
		for i, p := range list {
			if !p.run || len(p.text) < least {
				continue
			}
			if least == 1 || classOf(strings.ToLower(p.text)) != digits {
				stays[i] = false
				return
			}
		}
	}
}

// Of is a report, or another result, without names, and the key that gives them back. Hashes of VolumeAttachments still fit.
func Of[T any](of *T) (*T, *Key) {
	x := newRedactor()
	learn(x, of)
	x.attachments()
	copyOf(x, of) // Quotes come first: what is a name there is one in the sentences about them.
	x.quotesRead = true
	return seal(x.key, copyOf(x, of)), x.key
}
