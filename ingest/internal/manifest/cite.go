package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"weak"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// citer finds fields in the text of one object. It is safe for concurrent use.
type citer struct {
	mu    sync.Mutex
	open  *source              // while the file is in memory, and for documents that several objects share
	again weak.Pointer[source] // made from the store, while it is in use

	store    *textStore // where the text is afterwards
	from, to int32      // there
	line     int32      // as those of a chunk
	indent   int32
	depth    int32
	json     bool
	prefix   string
}

// source is the text of an object with what is found in it.
type source struct {
	chunk
	parsed *yaml.Node
	failed bool
	once   sync.Once
	starts []int32 // of lines, once one is cited: an object of a megabyte may be cited at each
}

// lineAt is where the line, counted from 1, begins.
func (s *source) lineAt(line int) int {
	s.once.Do(func() {
		for at := 0; at < len(s.raw); at = lineEnd(s.raw, at) + 1 {
			s.starts = append(s.starts, int32(at))
		}
	})
	if line > len(s.starts) {
		return len(s.raw)
	}
	return int(s.starts[max(line, 1)-1])
}

func (c *citer) find(field string) (line int, text string, ok bool) {
	s, root := c.source()
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
	return s.line + at.Line - 1, s.quote(at, node), true
}

// masked is find, without the secrets of the text.
func (c *citer) masked(field string) (line int, quote model.Quote, ok bool) {
	line, text, ok := c.find(field)
	if ok {
		quote = mask.Quote(text)
	}
	return line, quote, ok
}

// source is the text, and its nodes; nil when it cannot be parsed.
func (c *citer) source() (*source, *yaml.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.open
	if s == nil {
		s = c.again.Value()
	}
	if s == nil {
		s = &source{chunk: chunk{line: int(c.line), indent: int(c.indent), depth: int(c.depth), json: c.json, prefix: c.prefix}}
		c.store.view(int(c.from), int(c.to), func(text []byte) { s.raw = bytes.Clone(text) })
		c.again = weak.Make(s)
	}
	return s, s.tree()
}

func (s *source) tree() *yaml.Node {
	if s.parsed == nil && !s.failed {
		var err error
		s.parsed, err = s.chunk.whole()
		s.failed = err != nil || s.parsed == nil
	}
	return s.parsed
}

// save copies what is needed of the text to a store, so that the file's bytes can go.
func (c *citer) save(to *textStore) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.open; s.shared == nil && c.store == nil {
		from, end := to.put(s.raw, s.kept)
		c.store, c.from, c.to = to, int32(from), int32(end)
		c.line, c.indent, c.depth, c.json, c.prefix = int32(s.line), int32(s.indent), int32(s.depth), s.json, s.prefix
		s.kept = nil
	}
}

// release lets go of everything that a later citation can make again.
func (c *citer) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.store != nil {
		c.open = nil
		return
	}
	c.open.parsed = nil
}

// descend follows a path such as status.conditions[3].reason. It returns the value, and the node of its key if it has one; nil for none.
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
		if !ok || err != nil || node.Kind != yaml.SequenceNode {
			return nil, nil
		}
		if i < 0 || i >= len(node.Content) {
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

// quote is the verbatim text of a field: its line, all lines of a scalar. On a line longer than a quote it begins at the field.
func (s *source) quote(at, value *yaml.Node) string {
	start := s.lineAt(at.Line)
	end := lineEnd(s.raw, start)
	if s.json && (at.Line == 1 || end-start > model.MaxQuote) {
		return s.excerpt(at, value, start)
	}
	if !s.json && value.Kind == yaml.ScalarNode {
		// Continuation lines are indented deeper than the key, or than the dash, that they belong to.
		depth := at.Column - 1
		if at == value {
			depth = max(depth-2, 0)
		}
		end = s.continued(end, depth, value)
	}
	line := string(bytes.TrimSuffix(s.raw[start:end], []byte("\r")))
	if end-start > model.MaxQuote && at.Line == value.Line && at.Column > 1 && at.Column-1 < len(line) {
		return line[at.Column-1:]
	}
	return line
}

// continued extends end over the lines that go on with a scalar.
func (s *source) continued(end, depth int, value *yaml.Node) int {
	block := value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	for next := end; next < len(s.raw); {
		lineStart := next + 1
		lineStop := lineEnd(s.raw, lineStart)
		text := bytes.TrimRight(s.raw[min(lineStart, lineStop):lineStop], " \t\r")
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
func (s *source) excerpt(at, value *yaml.Node, lineStart int) string {
	from := lineStart + at.Column - 1
	to := s.lineAt(value.Line) + value.Column - 1
	if from < 0 || to < from || to > len(s.raw) {
		return ""
	}
	if end, ok := JSONEnd(s.raw, to); ok && (value.Kind == yaml.ScalarNode || shortList(value)) {
		to = end
	} else {
		to = min(to+1, len(s.raw)) // the opening bracket of an object
	}
	return string(s.raw[from:to])
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

// Tree parses one document of JSON or YAML that holds no Kubernetes object, into nodes that know their lines and columns; nil for what is
// neither, or nested too deep.
func Tree(data []byte) *yaml.Node {
	if looksJSON(data) {
		if !json.Valid(data) {
			return nil
		}
		return jsonTree(data, MaxDepth)
	}
	root, err := parseYAML(data, MaxDepth)
	if err != nil {
		return nil
	}
	return root
}
