package strictjson

import (
	"bytes"
	"encoding/json"
)

// walk goes once over a text. Its methods that answer a bool answer false after a fault, which ends the walk.
type walk struct {
	data     []byte
	at       int
	limits   Limits
	values   int
	together int      // values of the element of a named member that the walk is in, or outside of all
	outside  int      // together, while the walk is in such an element
	depth    int      // of the value that the walk is at
	keys     []keySet // of the objects around, by depth; kept to be used again
	names    []string // of the members to answer
	open     bool     // the last of members is the one that the walk is in
	members  []Member
	fault    *Fault
}

// fail ends the walk at this place.
func (w *walk) fail(reason Reason) bool {
	if reason == Malformed && w.at >= len(w.data) {
		reason = CutOff
	}
	w.fault = &Fault{Reason: reason, Offset: min(w.at, len(w.data))}
	return false
}

// peek is the byte at this place; 0, which is no JSON, at the end.
func (w *walk) peek() byte {
	if w.at < len(w.data) {
		return w.data[w.at]
	}
	return 0
}

// blanks passes over white space.
func (w *walk) blanks() {
	data, i := w.data, w.at
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	w.at = i
}

// value walks one value.
func (w *walk) value() bool {
	if w.values++; w.values > w.limits.Values {
		return w.fail(TooMany)
	}
	if w.together++; w.together > w.limits.Together {
		return w.fail(TooManyTogether)
	}
	if w.depth > w.limits.Depth {
		return w.fail(TooDeep)
	}
	switch c := w.peek(); {
	case c == '{':
		return w.object()
	case c == '[':
		return w.array()
	case c == '"':
		_, _, ok := w.quoted()
		return ok
	case c == '-' || '0' <= c && c <= '9':
		return w.number()
	case c == 't':
		return w.word("true")
	case c == 'f':
		return w.word("false")
	case c == 'n':
		return w.word("null")
	}
	return w.fail(Malformed)
}

// object walks an object.
func (w *walk) object() bool {
	keys := &w.keys[w.depth]
	keys.reset()
	w.at++
	if w.blanks(); w.peek() == '}' {
		w.at++
		return true
	}
	for {
		if !w.member(keys) {
			return false
		}
		w.blanks()
		switch w.peek() {
		case ',':
			w.at++
			w.blanks()
		case '}':
			w.at++
			return true
		default:
			return w.fail(Malformed)
		}
	}
}

// member walks a key and its value.
func (w *walk) member(keys *keySet) bool {
	if w.peek() != '"' {
		return w.fail(Malformed)
	}
	key, plain, ok := w.quoted()
	if !ok {
		return false
	}
	if !keys.add(key, plain) {
		w.fail(KeyTwice)
		w.fault.Key = decoded(key, plain)
		return false
	}
	if w.blanks(); w.peek() != ':' {
		return w.fail(Malformed)
	}
	w.at++
	w.blanks()
	if name, asked := w.named(key, plain); asked {
		w.open = true
		w.members = append(w.members, Member{Name: name, Start: w.at})
	}
	w.depth++
	if !w.value() {
		return false
	}
	w.depth--
	if w.depth == 0 && w.open {
		w.open = false
		w.members[len(w.members)-1].End = w.at
	}
	return true
}

// array walks an array.
func (w *walk) array() bool {
	w.at++
	if w.blanks(); w.peek() == ']' {
		w.at++
		return true
	}
	w.depth++
	for index := 0; ; index++ {
		w.cut(index)
		if !w.value() {
			return false
		}
		w.blanks()
		switch w.peek() {
		case ',':
			w.at++
			w.blanks()
		case ']':
			w.at++
			if w.depth == 2 && w.open {
				w.together = w.outside
			}
			w.depth--
			return true
		default:
			return w.fail(Malformed)
		}
	}
}

// cut begins an element of a requested member, if that is what is here; it is noted when the last cut is far enough.
func (w *walk) cut(index int) {
	if w.depth != 2 || !w.open {
		return
	}
	if index == 0 {
		w.outside = w.together
	}
	w.together = 0
	m := &w.members[len(w.members)-1]
	if len(m.Cuts) == 0 || w.at-m.Cuts[len(m.Cuts)-1].Offset >= w.limits.Piece {
		m.Cuts = append(m.Cuts, Cut{w.at, index})
	}
}

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
