package envelope

import (
	"bytes"
	"encoding/csv"
	"strings"
)

// Table is a comma-separated export: its columns are members, its rows entries. A quoted field may go over several lines.
type Table struct {
	columns []string
	row     []byte // the lines of it so far
	line    int    // of its first
	lost    int64
	open    bool // a quoted field goes on on the next line
}

var mark = []byte{'"'}

// NewTable reads the title line of a table. It returns nil when no column is a message's or none is a time.
func NewTable(title []byte) *Table {
	if bytes.IndexByte(title, ',') < 0 || len(title) > 8<<10 || title[0] == '{' || title[0] == '[' || bytes.Count(title, mark)%2 == 1 {
		return nil
	}
	names, _ := fields(title).Read() // what is no row has no columns
	t := &Table{}
	message, stamp := false, false
	for _, name := range names[:min(len(names), maxKey)] {
		name = strings.TrimSpace(name)
		message, stamp = message || textRank(name) > 0, stamp || isTime(name)
		t.columns = append(t.columns, name)
	}
	if !message || !stamp {
		return nil
	}
	return t
}

func fields(row []byte) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(row))
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	return r
}

// Row reads one line and returns the entry that it completes, if any.
func (t *Table) Row(line []byte, n int) (Entry, bool) {
	if !t.open {
		t.row, t.line, t.lost = t.row[:0], n, 0
	}
	keep := max(min(len(line), MaxMessage-len(t.row)-1), 0)
	t.row = append(append(t.row, line[:keep]...), '\n')
	t.lost += int64(len(line) - keep)
	if t.open = t.open != (bytes.Count(line, mark)%2 == 1); t.open {
		return Entry{}, false
	}
	return t.entry()
}

// entry makes an entry of a whole row.
func (t *Table) entry() (Entry, bool) {
	var r record
	in := fields(t.row)
	values, _ := in.Read() // what is no row has no values
	for i, v := range values[:min(len(values), len(t.columns))] {
		line, _ := in.FieldPos(i)
		value := text{line: t.line + line - 1, raw: []byte(v), lost: t.lost, plain: true}
		if rank := textRank(t.columns[i]); rank > 0 {
			value.rank = rank
			r.texts = append(r.texts, value)
			continue
		}
		r.set("", t.columns[i], value, false)
	}
	best, content, ok := r.best(nil)
	if !ok {
		return Entry{}, false
	}
	raw, _, _ := bytes.Cut(content, []byte{'\n'})
	if doubled := bytes.ReplaceAll(raw, mark, []byte(`""`)); bytes.Contains(t.row, doubled) {
		raw = doubled
	} else if !bytes.Contains(t.row, raw) { // marks stand where none should
		raw = bytes.Clone(bytes.Split(t.row, []byte{'\n'})[best.line-t.line])
	}
	return Entry{Line: best.line, Raw: raw, Text: content, Lost: best.lost, Time: r.time, From: r.from}, true
}
