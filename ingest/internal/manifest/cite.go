package manifest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/model"
)

// citer finds fields in the text of one object. It parses on first use; safe for concurrent use.
type citer struct {
	chunk
	mu       sync.Mutex
	parsed   *yaml.Node
	failed   bool
	shelf    *shelf // where the text is while nobody cites it; nil for shared documents, and while the file is in memory
	from, to int    // there
	gaps     []byte // that raw has, of what is not needed; see gaps.go
}

func (c *citer) find(field string) (line int, text string, ok bool) {
	root := c.tree()
	if root == nil {
		return 0, "", false
	}
	node, key := descend(root, nil, field)
	if node == nil {
		return 0, "", false
	}
	at := node
	if key != nil {
		at = key
	}
	return c.line + c.lineOf(at.Line) - 1, c.text(at, node), true
}

func (c *citer) tree() *yaml.Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.raw == nil && c.shelf != nil {
		c.gaps, c.raw = cutGaps(c.shelf.get(c.from, c.to))
	}
	if c.parsed == nil && !c.failed {
		var err error
		c.parsed, err = c.root()
		c.failed = err != nil || c.parsed == nil
	}
	return c.parsed
}

// lineOf is the line of the object's text that is a line of raw.
func (c *citer) lineOf(line int) int { return line + hidden(c.gaps, line) }

// store copies what is needed of the text to a shelf, so that the file's bytes can go.
func (c *citer) store(to *shelf) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chunk.shared == nil && c.shelf == nil {
		c.from, c.to = to.put(c.raw, c.kept)
		c.shelf, c.kept = to, nil
	}
}

// bytes is about how many bytes the text takes.
func (c *citer) bytes() int {
	const packing, own = 6, 256 // measured
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shelf == nil {
		return len(c.raw)
	}
	return (c.to-c.from)/packing + own
}

// release lets go of everything that a later citation can make again.
func (c *citer) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parsed = nil
	if c.shelf != nil {
		c.raw = nil
	}
}

// descend follows a field path such as status.conditions[3].reason from node. It returns the value and, when the last
// step was a key of a mapping, that key's node; nil when the path leads nowhere.
func descend(node, key *yaml.Node, path string) (value, lastKey *yaml.Node) {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if path == "" || node == nil {
		return node, key
	}
	if path[0] == '[' {
		digits, rest, ok := strings.Cut(path[1:], "]")
		i, err := strconv.Atoi(digits)
		if !ok || err != nil || node.Kind != yaml.SequenceNode || i < 0 || i >= len(node.Content) {
			return nil, nil
		}
		return descend(node.Content[i], nil, strings.TrimPrefix(rest, "."))
	}
	if node.Kind != yaml.MappingNode {
		return nil, nil
	}
	// Keys of annotations hold dots themselves: the longest key that fits is meant.
	best := -1
	for i := 0; i+1 < len(node.Content); i += 2 {
		k := node.Content[i].Value
		rest, fits := strings.CutPrefix(path, k)
		if fits && k != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') && (best < 0 || len(k) > len(node.Content[best].Value)) {
			best = i
		}
	}
	if best < 0 {
		return nil, nil
	}
	k := node.Content[best]
	return descend(node.Content[best+1], k, strings.TrimPrefix(path[len(k.Value):], "."))
}

// text is the verbatim text of a field: its line, and for a scalar that runs over several lines all of them. On a line
// longer than a quote may be, such as minified JSON, it begins at the field.
func (c *citer) text(at, value *yaml.Node) string {
	start := lineOffset(c.raw, at.Line)
	end := lineEnd(c.raw, start)
	if c.json && (at.Line == 1 || end-start > model.MaxQuote) {
		return c.excerpt(at, value, start)
	}
	if !c.json && value.Kind == yaml.ScalarNode {
		// Continuation lines are indented deeper than the key, or than the dash, that they belong to.
		depth := at.Column - 1
		if at == value {
			depth = max(depth-2, 0)
		}
		end = c.continued(end, depth, value)
	}
	line := string(bytes.TrimSuffix(c.raw[start:end], []byte("\r")))
	if end-start > model.MaxQuote && at.Line == value.Line && at.Column > 1 && at.Column-1 < len(line) {
		return line[at.Column-1:]
	}
	return line
}

// continued extends end over the lines that go on with a scalar.
func (c *citer) continued(end, depth int, value *yaml.Node) int {
	block := value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	for next := end; next < len(c.raw); {
		lineStart := next + 1
		lineStop := lineEnd(c.raw, lineStart)
		text := bytes.TrimRight(c.raw[min(lineStart, lineStop):lineStop], " \t\r")
		body := bytes.TrimLeft(text, " ")
		if len(body) > 0 {
			if len(text)-len(body) <= depth || !block && body[0] == '#' {
				break
			}
			end = lineStop
		}
		next = lineStop
	}
	return end
}

// shortList reports whether a value is a list of a few scalars, such as the values of a flag.
func shortList(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode && len(n.Content) <= 100 &&
		!slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return item.Kind != yaml.ScalarNode })
}

// excerpt is "key": value of a JSON field, or the value alone in an array.
func (c *citer) excerpt(at, value *yaml.Node, lineStart int) string {
	from := lineStart + at.Column - 1
	to := lineOffset(c.raw, value.Line) + value.Column - 1
	if from < 0 || to < from || to > len(c.raw) {
		return ""
	}
	if end, ok := jsonEnd(c.raw, to); ok && (value.Kind == yaml.ScalarNode || shortList(value)) {
		to = end
	} else {
		to = min(to+1, len(c.raw)) // the opening bracket of an object
	}
	return string(c.raw[from:to])
}

// lineOffset is where the line, counted from 1, begins.
func lineOffset(raw []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		n := bytes.IndexByte(raw[at:], '\n')
		if n < 0 {
			return len(raw)
		}
		at += n + 1
	}
	return at
}

// lineEnd is where the line that begins at start ends, without its line feed.
func lineEnd(raw []byte, start int) int {
	if start >= len(raw) {
		return len(raw)
	}
	if n := bytes.IndexByte(raw[start:], '\n'); n >= 0 {
		return start + n
	}
	return len(raw)
}
