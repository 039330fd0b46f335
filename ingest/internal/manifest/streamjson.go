package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/volpost/volpost/model"
)

// jsonHead finds the head of a JSON list: what stands before its first item.
func jsonHead(file []byte) (ListHead, bool) {
	dec := json.NewDecoder(bytes.NewReader(file))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return ListHead{}, false
	}
	for key, err := dec.Token(); key != "items"; key, err = dec.Token() {
		var skip json.RawMessage
		if err != nil || key == json.Delim('}') || dec.Decode(&skip) != nil {
			return ListHead{}, false
		}
	}
	if tok, err := dec.Token(); err != nil || tok != json.Delim('[') {
		return ListHead{}, false
	}
	head := file[:dec.InputOffset()]
	_, kindName, _ := jsonIdentity(file[len(head):])
	return ListHead{text: bytes.Clone(head), json: true}, kindName != ""
}

// jsonState is where in an item the text that has come ends.
type jsonState struct {
	depth   int  // of brackets; 0 between items
	text    bool // within a string
	escaped bool // behind a backslash there
}

// cutJSON cuts what has come into items, by the brackets that are not in strings. Decoding finds what is no JSON.
func (s *stream) cutJSON() {
	for !s.ended && s.from < len(s.buf) {
		switch {
		case s.json.text:
			s.skipText()
		case s.json.depth == 0:
			s.between()
		default:
			s.within()
		}
	}
}

// between looks for the next item, or the end of the list.
func (s *stream) between() {
	switch s.buf[s.from] {
	case '\n':
		s.number++
		s.from++
	case ' ', '\t', '\r', ',':
		s.from++
	case '{':
		s.buf, s.from, s.line = s.buf[s.from:], 1, s.number
		s.json.depth = 1
	default:
		s.buf, s.from, s.ended = s.buf[s.from:], 0, true
	}
}

// within goes on to the end of the item or to a string.
func (s *stream) within() {
	for i := s.from; i < len(s.buf); i++ {
		switch s.buf[i] {
		case '"':
			s.from = i + 1
			s.json.text = true
			return
		case '{', '[':
			s.json.depth++
		case '}', ']':
			if s.json.depth--; s.json.depth == 0 {
				s.from = i + 1
				s.item(s.from)
				return
			}
		case '\n':
			s.number++
			i += spaces(s.buf, i+1)
		}
	}
	s.from = len(s.buf)
}

func (s *stream) skipText() {
	for i, b := range s.buf[s.from:] {
		switch {
		case s.json.escaped:
			s.json.escaped = false
		case b == '\\':
			s.json.escaped = true
		case b == '"':
			s.from += i + 1
			s.json.text = false
			return
		case b == '\n':
			s.number++ // an error, which decoding finds
		}
	}
	s.from = len(s.buf)
}

// tailJSON reads what follows the items: what the list says of itself, and other values.
func (s *stream) tailJSON(rest []byte) listEnd {
	whole := append(bytes.Clone(s.head.text), rest...)
	hidden := s.number - 1 - bytes.Count(s.head.text, []byte("\n"))
	dec := json.NewDecoder(bytes.NewReader(whole))
	var list struct {
		APIVersion string          `json:"apiVersion"`
		Kind       string          `json:"kind"`
		Items      json.RawMessage `json:"items"`
	}
	if err := dec.Decode(&list); err != nil {
		return listEnd{torn: true, following: func() {
			s.result.Total = max(s.result.Total, 1)
			s.problem(model.Warning, s.number, "the JSON ends or breaks here: %s; what follows is lost", err)
		}}
	}
	at := int(dec.InputOffset())
	return listEnd{apiVersion: list.APIVersion, kindName: list.Kind, following: func() {
		s.reader.json(whole[at:], 1+hidden+bytes.Count(whole[:at], []byte("\n")))
	}}
}
