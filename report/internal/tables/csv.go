package tables

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// CSV writes the timeline as a table with a head: a column for each field of event. It is RFC 4180 with plain line feeds.
func CSV(w io.Writer, r *model.Report, zone *time.Location) error {
	v, out := view.In(r, zone), csv.NewWriter(w)
	var row []string
	for field := range reflect.TypeFor[event]().Fields() {
		row = append(row, field.Tag.Get("json"))
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, item := range v.Timeline {
		e := reflect.ValueOf(eventOf(v, item))
		for i := range row {
			row[i] = fmt.Sprint(e.Field(i).Interface())
			if e.Field(i).Kind() == reflect.String {
				row[i] = inert(row[i])
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// inert keeps a spreadsheet from taking a cell for a formula: an apostrophe makes it text. A formula begins at the beginning
// of a cell, and where the spreadsheet's own separator is the semicolon or the tab, after one; blanks and quotes before it
// do not matter.
func inert(cell string) string {
	var b strings.Builder
	done, begins := 0, true
	for i := range len(cell) {
		switch c := cell[i]; {
		case begins && computes(cell[i:]):
			b.WriteString(cell[done:i] + "'")
			done, begins = i, false
		case c == ';' || c == '\t':
			begins = true
		case c == ' ' || c == '\n' || c == '\r' || c == '\f' || c == '"' || c == '\'':
		default:
			begins = false
		}
	}
	if b.Len() == 0 {
		return cell
	}
	return b.String() + cell[done:]
}

// computes tells whether s begins with what makes a formula. Full-width forms do in some languages.
func computes(s string) bool {
	switch s[0] {
	case '=', '+', '-', '@':
		return true
	case 0xef:
		return strings.HasPrefix(s, "＝") || strings.HasPrefix(s, "＋") || strings.HasPrefix(s, "－") || strings.HasPrefix(s, "＠")
	}
	return false
}
