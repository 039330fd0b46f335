package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Text is a YAML or JSON document that a field of an object holds as a string.
type Text struct {
	raw  []byte
	root *yaml.Node
}

// parseText parses a document within a string, and returns it as JSON as well.
func parseText(text string) (*Text, []byte, error) {
	raw := []byte(text)
	if tooMany(raw) {
		return nil, nil, errors.New("the configuration in it has too many values")
	}
	root, err := parseYAML(raw, MaxDepth)
	if err != nil {
		return nil, nil, err
	}
	body, err := (chunk{raw: raw}).asJSON(root, Limits{Depth: MaxDepth, Nodes: maxConfigNodes})
	if err != nil {
		return nil, nil, err
	}
	return &Text{raw: raw, root: root}, body, nil
}

// Quote finds a field of the text in the verbatim text of the string that holds it, as Record.Cite returns it: how many lines below its
// beginning, and the text of the field alone. The string may be an indented block, or one line with escapes.
func (t *Text) Quote(field, outer string) (below int, quote string, ok bool) {
	node, key := descend(t.root, nil, field)
	if node == nil {
		return 0, "", false
	}
	at := node
	if key != nil {
		at = key
	}
	last := lastLine(node)
	start := lineOffset(t.raw, at.Line)
	if len(bytes.Trim(t.raw[start:min(start+at.Column-1, len(t.raw))], " -")) == 0 { // it begins its line
		if below, quote, ok = t.block(at.Line, last, outer); ok {
			return below, quote, true
		}
	}
	for _, part := range t.fragments(at, node, last) {
		if i := strings.Index(outer, part); part != "" && i >= 0 {
			return strings.Count(outer[:i], "\n"), part, true
		}
	}
	return 0, "", false
}

// block finds lines of the text in a literal block, whose lines are those of the text behind an indentation.
func (t *Text) block(first, last int, outer string) (below int, quote string, ok bool) {
	lines := strings.Split(outer, "\n")
	if len(t.raw) == 0 || last >= len(lines) || last-first > maxQuoteLines {
		return 0, "", false
	}
	for n := first; n <= last; n++ {
		inner := bytes.TrimSpace(t.raw[lineOffset(t.raw, n):lineEnd(t.raw, lineOffset(t.raw, n))])
		if strings.TrimSpace(lines[n]) != string(inner) {
			return 0, "", false
		}
	}
	return first, strings.TrimRight(strings.Join(lines[first:last+1], "\n"), "\r"), true
}

// fragments are the forms of a field in a string on one line: as it is, with the escapes of JSON; last the key alone.
func (t *Text) fragments(at, value *yaml.Node, last int) []string {
	from := lineOffset(t.raw, at.Line) + at.Column - 1
	to := lineEnd(t.raw, lineOffset(t.raw, last))
	if t.root.Style&yaml.FlowStyle != 0 {
		if end, ok := jsonEnd(t.raw, lineOffset(t.raw, value.Line)+value.Column-1); ok {
			to = end
		}
	}
	if from < 0 || to < from || to > len(t.raw) {
		return nil
	}
	text := string(t.raw[from:to])
	escaped, _ := json.Marshal(text) // of a string it does not fail
	key := ""
	if at != value {
		key = at.Value
	}
	return []string{text, string(escaped[1 : len(escaped)-1]), key}
}

// lastLine is the last line on which a part of a value begins.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, child := range n.Content {
		last = max(last, lastLine(child))
	}
	return last
}
