package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Errors about the limits that a flag moves.
func errTooLarge(nodes int) error {
	return fmt.Errorf("it expands to too many values (an alias bomb?): the limit of %d is reached", nodes)
}

func errTooDeep(depth int) error {
	return fmt.Errorf("it is nested too deep: the limit of %d levels is reached", depth)
}

// parseYAML parses the first document of raw into nodes that know their lines. Aliases stay unexpanded.
func parseYAML(raw []byte, depth int) (node *yaml.Node, err error) {
	defer func() {
		// The parser panics with its own errors and recovers from those only.
		if p := recover(); p != nil {
			node, err = nil, fmt.Errorf("the YAML parser gave up: %v", p)
		}
	}()
	if deepFlow(raw, depth) {
		return nil, errTooDeep(depth)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("it is empty")
	}
	relocate(doc.Content[0], raw)
	return doc.Content[0], nil
}

// deepFlow reports more open brackets than any object has. The parser's time grows with the square of their number.
func deepFlow(raw []byte, limit int) bool {
	depth := 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			if depth++; depth > 50*limit {
				return true
			}
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// errorLine is the line that an error of the parser names, moved to the file; the chunk's own first line without one.
func errorLine(err error, c chunk) int {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil && !c.json {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil && n > 0 {
			return c.line + n - 1
		}
	}
	return c.line
}

var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// errorText is the parser's message without its prefix and its line, which Problem has a field for.
func errorText(err error) string { return yamlPrefix.ReplaceAllString(err.Error(), "") }

// weigh refuses a document that its aliases expand beyond the limits, or that is nested deeper.
func (l Limits) weigh(root *yaml.Node) error {
	nodes, size := 0, 0
	var walk func(n *yaml.Node, depth int) error
	walk = func(n *yaml.Node, depth int) error {
		nodes++
		size += len(n.Value)
		if nodes > l.Nodes || size > MaxObject {
			return errTooLarge(l.Nodes)
		}
		if depth > l.Depth {
			return errTooDeep(l.Depth)
		}
		if n.Kind == yaml.AliasNode {
			return walk(n.Alias, depth+1)
		}
		for _, child := range n.Content {
			if err := walk(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(root, 0)
}
