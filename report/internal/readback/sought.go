package readback

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sought is a tree of places in JSON: those below one, by key or index, and what is wrong at it.
type sought struct {
	below map[string]*sought
	wrong *jsonschema.ValidationError
}

// add adds the place at a path. Of what is wrong there, the first is kept.
func (s *sought) add(path []string, wrong *jsonschema.ValidationError) {
	for _, step := range path {
		if s.below == nil {
			s.below = map[string]*sought{}
		}
		next := s.below[step]
		if next == nil {
			next = &sought{}
			s.below[step] = next
		}
		s = next
	}
	if s.wrong == nil {
		s.wrong = wrong
	}
}

// first is what is wrong at the first of the places in a text, and the offset of the value there. The text is well-formed.
func (s *sought) first(text []byte) (*jsonschema.ValidationError, int) {
	in := json.NewDecoder(bytes.NewReader(text))
	wrong, offset := s.next(in)
	for offset < len(text) && bytes.IndexByte([]byte(" \t\r\n:,"), text[offset]) >= 0 {
		offset++
	}
	return wrong, offset
}

// next goes over one value until something is wrong.
func (s *sought) next(in *json.Decoder) (*jsonschema.ValidationError, int) {
	if s.wrong != nil {
		return s.wrong, int(in.InputOffset())
	}
	opening, err := in.Token()
	if _, nested := opening.(json.Delim); err != nil || !nested {
		return nil, 0
	}
	for n := 0; in.More(); n++ {
		name := strconv.Itoa(n)
		if opening == json.Delim('{') {
			key, err := in.Token()
			if err != nil {
				return nil, 0
			}
			name, _ = key.(string)
		}
		if below := s.below[name]; below != nil {
			if wrong, offset := below.next(in); wrong != nil {
				return wrong, offset
			}
			continue
		}
		var passed json.RawMessage
		if in.Decode(&passed) != nil {
			return nil, 0
		}
	}
	_, _ = in.Token() // the closing bracket or brace
	return nil, 0
}
