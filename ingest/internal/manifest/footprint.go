package manifest

import (
	"reflect"
	"time"
)

// Footprint is about how much memory a decoded value takes. Its text says little: the bytes "- {}" become a container of seven hundred.
func Footprint(v any) int {
	rv := reflect.ValueOf(v)
	return int(rv.Type().Size()) + dynamic(rv)
}

// dynamic is what a value takes beside its own fixed size.
func dynamic(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 {
			return 0
		}
		return v.Len() + allocation
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int(v.Elem().Type().Size()) + allocation + dynamic(v.Elem())
	case reflect.Slice:
		n := v.Cap()*int(v.Type().Elem().Size()) + allocation
		if flat(v.Type().Elem().Kind()) {
			return n
		}
		for i := range v.Len() {
			n += dynamic(v.Index(i))
		}
		return n
	case reflect.Map:
		n := 0
		for iter := v.MapRange(); iter.Next(); {
			n += 2*int(v.Type().Key().Size()+v.Type().Elem().Size()) + dynamic(iter.Key()) + dynamic(iter.Value())
		}
		return n
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return 0 // the zone is everybody's
		}
		n := 0
		for i := range v.NumField() {
			n += dynamic(v.Field(i))
		}
		return n
	}
	return 0
}

// flat kinds hold nothing beside their fixed size.
func flat(k reflect.Kind) bool { return k >= reflect.Bool && k <= reflect.Complex128 }
