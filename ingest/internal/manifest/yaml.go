package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Errors about the limits that a flag moves.
func errTooLarge(nodes int) error {
	return fmt.Errorf("it expands to too many values (an alias bomb?): the limit of %d is reached", nodes)
}

func errTooDeep(depth int) error {
	return fmt.Errorf("it is nested too deep: the limit of %d levels is reached", depth)
}

// parseYAML parses the first document of raw into nodes that know their lines. Aliases stay unexpanded.
func parseYAML(raw []byte, depth int) (node *yaml.Node, err error) {
	defer func() {
		// The parser panics with its own errors and recovers from those only.
		if p := recover(); p != nil {
			node, err = nil, fmt.Errorf("the YAML parser gave up: %v", p)
		}
	}()
	if deepFlow(raw, depth) {
		return nil, errTooDeep(depth)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("it is empty")
	}
	relocate(doc.Content[0], raw)
	return doc.Content[0], nil
}

// deepFlow reports more open brackets than any object has. The parser's time grows with the square of their number.
func deepFlow(raw []byte, limit int) bool {
	depth := 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			if depth++; depth > 50*limit {
				return true
			}
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// errorLine is the line that an error of the parser names, moved to the file; the chunk's own first line without one.
func errorLine(err error, c chunk) int {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil && !c.json {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil && n > 0 {
			return c.line + n - 1
		}
	}
	return c.line
}

var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// errorText is the parser's message without its prefix and its line, which Problem has a field for.
func errorText(err error) string { return yamlPrefix.ReplaceAllString(err.Error(), "") }

// weigh refuses a document that its aliases expand beyond the limits, or that is nested deeper.
func (l Limits) weigh(root *yaml.Node) error {
	nodes, size := 0, 0
	var walk func(n *yaml.Node, depth int) error
	walk = func(n *yaml.Node, depth int) error {
		nodes++
		size += len(n.Value)
		if nodes > l.Nodes || size > MaxObject {
			return errTooLarge(l.Nodes)
		}
		if depth > l.Depth {
			return errTooDeep(l.Depth)
		}
		if n.Kind == yaml.AliasNode {
			return walk(n.Alias, depth+1)
		}
		for _, child := range n.Content {
			if err := walk(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(root, 0)
}

// valueOf is what a node stands for, as encoding/json has it and as kubectl reads it: a time is a text, and of a key that
// comes twice the last counts. Limits.weigh has to come first where there may be aliases.
func valueOf(n *yaml.Node) (value any, err error) {
	switch {
	case n.Kind == yaml.AliasNode:
		return valueOf(n.Alias)
	case n.Kind == yaml.MappingNode:
		return fieldsOf(n)
	case n.Kind == yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			if list[i], err = valueOf(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case isText(n):
		return n.Value, nil
	case n.Tag == "!!null":
		return nil, nil // a third of what is decoded: Decode makes a decoder for each
	}
	err = n.Decode(&value)
	if _, ok := value.(time.Time); ok {
		value = n.Value
	}
	return value, err
}

// fieldsOf is what a mapping stands for.
func fieldsOf(n *yaml.Node) (map[string]any, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := valueOf(n.Content[i])
		if err != nil {
			return nil, err
		}
		value, err := valueOf(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		switch key.(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			return nil, fmt.Errorf("line %d: a key that is no text", n.Content[i].Line)
		}
		if absent(n.Content[i+1]) {
			out[fmt.Sprint(key)] = nil
		} else {
			out[fmt.Sprint(key)] = value
		}
	}
	return out, nil
}

// relocate gives nodes the file's lines and byte columns: the parser counts characters, and ends lines at lone \r and Unicode separators.
func relocate(root *yaml.Node, raw []byte) {
	ascii := !slices.ContainsFunc(raw, func(b byte) bool { return b >= utf8.RuneSelf })
	if ascii && bytes.Count(raw, []byte("\r")) == bytes.Count(raw, []byte("\r\n")) {
		return
	}
	var nodes []*yaml.Node
	var collect func(*yaml.Node)
	collect = func(n *yaml.Node) {
		nodes = append(nodes, n)
		for _, child := range n.Content {
			collect(child)
		}
	}
	collect(root)
	slices.SortStableFunc(nodes, func(a, b *yaml.Node) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	at := place{raw: raw, yamlLine: 1, yamlColumn: 1, line: 1}
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		at.offset = 3
	}
	for _, n := range nodes {
		for at.offset < len(raw) && (at.yamlLine < n.Line || at.yamlLine == n.Line && at.yamlColumn < n.Column) {
			at.next()
		}
		n.Line, n.Column = at.line, at.offset-at.lineStart+1
	}
}

// place is a character of a text, as YAML counts and in the file.
type place struct {
	raw                  []byte
	offset               int
	yamlLine, yamlColumn int
	line, lineStart      int // of the file
}

func (p *place) next() {
	r, size := utf8.DecodeRune(p.raw[p.offset:])
	p.offset += size
	p.yamlColumn++
	if r == '\n' {
		p.line++
		p.lineStart = p.offset
	} else if !strings.ContainsRune("\r\u0085\u2028\u2029", r) || r == '\r' && bytes.HasPrefix(p.raw[p.offset:], []byte("\n")) {
		return
	}
	p.yamlLine++
	p.yamlColumn = 1
}
