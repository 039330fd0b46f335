package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

type chunk struct {
	raw    []byte
	line   int    // of raw's first byte in the file, from 1
	prefix string // field path from the root of raw to the object: "" or "[0]" or "items[3]"
	indent int    // column of the object's keys in block style
	shift  int    // blanks that were put before the first line: see realigned
	json   bool
	depth  int         // up to which it is parsed
	pruned bool        // only what is needed of it was read
	kept   []keptLines // those with what is needed of it; nil for all
	shared *sharedTree // of a document that several objects share; nil when raw is the object's own
}

// sharedTree is the parsed form of a document whose objects cannot be parsed apart.
type sharedTree struct {
	mu   sync.Mutex
	raw  []byte
	root *yaml.Node
}

func (s *sharedTree) parse(depth int) (*yaml.Node, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root == nil {
		root, err := parseYAML(s.raw, depth)
		if err != nil {
			return nil, err
		}
		s.root = root
	}
	return s.root, nil
}

func (s *sharedTree) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.root = nil
}

// realigned is an object whose first line lost its indentation, because copying began behind it, with that indentation.
func (c chunk) realigned() chunk {
	body := bytes.TrimLeft(c.raw, "\r\n") // blank lines stand for the prose above
	first, rest, ok := bytes.Cut(body, []byte("\n"))
	indent := rest[:len(rest)-len(bytes.TrimLeft(rest, " "))]
	if !ok || len(indent) == 0 {
		return c
	}
	if !bytes.HasPrefix(first, []byte("apiVersion:")) || !bytes.HasPrefix(rest[len(indent):], []byte("kind:")) {
		return c
	}
	above := c.raw[:len(c.raw)-len(body)]
	c.shift, c.indent, c.raw = len(indent), len(indent), slices.Concat(above, indent, body)
	return c
}

// identity finds apiVersion and kind without parsing, so that objects that are not read cost nothing; both are empty when it does not.
func (c chunk) identity() (apiVersion, kindName string) {
	if c.json {
		return jsonIdentity(c.raw)
	}
	for at, body := range lines(c.raw) {
		if at == 0 && c.prefix == "[0]" { // "- key: value": the dash stands for two columns of indentation
			body = bytes.Replace(body, []byte("-"), []byte(" "), 1)
		}
		if len(body) <= c.indent || body[c.indent] == ' ' || len(bytes.TrimLeft(body[:c.indent], " ")) > 0 {
			continue
		}
		key, value, ok := keyAtStart(body[c.indent:])
		if !ok {
			continue
		}
		switch string(key) {
		case "apiVersion":
			apiVersion = string(unquote(value))
		case "kind":
			kindName = string(unquote(value))
		}
		if apiVersion != "" && kindName != "" {
			break
		}
	}
	return apiVersion, kindName
}

// read parses what is needed of an object of a kind, or all of an object whose kind is not known.
func (c *chunk) read(kindName string, memory *scratch) (root *yaml.Node, err error) {
	if kindName == "" || c.shared != nil {
		return c.root()
	}
	if c.json {
		root, c.pruned = readJSON(c.raw, neededBy(kindName), c.depth, memory)
	} else {
		root, c.kept, c.pruned = readCanonical(c.raw, c.indent, neededBy(kindName), memory)
	}
	if c.pruned {
		return root, nil
	}
	return c.root()
}

// asJSON is an object of which the nodes are known as JSON.
func (c chunk) asJSON(root *yaml.Node, l Limits) ([]byte, error) {
	if c.json {
		return c.raw, nil
	}
	if err := l.weigh(root); err != nil {
		return nil, err
	}
	value, err := valueOf(root)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// whole parses all of the chunk that is there, down to the object itself.
func (c chunk) whole() (*yaml.Node, error) {
	if !c.json && c.shared == nil {
		if root, _, ok := readCanonical(c.raw, c.indent, everything, &scratch{}); ok {
			return root, nil
		}
	}
	return c.root()
}

// root parses the chunk down to the object itself, with a parser of the whole language.
func (c chunk) root() (*yaml.Node, error) {
	var doc *yaml.Node
	var err error
	if c.shared != nil {
		doc, err = c.shared.parse(c.depth)
	} else if c.json {
		if doc = jsonTree(c.raw, c.depth); doc == nil {
			err = errTooDeep(c.depth)
		}
	} else {
		doc, err = parseYAML(c.raw, c.depth)
	}
	if err != nil {
		return nil, err
	}
	node, _ := descend(doc, nil, c.prefix)
	return restored(node), nil
}

// truncated parses an object whose text ends within a scalar, as people paste it: with what is there of the scalar, else without that field. It
// returns false without the fields that the kind's row names: keys are sorted, so that behind the last of them only an error's text can
// stand. Of other kinds the end may matter, such as a node's volumes in use.
func (c chunk) truncated(k *kind, err error) (chunk, *yaml.Node, bool) {
	if err == nil || k == nil || k.truncated == nil {
		return c, nil, false
	}
	if c.json || c.shared != nil || len(c.raw) > maxTruncated {
		return c, nil, false
	}
	text := bytes.TrimRight(c.raw, " \r\n")
	line := text[:max(bytes.LastIndexByte(text, '\n'), 0)]  // without the line of the scalar
	above := line[:max(bytes.LastIndexByte(line, '\n'), 0)] // and without the one above, when that is its key
	for _, whole := range [][]byte{append(bytes.Clone(text), " …'"...), append(bytes.Clone(text), ` …"`...), line, above} {
		c.raw = append(bytes.Clone(whole), '\n')
		root, err := c.root()
		if err == nil && root != nil && !slices.ContainsFunc(k.truncated, func(p string) bool { return !has(root, p) }) {
			return c, root, true
		}
	}
	return c, nil, false
}

// textAt is a scalar of an object, "" when it has none there.
func textAt(root *yaml.Node, field string) string {
	if v, _ := descend(root, nil, field); v != nil {
		return v.Value
	}
	return ""
}
