package table

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/ingest/internal/manifest"
)

// chunk is a text between gaps of two and more blanks, by which kubectl separates columns, with its column in characters.
type chunk struct {
	text   string
	column int
}

func chunks(s string) []chunk {
	var out []chunk
	column := 0
	for part := range strings.SplitSeq(s, "  ") {
		text := strings.TrimLeft(part, " ")
		if text != "" {
			out = append(out, chunk{text: text, column: column + len(part) - len(text)})
		}
		column += utf8.RuneCountInString(part) + 2
	}
	return out
}

// columns are the names and places of a table's columns.
type columns struct {
	names  []string // lower case without blanks, such as lastseen
	starts []int
	free   int  // the column whose text may hold gaps, such as message; -1 when there is none
	flat   bool // one blank parts the cells
	narrow bool // and k9s puts numbers at the ends of their columns
}

func newColumns(head []chunk) columns {
	c := columns{free: -1}
	for i, h := range head {
		name := strings.ToLower(strings.ReplaceAll(h.text, " ", ""))
		if name == "message" {
			c.free = i
		}
		c.names, c.starts = append(c.names, name), append(c.starts, h.column)
	}
	return c
}

func (c *columns) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(c.names, n) })
}

// any reports that there is one of some columns.
func (c *columns) any(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(c.names, n) })
}

// cells is a row by the columns' names.
type cells struct {
	columns *columns
	values  []string
}

func newCells(names, values []string) cells {
	return cells{columns: &columns{names: names, free: -1}, values: values}
}

// get is the first of the named columns that the table has; kubectl's placeholders count as empty.
func (c cells) get(names ...string) string {
	for _, n := range names {
		if i := slices.Index(c.columns.names, n); i >= 0 && n == "name" {
			return unprefixed(cellValue(c.values[i]))
		} else if i >= 0 {
			return cellValue(c.values[i])
		}
	}
	return ""
}

// unprefixed is a name without its kind, which kubectl prints before it where it lists several kinds.
func unprefixed(name string) string {
	if kind, bare, ok := strings.Cut(name, "/"); ok && kindOfPrefix(kind) != "" {
		return bare
	}
	return name
}

// kindOfPrefix is the kind of a resource as kubectl prints it before a name, such as volumeattachment.storage.k8s.io.
func kindOfPrefix(resource string) string {
	resource, _, _ = strings.Cut(resource, ".")
	return manifest.KindCalled(resource)
}

// cellValue is a value, unless it is a placeholder of kubectl.
func cellValue(v string) string {
	if v == "<none>" || v == "<unset>" {
		return ""
	}
	return v
}

// split cuts a row into cells, by the places of the header, because a cell may be blank. A row that someone edited does not fit them; then
// the gaps decide, if there are as many cells as columns.
func (c *columns) split(s string) (cells, bool) {
	if c.flat {
		values := strings.Fields(restarted.ReplaceAllString(s, " $1 "))
		return cells{columns: c, values: values}, len(values) == len(c.names)
	}
	if values, ok := c.byPlace(s); ok {
		return cells{columns: c, values: values}, true
	}
	if values := strings.Fields(s); c.narrow && c.free < 0 && len(values) == len(c.names) {
		return cells{columns: c, values: values}, true
	}
	parts := chunks(s)
	n := len(c.names)
	if c.free == n-1 && len(parts) > n {
		tail := parts[n-1]
		parts = append(parts[:n-1:n-1], chunk{text: s[byteOffset(s, tail.column):], column: tail.column})
	}
	if len(parts) != n {
		return cells{}, false
	}
	values := make([]string, n)
	for i, p := range parts {
		values[i] = p.text
	}
	return cells{columns: c, values: values}, true
}

// byPlace cuts a row where the header's columns begin. Every cell begins there and holds no gap, but for free text.
func (c *columns) byPlace(s string) ([]string, bool) {
	values := make([]string, len(c.names))
	for i, start := range c.starts {
		from := byteOffset(s, start)
		to := len(s)
		if i+1 < len(c.starts) {
			to = byteOffset(s, c.starts[i+1])
		}
		if i == 0 && strings.TrimSpace(s[:from]) != "" || i > 0 && from < len(s) && s[from-1] != ' ' {
			return nil, false
		}
		cell := strings.TrimRight(s[from:to], " ")
		if c.names[i] == "restarts" { // k9s has the number at the end of its column
			cell = strings.TrimLeft(cell, " ")
		}
		if strings.HasPrefix(cell, " ") {
			return nil, false
		}
		if value, comment, found := strings.Cut(cell, "  "); found && i != c.free {
			// Behind the last column a person may have noted something.
			if comment = strings.TrimLeft(comment, " "); i != len(c.names)-1 || comment == "" || comment[0] != '(' && comment[0] != '<' {
				return nil, false
			}
			cell = value
		}
		values[i] = cell
	}
	return values, values[0] != "" || c.names[0] == "subobject"
}

// byteOffset is where the nth character of s begins, at most its length.
func byteOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
