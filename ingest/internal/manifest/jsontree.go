package manifest

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// jsonTree parses JSON that the decoder has already accepted into the nodes that YAML gives, with lines and columns, so
// that one piece of code finds fields in both. It answers nil for anything else, and for what is deeper than depth.
func jsonTree(raw []byte, depth int) *yaml.Node {
	p := &jsonParser{raw: raw, line: 1, depth: depth}
	p.space()
	return p.value(0)
}

// jsonEnd is where the JSON value that begins at offset at ends.
func jsonEnd(raw []byte, at int) (end int, ok bool) {
	p := &jsonParser{raw: raw, at: at, line: 1, depth: MaxDepth}
	if p.value(0) == nil {
		return 0, false
	}
	return p.at, true
}

type jsonParser struct {
	raw             []byte
	at              int
	line, lineStart int
	depth           int
}

func (p *jsonParser) space() {
	for p.at < len(p.raw) {
		switch p.raw[p.at] {
		case '\n':
			p.line++
			p.lineStart = p.at + 1
		case ' ', '\t', '\r', ',', ':':
		default:
			return
		}
		p.at++
	}
}

func (p *jsonParser) value(depth int) *yaml.Node {
	if p.at >= len(p.raw) || depth > p.depth {
		return nil
	}
	n := &yaml.Node{Line: p.line, Column: p.at - p.lineStart + 1}
	switch p.raw[p.at] {
	case '{':
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		return p.members(n, '}', depth)
	case '[':
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		return p.members(n, ']', depth)
	case '"':
		return p.text(n)
	default:
		return p.literal(n)
	}
}

// members reads what stands between brackets: keys and values alike are values.
func (p *jsonParser) members(n *yaml.Node, end byte, depth int) *yaml.Node {
	p.at++
	for {
		p.space()
		if p.at >= len(p.raw) {
			return nil
		}
		if p.raw[p.at] == end {
			p.at++
			return n
		}
		child := p.value(depth + 1)
		if child == nil {
			return nil
		}
		n.Content = append(n.Content, child)
	}
}

func (p *jsonParser) text(n *yaml.Node) *yaml.Node {
	start := p.at
	escaped := false
	for p.at++; p.at < len(p.raw); p.at++ {
		switch p.raw[p.at] {
		case '\\':
			escaped = true
			p.at++
		case '"':
			p.at++
			n.Kind, n.Tag, n.Value = yaml.ScalarNode, "!!str", string(p.raw[start+1:p.at-1])
			if escaped {
				_ = json.Unmarshal(p.raw[start:p.at], &n.Value) // accepted before
			}
			return n
		}
	}
	return nil
}

func (p *jsonParser) literal(n *yaml.Node) *yaml.Node {
	start := p.at
	for p.at < len(p.raw) {
		switch p.raw[p.at] {
		case ' ', '\t', '\r', '\n', ',', ']', '}', ':', '{', '[', '"':
		default:
			p.at++
			continue
		}
		break
	}
	if p.at == start {
		return nil
	}
	n.Kind, n.Value = yaml.ScalarNode, string(p.raw[start:p.at])
	return n
}
