package envelope

import "bytes"

// Table is a comma-separated export: its columns are members, its rows entries. A quoted field may go over several lines.
type Table struct {
	columns []string
	row     []text
	open    bool // a quoted field goes on on the next line
	size    int
}

// NewTable reads the title line of a table. It returns nil when no column is a message's or none is a time.
func NewTable(title []byte) *Table {
	if bytes.IndexByte(title, ',') < 0 || len(title) > 8<<10 || title[0] == '{' || title[0] == '[' {
		return nil
	}
	t := &Table{}
	message, stamp := false, false
	for len(title) > 0 || len(t.columns) == 0 {
		var f []byte
		var closed bool
		f, title, closed = field(title)
		if !closed || len(t.columns) >= maxKey {
			return nil
		}
		name := string(bytes.TrimSpace(f))
		message, stamp = message || textRank(name) > 0, stamp || isTime(name)
		t.columns = append(t.columns, name)
	}
	if !message || !stamp {
		return nil
	}
	return t
}

// field takes the first field of a row off. Quotes stay doubled. closed is false when the row ends inside quotes.
func field(b []byte) (value, rest []byte, closed bool) {
	if len(b) == 0 || b[0] != '"' {
		value, rest, _ = bytes.Cut(b, []byte{','})
		return value, rest, true
	}
	end := closingQuote(b[1:])
	if end < 0 {
		return b[1:], nil, false
	}
	return b[1 : end+1], bytes.TrimPrefix(b[end+2:], []byte{','}), true
}

// Row reads one line and returns the entry that it completes, if any.
func (t *Table) Row(line []byte, n int) (Entry, bool) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if t.open {
		end := closingQuote(line)
		last := &t.row[len(t.row)-1]
		if end < 0 {
			t.more(last, line)
			return Entry{}, false
		}
		t.more(last, line[:end])
		t.open = false
		line = bytes.TrimPrefix(line[end+1:], []byte{','})
	} else {
		t.row, t.size = t.row[:0], 0
	}
	for len(line) > 0 && len(t.row) < len(t.columns) {
		value, rest, closed := field(line)
		keep := min(len(value), MaxMessage-t.size)
		t.size += keep
		t.row = append(t.row, text{line: n, raw: bytes.Clone(value[:keep]), lost: int64(len(value) - keep)})
		if line = rest; !closed {
			t.open = true
			return Entry{}, false
		}
	}
	return t.entry()
}

// more adds a further line of a quoted field.
func (t *Table) more(to *text, b []byte) {
	keep := max(min(len(b), MaxMessage-t.size-1), 0)
	to.raw = append(append(to.raw, '\n'), b[:keep]...)
	to.lost += int64(len(b) - keep)
	t.size += keep + 1
}

// closingQuote is the index of the quote that ends a field which began on a line before, -1 when it goes on.
func closingQuote(b []byte) int {
	for i := 0; i < len(b); i++ {
		if b[i] == '"' {
			if i+1 == len(b) || b[i+1] != '"' {
				return i
			}
			i++
		}
	}
	return -1
}

// entry makes an entry of a whole row.
func (t *Table) entry() (Entry, bool) {
	var r record
	for i, v := range t.row {
		if rank := textRank(t.columns[i]); rank > 0 {
			v.rank, v.bytes = rank, true
			r.texts = append(r.texts, v)
			continue
		}
		r.set(nil, "", t.columns[i], v, false)
	}
	best, content, ok := r.best(nil)
	if !ok {
		return Entry{}, false
	}
	raw, _, _ := bytes.Cut(best.raw, []byte{'\n'})
	return Entry{Line: best.line, Raw: raw, Text: bytes.ReplaceAll(content, []byte(`""`), []byte{'"'}), Lost: best.lost,
		Time: r.time, From: r.from}, true
}
