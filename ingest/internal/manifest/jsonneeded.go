package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// jsonReduced makes the nodes of needed fields of JSON, with lines and columns. What it skips it checks; text that is not UTF-8 is a doubt.
type jsonReduced struct {
	raw       []byte
	text      string // the same
	at        int
	line      int // number, from 1
	lineStart int
	fresh     bool // nothing but space stands before at on its line
	doubt     bool
	accepted  bool // it is known to be JSON, of which lines may have been left out
	depth     int

	scattered bool // fields do not have lines of their own
	memory    *scratch
	kept      []keptLines
}

// readJSON returns the nodes of needed fields, and their lines, nil when these hold several fields; false when in doubt.
func readJSON(raw []byte, n *needs, depth int, memory *scratch) (root *yaml.Node, kept []keptLines, ok bool) {
	r := &jsonReduced{raw: raw, text: string(raw), line: 1, depth: depth, memory: memory, kept: memory.lines()}
	r.space()
	r.keep()
	root = r.value(n, 0)
	r.space()
	if r.doubt || r.at != len(r.text) || root.Kind != yaml.MappingNode {
		return nil, nil, false
	}
	memory.kept = r.kept
	if r.scattered {
		return root, nil, true
	}
	return root, r.kept, true
}

// jsonTree returns all nodes of JSON that was accepted before, nil for what is deeper than depth.
func jsonTree(raw []byte, depth int) *yaml.Node {
	r := &jsonReduced{raw: raw, text: string(raw), line: 1, depth: depth, accepted: true, memory: &scratch{}}
	r.space()
	root := r.value(everything, 0)
	if r.doubt {
		return nil
	}
	return root
}

// jsonEnd is where the JSON value that begins at an offset ends.
func jsonEnd(raw []byte, at int) (end int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw[min(at, len(raw)):]))
	var value json.RawMessage
	err := dec.Decode(&value)
	return at + int(dec.InputOffset()), err == nil
}

func (r *jsonReduced) space() {
	r.fresh = r.at == 0
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '\n':
			r.line++
			r.lineStart, r.fresh = r.at+1, true
			r.at += 1 + spaces(r.raw, r.at+1)
		case ' ', '\t', '\r':
			r.at++
		default:
			return
		}
	}
}

func (r *jsonReduced) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *jsonReduced) keep() {
	if n := len(r.kept); n > 0 && r.kept[n-1].to > r.lineStart {
		return
	}
	to := len(r.text)
	if n := strings.IndexByte(r.text[r.at:], '\n'); n >= 0 {
		to = r.at + n + 1
	}
	if n := len(r.kept); n > 0 && r.kept[n-1].to == r.lineStart {
		r.kept[n-1].to = to
		return
	}
	r.kept = append(r.kept, keptLines{from: r.lineStart, to: to, line: r.line})
}

func (r *jsonReduced) node(kind yaml.Kind, tag string) *yaml.Node {
	n := r.memory.node()
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, r.line, r.at-r.lineStart+1
	return n
}

// value reads a value; nil when it is not needed.
func (r *jsonReduced) value(n *needs, depth int) (out *yaml.Node) {
	if depth > r.depth {
		r.doubt = true
		return nil
	}
	kind, tag := yaml.ScalarNode, "!!str"
	b := r.peek()
	switch b {
	case '{':
		kind, tag = yaml.MappingNode, "!!map"
	case '[':
		kind, tag = yaml.SequenceNode, "!!seq"
	}
	if n != nil {
		out = r.node(kind, tag)
	}
	switch b {
	case '{':
		r.members(out, n, depth, '}')
	case '[':
		r.members(out, n, depth, ']')
	case '"':
		if s := r.string(n != nil); n != nil {
			out.Value = s
		}
	default:
		if tag, s := r.literal(); n != nil {
			out.Tag, out.Value = tag, s
		}
	}
	return out
}

