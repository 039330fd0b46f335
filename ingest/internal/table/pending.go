package table

import (
	"regexp"
	"strings"
)

// maxWrapped is how many lines one message may have been broken into.
const maxWrapped = 24

// maxJoined is how long such a row may become, in bytes. The API limits a message to 1 KiB.
const maxJoined = 4 << 10

// wrapWidth is the narrowest terminal that breaks a line in the middle of a word.
const wrapWidth = 60

// pending is a row of events that is not whole yet: the terminal, an editor or the message itself broke the line.
type pending struct {
	lines []line
	text  string // joined
	parse func(string) (eventRow, bool)
	row   eventRow
	ok    bool // row was parsed
	// column is where the message began, for those that were wrapped in their own column; 0 when it is not known.
	column int
}

// cell is what a further line has for the message: all of it, or what stands in the column of the message beside others.
func (p *pending) cell(s string) string {
	if c := p.column; c > 1 && len(s) > c && s[c-1] == ' ' && s[c-2] == ' ' && s[c] != ' ' {
		return s[c:]
	}
	return strings.TrimLeft(s, " ")
}

// nameEnd is a message that ends in the name of a pod or node, which may have been broken.
var nameEnd = regexp.MustCompile(`(?:used by pod\(s\) .*|^Successfully assigned \S+ to \S*)[a-z0-9.-]$`)

// nameRest is a line that can be the rest of a broken list of names.
var nameRest = regexp.MustCompile(`^[.-]*[a-z0-9][a-z0-9.-]*(?:, [a-z0-9-]+)*(?: and \d+ pod\(s\) in different namespaces)?$`)

// whole reports whether a row's message needs no further line.
func (p *pending) whole() bool {
	if !p.ok {
		return false
	}
	m := p.row.record.Message
	switch {
	case m == "":
		return false
	case isBlock(m):
		return p.row.cut || wholeBlock.MatchString(m)
	case strings.HasPrefix(m, "Successfully assigned "):
		return assigned.MatchString(m)
	case begun(m), strings.HasSuffix(m, "available:"):
		return false
	case p.row.record.Reason == "FailedAttachVolume" || p.row.record.Reason == "FailedMount":
		// After a colon the error follows, and of the code that OpenStack's client wanted the answer, on a line of its own.
		if strings.HasSuffix(m, " instead") || strings.HasSuffix(m, ":") {
			return false
		}
		return strings.Count(m, "{") <= strings.Count(m, "}") && !mounting(m)
	}
	return true
}

var (
	// mountFailed ends the first line of a mount's error; which command, and what it said, are on the next ones (mount-utils mount_linux.go).
	mountFailed = regexp.MustCompile(`mount failed: exit status \d+$`)
	mountRest   = regexp.MustCompile(`^(?:Mounting (?:command|arguments)|Output): `)
)

// mounting reports whether the error of a mount lacks the output of its command.
func mounting(m string) bool {
	return mountFailed.MatchString(m) || strings.Contains(m, " Mounting command: ") && !strings.Contains(m, " Output: ")
}

// says reports whether a whole row says anything. A report that was cut before its volume, or its message, is no failed attach.
func (p *pending) says() bool {
	m := p.row.record.Message
	if !p.ok {
		return false
	}
	if isBlock(m) {
		return namedBlock.MatchString(m)
	}
	return m != "" || p.row.record.Reason != "FailedAttachVolume"
}

// mayGo reports whether a whole row could still go on: its last name reaches the edge of the terminal, or the text of an error does.
func (p *pending) mayGo() bool {
	return len(p.lines[len(p.lines)-1].raw) >= wrapWidth && nameEnd.MatchString(p.row.record.Message) || p.fills()
}

// fills reports whether the text of an error was broken, and its last line is as wide as the first.
func (p *pending) fills() bool {
	width, last := len(p.lines[0].raw), len(p.lines[len(p.lines)-1].raw)
	broken := len(p.lines) > 1 && width >= wrapWidth
	return broken && last == width && !isBlock(p.row.record.Message)
}

// extend tries to take a further line. The break may have eaten a blank or split a word; what reads better decides.
func (p *pending) extend(l line) bool {
	if len(p.lines) >= maxWrapped || len(p.text)+len(l.text) > maxJoined {
		return false
	}
	rest := p.cell(l.text)
	if openName.MatchString(p.text) && strings.HasPrefix(l.raw, `"`) {
		rest = `"` + rest // which ends the name, and begins no quotation
	}
	last := p.lines[len(p.lines)-1]
	indented := len(rest) < len(l.text)
	if mounting(p.row.record.Message) && !mountRest.MatchString(rest) {
		return false
	}
	if other := indented || !nameRest.MatchString(rest); other && p.whole() && !p.fills() {
		return false
	}
	most, best := -1, pending{}
	for _, gap := range p.gaps(last, indented) {
		next := p.join(l, gap, rest)
		if score := next.score(); score > most {
			most, best = score, next
		}
	}
	if most < p.score() {
		return false
	}
	*p = best
	return true
}

