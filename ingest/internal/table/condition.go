package table

import (
	"regexp"

	"github.com/volpost/volpost/model"
)

// resizeCondition is a row of a claim's conditions (kubectl describe pvc):
//
//	FileSystemResizePending   True   Mon, 01 Jan 0001 00:00:00 +0000   Mon, 08 Mar 2021 17:14:43 -0500   Waiting for user to …
//
// LastProbeTime is never set. A web page may have left one blank in each gap.
var resizeCondition = regexp.MustCompile(`^ *FileSystemResizePending +(True|False|Unknown) +` + mailDate + ` +(` + mailDate + `) +(\S.*)$`)

const mailDate = `[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}`

// resizeRow reads that row: since when the file system waits, and the message. It answers false when it does not wait.
func resizeRow(s string) (at model.Moment, message string, ok bool) {
	m := resizeCondition.FindStringSubmatch(s)
	if m == nil || m[1] != "True" {
		return model.Moment{}, "", false
	}
	return instant(m[2]), m[3], true
}

// resizePending reads the conditions of a described claim.
func (t *teller) resizePending() {
	for i := range t.fields {
		f := &t.fields[i]
		if at, message, ok := resizeRow(f.value); ok && f.key == "" && f.heading == "Conditions" {
			t.say(model.ResizePending, at, f, func(o *model.Observation) { o.Detail = message })
		}
	}
}

// condition takes such a row where the claim above it was not copied.
func (r *reader) condition(l line) bool {
	if r.desc != nil && r.section == nil {
		return false
	}
	at, message, ok := resizeRow(l.text)
	if !ok {
		return false
	}
	r.commit()
	row := row{at: l, path: r.path}
	row.say(model.Observation{Kind: model.ResizePending, At: at, Last: at, Detail: message})
	r.record(row.out, len(l.raw))
	return true
}
