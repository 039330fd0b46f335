package manifest

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxTorn bounds the text that is parsed again, without its end.
const maxTorn = 256 << 10

// tornEnd marks in a text that its end is missing.
const tornEnd = " …"

// torn parses an object whose text ends within a scalar, as people paste it: with what is there of the scalar, else without that field. It
// answers false without the fields that the kind's row names: keys are sorted, so that behind the last of them only an error's text can
// stand. Of other kinds the end may matter, such as a node's volumes in use.
func (c chunk) torn(k *kind) (chunk, *yaml.Node, bool) {
	if k == nil || k.torn == nil || c.json || c.shared != nil || len(c.raw) > maxTorn {
		return c, nil, false
	}
	text := bytes.TrimRight(c.raw, " \r\n")
	for _, end := range []string{tornEnd + "'", tornEnd + `"`} {
		if root, ok := c.ending(text, end, k.torn); ok {
			return root.chunk, root.node, true
		}
	}
	at := bytes.LastIndexByte(text, '\n')
	for range 2 { // the line of the scalar, and the one above when that is its key
		if at < 0 {
			break
		}
		if root, ok := c.ending(text[:at], "", k.torn); ok {
			return root.chunk, root.node, true
		}
		at = bytes.LastIndexByte(text[:at], '\n')
	}
	return c, nil, false
}

// endedChunk is a chunk with another end, and its object.
type endedChunk struct {
	chunk chunk
	node  *yaml.Node
}

// ending parses a text with an end put to it.
func (c chunk) ending(text []byte, end string, parts []string) (endedChunk, bool) {
	c.raw = append(append(bytes.Clone(text), end...), '\n')
	root, err := c.root()
	if err != nil || root == nil || slices.ContainsFunc(parts, func(p string) bool { return !has(root, p) }) {
		return endedChunk{}, false
	}
	return endedChunk{chunk: c, node: root}, true
}

// textAt is a scalar of an object, "" when it has none there.
func textAt(root *yaml.Node, field string) string {
	if v, _ := descend(root, nil, field); v != nil {
		return v.Value
	}
	return ""
}