// members reads what stands between brackets.
func (r *jsonReduced) members(out *yaml.Node, n *needs, depth int, end byte) {
	r.at++
	r.space()
	if r.peek() == end {
		if n != nil {
			r.keep()
		}
		r.at++
		return
	}
	for !r.doubt {
		r.scattered = r.scattered || n != nil && !r.fresh
		if end == '}' {
			r.member(out, n, depth)
		} else {
			if n != nil {
				r.keep()
			}
			if item := r.value(n, depth+1); item != nil {
				out.Content = append(out.Content, item)
			}
		}
		r.space()
		switch r.peek() {
		case end:
			if n != nil {
				r.scattered = r.scattered || !r.fresh
				r.keep()
			}
			r.at++
			return
		case ',':
			r.scattered = r.scattered || n != nil && r.fresh // a comma on a line of its own would go with a field that is left out
			r.at++
			if r.space(); r.accepted && r.peek() == end { // what stood behind the comma was left out
				r.at++
				return
			}
		default:
			r.doubt = true
		}
	}
}

func (r *jsonReduced) member(out *yaml.Node, n *needs, depth int) {
	if r.peek() != '"' {
		r.doubt = true
		return
	}
	begin, line, lineStart := r.at, r.line, r.lineStart
	key := r.string(n != nil)
	needed := n.field(key)
	if needed != nil {
		r.keep()
		keyNode := r.node(yaml.ScalarNode, "!!str")
		keyNode.Value, keyNode.Line, keyNode.Column = key, line, begin-lineStart+1
		out.Content = append(out.Content, keyNode)
	}
	r.space()
	if r.peek() != ':' {
		r.doubt = true
		return
	}
	r.at++
	r.space()
	r.scattered = r.scattered || needed != nil && r.line != line
	if value := r.value(needed, depth+1); value != nil {
		out.Content = append(out.Content, value)
	}
}

// string reads a string, and returns its value when that is wanted.
func (r *jsonReduced) string(wanted bool) string {
	begin, escaped, wide := r.at, false, false
	for r.at++; r.at < len(r.text); r.at++ {
		switch b := r.text[r.at]; {
		case b == '"':
			r.at++
			return r.unescaped(r.text[begin:r.at], escaped, wide, wanted)
		case b == '\\':
			escaped = true
			r.at++
		case b < ' ':
			r.doubt = true
			return ""
		case b >= utf8.RuneSelf:
			wide = true
		}
	}
	r.doubt = true
	return ""
}

func (r *jsonReduced) unescaped(s string, escaped, wide, wanted bool) string {
	if wide && !r.accepted && !utf8.ValidString(s) {
		r.doubt = true
	}
	if !escaped {
		return s[1 : len(s)-1]
	}
	if !wanted {
		r.doubt = r.doubt || !json.Valid([]byte(s))
		return ""
	}
	var value string
	r.doubt = r.doubt || json.Unmarshal([]byte(s), &value) != nil
	return value
}

func (r *jsonReduced) literal() (tag, text string) {
	begin := r.at
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n,]}:{[\"", r.text[r.at]) < 0 {
		r.at++
	}
	switch text = r.text[begin:r.at]; text {
	case "null":
		return "!!null", text
	case "true", "false":
		return "!!bool", text
	}
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') || !json.Valid([]byte(text)) {
		r.doubt = true
	}
	if strings.ContainsAny(text, ".eE") {
		return "!!float", text
	}
	return "!!int", text
}

// jsonIdentity reads apiVersion and kind, which kubectl writes first; false when it did not find both.
func jsonIdentity(raw []byte) (apiVersion, kindName string, ok bool) {
	raw = raw[:min(len(raw), identityBytes)]
	r := &jsonReduced{raw: raw, text: string(raw), line: 1, depth: MaxDepth, memory: &scratch{}}
	r.space()
	for before := byte('{'); apiVersion == "" || kindName == ""; before = ',' {
		object := yaml.Node{}
		if r.peek() == before {
			r.at++
			r.space()
			r.member(&object, everything, 0)
			r.space()
		}
		if r.doubt || len(object.Content) < 2 || r.peek() != ',' {
			return apiVersion, kindName, false
		}
		switch object.Content[0].Value {
		case "apiVersion":
			apiVersion = object.Content[1].Value
		case "kind":
			kindName = object.Content[1].Value
		}
	}
	return apiVersion, kindName, true
}
