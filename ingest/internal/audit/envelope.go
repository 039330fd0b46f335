package audit

import (
	"bytes"
	"encoding/json"
	"strings"
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
		e, _ := g.event()
		return e, nil
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
