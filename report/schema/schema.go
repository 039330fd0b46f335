// Package schema is the promise of the JSON report.
package schema

import (
	_ "embed"
	"slices"
)

//go:embed report.schema.json
var text []byte

// JSON is the JSON Schema (draft 2020-12) that the json format keeps to.
func JSON() []byte { return slices.Clone(text) }
