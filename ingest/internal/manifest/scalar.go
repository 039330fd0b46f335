package manifest

import (
	"encoding/json"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// appendString appends s as a JSON string.
func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			// The library replaces invalid UTF-8 and escapes the rest; it does not fail on strings.
			quoted, _ := json.Marshal(s)
			return append(out, quoted...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// appendFloat appends a number. Support-bundle-kit writes large integers as 1.00066e+09: what is integral stays so, or
// integer fields could not hold it. JSON has no infinity; as a string it still tells what the file said.
func appendFloat(out []byte, n *yaml.Node) []byte {
	var f float64
	if n.Decode(&f) != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return appendString(out, n.Value)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(out, int64(f), 10)
	}
	return strconv.AppendFloat(out, f, 'g', -1, 64)
}
