package manifest

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// canonical reads block YAML as kubectl, oc and the collectors write it, one field to a line, a hundred times as fast as a full parser. It
// makes the parser's nodes of the needed fields, and checks and skips the others. Anything else, such as anchors, tags, comments, tabs,
// flow style and empty values, is a doubt, and the object is parsed in full.
type canonical struct {
	raw   []byte
	text  string // the same
	doubt bool
	done  bool // no line is left

	line       int // number of the current line, from 1
	start, end int // of it in text
	at, col    int // where its content begins, behind indentation and dashes: in text, and its column from 0
	depth      int

	memory *scratch
	kept   []keptLines
}

// keptLines are lines that a needed field stands on.
type keptLines struct {
	from, to int // in the text
	line     int // number of the first
}

// readCanonical returns the nodes of an object with its keys at column indent; false when in doubt. A list item begins with its dash.
func readCanonical(raw []byte, indent int, n *needs, memory *scratch) (root *yaml.Node, kept []keptLines, ok bool) {
	if !legible(raw) {
		return nil, nil, false
	}
	c := &canonical{raw: raw, text: string(raw), memory: memory, kept: memory.lines()}
	c.next()
	if !c.done && c.text[c.start:c.end] == "---" {
		c.next()
	}
	if c.dash() {
		c.enter()
	}
	if c.stopped() || c.col != indent {
		return nil, nil, false
	}
	root = c.mapping(n)
	if !c.done || c.doubt || !has(root, "metadata") {
		return nil, nil, false // without metadata it may have fields under other names: see lowercase.go
	}
	memory.kept = c.kept
	return root, c.kept, true
}

func (c *canonical) stopped() bool { return c.done || c.doubt }

func (c *canonical) next() {
	for {
		from := c.end
		if c.line > 0 {
			from++
		}
		c.line++
		if from >= len(c.text) {
			c.done = true
			return
		}
		c.start, c.end = from, len(c.text)
		if n := strings.IndexByte(c.text[from:], '\n'); n >= 0 {
			c.end = from + n
		}
		c.col = spaces(c.raw, from)
		if c.at = from + c.col; c.at < c.end {
			return
		}
	}
}

// spaces is how many spaces stand at an offset of a text.
func spaces(raw []byte, at int) int {
	from := at
	for at < len(raw) && raw[at] == ' ' {
		at++
	}
	return at - from
}

// dash reports whether the current line, as far as it is not read, begins an item of a list.
func (c *canonical) dash() bool {
	return !c.done && c.text[c.at] == '-' && c.at+2 < c.end && c.text[c.at+1] == ' ' && c.text[c.at+2] != ' '
}

// enter goes behind the dash.
func (c *canonical) enter() {
	c.at += 2
	c.col += 2
}

// keepTo notes that a needed field stands on the lines from the current one to an offset.
func (c *canonical) keepTo(to int) {
	if n := len(c.kept); n > 0 && c.kept[n-1].to >= c.start {
		c.kept[n-1].to = max(c.kept[n-1].to, to)
		return
	}
	c.kept = append(c.kept, keptLines{from: c.start, to: to, line: c.line})
}

func (c *canonical) node(kind yaml.Kind, tag string) *yaml.Node {
	n := c.memory.node()
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, c.line, c.col+1
	return n
}

// mapping reads a mapping whose first key is at the current position; nil when nothing of it is needed.
func (c *canonical) mapping(n *needs) (out *yaml.Node) {
	if c.depth++; c.depth > maxCanonicalDepth {
		c.doubt = true
	}
	if n != nil {
		out = c.node(yaml.MappingNode, "!!map")
	}
	col := c.col
	for !c.stopped() && c.col == col {
		c.field(out, n)
	}
	c.depth--
	if !c.done && c.col > col {
		c.doubt = true
	}
	return out
}

func (c *canonical) field(mapping *yaml.Node, n *needs) {
	key, style, value, ok := c.key()
	if !ok {
		c.doubt = true
		return
	}
	needed := n.field(key)
	if behindDash := c.at >= c.start+2 && c.text[c.at-2] == '-'; needed != nil || n != nil && behindDash {
		c.keepTo(min(c.end+1, len(c.text))) // a dash stands for its item, whatever field follows it
	}
	var keyNode *yaml.Node
	if needed != nil {
		keyNode = c.node(yaml.ScalarNode, "!!str")
		keyNode.Value, keyNode.Style = key, style
		if style == 0 {
			keyNode.Tag = plainTag(key)
		}
	}
	valueNode := c.value(value, needed)
	if keyNode != nil && valueNode != nil {
		mapping.Content = append(mapping.Content, keyNode, valueNode)
	}
}

// value reads what follows a key at the current position, or below it, and goes to the line behind.
func (c *canonical) value(at int, n *needs) *yaml.Node {
	if at < c.end {
		return c.scalar(at, c.col, n, yaml.MappingNode)
	}
	col := c.col
	c.next()
	switch {
	case c.stopped() || c.col < col:
	case c.dash():
		return c.sequence(n)
	case c.col > col:
		return c.mapping(n)
	}
	c.doubt = true // no value is null, which no tool writes so
	return nil
}

// sequence reads a list whose first dash is at the current position.
func (c *canonical) sequence(n *needs) (out *yaml.Node) {
	if n != nil {
		out = c.node(yaml.SequenceNode, "!!seq")
	}
	col := c.col
	for !c.stopped() && c.col == col && c.dash() {
		c.enter()
		var item *yaml.Node
		if _, _, _, isKey := c.key(); isKey {
			item = c.mapping(n)
		} else {
			if n != nil {
				c.keepTo(min(c.end+1, len(c.text)))
			}
			item = c.scalar(c.at, col, n, yaml.SequenceNode)
		}
		if item != nil {
			out.Content = append(out.Content, item)
		}
	}
	if !c.done && c.col > col {
		c.doubt = true
	}
	return out
}
