package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model/words"
)

// A message in a sentence, in bold, in a code span, a cell, a diff or a field of JSON is the same message by its shape. Talk about an error
// lacks it: it names no volume, or not how it is held.

// escapes are the ways in which programs write a quotation mark inside a quoted text.
var escapes = strings.NewReplacer(`\\\"`, `"`, `\\"`, `"`, `\"`, `"`, `\'`, `'`, `\\u0022`, `"`, `\u0022`, `"`, `\u0027`, `'`, `""`, `"`,
	`\t`, " ", `\u003c`, "<", `\u003e`, ">")

// undecorate takes off a row the marks of a list, a diff, a code span, bold text or a quoted text, and the escapes of the latter.
func undecorate(s string) string {
	if strings.ContainsAny(s, `\"`) {
		s = escapes.Replace(s)
	}
	return strings.Trim(s, " +-*•`_\"',")
}

var markedBy = []string{"for volume", "FailedAttachVolume", "FailedMount", "FailedScheduling", "AttachVolume", "volume attachment is being deleted"}

// marked is a word that a row of events or a message of volumes holds in any case; other lines need no second look.
func marked(s string) bool {
	return slices.ContainsFunc(markedBy, func(word string) bool { return strings.Contains(s, word) })
}

// rowInside is a row of events behind something else on its line.
var rowInside = regexp.MustCompile(`(?:^|[^A-Za-z0-9])` +
	`((?:Warning|Normal) +(?:Failed(?:Attach|Detach|Map)Volume|FailedMount|FailedScheduling|SuccessfulAttachVolume) .*)$`)

// decoratedRow reads a row of events, or a message, with marks around it.
func decoratedRow(s string) (eventRow, bool) {
	if !marked(s) {
		return eventRow{}, false
	}
	bare := undecorate(s)
	if bare != s {
		if r, ok := shapedRow(bare); ok {
			return r, true
		}
	}
	if m := rowInside.FindStringSubmatch(bare); m != nil {
		if r, ok := shapedRow(strings.TrimRight(m[1], " `*\"'")); ok {
			return r, true
		}
	}
	return insideRow(bare)
}

const (
	// A name of a volume, with marks that a person or a page put around it.
	volumeInside = "[\"'`*]*([^\\s\"'`*\\\\]+)[\"'`*]*"
	// Behind a comma a sentence may go on: further names are those of pods that a workload made.
	podsInside = `used by (?:pod\(s\) [a-z0-9][a-z0-9.-]*(?:, [a-z0-9]+-[a-z0-9.-]*)*` +
		`(?: and \d+ pod\(s\) in different namespaces)?|\d+ pod\(s\) in different namespaces)`
	nodeInside = `exclusively attached to (?:one node|node [a-z0-9][a-z0-9.-]*)` +
		`(?: and can['o]*n?['o]*t be attached to another|, waiting on detach(?: before it can be attached to another node)?)?`
)

var (
	// blockInside is the controller's report; bold text may end in it, blanks be lost. A line with a klog header is for the log reader.
	headed      = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.]+:\d+\] *"?$`)
	blockInside = regexp.MustCompile(`(Multi-Attach error|Waiting for detach)\** *for volume *` + volumeInside +
		`(?: *\(UniqueName: *"[^"]*"\) *from node *"[^"]*")? *:? *Volume is already (` + podsInside + `|` + nodeInside + `)`)
	// callInside is the result of a call, up to the end of the line.
	callInside = regexp.MustCompile(`((?:AttachVolume\.Attach|DetachVolume\.Detach|M(?:ountVolume\.(?:WaitForAttach|MountDevice|SetUp)|apVolume\.\w+)) ` +
		`(?:failed|succeeded)) for volume ` + volumeInside + `(?: *(: [^` + proseMarks + `]*))?`)
	// countInside is how often the report came, where it stands in front of it.
	countInside = regexp.MustCompile(`\(x(\d+)(?: over [^()]*)?\)[^()]*$`)
	// madeName is a name that a program made: no person writes it into a sentence.
	madeName = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}`)
	// closed is what may follow a quoted report: the end of the line, of a sentence, or of what it was quoted in.
	closed = regexp.MustCompile("^[.]*(?:$|[,;:!?)\\]}\"'`*|<]| *[|(\\\\])")
)

// insideRow reads a message inside of a line. Words may follow one of a volume whose name a program made; else it has to be closed.
func insideRow(s string) (eventRow, bool) {
	if m := blockInside.FindStringSubmatchIndex(s); m != nil && !headed.MatchString(s[:m[0]]) {
		volume, rest := s[m[4]:m[5]], s[m[1]:]
		if volume == ":" { // the error as such, without its volume
			volume = "…"
		}
		if !madeName.MatchString(volume) && !closed.MatchString(strings.TrimRight(rest, " ")) {
			return eventRow{}, false
		}
		message := s[m[2]:m[3]] + ` for volume "` + volume + `" Volume is already ` + strings.TrimRight(s[m[6]:m[7]], ".-")
		r, ok := bareMessage(message, "")
		if c := countInside.FindStringSubmatch(s[:m[0]]); c != nil {
			r.seen.count = parseCount(c[1])
		}
		return r, ok
	}
	m := callInside.FindStringSubmatch(s)
	if m == nil || !madeName.MatchString(m[2]) && !strings.HasPrefix(m[3], ": rpc error") {
		return eventRow{}, false
	}
	failed := strings.HasSuffix(m[1], "failed")
	return bareMessage(m[1]+` for volume "`+m[2]+`"`+words.If(failed, " "+strings.TrimRight(m[3], " `*|")), "")
}
