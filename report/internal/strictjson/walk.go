package strictjson

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

// cut begins an element of a member that is asked for, if that is what is here; it is noted when the last cut is far enough.
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
