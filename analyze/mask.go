package analyze

import (
	"reflect"

	secret "github.com/volpost/volpost/model/mask"
)

// mask takes secrets out of the whole report, as package model/mask does for quotes: a driver's error in a summary can hold a password.
func mask(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); v.CanSet() {
			if clean := secret.Text(text); clean != text {
				v.SetString(clean)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			mask(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				mask(v.Index(i))
			}
		}
	case reflect.Map:
		maskMap(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				mask(v.Field(i))
			}
		}
	}
}

// maskMap replaces the values of a map, which cannot be set where they are.
func maskMap(v reflect.Value) {
	if v.Type().Elem().Kind() != reflect.String {
		return
	}
	for _, key := range v.MapKeys() {
		if text := v.MapIndex(key).String(); secret.Text(text) != text {
			v.SetMapIndex(key, reflect.ValueOf(secret.Text(text)).Convert(v.Type().Elem()))
		}
	}
}
