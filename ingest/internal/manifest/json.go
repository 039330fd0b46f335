package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/volpost/volpost/model"
)

// json reads a stream of JSON values: objects, lists, bare arrays. What stands before a tear is kept, also the items of a truncated list.
func (r *reader) json(data []byte, line int) {
	j := &jsonReader{reader: r, data: data, line: line}
	j.dec = json.NewDecoder(&valueReader{r: bytes.NewReader(data), j: j})
	for {
		start := j.skip(" \n\r\t,")
		tok, err := j.dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			switch tok {
			case json.Delim('{'):
				err = j.value(start)
			case json.Delim('['):
				err = j.array()
			default:
				err = errors.New("neither an object nor a list")
			}
		}
		if err != nil {
			r.problem(model.Warning, j.lineAt(int(j.dec.InputOffset())), "the JSON ends or breaks here: %s; what follows is lost", err)
			return
		}
	}
}

type jsonReader struct {
	*reader
	data []byte
	line int
	dec  *json.Decoder

	// lineAt counts forward from here.
	atOffset, atLine int
}

// valueReader gives the decoder no more of one value than an object may have: it would buffer the whole.
type valueReader struct {
	r *bytes.Reader
	j *jsonReader
}

var errValueTooLong = fmt.Errorf("a value of more than %d bytes", MaxObject)

func (v *valueReader) Read(p []byte) (int, error) {
	if read := int64(len(v.j.data) - v.r.Len()); v.j.dec != nil && read-v.j.dec.InputOffset() > MaxObject+decoderAhead {
		return 0, errValueTooLong
	}
	return v.r.Read(p)
}

// skip is the offset of what follows some characters.
func (j *jsonReader) skip(characters string) int {
	return len(j.data) - len(bytes.TrimLeft(j.data[j.dec.InputOffset():], characters))
}

func (j *jsonReader) lineAt(offset int) int {
	offset = min(offset, len(j.data))
	if offset < j.atOffset {
		j.atOffset, j.atLine = 0, 0
	}
	j.atLine += bytes.Count(j.data[j.atOffset:offset], []byte("\n"))
	j.atOffset = offset
	return j.line + j.atLine
}

// value reads what that began with a brace at start: a list when it has items, else one object.
func (j *jsonReader) value(start int) error {
	var apiVersion, kindName string
	var items []chunk
	list := false
	member := func() error {
		tok, err := j.dec.Token()
		if err != nil {
			return err
		}
		if tok == "items" {
			found, isList, err := j.items()
			items, list = append(items, found...), list || isList
			return err
		}
		var value json.RawMessage
		if err := j.dec.Decode(&value); err != nil {
			return err
		}
		switch tok { // what is no text says nothing
		case "apiVersion":
			_ = json.Unmarshal(value, &apiVersion)
		case "kind":
			_ = json.Unmarshal(value, &kindName)
		}
		return nil
	}
	var err error
	for err == nil && j.dec.More() {
		err = member()
	}
	if err == nil {
		_, err = j.dec.Token()
	}
	switch {
	case err != nil:
		return j.truncated(items, apiVersion, kindName, err)
	case list:
		j.list(items, apiVersion, kindName, false)
	default:
		end := int(j.dec.InputOffset())
		j.objects([]chunk{{raw: j.data[start:end], line: j.lineAt(start), json: true}}, apiVersion, kindName)
	}
	return nil
}

// items reads the value of "items"; list is false when it is no array.
func (j *jsonReader) items() (items []chunk, list bool, err error) {
	at := j.skip(" \n\r\t,:")
	if at >= len(j.data) || j.data[at] != '[' {
		var skip json.RawMessage
		return nil, at < len(j.data) && j.data[at] == 'n', j.dec.Decode(&skip) // null is an empty list
	}
	if _, err := j.dec.Token(); err != nil {
		return nil, true, err
	}
	items, err = j.elements()
	return items, true, err
}

// elements reads the rest of an array and its closing bracket.
func (j *jsonReader) elements() (items []chunk, err error) {
	for j.dec.More() {
		var raw json.RawMessage
		if err := j.dec.Decode(&raw); err != nil {
			return items, err
		}
		if len(items) > j.limits.Objects {
			continue // the reader says so once
		}
		end := int(j.dec.InputOffset())
		start := end - len(raw)
		items = append(items, chunk{raw: j.data[start:end], line: j.lineAt(start), json: true})
	}
	_, err = j.dec.Token()
	return items, err
}

// array reads a bare array of objects, as collectors wrote that lose the list around it.
func (j *jsonReader) array() error {
	items, err := j.elements()
	if err != nil {
		return j.truncated(items, "", "", err)
	}
	j.list(items, "", "", false)
	return nil
}

func (j *jsonReader) truncated(items []chunk, apiVersion, kindName string, err error) error {
	if len(items) > 0 {
		j.list(items, apiVersion, kindName, true)
	} else {
		j.result.Total++
	}
	return err
}
