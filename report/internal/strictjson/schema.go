package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Schema is a compiled schema. It can be used by several goroutines.
type Schema struct{ root *node }

// node says what one value has to be. The zero node takes anything.
type node struct {
	types    kinds          // none: any
	names    []string       // of the properties that have a node, at most 64
	index    map[string]int // of a name among names
	children []*node        // beside names
	required []string
	needed   uint64 // the bits of required among names
	items    *node
	minItems int
	allowed  []string // a text that is one of these; nil: any
	constant bool     // allowed came as const
	dateTime bool
	minimum  *float64
	orNull   *node // this or null, and nothing else of the above
}

// anything is the node of values that the schema does not describe.
var anything = &node{}

// source is a schema as it is written. Its decoder refuses what it does not name.
type source struct {
	Schema      string             `json:"$schema"`
	ID          string             `json:"$id"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Defs        map[string]*source `json:"$defs"`
	Ref         string             `json:"$ref"`
	AnyOf       []*source          `json:"anyOf"`
	Type        typeNames          `json:"type"`
	Required    []string           `json:"required"`
	Properties  map[string]*source `json:"properties"`
	Items       *source            `json:"items"`
	MinItems    int                `json:"minItems"`
	Enum        []string           `json:"enum"`
	Const       *string            `json:"const"`
	Format      string             `json:"format"`
	Minimum     *float64           `json:"minimum"`
}

// typeNames is one name of a type, or a list.
type typeNames []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *typeNames) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = typeNames{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// compiler turns sources into nodes, each once.
type compiler struct {
	defs map[string]*source
	done map[*source]*node
}

// Compile reads a schema. It answers an error for a keyword, or a use of one, that this package does not know.
func Compile(text []byte) (*Schema, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	var root source
	if err := in.Decode(&root); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	c := compiler{defs: root.Defs, done: map[*source]*node{}}
	n, err := c.node(&root)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return &Schema{root: n}, nil
}

func (c *compiler) node(s *source) (*node, error) {
	switch {
	case s == nil:
		return anything, nil
	case s.Ref != "":
		return c.reference(s)
	case s.AnyOf != nil:
		return c.nullable(s)
	case c.done[s] != nil:
		return c.done[s], nil
	}
	n := &node{}
	c.done[s] = n // before its children, which may refer to it
	for _, name := range s.Type {
		k, err := kindOf(name)
		if err != nil {
			return nil, err
		}
		n.types |= k
	}
	n.minItems, n.minimum, n.allowed, n.required = s.MinItems, s.Minimum, s.Enum, s.Required
	if s.Const != nil {
		n.allowed, n.constant = []string{*s.Const}, true
	}
	switch s.Format {
	case "", "date-time":
		n.dateTime = s.Format != ""
	default:
		return nil, fmt.Errorf("format %q", s.Format)
	}
	var err error
	if s.Items != nil {
		if n.items, err = c.node(s.Items); err != nil {
			return nil, err
		}
	}
	return n, c.properties(n, s)
}

// properties fills the children of n.
func (c *compiler) properties(n *node, s *source) error {
	n.names = slices.Sorted(maps.Keys(s.Properties))
	for _, name := range s.Required {
		if s.Properties[name] == nil {
			return fmt.Errorf("%q is required and not described", name)
		}
	}
	if len(n.names) > 64 {
		return errors.New("more than 64 properties")
	}
	n.index = map[string]int{}
	for i, name := range n.names {
		child, err := c.node(s.Properties[name])
		if err != nil {
			return err
		}
		n.children = append(n.children, child)
		n.index[name] = i
		if slices.Contains(s.Required, name) {
			n.needed |= 1 << i
		}
	}
	return nil
}

func (c *compiler) reference(s *source) (*node, error) {
	name, found := strings.CutPrefix(s.Ref, "#/$defs/")
	to := c.defs[name]
	if !found || to == nil {
		return nil, fmt.Errorf("$ref %q", s.Ref)
	}
	if s.Type != nil || s.Properties != nil || s.Required != nil || s.Items != nil || s.Enum != nil || s.AnyOf != nil {
		return nil, fmt.Errorf("$ref %q beside other keywords", s.Ref)
	}
	return c.node(to)
}

// nullable is the one use of anyOf: something or null.
func (c *compiler) nullable(s *source) (*node, error) {
	if len(s.AnyOf) != 2 || !slices.Equal(s.AnyOf[1].Type, typeNames{"null"}) || s.Type != nil || s.Properties != nil {
		return nil, errors.New("anyOf that is not of something and null")
	}
	n, err := c.node(s.AnyOf[0])
	if err != nil {
		return nil, err
	}
	return &node{orNull: n}, nil
}
