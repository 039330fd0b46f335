package manifest

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// relocate gives nodes the file's lines and byte columns: the parser counts characters, and ends lines at lone \r and Unicode separators.
func relocate(root *yaml.Node, raw []byte) {
	if isASCII(raw) && bytes.Count(raw, []byte("\r")) == bytes.Count(raw, []byte("\r\n")) {
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

func isASCII(raw []byte) bool {
	return !slices.ContainsFunc(raw, func(b byte) bool { return b >= utf8.RuneSelf })
}
