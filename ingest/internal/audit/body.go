package audit

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// metadata is what is used of it. Finalizers is raw: in a merge patch, null takes all away and absence leaves them.
type metadata struct {
	Name, UID, DeletionTimestamp string

	DeletionGrace   natural `json:"deletionGracePeriodSeconds"`
	Finalizers      json.RawMessage
	OwnerReferences []struct {
		Kind, Name, UID string
		Controller      bool
	}
}

// body is an object, or a patch of one, as far as its metadata goes.
type body struct {
	Kind     string
	Metadata metadata
}

// decodeBody reads a body of the given shape; false when there is none or when it has another shape, such as a JSON patch.
func decodeBody(raw json.RawMessage, to any) bool {
	return len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, to) == nil
}

// finalized reports whether an object, of which this is the metadata and not a patch, has no finalizers.
func (m *metadata) finalized() bool {
	return len(m.Finalizers) == 0 || bytes.Equal(m.Finalizers, []byte("null")) || bytes.Equal(m.Finalizers, []byte("[]"))
}

// clears reports whether a patch takes all finalizers away.
func (m *metadata) clears() bool { return len(m.Finalizers) > 0 && m.finalized() }

// controller is the workload that owns the object.
func (m *metadata) controller(namespace string) model.Ref {
	for _, o := range m.OwnerReferences {
		if o.Controller && validName(o.Name) && validName(o.Kind) {
			return model.Ref{Kind: o.Kind, Namespace: namespace, Name: o.Name, UID: validUID(o.UID)}
		}
	}
	return model.Ref{}
}

// operation is one step of an RFC 6902 patch.
type operation struct {
	Op, Path string
	Value    json.RawMessage
}

// operations reads a JSON patch; none when the body is something else.
func operations(raw json.RawMessage) []operation {
	var ops []operation
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &ops) != nil {
		return nil
	}
	return ops
}

// validName takes what can be the name of an object: nothing else gets into a statement.
func validName(s string) bool {
	return s != "" && len(s) <= 253 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '/' })
}

func validUID(s string) string {
	if validName(s) && len(s) <= 64 {
		return s
	}
	return ""
}

// fresh reports whether a client's time is that of its request. Clients cut it to seconds, retry, run on another host; five minutes, the
// period of a kubelet's unchanged status, would be stale.
func fresh(stamp string, r *request) bool {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return false
	}
	age := r.received.Sub(t)
	return age > -maxSkew && age < maxSkew
}
