package strictjson

import (
	"fmt"
	"strings"
)

// kinds is a set of the types of JSON Schema.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	number
	integer // a number without a fraction
	text
	array
	object
)

// kindNames are their names, in the order of the bits.
var kindNames = []string{"null", "boolean", "number", "integer", "string", "array", "object"}

func kindOf(name string) (kinds, error) {
	for i, n := range kindNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("type %q", name)
}

// String lists the names.
func (k kinds) String() string {
	var names []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}
