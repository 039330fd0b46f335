package manifest

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar reads a value at an offset of the current line. It is in a mapping or sequence at column col: further lines are indented by more.
func (c *canonical) scalar(at, col int, n *needs, within yaml.Kind) *yaml.Node {
	s := c.text[at:c.end]
	more := c.continues(col)
	kind, tag, value, style := yaml.ScalarNode, "!!str", s, yaml.Style(0)
	switch b := s[0]; {
	case b == '{' && s == "{}" && !more:
		kind, tag, value, style = yaml.MappingNode, "!!map", "", yaml.FlowStyle
	case b == '[' && s == "[]" && !more:
		kind, tag, value, style = yaml.SequenceNode, "!!seq", "", yaml.FlowStyle
	case b == '|' || b == '>':
		return c.block(s, col, n, within)
	case b == '"' || b == '\'':
		var ok bool
		if value, ok = quoted(s); !ok || more {
			return c.snippet(col, n, within)
		}
		if style = yaml.DoubleQuotedStyle; b == '\'' {
			style = yaml.SingleQuotedStyle
		}
	case plain(s):
		if more {
			return c.snippet(col, n, within)
		}
		if n != nil {
			tag = plainTag(s)
		}
	default:
		c.doubt = true
		return nil
	}
	var out *yaml.Node
	if n != nil {
		out = c.node(kind, tag)
		out.Value, out.Style, out.Column = value, style, at-c.start+1
	}
	c.next()
	return out
}

// continues reports whether the next line that is not empty is indented by more than col, so that it may belong to a scalar.
func (c *canonical) continues(col int) bool {
	for from := c.end + 1; from < len(c.raw); {
		n := spaces(c.raw, from)
		if from += n; from < len(c.raw) && c.raw[from] != '\n' {
			return n > col
		}
		from++
	}
	return false
}

// block reads a block scalar. One that is not needed is skipped when its lines leave no doubt.
func (c *canonical) block(header string, col int, n *needs, within yaml.Kind) *yaml.Node {
	if n != nil || len(header) > 2 || len(header) == 2 && header[1] != '-' && header[1] != '+' {
		return c.snippet(col, n, within)
	}
	end, lines, ok := c.deeper(col)
	if !ok {
		return c.snippet(col, n, within)
	}
	c.skip(end, lines) // of an item whose dash is kept, the header alone stays: an empty block
	return nil
}

// deeper finds the lines below that are indented by more than col. ok: the first is not empty, and none is indented by less than it.
func (c *canonical) deeper(col int) (end, lines int, ok bool) {
	first := -1
	ok = true
	for end = min(c.end+1, len(c.text)); end < len(c.text); lines++ {
		stop := len(c.text)
		if n := strings.IndexByte(c.text[end:], '\n'); n >= 0 {
			stop = end + n
		}
		at := end
		for at < stop && c.text[at] == ' ' {
			at++
		}
		indent := at - end
		switch {
		case at == stop: // empty
			ok = ok && first >= 0
		case indent <= col:
			return end, lines, ok && first >= 0
		case first < 0:
			first = indent
		default:
			ok = ok && indent >= first
		}
		end = min(stop+1, len(c.text))
	}
	return end, lines, ok && first >= 0
}

// skip goes to the line at an offset, behind those that follow the current one.
func (c *canonical) skip(to, lines int) {
	c.end = to - 1
	c.line += lines
	c.next()
}

// snippet has a value of several lines, or with escapes, parsed in full: these lines alone, which begin and end as within the whole.
func (c *canonical) snippet(col int, n *needs, within yaml.Kind) *yaml.Node {
	end, lines, _ := c.deeper(col)
	from, parts := c.at, 2
	if within == yaml.SequenceNode {
		from, parts = c.at-2, 1 // with the dash
	}
	root, err := parseYAML([]byte(strings.Repeat(" ", col)+c.text[from:end]), maxCanonicalDepth)
	if err != nil || root.Kind != within || len(root.Content) != parts || root.Content[parts-1].Kind != yaml.ScalarNode ||
		!bare(root) || !bare(root.Content[0]) || !bare(root.Content[parts-1]) {
		c.doubt = true
		return nil
	}
	value := root.Content[parts-1]
	value.Line += c.line - 1
	if n != nil || len(c.kept) > 0 && c.kept[len(c.kept)-1].to > c.start { // the line is kept for its dash
		c.keepTo(end)
	}
	c.skip(end, lines)
	if n == nil {
		return nil
	}
	return value
}

// bare reports whether a node has nothing of YAML that reaches beyond it.
func bare(n *yaml.Node) bool {
	if n.Anchor != "" || n.Alias != nil || n.Style&yaml.TaggedStyle != 0 {
		return false
	}
	return n.HeadComment == "" && n.LineComment == "" && n.FootComment == ""
}
