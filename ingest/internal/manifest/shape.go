package manifest

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// shape are fields that only one kind has together, and one that it does not have.
type shape struct {
	fields []string
	absent string
}

func (s shape) fits(root *yaml.Node) bool {
	return !slices.ContainsFunc(s.fields, func(f string) bool { return !has(root, f) }) && (s.absent == "" || !has(root, s.absent))
}

// kindByShape is the kind of an object that does not say it; nil when no row fits.
func kindByShape(root *yaml.Node) *kind {
	return rowOf(func(k *kind) bool { return slices.ContainsFunc(k.shapes, func(s shape) bool { return s.fits(root) }) })
}

func has(root *yaml.Node, field string) bool {
	node, _ := descend(root, nil, field)
	return node != nil
}
