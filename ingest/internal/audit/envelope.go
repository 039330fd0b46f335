package audit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// envelope holds the members under which log services keep what was written.
type envelope struct {
	// encoding/json takes MESSAGE and Message for message, too.
	ProtoPayload, Log, Message, Properties, JSONPayload, TextPayload, Msg, Line, Value json.RawMessage

	AtMessage json.RawMessage `json:"@message"`
	LogS      json.RawMessage `json:"log_s"`
	Source    json.RawMessage `json:"_source"`
}

// find decodes an event, opening the envelopes around it. damaged reports that the text is no JSON at its outermost layer.
func find(text []byte) (e *event, damaged bool) {
	e, err := open(text, maxLayers)
	return e, err != nil
}

func open(text []byte, layers int) (*event, error) {
	var e event
	err := json.Unmarshal(text, &e)
	if strings.HasPrefix(e.APIVersion, "audit.k8s.io/") && e.Kind == "Event" {
		if err != nil {
			return nil, err
		}
		return &e, nil
	}
	if isAKS(text) {
		if e := aksObject(text); e != nil {
			return e, nil
		}
	}
	var env envelope // whose members may have other types than an event's of that name
	if err := json.Unmarshal(text, &env); err != nil {
		return nil, err
	}
	if env.ProtoPayload != nil {
		var g entry
		if err := json.Unmarshal(text, &g); err != nil {
			return nil, err
		}
		return g.event(), nil
	}
	if layers == 0 {
		return nil, nil
	}
	for _, part := range []json.RawMessage{env.Log, env.Message, env.AtMessage, env.Properties, env.LogS, env.JSONPayload, env.TextPayload,
		env.Msg, env.Line, env.Source, env.Value} {
		if e := openPart(part, layers-1); e != nil {
			return e, nil
		}
	}
	return nil, nil
}

// openPart opens a member of an envelope: an object, or a string that holds one.
func openPart(part json.RawMessage, layers int) *event {
	if len(part) == 0 {
		return nil
	}
	if part[0] == '"' {
		var s string
		if json.Unmarshal(part, &s) != nil {
			return nil
		}
		i := strings.IndexByte(s, '{')
		if i < 0 || i > maxPrefix {
			return nil
		}
		part = json.RawMessage(s[i:])
	}
	if part[0] != '{' || !bytes.Contains(part, groupMark) {
		return nil
	}
	e, _ := open(part, layers) // what is no JSON is no event
	return e
}

// entry is what is used of a Google Cloud Logging LogEntry whose payload is an AuditLog of the Kubernetes API.
type entry struct {
	Timestamp, InsertID string

	Operation *struct{ Last bool }
	Payload   *struct {
		Method             string `json:"methodName"`   // io.k8s.core.v1.pods.binding.create
		Name               string `json:"resourceName"` // core/v1/namespaces/shop/pods/db-0/binding
		AuthenticationInfo struct{ PrincipalEmail string }
		RequestMetadata    struct{ CallerSuppliedUserAgent string }
		Status             struct{ Code int } // of google.rpc: 0 is success
		Request, Response  json.RawMessage
	} `json:"protoPayload"`
}

// googleSpread is how far an entry's one time may be from what the API server did: it is not documented which moment it is.
const googleSpread = time.Second

// event gives the entry the shape of an audit event; nil when it is none of the Kubernetes API.
func (e *entry) event() *event {
	p := e.Payload
	if p == nil {
		return nil
	}
	method, ok := strings.CutPrefix(p.Method, "io.k8s.")
	at, err := time.Parse(time.RFC3339Nano, e.Timestamp)
	if !ok || err != nil {
		return nil
	}
	out := &event{
		Stage: stageComplete, AuditID: e.InsertID, UserAgent: p.RequestMetadata.CallerSuppliedUserAgent, ObjectRef: resourceName(p.Name),
		Verb: method[strings.LastIndexByte(method, '.')+1:], RequestObject: p.Request, ResponseObject: p.Response,
		ResponseStatus: &responseStatus{Code: 200},
		Received:       at.Add(-googleSpread).Format(time.RFC3339Nano), Staged: at.Add(googleSpread).Format(time.RFC3339Nano),
	}
	if e.Operation != nil && !e.Operation.Last {
		out.Stage = "RequestReceived" // another entry says how it ended
	}
	out.User.Username = p.AuthenticationInfo.PrincipalEmail
	if p.Status.Code != 0 {
		out.ResponseStatus.Code = 500
	}
	return out
}

// resourceName reads group/version[/namespaces/<ns>]/resource[/name[/subresource]] : the object's reference.
func resourceName(s string) *objectRef {
	parts := strings.SplitN(s, "/", 8)
	if len(parts) < 3 {
		return nil
	}
	ref := &objectRef{APIGroup: parts[0]}
	if ref.APIGroup == "core" {
		ref.APIGroup = ""
	}
	parts = parts[2:]
	if parts[0] == "namespaces" && len(parts) > 2 {
		ref.Namespace, parts = parts[1], parts[2:]
	}
	parts = append(parts, "", "")
	ref.Resource, ref.Name, ref.Subresource = parts[0], parts[1], parts[2]
	return ref
}

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
