package audit

import (
	"encoding/json"
	"strings"
	"time"
)

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

// event gives the entry the shape of an audit event; false when it is none of the Kubernetes API.
func (e *entry) event() (*event, bool) {
	p := e.Payload
	if p == nil {
		return nil, false
	}
	method, ok := strings.CutPrefix(p.Method, "io.k8s.")
	at, err := time.Parse(time.RFC3339Nano, e.Timestamp)
	if !ok || err != nil {
		return nil, false
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
	return out, true
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
