package manifest

import "go.yaml.in/yaml/v3"

// shape are fields that only one kind has together, and one that it does not have.
type shape struct {
	fields []string
	absent string
}

func (s shape) fits(root *yaml.Node) bool {
	for _, f := range s.fields {
		if !has(root, f) {
			return false
		}
	}
	return s.absent == "" || !has(root, s.absent)
}

// kindByShape is the kind of an object that does not say it; nil when no row fits.
func kindByShape(root *yaml.Node) *kind {
	for _, k := range kinds {
		for _, s := range k.shapes {
			if s.fits(root) {
				return k
			}
		}
	}
	return nil
}

func has(root *yaml.Node, field string) bool {
	node, _ := descend(root, nil, field)
	return node != nil
}
