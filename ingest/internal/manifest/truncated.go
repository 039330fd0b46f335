package manifest

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

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
