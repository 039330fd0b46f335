package analyze_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// walk visits every exported value below v with its path, such as .Incidents[0].Phases[2].From.
func walk(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), path, visit)
		}
		return
	case reflect.Struct:
		visit(path, v)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				walk(v.Field(i), path+"."+f.Name, visit)
			}
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
		return
	}
	visit(path, v)
}

var evidenceID = regexp.MustCompile(`^e-[0-9a-f]{12}$`)

// isEvidence reports whether the string at a path refers to a quote: it stands in a list called Evidence, or it is an
// identifier among the sentences for and against a cause.
func isEvidence(path, s string) bool {
	if strings.Contains(path, ".Evidence[") {
		return !strings.HasPrefix(path, ".Evidence[")
	}
	return (strings.Contains(path, ".For[") || strings.Contains(path, ".Against[")) && evidenceID.MatchString(s)
}
