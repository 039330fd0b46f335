package manifest

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"
)

// valueOf is what a node stands for, as encoding/json has it and as kubectl reads it: a time is a text, and of a key that
// comes twice the last counts. Limits.weigh has to come first where there may be aliases.
func valueOf(n *yaml.Node) (value any, err error) {
	switch {
	case n.Kind == yaml.AliasNode:
		return valueOf(n.Alias)
	case n.Kind == yaml.MappingNode:
		return fieldsOf(n)
	case n.Kind == yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			if list[i], err = valueOf(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case isText(n):
		return n.Value, nil
	case n.Tag == "!!null":
		return nil, nil // a third of what is decoded: Decode makes a decoder for each
	}
	err = n.Decode(&value)
	if _, ok := value.(time.Time); ok {
		value = n.Value
	}
	return value, err
}

// fieldsOf is what a mapping stands for.
func fieldsOf(n *yaml.Node) (map[string]any, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := valueOf(n.Content[i])
		if err != nil {
			return nil, err
		}
		value, err := valueOf(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		switch key.(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			return nil, fmt.Errorf("line %d: a key that is no text", n.Content[i].Line)
		}
		if absent(n.Content[i+1]) {
			out[fmt.Sprint(key)] = nil
		} else {
			out[fmt.Sprint(key)] = value
		}
	}
	return out, nil
}
