package envelope

// words keeps the strings that came last, since nearly all keys and names of an export come again in each entry.
type words struct {
	of      [128]string
	scratch []byte
}

// maxWord bounds what is worth a look.
const maxWord = 96

// string is string(b).
func (w *words) string(b []byte) string {
	n := len(b)
	if n == 0 || n > maxWord || w == nil {
		return string(b)
	}
	at := &w.of[(uint(n)*31+uint(b[0])*7+uint(b[n/2])*13+uint(b[n-1]))%uint(len(w.of))]
	if *at != string(b) {
		*at = string(b)
	}
	return *at
}

// unescaped is what the escapes of a string stand for.
func (w *words) unescaped(b []byte) string {
	if w == nil {
		return string(Unescape(nil, b))
	}
	w.scratch = Unescape(w.scratch[:0], b)
	return w.string(w.scratch)
}
