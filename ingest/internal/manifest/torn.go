package manifest

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxTorn bounds the text that is parsed again, without its end.
const maxTorn = 256 << 10

// tornParts are the fields that an object has to have before its end may be missing: kubectl sorts an object's keys, so that nothing that counts stands
// behind the last of them but the text of an error. Of other kinds the end may hold what makes the difference, such as a node's volumes
// in use.
var tornParts = map[string][]string{
	"VolumeAttachment":      {"metadata.name", "spec.attacher", "spec.nodeName", "spec.source", "status.attached"},
	"Event":                 {"involvedObject.kind", "involvedObject.name", "reason", "message"},
	"PersistentVolume":      {"metadata.name", "spec.volumeMode", "status"},
	"PersistentVolumeClaim": {"metadata.name", "spec.volumeName", "status"},
}

// tornEnd marks in a text that its end is missing.
const tornEnd = " …"

// torn parses an object whose text ends within a scalar, as people paste it: with what is there of the scalar, else without the field that it
// is of. It answers false when the object is not whole enough for its kind.
func (c chunk) torn(kindName string) (chunk, *yaml.Node, bool) {
	parts := tornParts[kindName]
	if parts == nil || c.json || c.shared != nil || len(c.raw) > maxTorn {
		return c, nil, false
	}
	text := bytes.TrimRight(c.raw, " \r\n")
	for _, end := range []string{tornEnd + "'", tornEnd + `"`} {
		if root, ok := c.ending(text, end, parts); ok {
			return root.chunk, root.node, true
		}
	}
	at := bytes.LastIndexByte(text, '\n')
	for range 2 { // the line of the scalar, and the one above when that is its key
		if at < 0 {
			break
		}
		if root, ok := c.ending(text[:at], "", parts); ok {
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
