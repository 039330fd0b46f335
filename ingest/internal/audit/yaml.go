package audit

import (
	"bytes"
	"regexp"

	"github.com/volpost/volpost/ingest/internal/manifest"
)

// yamlEvent is the version of an event, or of a list of them, in YAML.
var yamlEvent = regexp.MustCompile(`(?m)^(?:- | {0,8})apiVersion: "?audit\.k8s\.io/v`)

// yamlID is what each event has, and no policy.
var yamlID = []byte("auditID: ")

// SniffYAML says from the first bytes of a file whether it holds audit events in YAML, as a list or as documents.
func SniffYAML(head []byte) bool { return bytes.Contains(head, yamlID) && yamlEvent.Match(head) }

// ReadYAML reads audit events in YAML: the items of an EventList, or documents.
func ReadYAML(data []byte, path string) Result {
	l := newLog(path, true)
	l.in.Bytes = int64(len(data))
	for line, item := range manifest.Items(data) {
		if !bytes.Contains(item, yamlID) {
			continue
		}
		text, err := []byte(nil), error(nil)
		if len(item) <= MaxEvent {
			text, err = manifest.AsJSON(item)
		}
		if err != nil {
			l.in.Records++
			l.damaged.add(line)
			continue
		}
		text = bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("[")), []byte("]"))
		l.record(text, bytes.TrimRight(item, "\r\n"), line, len(item) > MaxEvent)
	}
	return l.finish()
}
