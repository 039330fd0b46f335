package redact

import (
	"regexp"
	"slices"
	"strings"
)

var otherRoot = regexp.MustCompile(rootPrefix + `[0-9a-f]{12}`)

// Text gives the names back to a text that was rendered from the redacted report, such as Markdown, CSV or the page. What
// was cut off in the middle of a pseudonym comes back where it can be one name only. It answers ErrOtherKey for a text that
// names the report of another key.
func (k *Key) Text(s string) (string, error) {
	for _, m := range otherRoot.FindAllString(s, -1) {
		if m != k.Of {
			return "", ErrOtherKey
		}
	}
	back := k.reverse()
	var out strings.Builder
	at := 0
	for _, b := range back.broken(s) {
		out.WriteString(back.text(s[at:b.from]))
		out.WriteString(b.name)
		at = b.to
	}
	out.WriteString(back.text(s[at:]))
	return strings.ReplaceAll(out.String(), k.Of, k.Root), nil
}

// broken is a pseudonym that does not stand in one piece, with what it stands for.
type broken struct {
	from, to int
	name     string
}

// lineEnd is an end of a line at which a renderer may have broken a name, with the indentation of the next line.
var lineEnd = regexp.MustCompile(`\n[ \t]*`)

// broken finds the pseudonyms that go over the end of a line, and those that are cut off by an ellipsis.
func (b reverse) broken(s string) []broken {
	var out []broken
	for _, gap := range lineEnd.FindAllStringIndex(s, -1) {
		if one, ok := b.over(s, gap[0], gap[1]); ok {
			out = append(out, one)
		}
	}
	order, runs := b.sorted(), allRuns(s)
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
	slices.SortFunc(out, func(a, b broken) int { return a.from - b.from })
	apart, end := out[:0], 0
	for _, one := range out {
		if one.from >= end {
			apart, end = append(apart, one), one.to
		}
	}
	return apart
}

func inName(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-'
}

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
	name := b.segment(segment)
	if start >= seam || end <= seam || len(segment) < least || name == segment || len(name) != len(segment) {
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

// cut finds the pseudonym whose beginning stands right before an ellipsis, and maybe its end right behind. Names that
// begin alike as far as they are shown are as good as one; where they do not, nothing is given back.
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
	name, ok := b.elsewhere(s[from:end], runs)
	return broken{from, to, name + "…"}, ok
}

// unitLike is the beginning of a unit.
var unitLike = regexp.MustCompile(`^[0-9a-f][0-9a-f-]*$`)

// allRuns are the runs of a text that stand there in full, sorted.
func allRuns(s string) []string {
	var out []string
	list := pieces(s)
	for i, p := range list {
		if p.run && (i+1 == len(list) || !strings.HasPrefix(list[i+1].text, "…") && !joint(list[i+1].text[0])) {
			out = append(out, p.text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// elsewhere completes the beginning of a run by the runs of the text that begin so, if all of them mean the same.
func (b reverse) elsewhere(shown string, runs []string) (name string, ok bool) {
	at, _ := slices.BinarySearch(runs, shown)
	for ; shown != "" && at < len(runs) && strings.HasPrefix(runs[at], shown); at++ {
		whole := b.text(runs[at])
		if len(whole) != len(runs[at]) || ok && whole[:len(shown)] != name {
			return "", false
		}
		name, ok = whole[:len(shown)], true
	}
	return name, ok
}

// shown is what stands for the name whose pseudonym begins with head and ends with tail, with the ellipsis between.
func (b reverse) shown(head, tail string, order []string) (string, bool) {
	out, found := "", false
	at, _ := slices.BinarySearch(order, head)
	for ; head != "" && at < len(order) && strings.HasPrefix(order[at], head); at++ {
		pseudonym := order[at]
		if !strings.HasSuffix(pseudonym, tail) || len(pseudonym) < len(head)+len(tail) {
			continue
		}
		name := []rune(b[pseudonym])
		if len(name) != len(pseudonym) {
			return "", false
		}
		one := string(name[:len(head)]) + "…" + string(name[len(name)-len(tail):])
		if found && one != out {
			return "", false
		}
		out, found = one, true
	}
	return out, found
}
