package audit

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

const yamlDelete = `- apiVersion: audit.k8s.io/v1
  kind: Event
  auditID: ID
  stage: ResponseComplete
  requestURI: /apis/storage.k8s.io/v1/volumeattachments/csi-abc
  verb: delete
  user:
    username: alice
    groups:
    - dev
  objectRef: {resource: volumeattachments, name: csi-abc, apiGroup: storage.k8s.io, apiVersion: v1}
  responseStatus: {code: 200}
  requestReceivedTimestamp: "2026-03-14T10:00:00.000000Z"
  stageTimestamp: "2026-03-14T10:00:00.010000Z"
`

// TestReadYAML reads an EventList and documents; a policy and a list of core Events are none.
func TestReadYAML(t *testing.T) {
	const head = "apiVersion: audit.k8s.io/v1\nkind: EventList\nitems:\n"
	one, two := strings.Replace(yamlDelete, ": ID", ": a", 1), strings.Replace(yamlDelete, ": ID", ": b", 1)
	document := strings.ReplaceAll(strings.Replace("  "+one[2:], "  ", "", 1), "\n  ", "\n")
	for name, text := range map[string]string{
		"a list": head + one + two, "a list, indented": head + "  " + strings.ReplaceAll(strings.TrimRight(one+two, "\n"), "\n", "\n  ") + "\n",
		"documents": "---\n" + document + "---\n" + strings.Replace(document, "auditID: a", "auditID: b", 1),
	} {
		res := ReadYAML([]byte(text), "audit.yaml")
		if !SniffYAML([]byte(text)) || res.Input.Records != 2 || res.Input.Used != 2 || len(res.Observations) == 0 {
			t.Errorf("%s: %v %+v %d", name, SniffYAML([]byte(text)), res.Input, len(res.Observations))
			continue
		}
		o := res.Observations[0]
		if o.Kind != model.AttachmentDeletionRequested || o.Actor != "alice" || o.Attachment != "csi-abc" || o.Source.Line < 1 ||
			!strings.Contains(text, o.Quote.Text) {
			t.Errorf("%s: %+v", name, o)
		}
	}
	for _, text := range []string{"apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n", "apiVersion: v1\nkind: EventList\nitems:\n",
		"message: auditID: of audit.k8s.io/v1\n"} {
		if SniffYAML([]byte(text)) {
			t.Errorf("%q is taken for an audit log", text)
		}
	}
	if res := ReadYAML([]byte(head+"- auditID: a\n  kind: [\n"), "p"); res.Input.Records != 1 || len(res.Problems) != 1 {
		t.Errorf("damaged: %+v", res)
	}
}
