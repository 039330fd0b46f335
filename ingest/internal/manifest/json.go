package manifest

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/volpost/volpost/model"
)

// asWritten takes JSON as others wrote it: of a key that comes twice the last counts, and bytes that are no UTF-8 are what they are.
var asWritten = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// json reads a stream of JSON values: objects, lists, bare arrays. What stands before a break is kept, also the items of a truncated list.
func (r *reader) json(data []byte, line int) {
	j := &jsonReader{reader: r, data: data, line: line, in: jsontext.NewDecoder(bytes.NewBuffer(data), asWritten)}
	for err := error(nil); err == nil; {
		start := j.offset()
		start += len(data[start:]) - len(bytes.TrimLeft(data[start:], " \n\r\t"))
		switch j.in.PeekKind() {
		case '{':
			err = j.value(start)
		case '[':
			err = j.array()
		default:
			if _, err = j.in.ReadToken(); err == nil {
				err = errors.New("neither an object nor a list")
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			r.problem(model.Warning, j.lineAt(j.offset()), "the JSON ends or breaks here: %s; what follows is lost", jsonError(err))
		}
	}
}

// jsonError is what the decoder found, without where, which a problem says in lines.
func jsonError(err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return syntax.Err
	}
	return err
}

type jsonReader struct {
	*reader
	data []byte
	line int
	in   *jsontext.Decoder
	// lineAt counts forward from here.
	atOffset, atLine int
}

func (j *jsonReader) offset() int { return int(j.in.InputOffset()) }

func (j *jsonReader) lineAt(offset int) int {
	if offset < j.atOffset {
		j.atOffset, j.atLine = 0, 0
	}
	j.atLine += bytes.Count(j.data[j.atOffset:offset], []byte("\n"))
	j.atOffset = offset
	return j.line + j.atLine
}

// value reads what begins with a brace at start: a list when it has items, else one object.
func (j *jsonReader) value(start int) error {
	var apiVersion, kindName string
	var items []chunk
	list := false
	_, err := j.in.ReadToken()
	for err == nil && j.in.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = j.in.ReadToken(); err != nil {
			break
		}
		switch key, kind := name.String(), j.in.PeekKind(); {
		case key == "items" && kind == '[':
			list = true
			var found []chunk
			found, err = j.elements()
			items = append(items, found...)
		case key == "apiVersion" && kind == '"':
			apiVersion, err = j.text()
		case key == "kind" && kind == '"':
			kindName, err = j.text()
		default:
			list = list || key == "items" && kind == 'n' // null is an empty list
			err = j.in.SkipValue()
		}
	}
	if err == nil {
		_, err = j.in.ReadToken() // the brace
	}
	if err != nil {
		return j.truncated(items, apiVersion, kindName, err)
	}
	if list {
		j.list(items, apiVersion, kindName, false)
	} else {
		j.objects([]chunk{{raw: j.data[start:j.offset()], line: j.lineAt(start), json: true}}, apiVersion, kindName)
	}
	return nil
}

func (j *jsonReader) text() (string, error) {
	token, err := j.in.ReadToken()
	return token.String(), err
}

// elements reads an array.
func (j *jsonReader) elements() (items []chunk, err error) {
	_, err = j.in.ReadToken()
	for err == nil && j.in.PeekKind() != ']' {
		var raw jsontext.Value
		if raw, err = j.in.ReadValue(); err != nil || len(items) > j.limits.Objects {
			continue // the reader says once that there are too many
		}
		end := j.offset()
		items = append(items, chunk{raw: j.data[end-len(raw) : end], line: j.lineAt(end - len(raw)), json: true})
	}
	if err == nil {
		_, err = j.in.ReadToken() // the bracket
	}
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
