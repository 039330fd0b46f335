package envelope

// Walker walks JSON given piece by piece, and keeps its entries until they are taken. One entry bounds its memory.
type Walker struct {
	Entries []Entry
	// Prefer picks the message where an entry has several members that may be it; nil picks by their names.
	Prefer func(text []byte) bool

	line    int
	frames  []frame
	expect  state
	failed  bool
	key     string
	str     []byte
	strLine int
	lost    int64
	keep    bool // the string is wanted
	escaped bool // a backslash was the last byte
	columns []string
}

// state is what the grammar allows next.
type state uint8

const (
	wantValue      state = iota
	wantFirstValue       // or the end of an empty array
	wantKey
	wantFirstKey // or the end of an empty object
	wantColon
	wantComma // or the end of what is open
	inKey
	inString
	inLiteral
)

// frame is an object or array that is open.
type frame struct {
	array bool
	key   string // under which it stands in the object that holds it
	n     int    // values so far
	rec   record
}

// maxDepth bounds nesting; exports have up to eight levels.
const maxDepth = 64

// Begin starts a document on a physical line.
func (w *Walker) Begin(line int) {
	*w = Walker{Entries: w.Entries[:0], Prefer: w.Prefer, line: line, frames: w.frames[:0], str: w.str[:0]}
}

// Open reports that the document is not at its end.
func (w *Walker) Open() bool { return !w.failed && (len(w.frames) > 0 || w.expect >= inKey) }

// Failed reports that what was fed is no JSON.
func (w *Walker) Failed() bool { return w.failed }

// Feed walks the next piece and returns how much it took: less than all when the document ended or turned out to be none.
func (w *Walker) Feed(piece []byte) int {
	i := 0
	for i < len(piece) && !w.failed {
		switch w.expect {
		case inKey, inString:
			i += w.inString(piece[i:])
			continue
		case inLiteral:
			i += w.inLiteral(piece[i:])
			continue
		}
		c := piece[i]
		switch c {
		case '\n':
			w.line++
			fallthrough
		case ' ', '\t', '\r':
			i++
			continue
		}
		if !w.token(c) {
			w.failed = true
			return i
		}
		if w.expect != inLiteral {
			i++
		}
		if len(w.frames) == 0 && w.expect == wantComma {
			return i
		}
	}
	return i
}

// token takes one byte of structure, or the first of a value.
func (w *Walker) token(c byte) bool {
	switch c {
	case '{', '[':
		return w.open(c == '[')
	case '}', ']':
		return w.close(c == ']')
	case ',':
		return w.comma()
	case ':':
		ok := w.expect == wantColon
		w.expect = wantValue
		return ok
	case '"':
		return w.quote()
	}
	ok := (w.expect == wantValue || w.expect == wantFirstValue) &&
		(c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'N' || c == 'I')
	w.expect, w.str = inLiteral, w.str[:0]
	return ok && len(w.frames) > 0
}

func (w *Walker) open(array bool) bool {
	if w.expect != wantValue && w.expect != wantFirstValue || len(w.frames) >= maxDepth {
		return false
	}
	key := w.key
	if n := len(w.frames); n > 0 && w.frames[n-1].array {
		key = w.frames[n-1].key // elements stand under the array's own key
	}
	w.frames = append(w.frames, frame{array: array, key: key})
	w.expect = wantFirstKey
	if array {
		w.expect = wantFirstValue
	}
	return true
}

func (w *Walker) comma() bool {
	if w.expect != wantComma || len(w.frames) == 0 {
		return false
	}
	w.expect = wantKey
	if w.frames[len(w.frames)-1].array {
		w.expect = wantValue
	}
	return true
}

func (w *Walker) quote() bool {
	switch w.expect {
	case wantKey, wantFirstKey:
		w.expect, w.keep = inKey, true
	case wantValue, wantFirstValue:
		if len(w.frames) == 0 {
			return false
		}
		w.expect, w.keep = inString, w.frames[len(w.frames)-1].array || len(w.key) < maxKey
	default:
		return false
	}
	w.str, w.strLine, w.lost = w.str[:0], w.line, 0
	return true
}

// Next walks a further document that begins on the same line, keeping the entries found so far.
func (w *Walker) Next(line int, piece []byte) int {
	entries := w.Entries
	w.Begin(line)
	w.Entries = entries
	return w.Feed(piece)
}
