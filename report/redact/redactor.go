package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// redactor redacts one report.
type redactor struct {
	known                   vocabulary
	names                   map[string]bool   // runs of names, in lower case
	hints                   map[string]string // what a segment is a name of, for its pseudonym
	scope                   map[string]bool   // names that a sentence can mean; nil for all
	quoted                  map[string]bool   // compounds that were names in quotes
	present                 map[string]bool   // segments of the report, which no pseudonym may be
	ids                     map[string]bool
	handles, drivers, nodes []string

	quotesRead bool
	counters   map[string]int
	forward    map[string]string // segment or unit → pseudonym
	taken      map[string]bool
	key        *Key
	memo, seen map[string]string
}

func newRedactor(r *model.Report) *redactor {
	return &redactor{
		known: newVocabulary(), names: map[string]bool{}, hints: map[string]string{}, quoted: map[string]bool{}, present: map[string]bool{}, ids: map[string]bool{},
		counters: map[string]int{}, forward: map[string]string{}, taken: map[string]bool{}, memo: map[string]string{}, seen: map[string]string{}, key: &Key{Schema: KeyVersion},
	}
}

// manner is how a text is to be read.
type manner int

const (
	keepText  manner = iota // one of a fixed list
	nameText                // a name and nothing else
	proseText               // a sentence of volpost's own, with names in it
	quoteText               // text of the bundle, a path or a command
)

func (x *redactor) quote(s string) string { return x.text(s, quoteText) }

// text redacts a text.
func (x *redactor) text(s string, how manner) string {
	if how == keepText || s == "" {
		return s
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
	around := &surroundings{how: how}
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
	if key != "" && (how != proseText || x.quotesRead) {
		x.memo[key] = out
	}
	return out
}

// plainText redacts text without units. unitBefore and unitAfter say that one stands there: a run that is tied to it by a
// joint is a part of its name, such as pvc- of a PersistentVolume.
func (x *redactor) plainText(b *strings.Builder, s string, c *surroundings, unitBefore, unitAfter bool) {
	list := pieces(s)
	for i, p := range list {
		tied := p.run && (unitBefore && i == 1 && jointed(list[0].text) || unitAfter && i == len(list)-2 && jointed(list[i+1].text))
		if tied {
			b.WriteString(x.compound(p.text, true))
			c.passed(p.text)
			continue
		}
		if !p.run {
			c.between(p.text)
			b.WriteString(p.text)
			continue
		}
		after := ""
		if i+1 < len(list) {
			after = list[i+1].text
		}
		b.WriteString(x.run(p.text, c.forces(p.text, after), c.how, c.joined || strings.HasPrefix(after, "/")))
		c.passed(p.text)
	}
}

func jointed(s string) bool { return strings.Trim(s, "-._") == "" }

// run redacts a run. forced says that what stands around it makes it a name, joined that a slash ties it to another run.
func (x *redactor) run(s string, forced bool, how manner, joined bool) string {
	lower := strings.ToLower(s)
	named := x.names[lower]
	switch {
	case x.known.public(lower):
		return s
	case !forced && !named && (len(s) == 1 || plain.MatchString(s)):
		return s
	case !forced && !named && (x.known.words[lower] || how == proseText && !x.quoted[lower] && x.spoken(lower)):
		return s
	case named && !forced && how == proseText && !joined && x.known.words[lower] && x.scope != nil && !x.scope[lower]:
		return s
	}
	for _, ext := range extensions {
		if stem, ok := strings.CutSuffix(s, ext); ok && stem != "" && !named {
			if !alnumAt(stem, len(stem)) {
				break
			}
			return x.run(stem, forced, how, joined) + ext
		}
	}
	if how == quoteText && strings.IndexFunc(s, func(r rune) bool { return !alnum(r) }) >= 0 {
		x.quoted[lower] = true
	}
	return x.compound(s, false)
}

func alnumAt(s string, end int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:end])
	return alnum(r)
}

// spoken reports whether a compound is made of words as a sentence makes them, such as force-deleted.
func (x *redactor) spoken(lower string) bool {
	for _, p := range segments(lower) {
		if p.run && !x.known.words[p.text] && !plain.MatchString(p.text) {
			return false
		}
	}
	return true
}

// compound redacts a run segment by segment. What is public in it stays: kube-controller-manager of the pod
// kube-controller-manager-master-0. part says that the run is a part of a longer name.
func (x *redactor) compound(s string, part bool) string {
	list := segments(s)
	stays := make([]bool, len(list))
	whole := true
	for i := 0; i < len(list); i++ {
		if n := x.publicAt(list[i:]); n > 0 {
			for j := i; j < i+n; j++ {
				stays[j] = true
			}
			i += n - 1
			continue
		}
		stays[i] = !list[i].run || (len(list) > 1 || part) && formal(list[i].text)
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

// formal are segments that tell of nobody: ordinals, single letters, and what says of what form the name is.
func formal(s string) bool {
	lower := strings.ToLower(s)
	return len(s) == 1 || len(s) <= 3 && classOf(lower) == digits || shapes[lower]
}

// publicAt is how many of the first pieces make a public compound of at least two segments.
func (x *redactor) publicAt(list []piece) int {
	for n := len(list); n >= 3; n-- {
		if !list[n-1].run || !list[0].run {
			continue
		}
		var b strings.Builder
		for _, p := range list[:n] {
			b.WriteString(p.text)
		}
		if x.known.public(strings.ToLower(b.String())) {
			return n
		}
	}
	return 0
}

// betray picks what is replaced of a name that consists of formal pieces alone: its first word, else its first piece.
func (x *redactor) betray(list []piece, stays []bool) {
	for _, least := range []int{2, 1} {
		for i, p := range list {
			if p.run && len(p.text) >= least && (least == 1 || classOf(strings.ToLower(p.text)) != digits) {
				stays[i] = false
				return
			}
		}
	}
}
