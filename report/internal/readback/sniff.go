package readback

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Beginning is how much of a file IsReport wants to see, unless the file is shorter.
const Beginning = 4096

// IsReport tells a JSON report from a bundle by its beginning: its schema, or, with sorted keys, its alerts and bundle.
func IsReport(beginning []byte) bool {
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(beginning, []byte("\ufeff"))))
	if opening, err := in.Token(); err != nil || opening != json.Delim('{') {
		return false
	}
	sorted := false
	for in.More() {
		key, err := in.Token()
		switch {
		case err != nil:
			return sorted
		case key == "schema":
			var name string
			return in.Decode(&name) == nil && strings.HasPrefix(name, "volpost/")
		case key == "alerts" || key == "bundle":
			sorted = true
		}
		var passed json.RawMessage
		if in.Decode(&passed) != nil {
			return sorted
		}
	}
	return false
}
