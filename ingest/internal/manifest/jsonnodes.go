package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// jsonNodes makes the nodes of the needed fields of JSON, with lines and columns. A key that comes twice is the reader's of the values.
type jsonNodes struct {
	in        *jsontext.Decoder
	raw       []byte
	text      string // the same
	at        int    // where the next token begins
	line      int    // number, from 1
	lineStart int
	depth     int
	memory    *scratch
}

var errDeep = errors.New("it is nested too deep")

// readJSON returns the nodes of needed fields; false for what is no object, too deep, or no JSON in UTF-8.
func readJSON(raw []byte, n *needs, depth int, memory *scratch) (root *yaml.Node, ok bool) {
	root, err := jsonOf(raw, n, depth, memory, false)
	return root, err == nil && root.Kind == yaml.MappingNode
}

// jsonTree returns all nodes of JSON that was accepted before, nil for what is deeper than depth.
func jsonTree(raw []byte, depth int) *yaml.Node {
	root, err := jsonOf(raw, everything, depth, &scratch{}, true)
	if err != nil {
		return nil
	}
	return root
}

func jsonOf(raw []byte, n *needs, depth int, memory *scratch, anyBytes bool) (*yaml.Node, error) {
	j := &jsonNodes{in: memory.json(raw, anyBytes), raw: raw, text: string(raw), line: 1, depth: depth, memory: memory}
	root, err := j.value(n)
	if err == nil && len(bytes.TrimLeft(raw[j.at:], " \t\r\n")) > 0 {
		err = errors.New("something follows it")
	}
	return root, err
}

// JSONEnd is where the JSON value that begins at an offset ends.
func JSONEnd(raw []byte, at int) (end int, ok bool) {
	in := jsontext.NewDecoder(bytes.NewBuffer(raw[min(at, len(raw)):]), asWritten)
	err := in.SkipValue()
	return at + int(in.InputOffset()), err == nil
}

// next goes to the token that follows.
func (j *jsonNodes) next() {
	for ; j.at < len(j.raw); j.at++ {
		switch j.raw[j.at] {
		case '\n':
			j.line++
			j.lineStart = j.at + 1
			j.at += spaces(j.raw, j.at+1)
		case ' ', '\t', '\r', ',', ':':
		default:
			return
		}
	}
}

// passed goes to the end of what the decoder has read.
func (j *jsonNodes) passed() {
	end := max(int(j.in.InputOffset()), j.at)
	if n := bytes.LastIndexByte(j.raw[j.at:end], '\n'); n >= 0 {
		j.line += bytes.Count(j.raw[j.at:j.at+n+1], []byte{'\n'})
		j.lineStart = j.at + n + 1
	}
	j.at = end
}

// value reads a value; nil when it is not needed.
func (j *jsonNodes) value(n *needs) (out *yaml.Node, err error) {
	j.next()
	if n == nil {
		err = j.in.SkipValue()
		j.passed()
		return nil, err
	}
	out = j.memory.node()
	out.Kind, out.Tag, out.Line, out.Column = yaml.ScalarNode, "!!str", j.line, j.at-j.lineStart+1
	switch j.in.PeekKind() {
	case '{':
		out.Kind, out.Tag = yaml.MappingNode, "!!map"
		return out, j.inside(func() error { return j.member(out, n) })
	case '[':
		out.Kind, out.Tag = yaml.SequenceNode, "!!seq"
		return out, j.inside(func() error {
			item, err := j.value(n)
			out.Content = append(out.Content, item)
			return err
		})
	}
	out.Tag, out.Value, err = j.scalar()
	return out, err
}

// inside reads what stands between brackets.
func (j *jsonNodes) inside(one func() error) error {
	_, err := j.in.ReadToken()
	if j.passed(); j.in.StackDepth() > j.depth+1 {
		return errDeep
	}
	for err == nil {
		if kind := j.in.PeekKind(); kind == '}' || kind == ']' {
			break
		}
		err = one()
	}
	if err == nil {
		_, err = j.in.ReadToken()
	}
	j.passed()
	return err
}

func (j *jsonNodes) member(out *yaml.Node, n *needs) error {
	j.next()
	line, column := j.line, j.at-j.lineStart+1
	_, key, err := j.scalar()
	if err != nil {
		return err
	}
	needed := n.field(key)
	value, err := j.value(needed)
	if needed != nil {
		keyNode := j.memory.node()
		keyNode.Kind, keyNode.Tag, keyNode.Value, keyNode.Line, keyNode.Column = yaml.ScalarNode, "!!str", key, line, column
		out.Content = append(out.Content, keyNode, value)
	}
	return err
}

// scalar reads a text, a number or a word.
func (j *jsonNodes) scalar() (tag, text string, err error) {
	raw, err := j.in.ReadValue()
	if j.passed(); err != nil {
		return "", "", err
	}
	text = j.text[j.at-len(raw) : j.at]
	switch raw.Kind() {
	case '"':
		if text = text[1 : len(text)-1]; strings.IndexByte(text, '\\') >= 0 {
			var value string
			err, text = json.Unmarshal(raw, &value, asWritten), value
		}
		return "!!str", text, err
	case 'n':
		return "!!null", text, nil
	case 't', 'f':
		return "!!bool", text, nil
	}
	if strings.ContainsAny(text, ".eE") {
		return "!!float", text, nil
	}
	return "!!int", text, nil
}

// jsonIdentity reads apiVersion and kind, which kubectl writes first; a value that is no text is as if it were not there.
func jsonIdentity(raw []byte) (apiVersion, kindName string) {
	in := jsontext.NewDecoder(bytes.NewBuffer(raw), asWritten)
	_, err := in.ReadToken()
	for err == nil && in.PeekKind() == '"' && (apiVersion == "" || kindName == "") {
		var name, value jsontext.Token
		name, err = in.ReadToken()
		key := name.String()
		if err != nil || key != "apiVersion" && key != "kind" || in.PeekKind() != '"' {
			err = cmp.Or(err, in.SkipValue())
			continue
		}
		if value, err = in.ReadToken(); key == "kind" {
			kindName = value.String()
		} else {
			apiVersion = value.String()
		}
	}
	return apiVersion, kindName
}
