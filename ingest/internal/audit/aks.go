package audit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Azure Monitor keeps an AKS cluster's audit events in tables with a column for each member (azure-monitor/reference/tables/aksaudit). The
// CLI writes rows as objects. There is no column for an impersonated user.

var aksMarks = [][]byte{[]byte("StageReceivedTime"), []byte("ObjectRef"), []byte("AuditId")}

// isAKS reports whether a text has the columns of such a table.
func isAKS(text []byte) bool {
	return !slices.ContainsFunc(aksMarks, func(m []byte) bool { return !bytes.Contains(text, m) })
}

// aksEvent makes an event of a row.
func aksEvent(column func(name string) string) *event {
	e := &event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", AuditID: column("AuditId"), Stage: column("Stage"),
		RequestURI: column("RequestUri"), Verb: column("Verb"), UserAgent: column("UserAgent"),
		Received: column("RequestReceivedTime"), Staged: column("StageReceivedTime"),
		RequestObject: object(column("RequestObject")), ResponseObject: object(column("ResponseObject")),
	}
	// What does not decode is missing, and an event without it says nothing.
	_ = json.Unmarshal(object(column("User")), &e.User)
	_ = json.Unmarshal(object(column("ObjectRef")), &e.ObjectRef)
	_ = json.Unmarshal(object(column("ResponseStatus")), &e.ResponseStatus)
	return e
}

// object is a column's text if that is a JSON object, and not the note that it was too long.
func object(text string) json.RawMessage {
	if b := []byte(text); strings.HasPrefix(text, "{") && json.Valid(b) {
		return b
	}
	return nil
}

// aksObject reads a row that is an object; columns of dynamic type are objects, or strings that hold one.
func aksObject(text []byte) *event {
	var row map[string]json.RawMessage
	if json.Unmarshal(text, &row) != nil || row["ObjectRef"] == nil {
		return nil
	}
	return aksEvent(func(name string) string {
		value := row[name]
		var s string
		if json.Unmarshal(value, &s) == nil {
			return s
		}
		return string(value)
	})
}