func (p *pending) length() int {
	n := 0
	for _, l := range p.lines {
		n += len(l.raw)
	}
	return n
}

// join is the row with a further line. A message that ends the row goes on; only then need the columns not be read again.
func (p *pending) join(l line, gap, rest string) pending {
	rest = strings.Replace(rest, "already used bypod(s)", "already used by pod(s)", 1) // copying lost the blank
	next := pending{lines: append(p.lines[:len(p.lines):len(p.lines)], l), text: p.text + gap + rest, parse: p.parse, row: p.row,
		ok: p.ok, column: p.column}
	if m := p.row.record.Message; p.ok && m != "" && strings.HasSuffix(p.text, m) {
		next.row.record.Message = m + gap + rest
		return next
	}
	next.row, next.ok = p.parse(next.text)
	return next
}

// openName ends within the name of a volume, in which no blank is.
var openName = regexp.MustCompile(` for volume "[^"\s]*$`)

// gaps are the ways to join the next line, the likelier first.
func (p *pending) gaps(last line, indented bool) []string {
	switch {
	case mounting(p.row.record.Message):
		return []string{" "}
	case openName.MatchString(p.text):
		return []string{""}
	case strings.HasSuffix(last.text, "-"):
		return []string{"", " "} // a name
	case p.ok && p.row.record.Message == "" && (indented || len(last.raw) < wrapWidth):
		return []string{"  "}
	case indented || len(last.raw) < wrapWidth || strings.HasSuffix(strings.TrimSuffix(last.raw, "\r"), " "):
		return []string{" "}
	}
	return []string{"", " ", "  "}
}

// wording is how other messages begin of which every line is needed.
var wording = regexp.MustCompile(`^(?:AttachVolume\.Attach |Successfully assigned \S|Unable to (?:attach or )?mount )`)

// score orders attempts: with a message of the controller, whole, with a message, parsed at all.
func (p *pending) score() int {
	m := p.row.record.Message
	worded := p.ok && (isBlock(m) || wording.MatchString(m))
	for i, is := range [...]bool{worded && p.whole(), worded, p.whole(), p.ok && m != "", p.ok} {
		if is {
			return 5 - i
		}
	}
	return 0
}

const (
	// blockText is how the controller's report begins, up to 1.36 and since kubernetes/kubernetes#138837, also in a message that stands for
	// several (client-go tools/record/events_cache.go).
	blockText = `^(?:\(combined from similar events\): )?(?:Multi-Attach error|Waiting for detach) for volume `
	// blockVolume is the volume that it names; a web page, or the end of a line, may have put blanks beside the marks.
	blockVolume = `" *[^" \t]+ *"`
)

var (
	block      = regexp.MustCompile(blockText)
	namedBlock = regexp.MustCompile(blockText + blockVolume)
	// wholeBlock says all that it has to say: the volume, and by which node or pods it is held.
	wholeBlock = regexp.MustCompile(blockText + blockVolume + ` *Volume is already (?:exclusively attached to (?:one node|node )|` +
		`used by (?:pod\(s\) (?:[^ ,]|[^ ,].*[^,])|\d* pod\(s\)(?:|.*[^,]))$)`)
	// failedCall is the report of a call that failed, of which the error itself is to come.
	failedCall = regexp.MustCompile(`^(?:Attach|Mount|Map)Volume\.\w+ failed for volume (?:.*:|"[^"]*" ?)$`)
	// assigned is the scheduler's word with the pod and its node.
	assigned = regexp.MustCompile(`^Successfully assigned \S+ to \S+$`)
)

// isBlock reports whether a message is a report that a volume is held elsewhere, or the beginning of one.
func isBlock(message string) bool { return block.MatchString(message) }

// begun reports whether a message breaks off before the volume that it is about.
func begun(message string) bool {
	for _, text := range [...]string{"Multi-Attach error for volume ", "Waiting for detach for volume ", "AttachVolume.Attach failed for volume ",
		"AttachVolume.Attach succeeded for volume ", "Successfully assigned "} {
		if message != "" && strings.HasPrefix(text, message) {
			return true
		}
	}
	return failedCall.MatchString(message)
}
