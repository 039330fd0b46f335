package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/volpost/volpost/model"
)

// json reads a stream of JSON values: objects, lists, bare arrays. What stands before a tear is kept, also the items of a torn list.
func (r *reader) json(data []byte, line int) {
	j := &jsonReader{reader: r, data: data, line: line}
	j.dec = json.NewDecoder(&valueReader{r: bytes.NewReader(data), j: j})
	for {
		start := j.skipSpace()
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

// decoderAhead is how far the decoder may have read beyond what it has answered without any long value.
const decoderAhead = 1 << 20

// skipSpace is the offset of the next value.
func (j *jsonReader) skipSpace() int {
	at := int(j.dec.InputOffset())
	for at < len(j.data) && (j.data[at] == ' ' || j.data[at] == '\n' || j.data[at] == '\r' || j.data[at] == '\t' || j.data[at] == ',') {
		at++
	}
	return at
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
	for j.dec.More() {
		tok, err := j.dec.Token()
		if err != nil {
			return j.torn(items, apiVersion, kindName, err)
		}
		switch key, _ := tok.(string); key {
		case "items":
			found, isList, err := j.items()
			items, list = append(items, found...), list || isList
			if err != nil {
				return j.torn(items, apiVersion, kindName, err)
			}
		case "apiVersion", "kind":
			var value any
			if err := j.dec.Decode(&value); err != nil {
				return j.torn(items, apiVersion, kindName, err)
			}
			if s, ok := value.(string); ok && key == "kind" {
				kindName = s
			} else if ok {
				apiVersion = s
			}
		default:
			var skip json.RawMessage
			if err := j.dec.Decode(&skip); err != nil {
				return j.torn(items, apiVersion, kindName, err)
			}
		}
	}
	if _, err := j.dec.Token(); err != nil {
		return j.torn(items, apiVersion, kindName, err)
	}
	if list {
		j.list(items, apiVersion, kindName, false)
		return nil
	}
	end := int(j.dec.InputOffset())
	j.objects([]chunk{{raw: j.data[start:end], line: j.lineAt(start), json: true}}, apiVersion, kindName)
	return nil
}

// items reads the value of "items"; list is false when it is no array.
func (j *jsonReader) items() (items []chunk, list bool, err error) {
	at := j.skipSpace()
	for at < len(j.data) && (j.data[at] == ':' || j.data[at] == ' ' || j.data[at] == '\n' || j.data[at] == '\t' || j.data[at] == '\r') {
		at++
	}
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
		return j.torn(items, "", "", err)
	}
	j.list(items, "", "", false)
	return nil
}

func (j *jsonReader) torn(items []chunk, apiVersion, kindName string, err error) error {
	if len(items) > 0 {
		j.list(items, apiVersion, kindName, true)
	} else {
		j.result.Total++
	}
	return err
}
