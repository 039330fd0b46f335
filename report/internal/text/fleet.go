package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

func Fleet(w io.Writer, f *model.Fleet) error {
	p := &page{}
	for i, fact := range view.FleetFacts(f) {
		if i == 0 {
			p.wrap("FLEET: ", "  ", fact)
			continue
		}
		p.wrap("", "  ", fact)
	}
	for _, t := range view.FleetTables(f) {
		p.gap().line(strings.ToUpper(t.Title))
		if t.Note != "" {
			p.wrap("  ", "  ", t.Note)
		}
		fleetTextTable(p, t)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// fleetTextTable aligns a table; a name that is too long for its column stands in a line of its own.
func fleetTextTable(p *page, t view.FleetTable) {
	const nameColumns = 26
	if len(t.Head) == 2 {
		for _, r := range t.Rows {
			p.wrap("  ", "    ", r[0]+": "+r[1])
		}
	} else {
		for _, r := range append([][]string{t.Head}, t.Rows...) {
			name, line := r[0], ""
			if words.Columns(name) > nameColumns {
				p.wrap("  ", "    ", name)
				name = ""
			}
			line = "  " + name + strings.Repeat(" ", nameColumns-words.Columns(name))
			for n, cell := range r[1:] {
				if n == len(r)-2 {
					line += "  " + cell // it may be a range
					continue
				}
				line += " " + strings.Repeat(" ", max(max(words.Columns(t.Head[n+1]), 8)-words.Columns(cell), 0)) + cell
			}
			p.line(line)
		}
	}
	if t.Left > 0 {
		p.line(fmt.Sprintf("  and %d more; -o csv and -o json have them", t.Left))
	}
}
