package readback

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// violations are the deepest ones, all at the same depth, within the value at a place.
type violations struct {
	at   []string
	list []*jsonschema.ValidationError
}

// judge decodes a value at a place and holds it against its schema.
func (v *violations) judge(keeps *jsonschema.Schema, in *json.Decoder, at []string) error {
	var value any
	if err := in.Decode(&value); err != nil {
		return err
	}
	var broken *jsonschema.ValidationError
	if err := keeps.Validate(value); err == nil {
		return nil
	} else if !errors.As(err, &broken) {
		return err
	}
	here := violations{at: at}
	here.collect(broken)
	if len(v.list) == 0 || here.depth() > v.depth() {
		*v = here
	}
	return nil
}

func (v *violations) depth() int { return len(v.at) + len(v.list[0].InstanceLocation) }

// collect takes the deepest violations that e consists of.
func (v *violations) collect(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		v.collect(cause)
	}
	if len(e.Causes) > 0 {
		return
	}
	if len(v.list) > 0 && len(e.InstanceLocation) > len(v.list[0].InstanceLocation) {
		v.list = v.list[:0]
	}
	if len(v.list) == 0 || len(e.InstanceLocation) == len(v.list[0].InstanceLocation) {
		v.list = append(v.list, e)
	}
}

// first is the violation that comes first in the text of an excerpt, or nil: the library goes over keys in any order.
func (v *violations) first(p excerpt, text []byte) *breach {
	if len(v.list) == 0 {
		return nil
	}
	var places sought
	for _, e := range v.list {
		places.add(slices.Concat(v.at, e.InstanceLocation), e)
	}
	e, offset := places.first(text)
	b := &breach{path: slices.Concat(v.at, e.InstanceLocation), offset: p.place(offset)}
	if p.list != "" {
		i, _ := strconv.Atoi(b.path[1])
		b.path[1] = strconv.Itoa(p.index + i)
	}
	shown := *e
	shown.InstanceLocation = b.path
	if f, ok := e.ErrorKind.(*kind.Format); ok {
		if s, ok := f.Got.(string); ok && len(s) > 60 {
			shown.ErrorKind = &kind.Format{Got: strings.ToValidUTF8(s[:60], "") + "…", Want: f.Want, Err: f.Err}
		}
	}
	b.message = shown.Error()
	return b
}

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
