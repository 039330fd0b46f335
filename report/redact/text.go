package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mark is what an output that names no bundle ends with, so that its key can be found.
func Mark(format, of string) string {
	text := "Names are pseudonyms of " + of + "."
	switch format {
	case "csv", "json":
		return "" // one has no place for it, the other a field
	case "dot":
		text = "// " + text
	case "html", "svg":
		text = "<!-- " + text + " -->"
	}
	return "\n" + text + "\n"
}

// marked finds it, and the field, to take it away.
var (
	marked    = regexp.MustCompile(`\n(?:(?:// |<!-- )?Names are pseudonyms of ` + aRoot + `\.(?: -->)?|  "pseudonymsOf": "` + aRoot + `",)\n`)
	otherRoot = regexp.MustCompile(aRoot)
)

const aRoot = rootPrefix + `[0-9a-f]{12}`

// Text gives the names back to a rendered text, also to what was cut off where one name fits. ErrOtherKey: it is of another key.
func (k *Key) Text(s string) (string, error) {
	for _, m := range otherRoot.FindAllString(s, -1) {
		if m != k.Of {
			return "", ErrOtherKey
		}
	}
	s = marked.ReplaceAllStringFunc(s, func(mark string) string {
		if strings.Contains(mark, `"pseudonymsOf"`) {
			return "\n"
		}
		return ""
	})
	back := k.reverse()
	return strings.ReplaceAll(back.rendered(s, back.sorted(), allRuns(s)), k.Of, k.Root), nil
}

// rendered gives names back to a text, also to pseudonyms that do not stand in one piece.
func (b reverse) rendered(s string, order, runs []string) string {
	var out strings.Builder
	at := 0
	for _, one := range b.broken(s, order, runs) {
		out.WriteString(b.text(s[at:one.from]))
		out.WriteString(one.name)
		at = one.to
	}
	out.WriteString(b.text(s[at:]))
	return out.String()
}

// broken is a pseudonym that does not stand in one piece, with what it stands for.
type broken struct {
	from, to int
	name     string
}

// lineEnd is an end of a line at which a renderer may have broken a name, with the indentation of the next line; in DOT it is written \n.
var lineEnd = regexp.MustCompile(`\n[ \t]*|\\n`)

// boxText is the text of a box in DOT.
var boxText = regexp.MustCompile(`label="(?:[^"\\]|\\.)*"`)

// box gives names back to the text of a box. Lines that break a name are put together before, and broken there again.
func (b reverse) box(s string, order, runs []string) string {
	var joined strings.Builder
	var breaks []int // in characters of joined
	for at, line := range strings.Split(s, `\n`) {
		if so := joined.String(); at > 0 && begins(so[nameAt(so, len(so)):]+line[:nameEnd(line)], runs) {
			breaks = append(breaks, utf8.RuneCountInString(so))
		} else if at > 0 {
			joined.WriteString(`\n`)
		}
		joined.WriteString(line)
	}
	names := []rune(b.rendered(joined.String(), order, runs))
	if len(names) != utf8.RuneCountInString(joined.String()) {
		return b.text(s)
	}
	for _, at := range slices.Backward(breaks) {
		names = slices.Insert(names, at, '\\', 'n')
	}
	return string(names)
}

// begins reports whether one of sorted runs begins with a text.
func begins(text string, runs []string) bool {
	at, _ := slices.BinarySearch(runs, text)
	return at < len(runs) && strings.HasPrefix(runs[at], text)
}

// nameAt is where the name begins that ends at a place, and nameEnd where the one ends with which a text begins.
func nameAt(s string, end int) int {
	for end > 0 && inRun(s[end-1]) && !escaped(s, end-1) {
		end--
	}
	return end
}

func nameEnd(s string) int {
	end := 0
	for end < len(s) && inRun(s[end]) {
		end++
	}
	return end
}

// broken finds the pseudonyms that go over the end of a line, those in boxes, and those that are cut off by an ellipsis.
func (b reverse) broken(s string, order, runs []string) []broken {
	var out []broken
	for _, at := range boxText.FindAllStringIndex(s, -1) {
		const before = len(`label="`)
		out = append(out, broken{at[0] + before, at[1], b.box(s[at[0]+before:at[1]], order, runs)})
	}
	for _, gap := range lineEnd.FindAllStringIndex(s, -1) {
		if one, ok := b.over(s, gap[0], gap[1]); ok {
			out = append(out, one)
		}
	}
	for at := 0; ; {
		next := strings.Index(s[at:], "…")
		if next < 0 {
			break
		}
		at += next
		if one, ok := b.cut(s, at, order, runs); ok {
			out = append(out, one)
		}
		at += len("…")
	}
	slices.SortStableFunc(out, func(a, b broken) int { return a.from - b.from })
	apart, end := out[:0], 0
	for _, one := range out {
		if one.from >= end {
			apart, end = append(apart, one), one.to
		}
	}
	return apart
}

