package table

import (
	"regexp"
	"strings"
	"sync"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// bareReasons are the messages that people paste without the row around them, and the reason that Kubernetes gives
// them. A message stands alone when it begins the line or follows its reason; in the middle of a sentence it is talk.
var bareReasons = []struct {
	reason string
	text   *regexp.Regexp
}{
	{"FailedAttachVolume", regexp.MustCompile(`^(?:Multi-Attach error|Waiting for detach) for volume ` +
		`(?:" *[^"\s]+ *"|\S+)(?: \(UniqueName: "[^"]+"\) from node "[^"]+")? +Volume is already (?:exclusively attached to|used by) `)},
	{"FailedAttachVolume", regexp.MustCompile(`^AttachVolume\.Attach failed for volume "[^"]+" *:(?: |$)`)},
	{"FailedAttachVolume", regexp.MustCompile(`^Failed to attach volume "[^"]+" on node "[^"]+" with: `)},
	{"SuccessfulAttachVolume", regexp.MustCompile(`^AttachVolume\.Attach succeeded for volume "[^"]+"$`)},
	{"FailedDetachVolume", regexp.MustCompile(`^DetachVolume\.Detach failed for volume "[^"]+" *:(?: |$)`)},
	{"FailedMount", regexp.MustCompile(`^Unable to (?:attach or )?mount volumes(?: for pod "[^"]+")?: `)},
	{"FailedMount", regexp.MustCompile(`^M(?:ountVolume\.(?:WaitForAttach|MountDevice|SetUp)|apVolume\.\w+) failed for volume "[^"]+" *:(?: |$)`)},
}

// bareLead is what may stand before a message: marks of a list, the name of a field, the type, the reporter.
var bareLead = regexp.MustCompile(`^ *(?:[-*•] +|\d+[.)] +)?(?:(?:[Mm]essage|note): *)?["'` + "`" + `]?`)

// bareReason is a reason before its message, with the quotation mark that opens them.
var bareReason = regexp.MustCompile(`(?:^|[\s("'` + "`" + `])(FailedAttachVolume|SuccessfulAttachVolume|FailedMount)` +
	`(?: +\(x(\d+)(?: over [^()]*)?\))?(?: *:)? +(?:attachdetach-controller +|kubelet(?:, \S+)? +|(?:pod/)?([a-z0-9][a-z0-9.]*-[a-z0-9.-]+):? +)?["'` + "`" + `]?`)

// unquotedVolume is a volume's name whose quotation marks were lost.
var unquotedVolume = regexp.MustCompile(`^((?:Multi-Attach error|Waiting for detach) for volume )([^"\s]\S*)( +Volume is already )`)

func bareRow(s string) (eventRow, bool) {
	if !strings.Contains(s, "for volume ") && !strings.Contains(s, " volumes") {
		return eventRow{}, false
	}
	if !strings.Contains(s, "Failed") && !strings.Contains(s, "SuccessfulAttach") {
		return bareLine(s)
	}
	for _, at := range bareReason.FindAllStringSubmatchIndex(s, 4) {
		count := 1
		if at[4] >= 0 {
			count = parseCount(s[at[4]:at[5]])
		}
		if r, ok := bareMessage(s[at[1]:], s[max(at[0], at[2]-1):at[2]]); ok && r.record.Reason == s[at[2]:at[3]] {
			r.seen.count = count
			if at[6] >= 0 {
				r.about, r.record.Object = true, model.PodRef("", s[at[6]:at[7]], "")
			}
			return r, true
		}
	}
	return bareLine(s)
}

func bareLine(s string) (eventRow, bool) {
	lead := bareLead.FindString(s)
	opened := ""
	if lead != "" {
		opened = lead[len(lead)-1:]
	}
	return bareMessage(s[len(lead):], opened)
}

// proseMarks are signs of Chinese and Japanese sentences, which no error has: an author goes on behind them.
const proseMarks = "，。；、"

// bareMessage reads a message up to the quotation mark that closes it, when one opened it.
func bareMessage(s, opened string) (eventRow, bool) {
	if opened == `'` || opened == "`" {
		if end := strings.LastIndex(s, opened); end > 0 && !strings.HasPrefix(s[end:], "'t ") {
			s = s[:end]
		}
	}
	if end := strings.IndexAny(s, proseMarks); end > 0 {
		s = s[:end]
	}
	s = unquotedVolume.ReplaceAllString(s, `$1"$2"$3`)
	for _, b := range bareReasons {
		if b.text.MatchString(s) {
			return eventRow{record: phrase.EventRecord{Reason: b.reason, Message: s}, seen: seen{count: 1}}, true
		}
	}
	return eventRow{}, false
}

// statusNow is the message of a node's event, as its controller writes it.
var statusNow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Node \S+ status is now: (Node[A-Z]\w+)$`) })

// reasonOf is the reason of an event, by its message alone; "" where that does not say.
func reasonOf(message string) string {
	if m := statusNow().FindStringSubmatch(message); m != nil {
		return m[1]
	}
	if assigned.MatchString(message) {
		return "Scheduled"
	}
	r, _ := bareMessage(message, "")
	return r.record.Reason
}

// mountPod is the pod that the kubelet's older message names: name_namespace(uid), the last as people may have masked it.
var mountPod = regexp.MustCompile(`for pod "([a-z0-9.-]+)_([a-z0-9-]+)\((?:([0-9a-f-]+)\)")?`)

// podOfMessage is the pod that an event's message names as the one that it is about.
func podOfMessage(message string) model.Ref {
	if m := mountPod.FindStringSubmatch(message); m != nil {
		return model.PodRef(m[2], m[1], m[3])
	}
	rest, placed := strings.CutPrefix(message, "Successfully assigned ")
	pod, _, ok := strings.Cut(rest, " to ")
	namespace, name, found := strings.Cut(pod, "/")
	if !found {
		namespace, name = "", pod
	}
	if !placed || !ok || !nameText(name) {
		return model.Ref{}
	}
	return model.PodRef(namespace, name, "")
}
