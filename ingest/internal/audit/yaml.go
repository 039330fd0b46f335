package audit

import (
	"bytes"
	"regexp"

	kubeyaml "sigs.k8s.io/yaml"
)

// yamlEvent is the version of an event, or of a list of them, in YAML.
var yamlEvent = regexp.MustCompile(`(?m)^(?:- | {0,8})apiVersion: "?audit\.k8s\.io/v`)

// yamlID is what each event has, and no policy.
var yamlID = []byte("auditID: ")

// SniffYAML says from the first bytes of a file whether it holds audit events in YAML, as a list or as documents.
func SniffYAML(head []byte) bool { return bytes.Contains(head, yamlID) && yamlEvent.Match(head) }

// maxListHead bounds what may stand before the first item of a list.
const maxListHead = 4 << 10

// ReadYAML reads audit events in YAML: the items of an EventList, or documents.
func ReadYAML(data []byte, path string) Result {
	l := &log{path: path, seen: map[string]bool{}, filter: true}
	l.facts = &facts{path: path, deleting: map[string]bool{}, taints: map[string][]string{}}
	l.in.Bytes = int64(len(data))
	one := yamlItem{line: 1}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if one.ends(text) {
			l.yamlRecord(&one)
			one = yamlItem{line: line, dash: one.dash}
		}
		one.add(text)
	}
	l.yamlRecord(&one)
	return l.finish()
}

// yamlItem is the text of one event.
type yamlItem struct {
	line    int
	text    []byte
	quote   []byte // as it stands
	dash    int    // blanks before the dash of a list's item, plus one; 0 before the first
	tooLong bool
}

// dashOf is how many blanks stand before the dash that begins a line, plus one; 0 without a dash.
func dashOf(text []byte) int {
	rest := bytes.TrimLeft(text, " ")
	if !bytes.HasPrefix(rest, []byte("- ")) {
		return 0
	}
	return len(text) - len(rest) + 1
}

// ends reports that a line begins the next event: the next item of the list, or the next document.
func (y *yamlItem) ends(text []byte) bool {
	if bytes.HasPrefix(text, []byte("---")) {
		y.dash = 0
		return true
	}
	n := dashOf(text)
	head := y.dash == 0 && n > 0 && len(y.text) < maxListHead
	if head && yamlEvent.Match(y.text) && !bytes.Contains(y.text, yamlID) {
		y.dash = n // of the list that has just begun
	}
	return n > 0 && n == y.dash
}

func (y *yamlItem) add(text []byte) {
	if len(y.text)+len(text) > MaxEvent {
		y.tooLong = true
		return
	}
	y.quote = append(y.quote, text...)
	if y.dash > 0 && dashOf(text) == y.dash {
		text = bytes.Replace(text, []byte("- "), []byte("  "), 1)
	}
	if !bytes.HasPrefix(text, []byte("---")) {
		y.text = append(y.text, text...)
	}
}

// yamlRecord takes one event. The head of a list is none.
func (l *log) yamlRecord(y *yamlItem) {
	if !bytes.Contains(y.text, yamlID) {
		return
	}
	text, err := kubeyaml.YAMLToJSON(y.text)
	if err != nil {
		l.in.Records++
		l.damaged.add(y.line)
		return
	}
	l.record(text, bytes.TrimRight(y.quote, "\r\n"), y.line, y.tooLong)
}