func inName(c byte) bool { return digit(c) || latin(c) || c == '-' }

func inRun(c byte) bool { return inName(c) || joint(c) }

// least is how long a part of a pseudonym is at least that is put together or completed.
const least = 6

// over finds the pseudonym that a gap stands in.
func (b reverse) over(s string, from, to int) (broken, bool) {
	left, right := from, to
	for left > 0 && inName(s[left-1]) {
		left--
	}
	for right < len(s) && inName(s[right]) {
		right++
	}
	if left == from || right == to {
		return broken{}, false
	}
	whole, seam := s[left:from]+s[to:right], from-left
	back := func(at int) int { // from an offset in whole to one in s
		if at <= seam {
			return left + at
		}
		return at - seam + to
	}
	for _, m := range longUnit.FindAllStringIndex(whole, -1) {
		if name, ok := b.unit(whole[m[0]:m[1]]); ok && m[0] < seam && seam < m[1] {
			return broken{back(m[0]), to + m[1] - seam, name[:seam-m[0]] + s[from:to] + name[seam-m[0]:]}, true
		}
	}
	start := strings.LastIndexByte(whole[:seam], '-') + 1
	end := len(whole)
	if i := strings.IndexByte(whole[seam:], '-'); i >= 0 {
		end = seam + i
	}
	segment := whole[start:end]
	if start >= seam || end <= seam || len(segment) < least {
		return broken{}, false
	}
	name := b.segment(segment)
	if name == segment || len(name) != len(segment) {
		return broken{}, false
	}
	return broken{back(start), to + end - seam, name[:seam-start] + s[from:to] + name[seam-start:]}, true
}

// longUnit are the units that are long enough to be broken.
var longUnit = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}`)

func (b reverse) sorted() []string {
	out := make([]string, 0, len(b))
	for p := range b {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// cut finds the pseudonym that an ellipsis cuts. Names that are alike as far as shown are as good as one; else none comes back.
func (b reverse) cut(s string, end int, order, runs []string) (broken, bool) {
	from, to := end, end+len("…")
	for from > 0 && inName(s[from-1]) {
		from--
	}
	tail := to
	for tail < len(s) && inName(s[tail]) {
		tail++
	}
	shown, behind := strings.ToLower(s[from:end]), s[to:tail]
	// A unit has hyphens in it: the longest beginning that fits is meant.
	start := max(0, len(shown)-longestUnit)
	if start > 0 {
		start += strings.IndexByte(shown[start:], '-') + 1
	}
	for len(shown)-start >= least {
		if unitLike.MatchString(shown[start:]) {
			if name, ok := b.shown(shown[start:], behind, order); ok {
				return broken{from + start, tail, name}, true
			}
		}
		next := strings.IndexByte(shown[start:], '-')
		if next < 0 {
			break
		}
		start += next + 1
	}
	head, last := nameAt(s, end), strings.TrimRight(s[to:to+nameEnd(s[to:])], "._-")
	if name, ok := b.elsewhere(s[head:end], last, runs); ok {
		return broken{head, to + len(last), name}, true
	}
	name, ok := b.elsewhere(s[from:end], "", runs)
	return broken{from, to, name}, ok
}

// unitLike is the beginning of a unit.
var unitLike = regexp.MustCompile(`^[0-9a-f][0-9a-f-]*$`)

// allRuns are the runs of a text that stand there in full, sorted.
func allRuns(s string) []string {
	var out []string
	list := append(pieces(s), piece{text: " "})
	for i, p := range list {
		if p.run && !joint(list[i+1].text[0]) && !strings.HasPrefix(list[i+1].text, "…") {
			out = append(out, p.text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// elsewhere completes a run by the runs of the text that begin and end so, if all of them mean the same.
func (b reverse) elsewhere(shown, end string, runs []string) (string, bool) {
	return completed(shown, end, runs, b.text)
}

// shown is what stands for the name whose pseudonym begins with head and ends with tail, with the ellipsis between.
func (b reverse) shown(head, tail string, order []string) (string, bool) {
	return completed(head, tail, order, func(pseudonym string) string { return b[pseudonym] })
}

// completed is the meaning of all texts of a sorted list that begin and end so, as far as it is shown, if it is one.
func completed(head, tail string, sorted []string, meaning func(string) string) (out string, ok bool) {
	at, _ := slices.BinarySearch(sorted, head)
	for ; head != "" && at < len(sorted) && strings.HasPrefix(sorted[at], head); at++ {
		text := sorted[at]
		if !strings.HasSuffix(text, tail) || len(text) < len(head)+len(tail) {
			continue
		}
		name := []rune(meaning(text))
		if len(name) != utf8.RuneCountInString(text) {
			return "", false
		}
		one := string(name[:len(head)]) + "…" + string(name[len(name)-len(tail):])
		if ok && one != out {
			return "", false
		}
		out, ok = one, true
	}
	return out, ok
}
