package audit

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// event is what is used of an audit.k8s.io Event (apiserver/pkg/apis/audit/v1, the same since 1.8).
type event struct {
	Kind, APIVersion, AuditID, Stage, RequestURI, Verb, UserAgent string

	User             struct{ Username string }
	ImpersonatedUser *struct{ Username string }
	ObjectRef        *objectRef
	ResponseStatus   *responseStatus
	RequestObject    json.RawMessage
	ResponseObject   json.RawMessage
	Received         string `json:"requestReceivedTimestamp"`
	Staged           string `json:"stageTimestamp"`
}

type objectRef struct{ Resource, Namespace, Name, UID, APIGroup, Subresource string }

type responseStatus struct{ Code int }

// request is a successful request for an object that matters, whatever envelope it came in.
type request struct {
	verb, resource, subresource string
	kind                        string // of the resource
	namespace, name, uid        string
	id                          string // of the request, the same in every copy of the event
	actor, agent, rawAgent      string
	at                          model.Moment
	received                    time.Time
	query                       url.Values
	request, response           json.RawMessage
}

// read returns the event as a request; false when it is no fact about an object that matters.
func (e *event) read() (request, bool) {
	ref := e.ObjectRef
	if e.Stage != stageComplete || ref == nil || e.ResponseStatus == nil {
		return request{}, false
	}
	if e.ResponseStatus.Code < 200 || e.ResponseStatus.Code > 299 {
		return request{}, false
	}
	kind := manifest.Audited(ref.Resource, ref.APIGroup)
	if kind == "" || !mutates(e.Verb) {
		return request{}, false
	}
	at, received, ok := e.moment()
	if !ok {
		return request{}, false
	}
	r := request{
		verb: e.Verb, kind: kind, resource: ref.Resource, subresource: ref.Subresource, namespace: ref.Namespace, name: ref.Name, uid: ref.UID,
		id: e.AuditID, actor: e.actor(), agent: agent(e.UserAgent), rawAgent: e.UserAgent, at: at, received: received,
		request: present(e.RequestObject), response: present(e.ResponseObject),
	}
	if _, query, ok := strings.Cut(e.RequestURI, "?"); ok {
		r.query, _ = url.ParseQuery(query) // the parameters before a bad one are as good
	}
	return r, !r.dryRun()
}

func mutates(verb string) bool {
	return slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, verb)
}

// present takes null for absent.
func present(body json.RawMessage) json.RawMessage {
	if bytes.Equal(body, []byte("null")) {
		return nil
	}
	return body
}

// moment is the interval in which the API server acted: from the arrival of the request to the end of its answer.
func (e *event) moment() (at model.Moment, received time.Time, ok bool) {
	from, err1 := time.Parse(time.RFC3339Nano, e.Received)
	to, err2 := time.Parse(time.RFC3339Nano, e.Staged)
	if err1 != nil {
		from = to
	}
	if err2 != nil {
		to = from
	}
	at = model.Between(from, to)
	at.Basis = model.Observed // the API server wrote both bounds
	return at, from, err1 == nil || err2 == nil
}

// actor is who acted. A front end such as Rancher impersonates the person who clicked.
func (e *event) actor() string {
	user := clip(e.User.Username, maxName)
	if i := e.ImpersonatedUser; i != nil && i.Username != "" {
		return clip(i.Username, maxName) + " (through " + user + ")"
	}
	return user
}

// agent shortens a user agent to its program and version, such as kubectl/v1.34.3. What follows is platform and commit.
func agent(s string) string {
	s, _, _ = strings.Cut(s, " (")
	return clip(s, maxName)
}

// dryRun reports whether the request asked the API server to store nothing.
func (r *request) dryRun() bool {
	if len(r.query["dryRun"]) > 0 {
		return true
	}
	if r.verb != "delete" && r.verb != "deletecollection" && r.subresource != "eviction" {
		return false
	}
	return len(r.deleteOptions().DryRun) > 0
}

// deleteOptions is what is used of meta/v1 DeleteOptions.
type deleteOptions struct {
	GracePeriodSeconds natural
	DryRun             []string
	Preconditions      struct{ UID string }
}

// deleteOptions are in the body of a deletion, or inside that of an eviction.
func (r *request) deleteOptions() deleteOptions {
	var body struct {
		deleteOptions
		Inner deleteOptions `json:"deleteOptions"`
	}
	if json.Unmarshal(r.request, &body) != nil {
		return deleteOptions{}
	}
	if r.subresource == "eviction" {
		return body.Inner
	}
	return body.deleteOptions
}

// natural is a whole number that some envelopes write as a string; unset otherwise.
type natural struct {
	n   int64
	set bool
}

// UnmarshalJSON implements json.Unmarshaler. It takes anything; what is no number leaves the value unset.
func (s *natural) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*s = natural{n: n, set: err == nil && n >= 0}
	return nil
}

// clip cuts a text at a rune boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:n], "")
}
