package manifest

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// The breaks that end a line for YAML 1.1 and for nothing else that shows or counts the lines of a file.
var yamlBreaks = [][]byte{[]byte("\u0085"), []byte("\u2028"), []byte("\u2029")}

// relocate gives nodes the lines of the file: the parser counts a lone carriage return and the separators of Unicode as line ends.
func relocate(node *yaml.Node, raw []byte) {
	lines := fileLines(raw)
	if lines == nil {
		return
	}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Line > 0 {
			n.Line = lines[min(n.Line, len(lines)-1)]
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(node)
}

// fileLines answers, for each line as YAML counts, the line of the file; nil when the two are the same.
func fileLines(raw []byte) []int {
	if !hasOtherBreaks(raw) {
		return nil
	}
	lines, at := []int{0, 1}, 1
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '\n':
			at++
			lines = append(lines, at)
		case raw[i] == '\r' && (i+1 == len(raw) || raw[i+1] != '\n'):
			lines = append(lines, at)
		default:
			for _, b := range yamlBreaks {
				if bytes.HasPrefix(raw[i:], b) {
					lines = append(lines, at)
				}
			}
		}
	}
	return lines
}

func hasOtherBreaks(raw []byte) bool {
	if bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n")) {
		return true
	}
	for _, b := range yamlBreaks {
		if bytes.Contains(raw, b) {
			return true
		}
	}
	return false
}
