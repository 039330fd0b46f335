package logline

// fields walks the members of one JSON object undecoded. Of a cut line it yields the whole members, then the cut value up to the end.
type fields struct {
	b []byte
	i int // after the opening brace
}

// next returns the next key and the bounds of its value.
func (f *fields) next() (key []byte, start, end int, ok bool) {
	i := skipSpace(f.b, f.i)
	if i < len(f.b) && f.b[i] == ',' {
		i = skipSpace(f.b, i+1)
	}
	if i >= len(f.b) || f.b[i] != '"' {
		return nil, 0, 0, false
	}
	after := skipString(f.b, i)
	if after < 0 {
		return nil, 0, 0, false
	}
	key = f.b[i+1 : after-1]
	i = skipSpace(f.b, after)
	if i >= len(f.b) || f.b[i] != ':' {
		return nil, 0, 0, false
	}
	start = skipSpace(f.b, i+1)
	if start >= len(f.b) {
		return nil, 0, 0, false
	}
	if end = skipValue(f.b, start); end < 0 {
		end = len(f.b)
	}
	if end == start { // no value between the colon and a comma or bracket
		return nil, 0, 0, false
	}
	f.i = end
	return key, start, end, true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at b[i], -1 when it is not closed.
func skipString[T string | []byte](b T, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue returns the index after the JSON value that begins at b[i], -1 when it is cut.
func skipValue[T string | []byte](b T, i int) int {
	if b[i] == '"' {
		return skipString(b, i)
	}
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	if depth > 0 {
		return -1
	}
	return i
}
