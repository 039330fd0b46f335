package manifest

import (
	"bytes"
	"encoding/json"
)

// Sniff says from the first bytes of a file whether it holds Kubernetes objects. The bytes may end anywhere.
func Sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if looksJSON(head) {
		return sniffJSON(head)
	}
	return sniffYAML(head)
}

// sniffJSON looks at the keys of the first object. Log records and answers have neither apiVersion nor items, nor metadata with a part.
func sniffJSON(head []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(head))
	tok, err := dec.Token()
	if err == nil && tok == json.Delim('[') {
		if tok, err = dec.Token(); err == nil && tok == json.Delim(']') {
			return false // an empty array may be anything
		}
	}
	if err != nil || tok != json.Delim('{') {
		return false
	}
	metadata, part := false, false
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		switch tok {
		case "apiVersion", "items":
			return true
		case "metadata":
			metadata = true
		case "spec", "status", "kind", "involvedObject", "regarding":
			part = true
		}
		if metadata && part {
			return true
		}
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			// The head ends inside metadata with its managed fields, or inside a specification.
			return metadata || part
		}
	}
	return false
}

// sniffYAML wants a key or item first, and then a key of an object or list at the margin, unlike logs that print a configuration.
func sniffYAML(head []byte) bool {
	first := true
	for _, line := range lines(head) {
		if len(line) == 0 || line[0] == '#' || line[0] == '%' || isSeparator(line) && len(bytes.TrimSpace(line)) == 3 {
			continue
		}
		item := bytes.HasPrefix(line, []byte("- "))
		key, value, ok := keyAtStart(bytes.TrimPrefix(line, []byte("- ")))
		if first {
			if body := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("--- ")), " "); len(body) > 0 && body[0] == '{' && looksJSON(body) {
				return sniffJSON(head[bytes.IndexByte(head, '{'):])
			}
			if !ok || key[0] >= 'A' && key[0] <= 'Z' {
				return false // a key with a capital begins a description by kubectl, with objects further on perhaps
			}
			first = false
		}
		if !ok {
			continue
		}
		switch string(key) {
		case "apiVersion", "kind":
			return len(value) > 0
		case "items", "metadata":
			return len(value) == 0 || !item && (string(value) == "[]" || value[0] == '{')
		}
	}
	return false
}
