package strictjson

import (
	"bytes"
	"encoding/json"
)

// special are the bytes of a text that are not simply passed over.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c == '"' || c == '\\' || c >= 0x80
	}
	return t
}()

// quoted passes over a text and answers what stands between its quotes. It is plain when that is ASCII without escapes.
func (w *walk) quoted() (body []byte, plain, ok bool) {
	data, i := w.data, w.at+1
	start := i
	plain = true
	for i < len(data) {
		c := data[i]
		switch {
		case !special[c]:
			i++
		case c == '"':
			w.at = i + 1
			return data[start:i], plain, true
		case c >= 0x80:
			plain = false
			i++
		case c == '\\':
			plain = false
			n, whole := escape(data[i:])
			if !whole {
				w.at = i + n
				return nil, false, w.fail(Malformed)
			}
			i += n
		default: // a control character
			w.at = i
			return nil, false, w.fail(Malformed)
		}
	}
	w.at = i
	return nil, false, w.fail(Malformed)
}

// escape passes over the escape sequence at the beginning of s. When it is none, it answers how far it could have been.
func escape(s []byte) (n int, whole bool) {
	switch {
	case len(s) < 2:
		return 1, false
	case bytes.IndexByte([]byte(`"\/bfnrt`), s[1]) >= 0:
		return 2, true
	case s[1] != 'u':
		return 1, false
	}
	for n = 2; n < 6; n++ {
		if n == len(s) {
			return n, false
		}
		if c := s[n]; !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return n, false
		}
	}
	return n, true
}

// decoded is the text between quotes as encoding/json decodes it.
func decoded(body []byte, plain bool) string {
	if plain {
		return string(body)
	}
	quoted := make([]byte, 0, len(body)+2)
	quoted = append(append(append(quoted, '"'), body...), '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(body) // it was passed over as well-formed
	}
	return s
}

// digits passes over digits and answers whether there were any.
func (w *walk) digits() bool {
	start := w.at
	for w.at < len(w.data) && '0' <= w.data[w.at] && w.data[w.at] <= '9' {
		w.at++
	}
	return w.at > start
}

// number walks a number.
func (w *walk) number() bool {
	start := w.at
	if w.peek() == '-' {
		w.at++
	}
	if w.peek() == '0' {
		w.at++
	} else if !w.digits() {
		return w.fail(Malformed)
	}
	if w.peek() == '.' {
		if w.at++; !w.digits() {
			return w.fail(Malformed)
		}
	}
	exponent := 0
	if w.peek()|0x20 == 'e' {
		w.at++
		if c := w.peek(); c == '+' || c == '-' {
			w.at++
		}
		begin := w.at
		if !w.digits() {
			return w.fail(Malformed)
		}
		exponent = w.at - begin
	}
	if w.at-start > w.limits.Number || exponent > maxExponent {
		w.at = start
		return w.fail(HugeNumber)
	}
	return true
}

// word walks true, false or null.
func (w *walk) word(word string) bool {
	for i := range len(word) {
		if w.peek() != word[i] {
			return w.fail(Malformed)
		}
		w.at++
	}
	return true
}
