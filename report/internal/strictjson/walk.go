package strictjson

// walk goes once over a text. Its methods that answer a bool answer false after a fault, which ends the walk.
type walk struct {
	data   []byte
	at     int
	limits Limits
	values int
	path   []step   // where the walk is
	keys   []keySet // of the objects around, by depth; kept to be used again
	worst  *finding
	fault  *Fault
	out    Outline
}

// step is one level of a path: a key between its quotes, or an index.
type step struct {
	key   []byte
	index int
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

// value walks one value, which has to be what n says.
func (w *walk) value(n *node) bool {
	if w.values++; w.values > w.limits.Values {
		return w.fail(TooMany)
	}
	if len(w.path) > w.limits.Depth {
		return w.fail(TooDeep)
	}
	c := w.peek()
	if n.orNull != nil {
		if n = n.orNull; c == 'n' {
			n = anything
		}
	}
	switch {
	case c == '{':
		return w.object(n)
	case c == '[':
		return w.array(n)
	case c == '"':
		return w.text(n)
	case c == '-' || '0' <= c && c <= '9':
		return w.number(n)
	case c == 't':
		return w.word("true", boolean, n)
	case c == 'f':
		return w.word("false", boolean, n)
	case c == 'n':
		return w.word("null", null, n)
	}
	return w.fail(Malformed)
}

// object walks an object. Of one that should be something else only the form is checked.
func (w *walk) object(n *node) bool {
	start := w.at
	if !w.isA(object, n, start) {
		n = anything
	}
	keys := &w.keys[len(w.path)]
	keys.reset(n)
	w.at++
	if w.blanks(); w.peek() == '}' {
		w.at++
		w.complete(n, keys, start)
		return true
	}
	for {
		if !w.member(n, keys) {
			return false
		}
		w.blanks()
		switch w.peek() {
		case ',':
			w.at++
			w.blanks()
		case '}':
			w.at++
			w.complete(n, keys, start)
			return true
		default:
			return w.fail(Malformed)
		}
	}
}

// member walks a key and its value.
func (w *walk) member(n *node, keys *keySet) bool {
	if w.peek() != '"' {
		return w.fail(Malformed)
	}
	key, plain, ok := w.quoted()
	if !ok {
		return false
	}
	which, fresh := keys.add(key, plain)
	if !fresh {
		w.fail(KeyTwice)
		w.fault.Key = decoded(key, plain)
		return false
	}
	if w.blanks(); w.peek() != ':' {
		return w.fail(Malformed)
	}
	w.at++
	w.blanks()
	child, start := anything, w.at
	if which >= 0 {
		child = n.children[which]
		if len(w.path) == 0 {
			w.out.Members = append(w.out.Members, Member{Name: n.names[which], Start: start})
		}
	}
	w.path = append(w.path, step{key: key})
	if !w.value(child) {
		return false
	}
	w.path = w.path[:len(w.path)-1]
	if which >= 0 && len(w.path) == 0 {
		w.out.Members[len(w.out.Members)-1].End = w.at
	}
	return true
}

// array walks an array.
func (w *walk) array(n *node) bool {
	start := w.at
	if !w.isA(array, n, start) {
		n = anything
	}
	items := n.items
	if items == nil {
		items = anything
	}
	w.at++
	count := 0
	if w.blanks(); w.peek() == ']' {
		w.at++
		w.long(count, n, start)
		return true
	}
	w.path = append(w.path, step{})
	for {
		w.cut(n)
		w.path[len(w.path)-1].index = count
		if !w.value(items) {
			return false
		}
		count++
		w.blanks()
		switch w.peek() {
		case ',':
			w.at++
			w.blanks()
		case ']':
			w.at++
			w.path = w.path[:len(w.path)-1]
			w.long(count, n, start)
			return true
		default:
			return w.fail(Malformed)
		}
	}
}

// cut notes an element of a member of the outermost object that the schema describes, here, when the last one is far enough.
func (w *walk) cut(n *node) {
	if len(w.path) != 2 || n == anything || len(w.out.Members) == 0 {
		return
	}
	m := &w.out.Members[len(w.out.Members)-1]
	if len(m.Cuts) == 0 || w.at-m.Cuts[len(m.Cuts)-1] >= w.limits.Piece {
		m.Cuts = append(m.Cuts, w.at)
	}
}
