package redact

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestEveryValueIsRedacted walks the types of a report: a value of a kind that the redactor does not know would be lost, or
// keep its names.
func TestEveryValueIsRedacted(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type, string)
	walk = func(at reflect.Type, path string) {
		if seen[at] || at == reflect.TypeFor[time.Time]() {
			return
		}
		seen[at] = true
		switch at.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(at.Elem(), path)
		case reflect.Map:
			if at != reflect.TypeFor[map[string]string]() {
				t.Errorf("%s is a %s", path, at)
			}
		case reflect.Struct:
			for i := range at.NumField() {
				field := at.Field(i)
				kind, _, _ := strings.Cut(field.Tag.Get("text"), ":")
				if _, known := manners[kind]; !known && kind != "" && kind != "command" {
					t.Errorf("%s.%s is said to hold a %s, which nobody knows", path, field.Name, kind)
				}
				if field.IsExported() && field.Tag.Get("json") != "-" {
					walk(field.Type, path+"."+field.Name)
				}
			}
		case reflect.Interface, reflect.Array, reflect.Func, reflect.Chan:
			t.Errorf("%s is a %s", path, at)
		}
	}
	for _, answer := range []reflect.Type{reflect.TypeFor[model.Report](), reflect.TypeFor[model.WhatIf](), reflect.TypeFor[model.Diff](),
		reflect.TypeFor[model.Chain](), reflect.TypeFor[model.Fleet]()} {
		walk(answer, answer.Name())
	}
}
