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
	return fmt.Errorf("it expands to too many values (an alias bomb?): the limit of %d is reached (--max-nodes)", nodes)
}

func errTooDeep(depth int) error {
	return fmt.Errorf("it is nested too deep: the limit of %d levels is reached (--max-depth)", depth)
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
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
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

// writer turns nodes into JSON, expanding aliases within its budget.
type writer struct {
	Limits
	out   []byte
	nodes int
}

// toJSON is the JSON form of a node, with or without metadata.managedFields: they are half of an Event, and nobody reads
// them there.
func toJSON(n *yaml.Node, skipManaged bool, l Limits) ([]byte, error) {
	w := &writer{Limits: l}
	if err := w.node(n, 0, skipManaged); err != nil {
		return nil, err
	}
	return w.out, nil
}

func (w *writer) node(n *yaml.Node, depth int, skipManaged bool) error {
	if w.nodes++; w.nodes > w.Nodes || len(w.out) > MaxObject {
		return errTooLarge(w.Nodes)
	}
	if depth > w.Depth {
		return errTooDeep(w.Depth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.node(n.Alias, depth+1, skipManaged)
	case yaml.MappingNode:
		return w.mapping(n, depth, skipManaged)
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, item := range n.Content {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			if err := w.node(item, depth+1, skipManaged); err != nil {
				return err
			}
		}
		w.out = append(w.out, ']')
	default:
		w.scalar(n)
	}
	return nil
}

func (w *writer) mapping(n *yaml.Node, depth int, skipManaged bool) error {
	w.out = append(w.out, '{')
	first := true
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		// A merge key has no place in what an API server writes; what it would merge is left out.
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || skipManaged && depth == 1 && key.Value == "managedFields" {
			continue
		}
		if absent(value) {
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.out = appendString(w.out, key.Value)
		w.out = append(w.out, ':')
		if err := w.node(value, depth+1, skipManaged); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *writer) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		w.out = append(w.out, "null"...)
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			w.out = strconv.AppendBool(w.out, b)
			return
		}
		w.out = appendString(w.out, n.Value)
	case "!!int":
		var i int64
		if n.Decode(&i) == nil {
			w.out = strconv.AppendInt(w.out, i, 10)
			return
		}
		w.out = appendString(w.out, n.Value)
	case "!!float":
		w.out = appendFloat(w.out, n)
	default:
		w.out = appendString(w.out, n.Value)
	}
}
