package manifest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// plan is what an assigner has to know of a type.
type plan struct {
	of     reflect.Type
	kind   reflect.Kind // reflect.Invalid for what is left to encoding/json
	own    bool         // it reads its JSON itself
	elem   *plan        // of a pointer, a list or a map
	fields map[string]fieldPlan
}

// fieldPlan is a field of a struct, or of one that is embedded in it.
type fieldPlan struct {
	index  []int
	number int // in the order of the struct
	plan   *plan
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	timeType    = reflect.TypeFor[metav1.Time]()
)

// planner makes the plans of a type and of all that it holds.
type planner map[reflect.Type]*plan

func (made planner) plan(t reflect.Type) *plan {
	if p, ok := made[t]; ok {
		return p
	}
	p := &plan{of: t, kind: t.Kind(), own: t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(unmarshaler)}
	made[t] = p
	switch {
	case p.own:
	case p.kind == reflect.Pointer:
		p.elem = made.plan(t.Elem())
	case p.kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8, p.kind == reflect.Map && t.Key().Kind() == reflect.String:
		p.elem = made.plan(t.Elem())
	case p.kind == reflect.Struct:
		p.fields = map[string]fieldPlan{}
		made.fields(p, t, nil)
		if len(p.fields) > maxFields {
			p.kind = reflect.Invalid
		}
	case p.kind == reflect.Slice, p.kind == reflect.Map, p.kind == reflect.Interface:
		p.kind = reflect.Invalid
	}
	return p
}

// fields adds the fields of a struct, and those of the structs that are embedded in it without a name.
func (made planner) fields(p *plan, t reflect.Type, index []int) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := append(slices.Clip(index), i)
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous && field.Type.Kind() == reflect.Struct:
			made.fields(p, field.Type, at)
		default:
			if name == "" {
				name = field.Name
			}
			p.fields[name] = fieldPlan{index: at, number: len(p.fields), plan: made.plan(field.Type)}
		}
	}
}

// similar reports whether a name is that of a field in other case, which encoding/json accepts.
func (p *plan) similar(name string) bool {
	for known := range p.fields {
		if len(known) == len(name) && strings.EqualFold(known, name) {
			return true
		}
	}
	return false
}
