package phrase

import (
	"reflect"
	"strings"

	"github.com/volpost/volpost/model"
)

// maxDetail bounds an error text. Drivers print whole HTTP responses into theirs.
const maxDetail = 8 << 10

// letGo copies what an observation took from a long record, so that the record itself, up to a megabyte, can be freed.
func letGo(o *model.Observation) {
	if len(o.Detail) > maxDetail {
		o.Detail = strings.ToValidUTF8(o.Detail[:maxDetail], "")
	}
	clone(reflect.ValueOf(o).Elem())
}

// clone copies the texts of a value.
func clone(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(strings.Clone(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			clone(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			clone(v.Index(i))
		}
	}
}
