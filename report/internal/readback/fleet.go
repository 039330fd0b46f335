package readback

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Fleet reads what a fleet needs. Timeline and quotes are passed over at the speed of a search; what is used is decoded.
func Fleet(data []byte) (*model.FleetReport, error) {
	var out model.FleetReport
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	err := members(data, func(key string, value []byte) error {
		switch fleetMember(key) {
		case "schema":
			return json.Unmarshal(value, &out.Schema)
		case "verdict":
			return json.Unmarshal(value, &out.Verdict)
		case "incidents":
			if bytes.Count(value, []byte("{")) > maxFleetObjects {
				return errors.New("too many objects")
			}
			out.Incidents = nil
			return json.Unmarshal(value, &out.Incidents)
		case "bundle":
			return members(value, func(key string, value []byte) error {
				switch fleetMember(key) {
				case "identities":
					return json.Unmarshal(value, &out.Bundle.Identities)
				case "kubernetesVersion":
					return json.Unmarshal(value, &out.Bundle.KubernetesVersion)
				case "capturedAt":
					return json.Unmarshal(value, &out.Bundle.CapturedAt)
				}
				return nil
			})
		}
		return nil
	})
	switch {
	case err != nil && !errors.Is(err, errForm):
		return nil, unread(0, hintAgain, "is no report that can be summed up: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 200))
	case err != nil || out.Schema != model.SchemaVersion:
		if _, err := checkForm(data); err != nil { // says why
			return nil, err
		}
		return nil, unread(0, hintAgain, "is no whole report")
	}
	return &out, nil
}

// maxFleetObjects bounds the memory of one report's incidents. Two thousand of them have fewer than a million objects.
const maxFleetObjects = 2 << 20

// errForm says that a text is no JSON object.
var errForm = errors.New("no JSON object")

// fleetMember is the name of the member that a decoder of JSON would take the key for: it looks past upper and lower case.
func fleetMember(key string) string {
	for _, name := range []string{"schema", "verdict", "incidents", "bundle", "identities", "kubernetesVersion", "capturedAt"} {
		if strings.EqualFold(key, name) {
			return name
		}
	}
	return ""
}

// members calls use for each member of a JSON object, with the key as it is meant and the value as it stands.
func members(data []byte, use func(key string, value []byte) error) error {
	i := blank(data, 0)
	if i >= len(data) || data[i] != '{' {
		return errForm
	}
	i = blank(data, i+1)
	for first := true; i < len(data) && data[i] != '}'; first = false {
		if !first {
			if data[i] != ',' {
				return errForm
			}
			i = blank(data, i+1)
		}
		end := valueEnd(data, i)
		if end <= i || data[i] != '"' { // nothing at all, or no key
			return errForm
		}
		var key string
		if json.Unmarshal(data[i:end], &key) != nil {
			return errForm
		}
		if i = blank(data, end); i >= len(data) || data[i] != ':' {
			return errForm
		}
		i = blank(data, i+1)
		if end = valueEnd(data, i); end <= i {
			return errForm
		}
		if err := use(key, data[i:end]); err != nil {
			return err
		}
		i = blank(data, end)
	}
	if i >= len(data) || blank(data, i+1) != len(data) {
		return errForm
	}
	return nil
}

// blank is the first place from i on that is no white space.
func blank(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// valueEnd is the end of the JSON value that begins at i; -1 when it does not end.
func valueEnd(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		if depth > 0 && !structural[data[i]] {
			i++ // nearly all bytes outside of strings are indentation
			continue
		}
		switch data[i] {
		case '"':
			if i = stringEnd(data, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i // a number or a word before it has ended
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	if depth > 0 {
		return -1
	}
	return i
}

// structural are the bytes that matter inside of an array or object.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// stringEnd is the end of the string that begins at i; -1 when it does not end.
func stringEnd(data []byte, i int) int {
	for i++; ; i++ {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		slashes := 0
		for data[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}
