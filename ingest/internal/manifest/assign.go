package manifest

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// assigner sets Go values from nodes as encoding/json would from their JSON. What json has to judge it refuses: values of another type than
// their field, keys of another case or that come twice, aliases. The caller begins again with json then.
type assigner struct {
	json bool // the nodes are of JSON
}

// value assigns a node; false when json has to judge.
func (a *assigner) value(n *yaml.Node, v reflect.Value, p *plan) bool {
	switch {
	case p.kind == reflect.Pointer && n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return true
	case p.own:
		return a.unmarshal(n, v, p)
	case p.kind == reflect.Pointer:
		to := reflect.New(p.elem.of)
		v.Set(to)
		return a.value(n, to.Elem(), p.elem)
	}
	switch n.Kind {
	case yaml.MappingNode:
		switch p.kind {
		case reflect.Struct:
			return a.structure(n, v, p)
		case reflect.Map:
			return a.mapping(n, v, p)
		}
	case yaml.SequenceNode:
		if p.kind == reflect.Slice {
			return a.list(n, v, p)
		}
	case yaml.ScalarNode:
		return a.scalar(n, v)
	}
	return false
}

func (a *assigner) scalar(n *yaml.Node, v reflect.Value) bool {
	switch {
	case n.Tag == "!!null":
		return true
	case v.Kind() == reflect.String && n.Tag == "!!str":
		v.SetString(strings.Clone(n.Value))
		return true
	case n.Tag == "!!bool" && v.Kind() == reflect.Bool && (n.Value == "true" || n.Value == "false"):
		v.SetBool(n.Value == "true")
		return true
	case n.Tag == "!!int" && v.CanInt():
		i, err := strconv.ParseInt(n.Value, 10, v.Type().Bits())
		v.SetInt(i)
		return err == nil && strconv.FormatInt(i, 10) == n.Value
	}
	return false
}

// unmarshal gives the JSON of a node to a type that reads JSON itself.
func (a *assigner) unmarshal(n *yaml.Node, v reflect.Value, p *plan) bool {
	if p.of == timeType && n.Tag == "!!str" {
		t, err := time.Parse(time.RFC3339, n.Value)
		v.Addr().Interface().(*metav1.Time).Time = t.Local()
		return err == nil
	}
	if costly.MatchString(`"` + n.Value + `"`) {
		return false
	}
	value, err := valueOf(n, a.json)
	if err != nil {
		return false
	}
	data, err := json.Marshal(value)
	return err == nil && v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(data) == nil
}

func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// absent reports whether a field with this value counts as not there: support-bundle-kit writes the string "null".
func absent(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "null" && n.Tag == "!!str"
}

func (a *assigner) structure(n *yaml.Node, v reflect.Value, p *plan) bool {
	var seen [maxFields / 64]uint64
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f, ok := p.fields[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || !ok && p.similar(key.Value):
			return false
		case !ok:
			continue
		}
		word, bit := &seen[f.number/64], uint64(1)<<(f.number%64)
		if *word&bit != 0 {
			return false
		}
		*word |= bit
		switch {
		case !a.json && absent(value):
		default:
			if !a.value(value, v.FieldByIndex(f.index), f.plan) {
				return false
			}
		}
	}
	return true
}

func (a *assigner) mapping(n *yaml.Node, v reflect.Value, p *plan) bool {
	m := reflect.MakeMapWithSize(p.of, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isText(n.Content[i]) {
			return false
		}
		key := reflect.New(p.of.Key()).Elem()
		key.SetString(strings.Clone(n.Content[i].Value))
		elem := reflect.New(p.elem.of).Elem()
		if m.MapIndex(key).IsValid() || (a.json || !absent(n.Content[i+1])) && !a.value(n.Content[i+1], elem, p.elem) {
			return false
		}
		m.SetMapIndex(key, elem)
	}
	v.Set(m)
	return true
}

func (a *assigner) list(n *yaml.Node, v reflect.Value, p *plan) bool {
	list := reflect.MakeSlice(p.of, len(n.Content), len(n.Content))
	for i, item := range n.Content {
		if !a.value(item, list.Index(i), p.elem) {
			return false
		}
	}
	v.Set(list)
	return true
}
